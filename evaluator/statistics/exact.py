"""Exact tests of paired verdicts (docs/statistics.md): McNemar's, its mid-p, Holm's adjustment, and their size."""

from collections.abc import Hashable, Sequence
from functools import cache

import numpy as np
import scipy  # its parts load when they are first used: statistics take half a second, which `--help` need not

ALPHA = 0.05


def mcnemar(b: int, c: int) -> float:
    """The two-sided exact p of b against c disagreements: min(1, 2 BinCDF(min; b + c, 1/2)); 1 where there is none."""
    _check(b, c)
    return min(1.0, 2 * float(scipy.stats.binom.cdf(min(b, c), b + c, 0.5)))


def mid_p(b: int, c: int) -> float:
    """The mid-p of the same: half the weight of what was seen. For data only; verdicts are the exact test's."""
    _check(b, c)
    exact, seen = (float(of(min(b, c), b + c, 0.5)) for of in (scipy.stats.binom.cdf, scipy.stats.binom.pmf))
    return min(1.0, 2 * exact - seen)


def _check(b: int, c: int) -> None:
    if b < 0 or c < 0:
        raise ValueError(f"not a count of disagreements: {b} v {c}")


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment (1979) of p values, in their order; none gives none."""
    adjusted = [0.0] * len(ps)
    least = 0.0
    for rank, n in enumerate(sorted(range(len(ps)), key=lambda n: ps[n])):
        least = max(least, min(1.0, (len(ps) - rank) * ps[n]))
        adjusted[n] = least
    return adjusted


def holm_within(ps: Sequence[float], families: Sequence[Hashable]) -> list[float]:
    """Holm's adjustment within each family by itself; p values, and the family of each, in their order."""
    adjusted = [0.0] * len(ps)
    for family in set(families):
        own = [n for n, other in enumerate(families) if other == family]
        for n, p in zip(own, holm([ps[n] for n in own]), strict=True):
            adjusted[n] = p
    return adjusted


def size(disagreeing: Sequence[float]) -> float:
    """How often the exact test at `ALPHA` finds a winner where there is none.

    `disagreeing` is, per block, the probability that the pair disagrees on it; independent between blocks, each
    disagreement as likely for either. By enumeration: the number of disagreements is Poisson-binomial.
    """
    number = np.ones(1)
    for d in disagreeing:
        number = np.convolve(number, [1 - d, d])
    return float(sum(p * _attained(n) for n, p in enumerate(number)))


@cache
def _attained(disagreements: int) -> float:
    """The probability that so many fair disagreements are significant."""
    return float(sum(
        scipy.stats.binom.pmf(b, disagreements, 0.5)
        for b in range(disagreements + 1) if mcnemar(b, disagreements - b) <= ALPHA
    ))  # fmt: skip


def most_winners(runs: int) -> int:
    """How many of so many independent A/A comparisons may find a winner: the 99% quantile of Binomial(runs, .05)."""
    return int(scipy.stats.binom.ppf(0.99, runs, ALPHA))
