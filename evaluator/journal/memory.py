"""A journal that is gone with the process."""

from typing import TYPE_CHECKING

from evaluator.journal.records import AttemptLine, Key
from evaluator.transcript import Kept

if TYPE_CHECKING:
    from evaluator.models.model import Reply


class MemoryJournal:
    """Attempts of a simulation. Of what is to be read only the replies are kept."""

    def __init__(self) -> None:
        self.lines: list[AttemptLine] = []
        self._replies: dict[Key, str] = {}
        self._waiting: dict[Key, Reply] = {}

    def stored(self, key: Key) -> "Reply | None":
        """The reply of a call that was stored and has no line yet."""
        return self._waiting.get(key)

    def waiting(self) -> list[Key]:
        """The calls whose reply was stored and has no line yet."""
        return list(self._waiting)

    def store(self, key: Key, reply: "Reply") -> None:
        """Keep a call's reply before it is scored."""
        self._waiting[key] = reply

    def add(self, line: AttemptLine, kept: Kept) -> None:
        """Keep an attempt and its raw reply."""
        self._waiting.pop(line.key, None)
        self._replies[line.key] = kept.reply
        self.lines.append(line)

    def reply(self, line: AttemptLine) -> str:
        """The raw reply of an attempt that was kept."""
        return self._replies[line.key]

    def keep_truth(self, fixture: str, diff: str) -> None:
        """Nothing: nobody reads a simulation that is not on disk."""
