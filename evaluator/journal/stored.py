"""A run that is over, or was interrupted, to be read."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.journal.attempts import read_attempts
from evaluator.journal.calls import digest, read_calls, reply_of
from evaluator.journal.places import reply_path, transcript_path
from evaluator.journal.records import AttemptLine, CallLine, Key, RunFile
from evaluator.journal.settings import load_run
from evaluator.transcript import Kept, read_transcript
from miner.errors import ToolError

if TYPE_CHECKING:
    from evaluator.models.model import Reply

_RESTORE = "Restore it from a copy of the run"


class StoredRun:
    """The files of a run. Nothing is written, so another process may."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.replies = folder, folder / "replies"

    @cached_property
    def settings(self) -> RunFile:
        """What the run was asked for."""
        return load_run(self.folder)

    @cached_property
    def lines(self) -> list[AttemptLine]:
        """Its attempts, in the order in which they were added."""
        return read_attempts(self.folder / "attempts.jsonl")

    @cached_property
    def _calls(self) -> dict[Key, CallLine]:
        return read_calls(self.folder / "calls.jsonl")

    def reply(self, line: AttemptLine) -> "Reply | None":
        """What the call gave; None where it gave nothing. `ToolError` where that is gone, or was changed."""
        path, call = reply_path(self.replies, *line.key), self._calls.get(line.key)
        try:
            text = path.read_bytes()
        except OSError as error:
            if line.discarded is not None and call is None:
                return None
            raise ToolError("a stored reply is missing", path, f"{error.strerror}. {_RESTORE}.") from None
        if call is None:  # an older run, which knows of its calls what its attempts' lines say
            return reply_of(line, text)
        if digest(text) != call.sha256:
            remedy = f"{_RESTORE}, or score what is there now with `evaluator run --model replay:{self.folder}`."
            raise ToolError("a stored reply is not what was written", path, remedy)
        return reply_of(call, text)

    def kept(self, line: AttemptLine) -> Kept | None:
        """What was kept of an attempt to be read; None where its transcript is not there, or not as it was written."""
        try:
            return read_transcript(transcript_path(self.replies, *line.key))
        except ToolError:
            return None
