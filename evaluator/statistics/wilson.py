"""Intervals of one rate (docs/statistics.md): of counts, and of means over repeats."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy

from evaluator.statistics.interval import CONFIDENCE, Interval, quantile


@dataclass(frozen=True)
class Rate:
    """k of n with its Wilson score interval at 95% (Newcombe 1998, method 3), as fractions."""

    k: int
    n: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The observed fraction."""
        return self.k / self.n


def rate(k: int, n: int) -> Rate | None:
    """The rate of k in n, or None where n is 0: no evidence is not zero."""
    if not 0 <= k <= n:
        raise ValueError(f"not a count of trials: {k} of {n}")
    if n == 0:
        return None
    interval = scipy.stats.binomtest(k, n).proportion_ci(confidence_level=0.95, method="wilson")
    return Rate(k, n, float(interval.low), float(interval.high))


def wilson(p: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's ends for a fraction p of n, either of which need not come from whole counts (Wilson 1927, closed form).

    Raises `ValueError` where p is no fraction or n not above 0.
    """
    if not (0 <= p <= 1 and n > 0):
        raise ValueError(f"not a rate: {p} of {n}")
    centre, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # The ends of 0 and 1 are themselves; rounding would move them off by 1e-17.
    return (centre - half) / scale if p > 0 else 0.0, (centre + half) / scale if p < 1 else 1.0


def effective(mean: float, s2: float, n: int) -> float:
    """How many tasks of one repeat would know as much: p(1 - p) / (s2 / n); n where the task means do not differ.

    `s2` is the variance of the task means, with divisor n. Never below n: fractions
    vary by p(1 - p) at most.
    """
    return max(float(n), n * mean * (1 - mean) / s2) if s2 > 0 else float(n)


def wilson_effective(mean: float, s2: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval of a mean of n task means of variance `s2` (divisor n), by the effective number of tasks.

    The effective sample size is Kish's idea (1965) for a design that is not simple: what is counted must have the
    variance that was seen. At one repeat it is n, and this is Wilson's interval. Neither end goes beyond that of n
    tasks that all fail, or all pass: else the first failure of many passes, which shows some variance, would raise it.
    """
    z = quantile(confidence)
    low, high = wilson(mean, effective(mean, s2, n), z)
    return Interval(mean, min(low, wilson(1.0, n, z)[0]), max(high, wilson(0.0, n, z)[1]))


def mean_over_repeats(task_means: Sequence[float], confidence: float = CONFIDENCE) -> Interval | None:
    """The mean of task means (one fraction a task: resolved / repeats with evidence); None over no task."""
    if not len(task_means):
        return None
    means = np.asarray(task_means, dtype=float)
    return wilson_effective(clipped(means.mean()), variance(means), len(means), confidence)


def variance(means: np.ndarray) -> float:
    """The variance with divisor n; exactly 0 where all are equal, which rounding would hide."""
    return 0.0 if np.ptp(means) == 0 else float(means.var())


def clipped(fraction: float) -> float:
    """A mean of fractions, which rounding may have put a hair outside [0, 1]."""
    return min(1.0, max(0.0, float(fraction)))


def bounds(k: int, n: int, discarded: int) -> tuple[float, float] | None:
    """Where the rate could lie had the discarded trials failed, or resolved: Wilson's ends of both."""
    worst, best = rate(k, n + discarded), rate(k + discarded, n + discarded)
    return None if worst is None or best is None else (worst.low, best.high)


def mean_bounds(counts: Sequence[tuple[int, int]], planned: int, confidence: float = CONFIDENCE
                ) -> tuple[float, float] | None:  # fmt: skip
    """The same of a mean over repeats: per task (resolved, with evidence) of `planned` repeats; None over no task."""
    if any(not 0 <= c <= m <= planned for c, m in counts):
        raise ValueError(f"a task has more trials than the {planned} that were planned")
    worst = mean_over_repeats([c / planned for c, _ in counts], confidence)
    best = mean_over_repeats([(c + planned - m) / planned for c, m in counts], confidence)
    return None if worst is None or best is None else (worst.low, best.high)


def percent(of: Rate | Interval | None) -> str:
    """`10.0% [5.8%, 16.7%]`, or `no evidence`."""
    if of is None:
        return "no evidence"
    return f"{of.value:.1%} [{of.low:.1%}, {of.high:.1%}]"
