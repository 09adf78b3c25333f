"""report.json: everything that a report says, as data. Its JSON Schema is published (docs/report.schema.json).

Fractions are of 1, money in USD, times in milliseconds. What there is no evidence of is null, never 0.
"""

from typing import Literal

from pydantic import Field

from evaluator.journal import RunFile
from evaluator.taxonomy import Category, Detail, Discard
from miner.mix import MixCell
from miner.record import Record
from miner.strata import Stratum


class Interval(Record):
    """An estimate with the ends of its interval, 95% unless it is named otherwise."""

    value: float
    low: float
    high: float


class Count(Record):
    """k of n."""

    k: int
    n: int


class MixEstimate(Record):
    """The resolved rate re-weighted to the history's natural mix; `unseen` of it has no trial in the set."""

    interval: Interval | None
    unseen: float
    source: str  # where the weights come from: `set.yaml`, or a file given with --weights


class RepositoryEstimates(Record):
    """What few repositories say of a new one: a t interval over their means, and each left out in turn."""

    new_repository: Interval | None  # None: fewer than two repositories
    per_repository: dict[str, Count]
    leave_one_out: dict[str, float | None]


class SizeRow(Record):
    """A size, or another group, and how many of its tasks were resolved. Descriptive."""

    name: str
    resolved: Count


class BoughtRow(Record):
    """First attempts that only a tolerance applied, and what became of them."""

    tolerance: str
    attempts: int
    resolved: int
    misapplied: int
    unintended: int


class FormatEstimates(Record):
    """One format's numbers. `failed` and `resolved` sum to `trials`."""

    name: str
    planned: int  # trials
    trials: int  # with evidence
    tasks: int  # with evidence in at least one repeat
    resolved: int  # trials
    this_set: Interval | None  # the mean over tasks of the mean over repeats; Wilson's with n_eff
    every_repeat: Interval | None  # solved on every repeat; None at one repeat
    history: MixEstimate | None  # None: the set knows no mix
    repositories: RepositoryEstimates
    bounds: Interval | None  # of `this_set`, had the discarded all failed, or all been resolved; None: none discarded
    discarded: dict[Discard, int]
    silent_defects: Interval | None
    silent: int
    apply_rate: Interval | None  # attempts applied of those that reached the applier, by bootstrap over fixtures
    applied: int
    reached_applier: int
    edits: int  # of first attempts that could be read
    edits_applied: int
    failed: dict[Category, int]
    details: dict[Detail, int]
    first: dict[Category, int]
    first_resolved: int
    tests_by_unintended: dict[Literal["pass_clean", "pass_unintended", "fail_clean", "fail_unintended"], int]
    strict_would_change: int  # trials resolved only because what an allowed symbol needs is excused
    attempts: int
    mean_attempts: float | None
    output_tokens: float | None  # median per task
    input_tokens: float | None
    cached_share: float | None  # of input tokens
    latency_p50: float | None  # of calls
    latency_p95: float | None
    cost_total: float | None  # None: unpriced
    paid_total: float | None
    cost_per_task: float | None
    cost_per_resolved: Interval | None
    sizes: list[SizeRow]
    change: list[SizeRow]
    tags: list[SizeRow]
    bought: list[BoughtRow]


class PairEstimates(Record):
    """Two formats over the run's complete blocks. `p_holm` decides; the interval (method 10) is unadjusted."""

    first: str
    second: str
    winner: str | None  # who resolves more; None: not distinguishable
    blocks: int
    tasks: int
    resolved: tuple[float, float]  # means over the complete blocks
    only_first: int | None  # None with repeats, where the test is of task means
    only_second: int | None
    difference: Interval | None  # first less second; None over no complete block
    history_difference: Interval | None
    p: float
    p_holm: float
    mid_p: float | None
    test: Literal["mcnemar", "sign_flip"]
    worst: Interval | None
    best: Interval | None
    depends_on_discarded: bool
    strict_winner: str | None  # by the strict list of unintended changes
    strict_differs: bool
    equivalent_within: float | None  # the margin asked for, where the 90% interval lies inside it
    sentence: str


class Shows(Record):
    """What this set can show: the smallest difference at 80% power, by exact enumeration."""

    smallest: float | None
    disagreeing: float  # the share of blocks that disagree, as seen or assumed
    for_points: float  # how many tasks a difference of so much
    tasks: int | None  # would need


class Gathering(Record):
    """Where failures gather: of so many failed trials, so many are of this."""

    kind: Literal["fixture", "file", "symbol", "tag", "detail"]
    name: str
    failed: int
    trials: int
    formats: list[str]


class AttemptRow(Record):
    """An attempt as the pages show it: the line is attempts.jsonl's, the files are in `replies/`."""

    fixture: str
    format: str
    repeat: int
    attempt: int
    call: int
    verdict: str  # `resolved`, a category, or the kind of discard
    detail: str | None
    sentence: str  # why, in one sentence
    output_tokens: int
    latency_ms: int
    cost_usd: float | None
    transcript: str  # a path below the run's folder


class ImpossibleRow(Record):
    """One format over the impossible tasks."""

    name: str
    planned: int
    tasks: int
    reported: int
    reported_rate: Interval | None
    ended: dict[str, int]
    attempts: int
    discarded: dict[Discard, int]


class ReportFile(Record):
    """report.json."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    run: RunFile
    served: list[str]
    warnings: list[str]  # what a reader must know first: simulated, unfinished, served model changed, thin prompts
    fixtures: int
    repositories: list[str]
    ended: int  # trials of possible tasks that have ended
    planned: int
    formats: list[FormatEstimates]
    blocks: int
    complete: int
    pairs: list[PairEstimates]
    not_compared: str | None  # why, where the formats are not compared
    shows: Shows | None
    findings: list[str]  # the numbered sentences of the one screen
    gatherings: list[Gathering]
    discard_reasons: dict[str, int]
    impossible: list[ImpossibleRow]
    mix: list[MixCell]
    sizes: list[Stratum]
