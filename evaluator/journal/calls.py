"""calls.jsonl: one line per call that was answered, written after its text and before it is scored."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.journal.records import AttemptLine, CallLine, Key, cached_tokens
from evaluator.journal.rows import light, read_rows

if TYPE_CHECKING:
    from evaluator.models.model import Reply

REMEDY = "Delete the line, then `evaluator run --resume`: if the call was not scored yet, it is made again."
NAMES = tuple(name for name in CallLine.model_fields if name not in
              {"schema_", "fixture", "format", "repeat", "attempt", "call", "sha256"})  # fmt: skip


def read_calls(path: Path) -> dict[Key, CallLine]:
    """The last line of every call; none where the file is not there (older runs). Raises `ToolError` as attempts do."""
    return {line.key: line for line, _ in calls_with_ends(path)} if path.exists() else {}


def calls_with_ends(path: Path) -> Iterator[tuple[CallLine, int]]:
    """The lines, each with the offset in bytes where it ends."""
    return read_rows(path, lambda row: light(CallLine.model_validate_json(row)), REMEDY)


def call_line(key: Key, reply: "Reply", text: bytes) -> CallLine:
    """The line of a call whose reply is stored as these bytes."""
    fixture, fmt, repeat, attempt, call = key
    facts = {name: getattr(reply, name) for name in NAMES}
    return CallLine(
        fixture=fixture, format=fmt, repeat=repeat, attempt=attempt, call=call, sha256=digest(text), **facts
    )  # fmt: skip


def reply_of(line: CallLine | AttemptLine, text: bytes) -> "Reply":
    """The reply of a call, from its line (in older runs its attempt's, which says nearly all) and its file's bytes."""
    from evaluator.models.model import Reply  # here, because models (replay) read journals

    facts = {name: getattr(line, name) for name in NAMES if hasattr(line, name)}
    facts |= {"served_model": line.served_model or "", "cached_tokens": cached_tokens(line)}
    return Reply(text=text.decode("utf-8", "surrogateescape"), **facts)


def with_counts(lines: list[AttemptLine], path: Path) -> list[AttemptLine]:
    """The lines, with what calls.jsonl (`path`) says of who counted their tokens: lines of older runs do not say it."""
    if all(line.input_counted_here is not None or line.discarded for line in lines):
        return lines
    calls = read_calls(path)
    return [
        line.model_copy(update={"counted_here": call.counted_here, "cached_tokens": cached_tokens(call)})
        if line.counted_here is None and (call := calls.get(line.key)) is not None else line
        for line in lines
    ]


def digest(text: bytes) -> str:
    """The SHA-256 of a stored reply."""
    return hashlib.sha256(text).hexdigest()
