import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.bench import TaskBench, Tested
from evaluator.formats.model import Tree
from evaluator.scoring import Tests
from miner.fixtures import FixtureFolder, Task
from miner.symbols.files import Files

FIXTURES = Path(__file__).parents[2] / "fixtures"


class TruthBench(TaskBench):
    """A real tree; the tests pass exactly where every line that the change set adds is there, however it ends."""

    def _run(self, changed: Files) -> Tested:
        for path, after in self.task.after.items():
            before = self.task.before[path]
            now = changed.get(path, before)
            added = set((after or b"").split(b"\n")) - set((before or b"").split(b"\n"))
            there = set((now or b"").replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf").split(b"\n"))
            if not {line.removesuffix(b"\r") for line in added} <= there or (not added and now != after):
                return Tested(Tests.FAIL, (f"{path}::test",), f"1 failed: {path}")
        return Tested(Tests.PASS, (), "all passed")


@pytest.fixture(scope="session")
def checked_in() -> list[Task]:
    """The possible tasks of the checked-in fixtures. Read them only."""
    return _checked_in(impossible=False)


@pytest.fixture(scope="session")
def impossible_ones() -> list[Task]:
    """The impossible tasks of the checked-in fixtures. Read them only."""
    return _checked_in(impossible=True)


def _checked_in(impossible: bool) -> list[Task]:
    folder = FixtureFolder(FIXTURES)
    tasks = [folder.task(record.id) for record in folder.records()]
    return [task for task in tasks if task.impossible is impossible]


@pytest.fixture(scope="session")
def truth_bench() -> Callable[[Task], TaskBench]:
    """A bench whose tests are a comparison with the truth, so that no sandbox is started."""
    return lambda task: TruthBench(task, threading.Lock())


@pytest.fixture(scope="session")
def tree_of() -> Callable[..., Tree]:
    """A tree of these files; keyword arguments give further paths their modes."""

    def make(files: Files, **modes: str) -> Tree:
        known = {path: "100644" for path, content in files.items() if content is not None} | modes
        return Tree(known, lambda path: files[path] or b"")

    return make
