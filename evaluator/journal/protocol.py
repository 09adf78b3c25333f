"""The seam between the driver of a run and where its attempts are kept."""

from typing import TYPE_CHECKING, Protocol

from evaluator.journal.records import AttemptLine, Key
from evaluator.transcript import Kept

if TYPE_CHECKING:
    from evaluator.models.model import Reply


class Journal(Protocol):
    """Where a run keeps its attempts; only the driver adds to it, from one thread."""

    lines: list[AttemptLine]

    def stored(self, key: Key) -> "Reply | None":
        """The reply of a call that was stored and has no line yet: the process died before it was scored."""

    def waiting(self) -> list[Key]:
        """The calls whose reply was stored and has no line yet."""

    def store(self, key: Key, reply: "Reply") -> None:
        """Keep a call's reply before it is scored, so that it is never paid for twice."""

    def add(self, line: AttemptLine, kept: Kept) -> None:
        """Keep an attempt that was scored, or gave no evidence, and what of it is to be read."""

    def reply(self, line: AttemptLine) -> str:
        """The raw reply of an attempt that was kept; empty where the call gave none."""

    def keep_truth(self, fixture: str, diff: str) -> None:
        """Keep a fixture's ground truth for readers, once."""
