"""Would policies over formats do better than one: a format by size, or one to fall back on (rule 10).

Over the run's complete blocks, as its verdicts are. What a policy would have come to is known without running it: every
format tried every task from the same starting tree, so the trial that it would have made is there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Literal, TypeVar

from evaluator.journal import RunFile
from evaluator.report.intervals import shown
from evaluator.report.model import PolicyEstimates
from evaluator.statistics.policies import (
    Scores,
    chain_costs,
    cross_fitted,
    fallback_chains,
    set_aside,
    size_rules,
    stands_out,
)
from evaluator.trials import Trial
from miner.strata import Definition

LEAST = 25  # tasks: five a fold. Of fewer the interval hardly ever says anything (docs/statistics.md)
# The borders of the sizes that a set is balanced by, and between them the cap, which no longer rewrite fits. No more:
# every further threshold is one more chance to be lucky.
THRESHOLDS = (Definition().inside_below, 1.0, Definition().past_above)

T = TypeVar("T")
Blocks = Sequence[Mapping[str, Trial]]  # format -> trial


@dataclass(frozen=True)
class _Known:
    """What is known of the tasks that have a complete block: per format a row a task, of its complete blocks.

    `costs` supposes cold caches; None where an attempt has no price: a part is not the whole.
    """

    fixtures: Sequence[str]
    resolved: Mapping[str, Sequence[Sequence[bool]]]
    seen_to_fail: Mapping[str, Sequence[Sequence[bool]]]
    costs: Mapping[str, Sequence[Sequence[float]]] | None

    @cached_property
    def rates(self) -> dict[str, list[float]]:
        return _means(self.resolved)

    @cached_property
    def mean_costs(self) -> dict[str, list[float]] | None:
        return None if self.costs is None else _means(self.costs)


def policies(run: RunFile, done: Iterable[Trial]) -> list[PolicyEstimates]:
    """The best size rule and the best fallback chain, of `done`, the trials of a run that has ended.

    None over fewer than two formats or `LEAST` tasks; no size rule where no threshold parts the tasks or a size is not
    known, no chain where no trial was seen to fail.
    """
    tasks = _tasks(run.formats, done)
    if len(run.formats) < 2 or len(tasks) < LEAST:
        return []
    known = _known(run, tasks)
    return [*_size_rule(run, known), *_chain(run, known)]


def _size_rule(run: RunFile, known: _Known) -> Iterator[PolicyEstimates]:
    if any(fixture not in run.tasks for fixture in known.fixtures):
        return
    sizes = [run.tasks[fixture].rewrite_tokens / run.cap for fixture in known.fixtures]
    costs = None if known.mean_costs is None else size_rules(sizes, known.mean_costs, THRESHOLDS)
    yield from _estimate("size_rule", run, known, size_rules(sizes, known.rates, THRESHOLDS), costs)


def _chain(run: RunFile, known: _Known) -> Iterator[PolicyEstimates]:
    costs = None if known.costs is None else chain_costs(known.seen_to_fail, known.costs)
    yield from _estimate("fallback_chain", run, known, fallback_chains(known.seen_to_fail, known.resolved), costs)


def _estimate(
    kind: Literal["size_rule", "fallback_chain"], run: RunFile, known: _Known, tried: Scores, costs: Scores | None
) -> Iterator[PolicyEstimates]:  # fmt: skip
    """`costs`: of each that is tried, per task; None: unpriced."""
    found = cross_fitted(tried, known.rates, run.set_digest)
    difference = shown(found.difference) if found else None
    if found is None or difference is None:
        return
    single = known.mean_costs
    yield PolicyEstimates(
        kind=kind, tasks=len(known.fixtures), tried=len(tried), chosen=list(found.policies),
        formats=list(found.formats), rate=found.policy_rate, format_rate=found.format_rate, difference=difference,
        stands_out=stands_out(found, known.rates), own_rates={name: fmean(of) for name, of in known.rates.items()},
        cost_per_task=fmean(set_aside(costs, found.policies, found.folds)) if costs else None,
        format_cost_per_task=fmean(set_aside(single, found.formats, found.folds)) if single else None,
    )  # fmt: skip


def _tasks(formats: Sequence[str], done: Iterable[Trial]) -> dict[str, Blocks]:
    """The complete blocks by fixture, sorted: in which order trials ended must not decide who is in which fold."""
    blocks: dict[tuple[str, int], dict[str, Trial]] = {}
    for trial in done:
        if trial.has_evidence:
            blocks.setdefault((trial.fixture, trial.repeat), {})[trial.format] = trial
    tasks: dict[str, list[dict[str, Trial]]] = {}
    for (fixture, _), block in sorted(blocks.items(), key=lambda of: of[0]):
        if len(block) == len(formats):
            tasks.setdefault(fixture, []).append(block)
    return dict(tasks)


def _known(run: RunFile, tasks: Mapping[str, Blocks]) -> _Known:
    """A trial was seen to fail by what the run retried on: a signal that it did not act on is none in its terms."""

    def of(what: Callable[[Trial], T]) -> dict[str, list[list[T]]]:
        return {name: [[what(block[name]) for block in blocks] for blocks in tasks.values()] for name in run.formats}

    trials = (trial for blocks in tasks.values() for block in blocks for trial in block.values())
    priced = all(a.cost_usd is not None for trial in trials for a in trial.attempts)
    return _Known(
        list(tasks), of(lambda trial: trial.resolved), of(lambda trial: trial.signal in run.retry_on),
        of(lambda trial: sum(a.cost_usd or 0.0 for a in trial.attempts)) if priced else None,
    )  # fmt: skip


def _means(of: Mapping[str, Sequence[Sequence[float]]]) -> dict[str, list[float]]:
    return {name: [fmean(row) for row in rows] for name, rows in of.items()}
