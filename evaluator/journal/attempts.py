"""attempts.jsonl: one line per attempt."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluator.journal.records import AttemptLine
from evaluator.journal.rows import light, read_rows

REMEDY = "Delete the line, then `evaluator run --resume`: the attempt's stored reply is scored again."
# Fields whose values come again and again over a run: each value is held once.
_REPEATED = (
    "fixture", "format", "model", "served_model", "prompt_digest", "feedback", "error", "unintended_changes",
    "unintended_kinds", "excused", "edit_steps",
)  # fmt: skip


def read_attempts(path: Path) -> list[AttemptLine]:
    """The lines of attempts.jsonl; a torn last line is dropped, a damaged one is a `ToolError` that names it."""
    return [line for line, _ in attempts_with_ends(path, Shared())]


def attempts_with_ends(path: Path, shared: "Shared") -> Iterator[tuple[AttemptLine, int]]:
    """The lines, each with the offset in bytes where it ends."""
    return read_rows(path, lambda row: shared.line(AttemptLine.model_validate_json(row)), REMEDY)


class Shared:
    """Makes lines small: what several of them hold is one object in memory."""

    def __init__(self) -> None:
        self._values: dict[Any, Any] = {}

    def line(self, line: AttemptLine) -> AttemptLine:
        """The same line (this very object) with its repeated values shared."""
        values = line.__dict__  # the model is frozen: equal values take each other's place, so nothing changes
        for name in _REPEATED:
            value = values[name]
            values[name] = self._values.setdefault(value, value)
        return light(line)
