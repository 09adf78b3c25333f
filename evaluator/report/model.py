"""report.json: everything that a report says, as data. Its JSON Schema is published (docs/report.schema.json).

Fractions are of 1, money in USD, times in milliseconds. What there is no evidence of is null, never 0.
"""

from typing import Literal

from pydantic import Field

from evaluator.journal import RunFile
from evaluator.taxonomy import Category, Detail, Discard
from miner.record import Record


class Interval(Record):
    """An estimate with the ends of its interval, 95% unless it is named otherwise."""

    value: float
    low: float
    high: float


class Cost(Record):
    """Of a resolved task, in USD; the ends are null over a single task."""

    value: float
    low: float | None
    high: float | None


class Count(Record):
    """k of n."""

    k: int
    n: int


class MixEstimate(Record):
    """A rate, or a difference, weighted by the history's natural mix; of `unseen` of it there is no evidence.

    `least` and `most`: the estimate had the unseen part gone the worst way and the best; `low` and `high` hold both.
    """

    least: float
    most: float
    low: float
    high: float
    unseen: float
    source: str  # where the weights come from: `set.yaml`, or a file given with --weights


class RepositoryEstimates(Record):
    """What few repositories say of a new one: a t interval over their means, and each left out in turn."""

    new_repository: Interval | None  # None: fewer than two repositories, or all alike
    per_repository: dict[str, Count]
    leave_one_out: dict[str, float]  # the mean over the tasks of all the others


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
    every_repeat_unknown: int  # tasks that passed what they had, of fewer repeats than were planned: not in it
    history: MixEstimate | None  # None: the set knows no mix, or no task of it has evidence
    repositories: RepositoryEstimates
    bounds: tuple[float, float] | None  # of `this_set`, had the discarded all failed, or all been resolved
    discarded: dict[Discard, int]
    silent_defects: Interval | None
    silent: int  # trials whose tests pass and in which something unintended changed
    apply_rate: Interval | None  # attempts applied of those that reached the applier, by bootstrap over fixtures
    applied: int
    reached_applier: int
    edits: int  # of first attempts that could be read
    edits_applied: int
    anchored: bool  # whether its edits must find their place: not so a whole-file rewrite, or a format unknown here
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
    cached_share: float | None  # of input tokens, over calls whose provider tells; None: none does
    counted_here: int | None = None  # attempts whose tokens were, if only in part: estimates; None: not known
    latency_p50: float | None  # of calls
    latency_p95: float | None
    cost_total: float | None  # None: unpriced
    paid_total: float | None
    cost_per_task: float | None
    cost_per_resolved: Cost | None  # None: unpriced, or no resolved task
    sizes: list[SizeRow]
    change: list[SizeRow]
    tags: list[SizeRow]
    bought: list[BoughtRow]


class Shows(Record):
    """What a set can show of a pair: differences at 80% power, exactly, at Holm's first step over its family."""

    disagreeing: float  # the share of tasks that the two disagree on
    assumed: bool  # none disagreed, so that the share is a guess
    smallest: float | None  # the smallest difference that is shown; None: not even if all disagreements went one way
    for_difference: float
    pairs: int = 1  # of Holm's family: the more, the more a gap takes to be shown
    tasks: int | None  # what `for_difference` would need; None: it cannot differ by so much at this share


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
    history_difference: MixEstimate | None
    p: float
    p_holm: float
    mid_p: float | None
    test: Literal["mcnemar", "sign_flip"]
    worst: float | None  # the difference, had the discarded trials gone against the first; None: none discarded
    best: float | None  # had they gone for it
    depends_on_discarded: bool
    strict_winner: str | None  # by the strict list of unintended changes
    strict_differs: bool
    equivalent_within: float | None  # the margin that was asked for; None: none was
    equivalent: bool | None  # whether the 90% interval lies inside it
    shows: Shows | None  # None where there is a winner, or no complete block
    sentence: str
    across_runs: bool = False  # one format in two runs: then Holm's family is of such pairs alone


class PolicyEstimates(Record):
    """The best policy over formats of a kind beside the best single format, both chosen without the tasks scored.

    A description and no verdict: `difference` is widened by a fifth, as what is chosen varies with the tasks too.
    """

    kind: Literal["size_rule", "fallback_chain"]
    tasks: int  # with a complete block
    tried: int  # policies that were chosen from
    chosen: list[str]  # by each fold; where they differ, the set is too small to choose
    formats: list[str]  # the best single format in each fold
    rate: float
    format_rate: float
    own_rates: dict[str, float]  # of every format over all of these tasks; the best of them is partly the luckiest
    difference: Interval  # rate less format_rate
    stands_out: bool  # all folds chose it, and it is ahead by more than the interval allows for, of `own_rates` too
    cost_per_task: float | None  # None: unpriced
    format_cost_per_task: float | None


Place = Literal["fixture", "file", "symbol", "tag", "detail"]


class Gathering(Record):
    """Where failures gather: how many of so many trials failed with, or on, this."""

    kind: Place
    name: str
    failed: int
    trials: int  # of a fixture or a tag its trials with evidence, of the others all trials that failed
    formats: list[str]  # in which they failed, most failures first
    each: list[int] = Field(default_factory=list)  # how often in each of `formats`; none in older files


class ImpossibleRow(Record):
    """One format over the impossible tasks; `reported` and `ended` sum to `tasks`."""

    name: str
    planned: int  # trials
    tasks: int  # trials with evidence
    reported: int
    reported_rate: Interval | None
    bounds: tuple[float, float] | None  # of it, had the discarded all gone wrong, or all been reported
    ended: dict[str, int]
    attempts: int
    discarded: dict[Discard, int]


class ComparedRun(Record):
    """A run of those that stand in one table, under the letter that its formats have there."""

    letter: str
    name: str
    formats: list[str]


class ReportFile(Record):
    """report.json."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    run: RunFile
    compared_runs: list[ComparedRun] = Field(default_factory=list)  # none: `run` is one run
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
    policies: list[PolicyEstimates] = Field(default_factory=list)  # none over few tasks, or where none are compared
    bottom_line: str = ""  # what the run came to; claims no more than the pairs' verdicts. Empty in older files
    findings: list[str]  # the numbered sentences of the one screen
    gatherings: list[Gathering]
    gatherings_more: dict[Place, int] = Field(default_factory=dict)  # how many more places of a kind there are
    discard_reasons: dict[str, int]
    impossible: list[ImpossibleRow]  # mixed into no other number
    impossible_served: list[str]
