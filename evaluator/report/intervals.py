"""What evaluator.statistics finds, as the report keeps it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluator.journal import RunFile
from evaluator.report.model import Cost, Interval, MixEstimate
from evaluator.report.natural_mix import Cell, Mix
from evaluator.statistics import interval, ratio, weighted
from evaluator.statistics.wilson import mean_over_repeats


@dataclass(frozen=True)
class TaskCount:
    """Of one task under one format: how many of its trials with evidence resolved it."""

    resolved: int
    trials: int

    @property
    def mean(self) -> float:
        """The share that was resolved; only where there is a trial."""
        return self.resolved / self.trials


def shown(found: interval.Interval | None) -> Interval | None:
    """An interval as the report keeps it."""
    return None if found is None else Interval(value=found.value, low=found.low, high=found.high)


def mean(tasks: Iterable[TaskCount]) -> Interval | None:
    """The mean over tasks of the mean over repeats, by Wilson with the effective number of tasks."""
    return shown(mean_over_repeats([t.mean for t in tasks if t.trials]))


def of_history(mix: Mix, run: RunFile, tasks: Mapping[str, TaskCount]) -> MixEstimate | None:
    """The rate over the mix (Yan and Su); None where no task of it has evidence."""
    by_cell: dict[Cell | None, list[float]] = defaultdict(list)
    for fixture, task in tasks.items():
        if task.trials:
            by_cell[mix.cell(run, fixture)].append(task.mean)
    strata = weighted.strata_of([(share, by_cell[cell]) for cell, share in mix.shares.items()])
    return _of_mix(weighted.stratified(strata), mix)


def difference_of_history(mix: Mix, run: RunFile, first: Mapping[str, float], second: Mapping[str, float]
                          ) -> MixEstimate | None:  # fmt: skip
    """The difference over the mix; `first` and `second` are task means over the same complete blocks."""
    by_cell: dict[Cell | None, list[str]] = defaultdict(list)
    for fixture in first:
        by_cell[mix.cell(run, fixture)].append(fixture)
    strata = [
        weighted.PairedStratum(share, [first[f] for f in by_cell[cell]], [second[f] for f in by_cell[cell]])
        for cell, share in mix.shares.items()
    ]
    return _of_mix(weighted.stratified_difference(strata), mix)


def cost(costs: Sequence[float], resolved: Sequence[float]) -> Cost | None:
    """The cost per resolved task; None where none was."""
    found = ratio.cost_per_resolved(costs, resolved)
    return None if found is None else Cost(value=found.value, low=found.low, high=found.high)


def _of_mix(found: weighted.Weighted | None, mix: Mix) -> MixEstimate | None:
    if found is None:
        return None
    return MixEstimate(
        least=found.least, most=found.most, low=found.low, high=found.high, unseen=found.unseen, source=mix.source
    )
