"""`replay:DIR`: the stored replies of a run (or a folder of the same layout), scored again."""

from pathlib import Path

from evaluator.journal.attempts import read_attempts
from evaluator.journal.calls import read_calls, reply_of
from evaluator.journal.places import last_call, reply_path
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.tokens import count_tokens


class Replay:
    """Answers with what is stored, of an attempt its last call; a stop reason that is not recorded is not known."""

    simulated = False

    def __init__(self, folder: Path) -> None:
        self.name = f"replay:{folder}"
        self.replies = folder / "replies" if (folder / "replies").is_dir() else folder
        if not self.replies.is_dir():
            raise ToolError("no stored replies", folder, "Give a run's folder, or its replies/ folder.")
        journal = self.replies.parent / "attempts.jsonl"
        lines = read_attempts(journal) if journal.exists() else []
        self.recorded = {a.key[:4]: a for a in sorted(lines, key=lambda a: a.call)}
        self.calls = read_calls(self.replies.parent / "calls.jsonl")
        # A run of a simulated model stays a simulation when it is replayed.
        served = {a.served_model for a in lines} | {call.served_model for call in self.calls.values()}
        self.simulated = any((name or "").startswith("simulated:") for name in served)

    def reply(self, request: Request) -> Reply:
        """The stored reply; raises `NoEvidence` where there is none."""
        key = (request.task.id, request.format.name, request.repeat, request.attempt)
        line = self.recorded.get(key)
        call = line.call if line is not None else last_call(self.replies, *key)
        try:
            text = reply_path(self.replies, *key, call).read_bytes()
        except OSError:
            text = b""
            if line is None or line.discarded is None:
                raise NoEvidence(Discard.HARNESS_ERROR, f"no stored reply for {' '.join(map(str, key))}") from None
        if line is not None and line.discarded is not None and not text:
            raise NoEvidence(line.discarded, line.error)  # there was no reply to score
        known = self.calls.get((*key, call)) or line
        return reply_of(known, text) if known is not None else _unknown(request, text)


def _unknown(request: Request, content: bytes) -> Reply:
    """A reply of which nothing but the text is known."""
    text = content.decode("utf-8", "surrogateescape")
    asked = sum(count_tokens(m.content) for m in request.messages)
    return Reply(text, None, asked, count_tokens(text), 0, "", counted_here=True, input_counted_here=True)
