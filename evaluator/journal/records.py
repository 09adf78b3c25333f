"""What the files of a run hold: run.yaml, and the lines of attempts.jsonl and calls.jsonl."""

from collections import Counter
from datetime import date
from typing import Annotated, Literal

from pydantic import Field, JsonValue, StringConstraints, model_validator

from evaluator.taxonomy import DEFAULT_SIGNALS, Category, Detail, Discard, Signal, StopReason
from miner.mix import MixCell
from miner.record import Identifier, Record
from miner.strata import Stratum

Feedback = Literal["none", "error", "full"]
Number = Annotated[int, Field(ge=1)]  # counted from 1
# A run's names name its files: a folder that came from a stranger must lead nowhere else.
FormatName = Annotated[str, StringConstraints(pattern=r"^[^/\x00]+$")]
Usd = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Key = tuple[str, str, int, int, int]  # fixture, format, repeat, attempt, call


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
    cap: Number
    model: str
    simulated: bool
    formats: list[FormatName] = Field(min_length=1)
    attempts: Number
    seed: int
    fixtures: list[Identifier]
    started: str
    version: str
    impossible: list[Identifier] = Field(default_factory=list)  # fixtures too, and none of `fixtures`
    applier: dict[str, list[str]] = Field(default_factory=dict)  # format -> the tolerances it was granted
    show_tests: bool = False  # the set's: whether prompts show the tests that must pass
    repeats: Number = 1
    feedback: Feedback = "error"  # what a retry is told
    retry_on: list[Signal] = Field(default_factory=lambda: list(DEFAULT_SIGNALS))
    context: int = 0  # files shown besides those of the change set
    call: CallSettings = Field(default_factory=CallSettings)
    price: Price | None = None  # the row of the price table that costs were worked out by; None: unpriced
    max_spend_usd: float | None = None
    max_seconds: float | None = None
    tasks: dict[str, TaskFacts] = Field(default_factory=dict)  # fixture -> what reports group by
    mix: list[MixCell] = Field(default_factory=list)  # the history's natural mix, as the set knows it
    set_tasks: int | None = None  # of the whole set, possible and impossible; more than the run has: it ran a part
    rescored_from: str | None = None  # the run whose stored replies were scored again; no model was called

    @model_validator(mode="after")
    def _each_once(self) -> "RunFile":
        """A fixture or format that is named twice would be two trials of one name."""
        for names in (self.formats, [*self.fixtures, *self.impossible]):
            if twice := sorted(name for name, times in Counter(names).items() if times > 1):
                raise ValueError(f"{twice[0]} is named twice")
        return self


class AttemptLine(Record):
    """One line of attempts.jsonl: a model call and what became of it."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    fixture: str
    format: str
    model: str
    repeat: Number
    attempt: Number
    valid: bool
    unintended_changes: tuple[str, ...] = ()
    output_tokens: int = 0
    latency_ms: int = 0
    failure_category: Category | None = None
    detail: Detail | None = None
    excused: tuple[str, ...] = ()
    unintended_kinds: tuple[str, ...] = ()  # of each unintended change: `removed (moved to b.py::g)`
    input_tokens: int = 0
    cached_tokens: int | None = None  # None: not said. A 0 of a line without `input_counted_here` may be that too
    cost_usd: Usd | None = None
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
    call: Number = 1  # a call that gave no evidence may be made again: that with the highest number counts
    signal: Signal | None = None  # what an agent in production would see of the failure
    seed: int | None = None  # what was sent to the model
    prompt_digest: str = ""  # of system, task and files: equal for every format
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None  # of the output tokens, where the provider tells
    first_token_ms: int | None = None
    tries: int = 1  # requests that this call took; more than one: the provider failed, and was asked again
    paid_usd: Usd | None = None  # what the provider charged by its prices; `cost_usd` supposes that no cache was warm
    # Whether output and input tokens were counted here, in another vocabulary than the model's; None: older lines.
    counted_here: bool | None = None
    input_counted_here: bool | None = None
    ended: str = ""  # when, ISO 8601

    @property
    def key(self) -> Key:
        """What names the call within its run."""
        return self.fixture, self.format, self.repeat, self.attempt, self.call

    @property
    def estimated(self) -> bool:
        """Whether any of its tokens are known to have been counted here, which is an estimate."""
        return bool(self.counted_here or self.input_counted_here)


class CallLine(Record):
    """One line of calls.jsonl: a call that was answered. Its text is in a file, and has this digest.

    All fields of `evaluator.models.model.Reply` but the text are here under their names.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    fixture: str
    format: str
    repeat: int
    attempt: int
    call: int
    sha256: str
    stop_reason: StopReason | None
    input_tokens: int
    output_tokens: int
    latency_ms: int
    served_model: str
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    first_token_ms: int | None = None
    tries: int = 1
    seeded: bool = True
    counted_here: bool | None = False
    input_counted_here: bool | None = None  # None: a line of before it was noted

    @property
    def key(self) -> Key:
        """What names the call within its run."""
        return self.fixture, self.format, self.repeat, self.attempt, self.call


def cached_tokens(line: AttemptLine | CallLine) -> int | None:
    """The input tokens that a cache held, None where the provider does not say: older lines have 0 for that too."""
    return None if line.input_counted_here is None and not line.cached_tokens else line.cached_tokens
