"""The attempts of a run, on disk (run.yaml, attempts.jsonl, calls.jsonl, replies/) or in memory."""

from evaluator.journal.attempts import read_attempts
from evaluator.journal.calls import read_calls, with_counts
from evaluator.journal.disk import DiskJournal
from evaluator.journal.memory import MemoryJournal
from evaluator.journal.places import reply_path, transcript_path, truth_path
from evaluator.journal.protocol import Journal
from evaluator.journal.records import (
    AttemptLine,
    CallLine,
    CallSettings,
    Feedback,
    Key,
    Price,
    RunFile,
    TaskFacts,
    cached_tokens,
)
from evaluator.journal.settings import load_run, write_run
from evaluator.journal.stored import StoredRun
from evaluator.transcript import Kept, read_transcript

__all__ = [
    "AttemptLine",
    "CallLine",
    "CallSettings",
    "DiskJournal",
    "Feedback",
    "Journal",
    "Kept",
    "Key",
    "MemoryJournal",
    "Price",
    "RunFile",
    "StoredRun",
    "TaskFacts",
    "cached_tokens",
    "load_run",
    "read_attempts",
    "read_calls",
    "read_transcript",
    "reply_path",
    "transcript_path",
    "truth_path",
    "with_counts",
    "write_run",
]
