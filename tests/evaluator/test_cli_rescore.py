"""`evaluator rescore` as people type it, on a run of the checked-in set whose replies need no test to be judged."""

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer

from evaluator.cli_rescore import rescore_command
from evaluator.journal import AttemptLine, DiskJournal, Kept, RunFile, StoredRun
from evaluator.messages import Message
from evaluator.models.model import Reply
from evaluator.taxonomy import Category, Detail
from miner import errors
from miner.set_file import load_set

FIXTURES = Path(__file__).parents[2] / "fixtures"
PROSE = "\x1b[31mNo.\x1b[0m"
Rescore = Callable[..., SimpleNamespace]


@pytest.fixture
def rescore(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Rescore:
    """Runs the command in this process: its exit code, standard output and standard error."""
    app = typer.Typer()
    app.command("rescore")(rescore_command)

    def run(*arguments: object) -> SimpleNamespace:
        monkeypatch.setattr(sys, "argv", ["evaluator", *map(str, arguments)])
        code = errors.run_command_line(app, "evaluator")
        captured = capsys.readouterr()
        return SimpleNamespace(code=code, out=captured.out, err=captured.err)

    return run


def written(folder: Path, *details: Detail | None, **settings: object) -> Path:
    """A run of the set's first fixture, one attempt a format, answered with prose: each had this detail, or none."""
    chosen = load_set(FIXTURES)
    names = ["whole_file", "unified_diff"][: len(details)]
    run = RunFile(
        set_digest=chosen.digest, cap=chosen.cap, model="m", simulated=False, formats=names, attempts=1, seed=1,
        fixtures=chosen.fixtures, impossible=chosen.impossible, started="", version="0",
    )  # fmt: skip
    with DiskJournal(folder, run.model_copy(update=settings)) as journal:
        for name, detail in zip(names, details, strict=True):
            line = AttemptLine(
                fixture=chosen.fixtures[0], format=name, model="m", repeat=1, attempt=1, valid=False, detail=detail,
                failure_category=detail and Category.MALFORMED, stop_reason="stop",
                feedback="No file was found in the answer." if detail else "",
            )  # fmt: skip
            journal.store(line.key, Reply(PROSE, "stop", 1, 1, 1, "m"))
            journal.add(line, Kept((Message("user", "Change it."),), PROSE))
    return folder


def everything(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_what_changed_is_told_and_a_new_run_is_written_beside_the_old_one(rescore: Rescore, tmp_path: Path) -> None:
    old = written(tmp_path / "run", None, Detail.NO_EDIT)
    before = everything(old)
    done = rescore(old, "--fixtures", FIXTURES)
    assert done.code == 0, done.err
    fixture = load_set(FIXTURES).fixtures[0]
    assert f"{fixture}  whole_file  1       1        resolved  malformed/no_edit" in done.out
    assert "2 attempts, 2 scored again, 1 with another verdict" in done.out
    assert "whole_file: resolved trials 1 before, 0 now" in done.out
    assert "unified_diff:" not in done.out
    assert everything(old) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "run-rescored"]
    new = StoredRun(tmp_path / "run-rescored")
    assert (new.settings.rescored_from, StoredRun(old).settings.rescored_from) == ("run", None)
    assert [line.detail for line in new.lines] == [Detail.NO_EDIT] * 2
    assert [reply.text for line in new.lines if (reply := new.reply(line))] == [PROSE] * 2
    rescored = rescore(new.folder, "--fixtures", FIXTURES)
    assert "Nothing changed; nothing was written" in rescored.out
    again = rescore(old, "--fixtures", FIXTURES)
    assert again.code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "run-rescored", "run-rescored-2"]


def test_a_dry_run_writes_nothing(rescore: Rescore, tmp_path: Path) -> None:
    done = rescore(written(tmp_path / "run", None), "--fixtures", FIXTURES, "--dry-run")
    assert (done.code, "1 with another verdict" in done.out) == (0, True)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_folder_of_its_own_is_written_only_where_there_is_none(rescore: Rescore, tmp_path: Path) -> None:
    old, out = written(tmp_path / "run", None), tmp_path / "deep/new"
    assert rescore(old, "--fixtures", FIXTURES, "--out", out).code == 0
    assert StoredRun(out).lines[0].detail is Detail.NO_EDIT
    done = rescore(old, "--fixtures", FIXTURES, "--out", out)
    assert (done.code, "there already" in done.err) == (1, True)


def test_a_run_of_another_set_is_refused(rescore: Rescore, tmp_path: Path) -> None:
    old = written(tmp_path / "run", None, set_digest="0" * 64)
    done = rescore(old, "--fixtures", FIXTURES)
    assert (done.code, "the run is of another set" in done.err) == (1, True)
    assert done.err.count("\n") == 1


def test_a_lost_reply_ends_it_and_leaves_nothing_half_written(rescore: Rescore, tmp_path: Path) -> None:
    old = written(tmp_path / "run", None)
    next(old.rglob("*.reply.txt")).unlink()
    done = rescore(old, "--fixtures", FIXTURES)
    assert (done.code, "a stored reply is missing" in done.err) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_what_is_no_run_is_refused(rescore: Rescore, tmp_path: Path) -> None:
    done = rescore(tmp_path, "--fixtures", FIXTURES)
    assert (done.code, "run.yaml" in done.err) == (1, True)
