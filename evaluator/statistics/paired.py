"""Intervals of the difference of two rates on the same tasks, and whether it is small enough to call them equivalent.

a both resolved, b only the first, c only the second, d neither; the difference is (b - c) / n. Unadjusted: the verdict
is the exact test's (rule 1).
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np
import scipy

from evaluator.statistics.interval import CONFIDENCE, Interval, quantile
from evaluator.statistics.wilson import clipped, effective, variance, wilson

_EQUIVALENCE = 0.9  # two one-sided tests at 5% are the 90% interval inside the margin


def method10(a: int, b: int, c: int, d: int, confidence: float = CONFIDENCE) -> Interval | None:
    """The paired difference by method 10 of Newcombe (1998, Statistics in Medicine 17, 2635-2650); None over no task.

    Wilson intervals of both margins, squared and added, with their correlation phi, shrunk by n/2 where positive.
    """
    n = _total(a, b, c, d)
    if n == 0:
        return None
    margins = (a + b, c + d, a + c, b + d)
    together = float(a * d - b * c)
    if together > 0:
        together = max(together - n / 2, 0.0)
    phi = together / sqrt(np.prod(margins, dtype=float)) if all(margins) else 0.0
    z = quantile(confidence)
    first, second = (a + b) / n, (a + c) / n
    return combined(first, wilson(first, n, z), second, wilson(second, n, z), phi)


def combined(first: float, first_ends: tuple[float, float], second: float, second_ends: tuple[float, float], phi: float
             ) -> Interval:  # fmt: skip
    """The interval of first - second from the intervals of both and the correlation of their errors."""
    (l1, u1), (l2, u2) = first_ends, second_ends
    theta = first - second
    return Interval(
        theta,
        max(-1.0, theta - _length(first - l1, u2 - second, phi)),
        min(1.0, theta + _length(u1 - first, second - l2, phi)),
    )


def _length(x: float, y: float, phi: float) -> float:
    return sqrt(max(0.0, x * x - 2 * phi * x * y + y * y))


def paired_means(first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE) -> Interval | None:
    """Method 10 over repeats: per task the mean of both formats over the same blocks; None over no task.

    Each margin is Wilson's with its effective number of tasks, phi the correlation of the task means, its covariance
    shrunk by 1/(2n) where positive. Over one repeat this is `method10` to the last digit of the formula. Ours, so its
    coverage is simulated (benchmarks/coverage.py).
    """
    x, y = _same_length(first, second)
    n = len(x)
    if n == 0:
        return None
    z = quantile(confidence)
    p, q = clipped(x.mean()), clipped(y.mean())
    s2x, s2y = variance(x), variance(y)
    phi = correlation(shrunk(covariance(x, y), n), s2x, s2y)
    return combined(p, wilson(p, effective(p, s2x, n), z), q, wilson(q, effective(q, s2y, n), z), phi)


def covariance(x: np.ndarray, y: np.ndarray) -> float:
    """The covariance of two rows of task means, with divisor n."""
    return float(np.mean((x - x.mean()) * (y - y.mean())))


def shrunk(together: float, n: int) -> float:
    """A covariance less Newcombe's correction, in its scale: (ad - bc - n/2) / n^2; never turned negative by it."""
    return max(together - 1 / (2 * n), 0.0) if together > 0 else together


def correlation(together: float, s2x: float, s2y: float) -> float:
    """A covariance over both standard deviations, within [-1, 1]; 0 where one does not vary."""
    return max(-1.0, min(1.0, together / sqrt(s2x * s2y))) if s2x > 0 and s2y > 0 else 0.0


def _same_length(first: Sequence[float], second: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    if len(first) != len(second):
        raise ValueError(f"not the same tasks: {len(first)} v {len(second)}")
    return np.asarray(first, dtype=float), np.asarray(second, dtype=float)


def tango(a: int, b: int, c: int, d: int, confidence: float = CONFIDENCE) -> Interval | None:
    """The score interval of Tango (1998, Statistics in Medicine 17, 891-908): a cross-check of method 10."""
    n = _total(a, b, c, d)
    if n == 0:
        return None
    z, theta = quantile(confidence), (b - c) / n

    def excess(delta: float, side: float) -> float:
        return _score(b, c, n, delta) - side * z

    low = -1.0 if c == n else float(scipy.optimize.brentq(excess, -1 + 1e-12, theta, args=(1.0,), xtol=1e-12))
    high = 1.0 if b == n else float(scipy.optimize.brentq(excess, theta, 1 - 1e-12, args=(-1.0,), xtol=1e-12))
    return Interval(theta, low, high)


def _score(b: int, c: int, n: int, delta: float) -> float:
    """Tango's statistic of the hypothesis that the difference is delta, by the restricted likelihood's q."""
    big_b = -b - c + (2 * n - b + c) * delta
    q = (sqrt(max(0.0, big_b * big_b + 8 * n * c * delta * (1 - delta))) - big_b) / (4 * n)
    spread = n * (2 * q + delta * (1 - delta))
    return (b - c - n * delta) / sqrt(spread) if spread > 0 else 0.0


def equivalent(a: int, b: int, c: int, d: int, margin: float) -> bool:
    """Whether the two rates differ by less than `margin` (a fraction): the 90% interval lies inside +-margin."""
    return _inside(method10(a, b, c, d, _EQUIVALENCE), margin)


def equivalent_means(first: Sequence[float], second: Sequence[float], margin: float) -> bool:
    """The same over repeats, from both formats' task means."""
    return _inside(paired_means(first, second, _EQUIVALENCE), margin)


def _inside(found: Interval | None, margin: float) -> bool:
    if not 0 < margin < 1:
        raise ValueError(f"not a margin between 0 and 1: {margin}")
    return found is not None and found.within(margin)


def _total(a: int, b: int, c: int, d: int) -> int:
    if min(a, b, c, d) < 0:
        raise ValueError(f"not a table of counts: {a}, {b}, {c}, {d}")
    return a + b + c + d
