"""A journal on disk: every reply, line and transcript is written as it comes."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from evaluator.journal.attempts import Shared, attempts_with_ends
from evaluator.journal.calls import call_line, calls_with_ends, digest, reply_of
from evaluator.journal.lock import lock
from evaluator.journal.places import reply_path, transcript_path, truth_path
from evaluator.journal.records import AttemptLine, CallLine, Key, RunFile
from evaluator.journal.rows import sealed
from evaluator.journal.settings import write_run
from evaluator.journal.writing import Appended, cannot_write, write_plain
from evaluator.transcript import Kept, transcript
from miner.errors import ToolError
from miner.text import to_bytes

if TYPE_CHECKING:
    from evaluator.models.model import Reply

T = TypeVar("T")


class DiskJournal:
    """Attempts on disk. Opening locks the folder, and cuts off a last line that a kill has torn.

    Of a call the text is written first, then its line in calls.jsonl; once it is scored the transcript, then its line
    in attempts.jsonl: what a line speaks of is there, and nothing relies on what has no line. Raises `ToolError` where
    the folder cannot be written, another process writes it, or a line in it is damaged.
    """

    def __init__(self, folder: Path, run: RunFile) -> None:
        self.folder, self.replies = folder, folder / "replies"
        self.path = folder / "attempts.jsonl"
        self.lines: list[AttemptLine] = []
        self._made: set[Path] = set()
        self._shared = Shared()
        self._waiting: dict[Key, CallLine] = {}  # answered and stored, not scored yet
        _make(folder)
        with ExitStack() as opened:
            opened.callback(os.close, lock(folder))
            if not (folder / "run.yaml").exists():
                write_run(folder, run)
            self._attempts = self._open_attempts(opened)
            self._calls = self._open_calls(folder / "calls.jsonl", opened)
            self._opened = opened.pop_all()

    def _open_attempts(self, opened: ExitStack) -> Appended:
        end = 0
        for line, last in _existing(self.path, attempts_with_ends(self.path, self._shared)):
            self.lines.append(line)
            end = last
        return opened.enter_context(Appended(self.path, end))

    def _open_calls(self, path: Path, opened: ExitStack) -> Appended:
        scored, end = {line.key for line in self.lines}, 0
        for call, last in _existing(path, calls_with_ends(path)):
            end = last
            if call.key not in scored:
                self._waiting[call.key] = call
        return opened.enter_context(Appended(path, end))

    def stored(self, key: Key) -> "Reply | None":
        """The reply of a call that was stored and has no line yet; None also where its file is not what was written."""
        line = self._waiting.get(key)
        if line is None:
            return None
        try:
            text = reply_path(self.replies, *key).read_bytes()
        except OSError:
            return None
        return reply_of(line, text) if digest(text) == line.sha256 else None

    def waiting(self) -> list[Key]:
        """The calls whose reply was stored and has no line yet."""
        return list(self._waiting)

    def store(self, key: Key, reply: "Reply") -> None:
        """Keep a call's reply before it is scored."""
        text = to_bytes(reply.text)
        self._write(reply_path(self.replies, *key), text)
        line = call_line(key, reply, text)
        self._calls.add(sealed(line))
        self._waiting[key] = line

    def add(self, line: AttemptLine, kept: Kept) -> None:
        """Keep an attempt: its transcript first, so that no line stands without one."""
        if line.key not in self._waiting and kept.reply:
            self._write(reply_path(self.replies, *line.key), to_bytes(kept.reply))
        title = f"{line.fixture}, {line.format}, repeat {line.repeat}, attempt {line.attempt}, call {line.call}"
        self._write(transcript_path(self.replies, *line.key), transcript(title, kept))
        self._attempts.add(sealed(line))
        self._waiting.pop(line.key, None)
        self.lines.append(self._shared.line(line))

    def reply(self, line: AttemptLine) -> str:
        """The raw reply of an attempt that was kept; empty where the call gave none. `ToolError` where it is gone."""
        path = reply_path(self.replies, *line.key)
        try:
            return path.read_bytes().decode("utf-8", "surrogateescape")
        except OSError as error:
            if line.discarded is not None and isinstance(error, FileNotFoundError):
                return ""
            raise ToolError("a stored reply is missing", path, f"{error.strerror}. Start a new run.") from None

    def keep_truth(self, fixture: str, diff: str) -> None:
        """Keep a fixture's ground truth as `truth.diff` beside its replies, once."""
        path = truth_path(self.replies, fixture)
        if not path.exists():
            self._write(path, to_bytes(diff))

    def close(self) -> None:
        """Close the files, and let go of the folder."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, path: Path, content: bytes) -> None:
        if path.parent not in self._made:
            _make(path.parent)
            self._made.add(path.parent)
        write_plain(path, content)


def _existing(path: Path, lines: Iterator[T]) -> Iterator[T]:
    return lines if path.exists() else iter(())


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from None
