"""Runs made by hand: a row a block, a letter a format."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluator import cli
from evaluator.journal import AttemptLine, RunFile
from evaluator.taxonomy import Category, Detail, Discard
from miner import errors
from miner.record import dump_yaml

NAMES = ["search_replace", "whole_file", "unified_diff"]
ENDS: dict[str, dict[str, object]] = {
    "+": {"valid": True, "applied": True, "tests": "pass"},
    "-": {"failure_category": Category.WRONG_CHANGE, "detail": Detail.TESTS_FAIL, "applied": True, "tests": "fail"},
    "s": {"failure_category": Category.UNINTENDED_CHANGE, "detail": Detail.REMOVED, "valid": True, "applied": True,
          "tests": "pass", "unintended_changes": ("a.py::f",)},
    "e": {"valid": True, "applied": True, "tests": "pass", "unintended_changes": ("a.py::import os",),
          "excused": ("a.py::import os",)},
    "?": {"discarded": Discard.INFRA_ERROR, "error": "503"},
    "c": {"failure_category": Category.TRUNCATED, "detail": Detail.STOP_LENGTH},  # retried: not the end
    "u": {"failure_category": Category.MALFORMED, "detail": Detail.NO_EDIT},  # so is this
    " ": {},
}  # fmt: skip

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]


@pytest.fixture
def journal() -> Journal:
    """A run and its lines. `rows`: a block each, fixture after fixture, `repeats` of them; a letter a format."""

    def make(*rows: str, repeats: int = 1, repositories: Sequence[str] = ("r",), run: dict[str, object] | None = None,
             **fields: object) -> tuple[RunFile, list[AttemptLine]]:  # fmt: skip
        names = NAMES[: max(map(len, rows))]
        ids = [f"{repositories[n % len(repositories)]}/{n}-x" for n in range(len(rows) // repeats)]
        settings = RunFile(
            set_digest="d" * 64, cap=8000, model="m", simulated=False, formats=names, attempts=3, seed=1,
            fixtures=ids, started="2026-01-02T03:04:05+00:00", version="0", repeats=repeats,
        ).model_copy(update=run or {})  # fmt: skip
        blank = {"model": "m", "attempt": 1, "valid": False, "served_model": "m-1", "latency_ms": 1000,
                 "output_tokens": 10, "input_tokens": 100}  # fmt: skip
        lines = [
            AttemptLine(
                fixture=ids[n // repeats], format=name, repeat=n % repeats + 1, **{**blank, **ENDS[end], **fields}
            )
            for n, row in enumerate(rows) for name, end in zip(names, row, strict=False) if end != " "
        ]  # fmt: skip
        return settings, lines

    return make


@pytest.fixture
def on_disk(tmp_path: Path) -> Callable[..., Path]:
    """Writes a run's folder."""

    def write(run: RunFile, lines: Sequence[AttemptLine], name: str = "run") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "run.yaml").write_text(dump_yaml(run))
        (folder / "attempts.jsonl").write_text("".join(line.model_dump_json(by_alias=True) + "\n" for line in lines))
        return folder

    return write


@pytest.fixture
def evaluator(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., SimpleNamespace]:
    """Runs the command in this process: its exit code, standard output and standard error."""

    def run(*arguments: object) -> SimpleNamespace:
        monkeypatch.setattr(sys, "argv", ["evaluator", *map(str, arguments)])
        code = errors.run_command_line(cli.app, "evaluator")
        captured = capsys.readouterr()
        return SimpleNamespace(code=code, out=captured.out, err=captured.err)

    return run
