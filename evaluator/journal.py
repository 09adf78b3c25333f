"""The attempts of a run, on disk (run.yaml, attempts.jsonl, replies/) or in memory."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Literal, Protocol

from pydantic import Field, JsonValue, ValidationError

from evaluator.messages import Message
from evaluator.taxonomy import DEFAULT_SIGNALS, Category, Detail, Discard, Signal, StopReason
from miner.errors import ToolError
from miner.mix import MixCell
from miner.record import Record, as_data, dump_yaml, first_problem, load_yaml, write_atomically
from miner.strata import Stratum

Feedback = Literal["none", "error", "full"]


class CallSettings(Record):
    """What is passed on to the model with every call; None: the provider's default."""

    temperature: float | None = None
    reasoning_effort: str | None = None
    params: dict[str, JsonValue] = Field(default_factory=dict)
    base_url: str | None = None
    seeded: bool = True  # whether a seed is sent: a distinct one for every repeat
    timeout_seconds: float | None = None  # of a call; None: scaled with the cap


class Price(Record):
    """A model's prices, in USD per million tokens, as of a date. A cache price that is None is that of input."""

    model: str
    as_of: date
    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


class TaskFacts(Record):
    """What reports group a fixture by, so that a run can be reported without its fixtures."""

    stratum: Stratum
    large: bool
    rewrite_tokens: int
    tags: list[str] = Field(default_factory=list)


class RunFile(Record):
    """run.yaml: everything a run was asked for."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    set_digest: str
    cap: int
    model: str
    simulated: bool
    formats: list[str]
    attempts: int
    seed: int
    fixtures: list[str]
    started: str
    version: str
    impossible: list[str] = Field(default_factory=list)  # fixtures too, and none of `fixtures`
    applier: dict[str, list[str]] = Field(default_factory=dict)  # format -> the tolerances it was granted
    show_tests: bool = False  # the set's: whether prompts show the tests that must pass
    repeats: int = 1
    feedback: Feedback = "error"  # what a retry is told
    retry_on: list[Signal] = Field(default_factory=lambda: list(DEFAULT_SIGNALS))
    context: int = 0  # files shown besides those of the change set
    call: CallSettings = Field(default_factory=CallSettings)
    price: Price | None = None  # the row of the price table that costs were worked out by; None: unpriced
    max_spend_usd: float | None = None
    max_seconds: float | None = None
    tasks: dict[str, TaskFacts] = Field(default_factory=dict)  # fixture -> what reports group by
    mix: list[MixCell] = Field(default_factory=list)  # the history's natural mix, as the set knows it


class AttemptLine(Record):
    """One line of attempts.jsonl: a model call and what became of it."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    fixture: str
    format: str
    model: str
    repeat: int
    attempt: int
    valid: bool
    unintended_changes: tuple[str, ...] = ()
    output_tokens: int = 0
    latency_ms: int = 0
    failure_category: Category | None = None
    detail: Detail | None = None
    excused: tuple[str, ...] = ()
    unintended_kinds: tuple[str, ...] = ()  # of each unintended change: `removed (moved to b.py::g)`
    input_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = None
    served_model: str | None = None
    stop_reason: StopReason | None = None
    applied: bool = False
    edits: int = 0
    edits_applied: int = 0
    tests: str | None = None
    edit_steps: tuple[str, ...] = ()  # per edit, the tolerances it took: `trailing_space+indentation`
    strict_applied: bool | None = None  # first attempts: whether the specification to the letter applied it
    feedback: str = ""
    discarded: Discard | None = None
    error: str = ""
    call: int = 1  # an attempt whose call gave no evidence may be made again: the call with the highest number counts
    signal: Signal | None = None  # what an agent in production would see of the failure
    seed: int | None = None  # what was sent to the model
    prompt_digest: str = ""  # of system, task and files: equal for every format
    cache_write_tokens: int = 0
    reasoning_tokens: int | None = None  # of the output tokens, where the provider tells
    first_token_ms: int | None = None
    tries: int = 1  # requests that this call took; more than one: the provider failed, and was asked again
    paid_usd: float | None = None  # what the provider charged by its prices; `cost_usd` supposes that no cache was warm
    ended: str = ""  # when, ISO 8601


def reply_path(replies: Path, fixture: str, fmt: str, repeat: int, attempt: int) -> Path:
    """Where an attempt's raw reply is kept."""
    return replies / fixture / f"{fmt}.r{repeat}.a{attempt}.reply.txt"


def write_reply(replies: Path, line: AttemptLine, messages: Iterable[Message], text: str) -> None:
    """Keep an attempt's prompt and raw reply as files to read."""
    path = reply_path(replies, line.fixture, line.format, line.repeat, line.attempt)
    prompt = "\n".join(f"<<< {m.role} >>>\n{m.content}" for m in messages)
    write_atomically(path.with_name(path.name.replace(".reply.txt", ".prompt.md")), prompt)
    write_atomically(path, text)


def read_attempts(path: Path) -> list[AttemptLine]:
    """The lines of attempts.jsonl; a torn last line is dropped, a damaged one before it is an error."""
    found = []
    try:
        rows = path.read_bytes().split(b"\n")
    except OSError as error:
        raise ToolError("cannot read the attempts", path, f"{error.strerror}. Give a run's folder.") from None
    for number, row in enumerate(rows, 1):
        if not row:
            continue
        try:
            found.append(AttemptLine.model_validate_json(row))
        except ValidationError as error:
            if number == len(rows):
                break
            raise ToolError("damaged line", f"{path}:{number}", f"{first_problem(error)}.") from None
    return found


def load_run(folder: Path) -> RunFile:
    """The settings of a run."""
    return load_yaml(folder / "run.yaml", RunFile, "Give a folder that `evaluator run` wrote.")


class Journal(Protocol):
    """Where a run keeps its attempts; only the driver adds to it."""

    lines: list[AttemptLine]

    def add(self, line: AttemptLine, messages: Sequence[Message], text: str) -> None:
        """Keep an attempt, its prompt and its raw reply."""

    def reply(self, line: AttemptLine) -> str:
        """The raw reply of an attempt that was kept."""


class MemoryJournal:
    """Attempts of a simulation, gone with the process. Prompts are not kept."""

    def __init__(self) -> None:
        self.lines: list[AttemptLine] = []
        self._replies: list[str] = []

    def add(self, line: AttemptLine, messages: Sequence[Message], text: str) -> None:  # noqa: ARG002
        """Keep an attempt and its raw reply."""
        self.lines.append(line)
        self._replies.append(text)

    def reply(self, line: AttemptLine) -> str:
        """The raw reply of an attempt that was kept."""
        return self._replies[self.lines.index(line)]


class DiskJournal:
    """Attempts on disk: one line and one flush each. Opening drops a torn last line."""

    def __init__(self, folder: Path, run: RunFile) -> None:
        self.folder, self.replies = folder, folder / "replies"
        self.path = folder / "attempts.jsonl"
        if not (folder / "run.yaml").exists():
            write_atomically(folder / "run.yaml", dump_yaml(run))
        self.lines = read_attempts(self.path) if self.path.exists() else []
        if self.path.exists():
            content = self.path.read_bytes()
            if not content.endswith(b"\n") and content:
                write_atomically(self.path, b"".join(map(_as_json, self.lines)))
        self._file = self.path.open("ab")

    def add(self, line: AttemptLine, messages: Sequence[Message], text: str) -> None:
        """Keep an attempt: its reply first, so that no line stands without one."""
        write_reply(self.replies, line, messages, text)
        self._file.write(_as_json(line))
        self._file.flush()
        self.lines.append(line)

    def reply(self, line: AttemptLine) -> str:
        """The raw reply of an attempt that was kept; raises `ToolError` where it is gone."""
        path = reply_path(self.replies, line.fixture, line.format, line.repeat, line.attempt)
        try:
            return path.read_bytes().decode("utf-8", "surrogateescape")
        except OSError as error:
            raise ToolError("a stored reply is missing", path, f"{error.strerror}. Start a new run.") from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _as_json(line: AttemptLine) -> bytes:
    # A lone surrogate (a byte that was no UTF-8) can be written as JSON but not read again.
    return json.dumps(as_data(line), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
