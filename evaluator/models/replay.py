"""`replay:DIR`: the stored replies of a run (or a folder of the same layout), scored again."""

from pathlib import Path

from evaluator.journal import read_attempts, reply_path
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.tokens import count_tokens


class Replay:
    """Answers with what is stored; where no stop reason is recorded, it is not known."""

    simulated = False

    def __init__(self, folder: Path) -> None:
        self.name = f"replay:{folder}"
        self.replies = folder / "replies" if (folder / "replies").is_dir() else folder
        if not self.replies.is_dir():
            raise ToolError("no stored replies", folder, "Give a run's folder, or its replies/ folder.")
        journal = self.replies.parent / "attempts.jsonl"
        lines = read_attempts(journal) if journal.exists() else []
        self.recorded = {(a.fixture, a.format, a.repeat, a.attempt): a for a in lines}
        # A run of a simulated model stays a simulation when it is replayed.
        self.simulated = any((a.served_model or "").startswith("simulated:") for a in lines)

    def reply(self, request: Request) -> Reply:
        """The stored reply; raises `NoEvidence` where there is none."""
        key = (request.task.id, request.format.name, request.repeat, request.attempt)
        try:
            text = reply_path(self.replies, *key).read_bytes().decode("utf-8", "surrogateescape")
        except OSError:
            raise NoEvidence(Discard.HARNESS_ERROR, f"no stored reply for {' '.join(map(str, key))}") from None
        line = self.recorded.get(key)
        if line is not None and line.discarded is not None and not text:
            raise NoEvidence(line.discarded, line.error)  # there was no reply to score
        if line is None:
            tokens = sum(count_tokens(m.content) for m in request.messages)
            return Reply(text, None, tokens, count_tokens(text), 0, "")
        return Reply(
            text, line.stop_reason, line.input_tokens, line.output_tokens, line.latency_ms, line.served_model or ""
        )
