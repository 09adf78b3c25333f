"""What a resolved task costs (rule 11): a ratio of two sums over tasks, with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.statistics.interval import CONFIDENCE, quantile


@dataclass(frozen=True)
class Ratio:
    """Cost over resolved tasks, in the unit of the costs; the ends are None over a single task."""

    value: float
    low: float | None
    high: float | None


def cost_per_resolved(costs: Sequence[float], resolved: Sequence[float], confidence: float = CONFIDENCE
                      ) -> Ratio | None:  # fmt: skip
    """Per task its cost, failed attempts included, and whether it was resolved (a mean under repeats).

    rho = sum C / sum R. The classical ratio estimator (Cochran 1977, ch. 6): d = C - rho R,
    se = sqrt(sum d^2 / (n (n - 1))) / Rbar, and by the delta method on log rho the interval rho exp(+-z se / rho).
    None where nothing was resolved: there is then no such cost, however high one names it.
    """
    if len(costs) != len(resolved):
        raise ValueError(f"not the same tasks: {len(costs)} costs of {len(resolved)} tasks")
    cost, solved = np.asarray(costs, dtype=float), np.asarray(resolved, dtype=float)
    if (cost < 0).any() or (solved < 0).any() or (solved > 1).any():
        raise ValueError("a cost below 0, or a share of a task that is no fraction")
    n = len(cost)
    if n == 0 or solved.sum() == 0:
        return None
    rho = float(cost.sum() / solved.sum())
    if rho == 0:
        return Ratio(0.0, 0.0, 0.0)
    if n == 1:
        return Ratio(rho, None, None)
    se = float(np.sqrt(((cost - rho * solved) ** 2).sum() / (n * (n - 1))) / solved.mean())
    factor = float(np.exp(quantile(confidence) * se / rho))
    return Ratio(rho, rho / factor, rho * factor)
