"""Intervals (docs/statistics.md)."""

from dataclasses import dataclass

from scipy.stats import binomtest


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
    interval = binomtest(k, n).proportion_ci(confidence_level=0.95, method="wilson")
    return Rate(k, n, float(interval.low), float(interval.high))


def bounds(k: int, n: int, discarded: int) -> tuple[float, float] | None:
    """Where the rate could lie had the discarded trials failed, or resolved: Wilson's ends of both."""
    worst, best = rate(k, n + discarded), rate(k + discarded, n + discarded)
    return None if worst is None or best is None else (worst.low, best.high)


def percent(of: Rate | None) -> str:
    """`10.0% [5.8%, 16.7%]`, or `no evidence`."""
    if of is None:
        return "no evidence"
    return f"{of.value:.1%} [{of.low:.1%}, {of.high:.1%}]"
