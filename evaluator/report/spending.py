"""What a format's trials cost. `cost_usd` supposes that no cache was warm, so that a run's order decides nothing."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from evaluator.report import intervals
from evaluator.report.model import Cost
from evaluator.trials import Trial


@dataclass(frozen=True)
class Spending:
    """In USD; None: unpriced, or of `per_resolved` that nothing was resolved.

    `paid` is of every call, those that were discarded or lost too; the others are of trials with evidence.
    """

    paid: float | None = None
    total: float | None = None
    per_task: float | None = None
    per_resolved: Cost | None = None


def spending(done: Sequence[Trial]) -> Spending:
    """The money of trials that ended. Where an attempt has no price all but `paid` is None: a part is not the whole."""
    charged = [a.paid_usd for t in done for a in (*t.attempts, *t.lost) if a.paid_usd is not None]
    paid = sum(charged) if charged else None
    by_task: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for trial in done:
        if trial.has_evidence:
            costs = [a.cost_usd for a in trial.attempts if a.cost_usd is not None]
            if len(costs) < len(trial.attempts):
                return Spending(paid)
            by_task[trial.fixture].append((sum(costs), trial.resolved))
    if not by_task:
        return Spending(paid)
    total = sum(cost for rows in by_task.values() for cost, _ in rows)
    return Spending(
        paid, total, total / sum(map(len, by_task.values())),
        intervals.cost([fmean(c for c, _ in rows) for rows in by_task.values()],
                       [fmean(r for _, r in rows) for rows in by_task.values()]),
    )  # fmt: skip
