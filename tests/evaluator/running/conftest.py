"""Runs over real trees with small fake models; tests are a comparison with the truth."""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS
from evaluator.formats.model import EditFormat
from evaluator.journal import AttemptLine, DiskJournal, RunFile, read_attempts
from evaluator.models.model import Reply, Request
from evaluator.running.driver import run
from evaluator.running.keeping import Extras
from miner.fixtures import Task

CAP = 8_000


class Asked:
    """Passes requests on to an answer, and keeps them."""

    name = "fake"
    simulated = True

    def __init__(self, answer: Callable[[Request], Reply]) -> None:
        self.answer, self.requests, self.lock = answer, [], threading.Lock()

    def reply(self, request: Request) -> Reply:
        with self.lock:
            self.requests.append(request)
        return self.answer(request)

    @property
    def keys(self) -> list[tuple[str, str, int]]:
        return [(r.task.id, r.format.name, r.attempt) for r in self.requests]


class Setting:
    """A run of a few fixtures on disk."""

    def __init__(self, tasks: Sequence[Task], bench: Callable[[Task], TaskBench], folder: Path, **more: object) -> None:
        self.benches: Mapping[str, TaskBench] = {task.id: bench(task) for task in tasks}
        self.folder, self.formats = folder, FORMATS
        self.said: list[str] = []
        self.settings = RunFile.model_validate({
            "set_digest": "0", "cap": CAP, "model": "fake", "simulated": True, "formats": list(FORMATS), "attempts": 3,
            "seed": 1, "fixtures": [task.id for task in tasks], "started": "", "version": "",
        } | more)  # fmt: skip

    def run(
        self, model: Asked, after: Callable[[AttemptLine], None] = lambda line: None, workers: int = 2, **more: object
    ) -> list[AttemptLine]:
        formats: Mapping[str, EditFormat] = {name: self.formats[name] for name in self.settings.formats}
        extras = Extras(say=self.said.append, **more)  # type: ignore[arg-type]
        journal = DiskJournal(self.folder, self.settings)
        try:
            run(self.settings, formats, self.benches, model, journal, workers, after, 2, extras)
        finally:
            journal.close()
        return read_attempts(self.folder / "attempts.jsonl")

    def change(self, **more: object) -> None:
        self.settings = self.settings.model_copy(update=more)


def said(text: str, stop: str | None = "stop", tokens: int = 5, **more: object) -> Reply:
    return Reply(text, stop, 1, tokens, 2, "fake-1", **more)  # type: ignore[arg-type]


def right(request: Request) -> Reply:
    return said(str(request.format.encode(request.task.before, request.task.after)))


def right_at_last(request: Request) -> Reply:
    return said(f"prose {request.attempt}") if request.attempt < 3 else right(request)


@pytest.fixture
def asked() -> type[Asked]:
    return Asked


@pytest.fixture
def answers() -> dict[str, Callable[..., Reply]]:
    """`said` gives a reply of these words, `right` the right one, `right_at_last` that on the third attempt only."""
    return {"said": said, "right": right, "right_at_last": right_at_last}


@pytest.fixture
def a_run(checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], tmp_path: Path) -> Callable[..., Setting]:
    """A run of the first checked-in fixtures, in a folder of that name."""

    def make(count: int = 4, name: str = "run", **more: object) -> Setting:
        return Setting(checked_in[:count], truth_bench, tmp_path / name, **more)

    return make


@pytest.fixture
def untimed() -> Callable[[Sequence[AttemptLine]], list[AttemptLine]]:
    """The attempts in an order of their own, without their times."""

    def strip(lines: Sequence[AttemptLine]) -> list[AttemptLine]:
        found = [line.model_copy(update={"ended": ""}) for line in lines]
        return sorted(found, key=lambda a: (a.fixture, a.format, a.repeat, a.attempt, a.call))

    return strip
