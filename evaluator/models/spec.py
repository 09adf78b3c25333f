"""The file behind `simulated:FILE.yaml`: which mistakes a simulated model makes, and how often (docs/simulated.md)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from evaluator.faults.model import Label
from evaluator.taxonomy import Category, Detail, Discard, is_retried
from miner.record import Record, load_yaml

# The details that a file may name: those whose replies are known without running tests.
DETAILS: dict[Category, tuple[Detail, ...]] = {
    Category.TRUNCATED: (Detail.STOP_LENGTH, Detail.IN_REASONING, Detail.TIMED_OUT, Detail.UNTERMINATED),
    Category.MALFORMED: (Detail.NO_EDIT, Detail.BAD_BLOCK, Detail.OTHER_FORMAT),
    Category.NOT_APPLIED: (Detail.ANCHOR_MISSING, Detail.ANCHOR_AMBIGUOUS, Detail.HUNK_MISMATCH, Detail.UNKNOWN_PATH,
                           Detail.FORBIDDEN_PATH),
    Category.MISAPPLIED: (Detail.BROKEN_SYNTAX, Detail.ELISION, Detail.WRONG_LOCATION),
    Category.UNINTENDED_CHANGE: (Detail.REMOVED, Detail.MODIFIED, Detail.ADDED, Detail.REORDERED, Detail.ELISION,
                                 Detail.BYTES),
    Category.WRONG_CHANGE: (Detail.TESTS_FAIL, Detail.NO_EFFECT, Detail.GAVE_UP),
}  # fmt: skip
ON_IMPOSSIBLE = (Detail.EDITED_ANYWAY, Detail.INVENTED_FILE, Detail.TESTS_TAMPERED, Detail.NO_EFFECT)
# What a rate without details is of. All of one row are retried, or none is: else no share of verdicts would follow.
USUAL: dict[Category, tuple[Detail, ...]] = DETAILS | {
    Category.TRUNCATED: (Detail.STOP_LENGTH,),
    Category.MISAPPLIED: (Detail.BROKEN_SYNTAX, Detail.ELISION),
    Category.WRONG_CHANGE: (Detail.TESTS_FAIL,),
}
_PLAIN = "rate"  # the key of a rate without details

Rate = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, strict=True, allow_inf_nan=False)]
# Above these no call is like it, and what is drawn may be too large for a number.
Amount = Annotated[float, Field(ge=0, le=1e9, strict=True, allow_inf_nan=False)]
Deviation = Annotated[float, Field(ge=0, le=10, strict=True, allow_inf_nan=False)]


def _by_detail(category: Category) -> BeforeValidator:
    """One number, or a number per detail; details that the category does not have are refused."""
    known = [detail.value for detail in DETAILS[category]]

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            return {_PLAIN: value}
        for name in value:
            if name not in known:
                raise ValueError(f"{name!r} is no detail that can be simulated: {', '.join(known)}")
        return value

    return BeforeValidator(read)


_Details = dict[str, Rate]


class _Calls(Record):
    """What can become of any call. Rates are per attempt."""

    truncated: Annotated[_Details, _by_detail(Category.TRUNCATED)] = Field(default_factory=dict)
    malformed: Annotated[_Details, _by_detail(Category.MALFORMED)] = Field(default_factory=dict)
    not_applied: Annotated[_Details, _by_detail(Category.NOT_APPLIED)] = Field(default_factory=dict)
    infra_error: Rate = 0
    refusal: Rate = 0

    def mistakes(self) -> dict[Label, float]:
        """The rate of every label that the file names, on a first attempt; a label without detail: any usual one."""
        found: dict[Label, float] = {}
        for category in Category:
            for name, rate in getattr(self, category.value, {}).items():
                found[Label(category, None if name == _PLAIN else Detail(name))] = rate
        return found

    @model_validator(mode="after")
    def _sums(self) -> "_Calls":
        total = sum(self.mistakes().values()) + self.infra_error + self.refusal
        if total > 1 + 1e-9:
            raise ValueError(f"the rates sum to {total:.6g}, more than 1")
        return self


class Rates(_Calls):
    """What becomes of a format's attempts; what the rates leave is resolved."""

    misapplied: Annotated[_Details, _by_detail(Category.MISAPPLIED)] = Field(default_factory=dict)
    unintended_change: Annotated[_Details, _by_detail(Category.UNINTENDED_CHANGE)] = Field(default_factory=dict)
    wrong_change: Annotated[_Details, _by_detail(Category.WRONG_CHANGE)] = Field(default_factory=dict)


class ImpossibleRates(_Calls):
    """What becomes of attempts at impossible tasks, in every format; what the rates leave is reported as impossible."""

    reported: Rate | None = None
    edited_anyway: Rate = 0
    invented_file: Rate = 0
    tests_tampered: Rate = 0
    no_effect: Rate = 0

    def mistakes(self) -> dict[Label, float]:
        """As for possible tasks; beyond the rows that hold for both, the details of impossible ones."""
        edits = {Label(Category.WRONG_CHANGE, detail): getattr(self, detail.value) for detail in ON_IMPOSSIBLE}
        return super().mistakes() | {label: rate for label, rate in edits.items() if rate}

    @model_validator(mode="after")
    def _all(self) -> "ImpossibleRates":
        total = sum(self.mistakes().values()) + self.infra_error + self.refusal
        if self.reported is not None and abs(self.reported + total - 1) > 1e-9:
            raise ValueError(f"reported and the other rates sum to {self.reported + total:.6g}, not to 1")
        return self


class Spread(Record):
    """A log-normal distribution: its median, and the standard deviation of its logarithm (0: always the median)."""

    median: Amount
    spread: Deviation = 0


class Latency(Record):
    """Milliseconds of a call: a log-normal start, and so many per output token."""

    median_ms: Amount = 400
    spread: Deviation = 0
    ms_per_token: Amount = 12


class Tokens(Record):
    """Output tokens as billed: the reply's own times a factor, and reasoning before it."""

    factor: Spread = Spread(median=1)
    reasoning: Spread = Spread(median=0)


class Served(Record):
    """The names a provider would give: another one on attempts after `after_attempt`."""

    name: Annotated[str, StringConstraints(pattern=r"^[\w./:-]{1,80}$")]
    then: Annotated[str, StringConstraints(pattern=r"^[\w./:-]{1,80}$")] = ""
    after_attempt: int = Field(default=1, ge=1, strict=True)

    def on(self, attempt: int) -> str:
        """The name that attempt (from 1) is served under."""
        return self.then if self.then and attempt > self.after_attempt else self.name


class SimulationFile(Record):
    """A simulated model's file. `default` is for the formats that `formats` does not name."""

    schema_: Literal[1] = Field(alias="schema")
    default: Rates = Rates()
    formats: dict[str, Rates] = Field(default_factory=dict)
    impossible: ImpossibleRates = ImpossibleRates()
    retries: Rate | Annotated[list[Rate], Field(min_length=1)] = 1.0
    after_first_token: Rate = 0
    latency: Latency = Latency()
    tokens: Tokens = Tokens()
    served_model: Served | None = None

    def factor(self, attempt: int) -> float:
        """What the rates of mistakes are multiplied by on that attempt (from 1)."""
        if attempt == 1:
            return 1
        if isinstance(self.retries, list):
            return self.retries[min(attempt - 2, len(self.retries) - 1)]
        return float(self.retries ** (attempt - 1))


Outcome = Label | Discard


@dataclass(frozen=True)
class Chance:
    """Something that an attempt can come to, other than the right answer, and how probable it is."""

    outcome: Outcome
    probability: float


def load_simulation(path: Path) -> SimulationFile:
    """The file of a simulated model; raises `ToolError` naming the key that is wrong."""
    return load_yaml(path, SimulationFile, "docs/simulated.md has an example.")


def chances(spec: SimulationFile, format_name: str, attempt: int, impossible: bool = False) -> list[Chance]:
    """What that attempt can come to; the right answer has the rest.

    Retries make mistakes rarer, but not a provider's faults. Those that come after the first token cut a reply off.
    """
    rates: Rates | ImpossibleRates = spec.impossible if impossible else spec.formats.get(format_name, spec.default)
    late = rates.infra_error * spec.after_first_token
    found = [
        Chance(Discard.INFRA_ERROR, rates.infra_error - late),
        Chance(Label(Category.TRUNCATED, Detail.TIMED_OUT), late),
        Chance(Discard.REFUSAL, rates.refusal),
    ]
    found += [Chance(label, rate * spec.factor(attempt)) for label, rate in rates.mistakes().items()]
    return [chance for chance in found if chance.probability]


def is_last(outcome: Outcome) -> bool:
    """Whether a trial ends with this, whatever its budget: no evidence, resolved, or a failure that is not retried.

    Retried by the default signals: a simulated model does not know of `--retry-on`.
    """
    if isinstance(outcome, Discard) or outcome.category is None:
        return True
    return not is_retried(outcome.category, outcome.detail or USUAL[outcome.category][0])
