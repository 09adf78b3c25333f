"""Would policies over formats do better than one: a format by size, or one to fall back on (rule 10).

Over the run's complete blocks, as its verdicts are. What a policy would have come to is known without running it: every
format tried every task from the same starting tree, so the trial that it would have made is there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Literal

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

Tasks = Mapping[str, Sequence[Mapping[str, Trial]]]  # fixture -> its complete blocks: format -> trial


def policies(run: RunFile, done: Iterable[Trial]) -> list[PolicyEstimates]:
    """The best size rule and the best fallback chain, of `done`, the trials of a run that has ended.

    None over fewer than two formats or `LEAST` tasks; no size rule where no threshold parts the tasks or a size is not
    known, no chain where no trial was seen to fail.
    """
    tasks = _tasks(run.formats, done)
    if len(run.formats) < 2 or len(tasks) < LEAST:
        return []
    return [*_size_rule(run, tasks), *_chain(run, tasks)]


def _size_rule(run: RunFile, tasks: Tasks) -> Iterator[PolicyEstimates]:
    if any(fixture not in run.tasks for fixture in tasks):
        return
    sizes = [run.tasks[fixture].rewrite_tokens / run.cap for fixture in tasks]
    costs = _costs(run.formats, tasks)
    rules_cost = size_rules(sizes, _means(costs), THRESHOLDS) if costs else None
    rules = size_rules(sizes, _scores(run.formats, tasks), THRESHOLDS)
    yield from _estimate("size_rule", run, tasks, rules, rules_cost)


def _chain(run: RunFile, tasks: Tasks) -> Iterator[PolicyEstimates]:
    """Falls back on what the run retried on: a signal that it did not act on is none in its terms."""
    resolved = {name: [[b[name].resolved for b in blocks] for blocks in tasks.values()] for name in run.formats}
    seen = {name: [[b[name].signal in run.retry_on for b in blocks] for blocks in tasks.values()]
            for name in run.formats}  # fmt: skip
    costs = _costs(run.formats, tasks)
    chains_cost = chain_costs(seen, costs) if costs else None
    yield from _estimate("fallback_chain", run, tasks, fallback_chains(seen, resolved), chains_cost)


def _estimate(
    kind: Literal["size_rule", "fallback_chain"], run: RunFile, tasks: Tasks, tried: Scores, costs: Scores | None
) -> Iterator[PolicyEstimates]:  # fmt: skip
    """`costs`: of each that is tried, per task; None: unpriced."""
    scores = _scores(run.formats, tasks)
    found = cross_fitted(tried, scores, run.set_digest)
    difference = shown(found.difference) if found else None
    if found is None or difference is None:
        return
    single = _costs(run.formats, tasks)
    yield PolicyEstimates(
        kind=kind, tasks=len(tasks), tried=len(tried), chosen=list(found.policies), formats=list(found.formats),
        rate=found.policy_rate, format_rate=found.format_rate, difference=difference,
        stands_out=stands_out(found, scores), own_rates={name: fmean(of) for name, of in scores.items()},
        cost_per_task=fmean(set_aside(costs, found.policies, found.folds)) if costs else None,
        format_cost_per_task=fmean(set_aside(_means(single), found.formats, found.folds)) if single else None,
    )  # fmt: skip


def _tasks(formats: Sequence[str], done: Iterable[Trial]) -> dict[str, list[dict[str, Trial]]]:
    """The complete blocks by fixture, sorted: in which order trials ended must not decide who is in which fold."""
    blocks: dict[tuple[str, int], dict[str, Trial]] = {}
    for trial in done:
        if trial.has_evidence:
            blocks.setdefault((trial.fixture, trial.repeat), {})[trial.format] = trial
    tasks: dict[str, list[dict[str, Trial]]] = {}
    for (fixture, _), block in sorted(blocks.items(), key=lambda of: of[0]):
        if len(block) == len(formats):
            tasks.setdefault(fixture, []).append(block)
    return tasks


def _scores(formats: Sequence[str], tasks: Tasks) -> dict[str, list[float]]:
    return {name: [fmean(b[name].resolved for b in blocks) for blocks in tasks.values()] for name in formats}


def _costs(formats: Sequence[str], tasks: Tasks) -> dict[str, list[list[float]]] | None:
    """What every trial cost, caches cold; None where an attempt has no price: a part is not the whole."""
    attempts = [a for blocks in tasks.values() for b in blocks for t in b.values() for a in t.attempts]
    if any(a.cost_usd is None for a in attempts):
        return None
    return {
        name: [[sum(a.cost_usd or 0.0 for a in b[name].attempts) for b in blocks] for blocks in tasks.values()]
        for name in formats
    }


def _means(of: Mapping[str, Sequence[Sequence[float]]]) -> dict[str, list[float]]:
    return {name: [fmean(row) for row in rows] for name, rows in of.items()}
