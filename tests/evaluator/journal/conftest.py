from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator.journal import AttemptLine, DiskJournal, Kept, RunFile
from evaluator.messages import Message
from evaluator.models.model import Reply

RUN = RunFile(
    set_digest="d" * 64, cap=8000, model="m", simulated=False, formats=["whole_file"], attempts=3, seed=7,
    fixtures=["r/1-x", "r/2-y"], started="2026-01-01T00:00:00+00:00", version="0",
)  # fmt: skip


@pytest.fixture(scope="session")
def run_file() -> RunFile:
    return RUN


@pytest.fixture(scope="session")
def line() -> Callable[..., AttemptLine]:
    """The line of an attempt at the n-th fixture."""

    def make(n: int, **fields: Any) -> AttemptLine:
        blank = AttemptLine(fixture=f"r/{n}-x", format="whole_file", model="m", repeat=1, attempt=1, valid=False)
        return blank.model_copy(update=fields)

    return make


@pytest.fixture(scope="session")
def kept() -> Kept:
    asked = (Message("system", "Be brief."), Message("user", "Add."))
    return Kept(asked, "a reply\r\n", "-a\n+b\n", "1 failed", "Why.")


@pytest.fixture(scope="session")
def reply() -> Reply:
    """A reply with something in every field."""
    return Reply("a reply\r\n", "stop", 1, 2, 3, "m-1", 4, 5, 6, 7, 8, seeded=False)


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[], DiskJournal]:
    """Opens the journal of the test's run."""
    return lambda: DiskJournal(tmp_path / "run", RUN)
