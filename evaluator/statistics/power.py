"""What a set can show: power of the exact paired test, by enumeration (docs/statistics.md, "Sample size").

Two formats disagree on a share psi of all tasks, and the better one resolves a share d more of them. Of n tasks
D ~ Bin(n, psi) disagree, and of those Bin(D, (psi + d) / 2 psi) speak for the better one: nothing is approximated.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy
from numpy.typing import NDArray

from evaluator.statistics.exact import ALPHA

USUAL = 0.8
MOST_TASKS = 200_000
_TAIL = 9.0  # standard deviations of D beyond which nothing is enumerated: 1e-18
_BLURRED = 7.0  # where D has this standard deviation, the teeth of the exact test are averaged away
DISAGREEING = (0.05, 0.10, 0.20, 0.30)  # shares of the tasks that a pair of formats may disagree on
POINTS = (0.03, 0.10)  # differences that people ask about
_Ints = NDArray[np.int64]


@dataclass(frozen=True)
class CanShow:
    """What so many tasks show where a pair disagrees on a share of them: (one pair, under Holm over all pairs).

    None: no difference that is possible, or more tasks than are looked for. `tasks` is for each of `POINTS`.
    """

    disagreeing: float
    smallest: tuple[float | None, float | None]
    tasks: tuple[tuple[int | None, int | None], ...]


def power(n: int, psi: float, d: float, pairs: int = 1) -> float:
    """How often McNemar's exact two-sided test at 5% finds a difference of d (a fraction) over n tasks.

    `pairs` above 1: at Holm's first step over so many, the one that a pair meets whatever becomes of the others.
    Raises `ValueError` where formats that disagree on psi cannot differ by d.
    """
    _check(psi, d, pairs)
    if n < 1:
        return 0.0
    spread = _TAIL * math.sqrt(n * psi * (1 - psi)) + _TAIL**2
    disagree = np.arange(max(0, math.floor(n * psi - spread)), min(n, math.ceil(n * psi + spread)) + 1)
    most = _most_against(pairs, 1 << int(disagree[-1] + 1).bit_length())[disagree]
    for_better = (psi + d) / (2 * psi)
    cdf, sf = scipy.stats.binom.cdf, scipy.stats.binom.sf
    found = cdf(most, disagree, for_better) + sf(disagree - most - 1, disagree, for_better)
    return float(np.dot(scipy.stats.binom.pmf(disagree, n, psi), np.where(most < 0, 0.0, found)))


def tasks_needed(d: float, psi: float, power: float = USUAL, pairs: int = 1) -> int | None:
    """The number of tasks from which on the test has this power; None: more than `MOST_TASKS`.

    Power has teeth where nearly every task disagrees (one task more can cost power): what is given is the least
    number that no greater one falls short of.
    """
    _check(psi, d, pairs)
    if d <= 0 or not ALPHA < power < 1:
        raise ValueError(f"no difference and power to plan for: {d}, {power}")
    enough = _bracket(d, psi, power, pairs)
    if enough is None:
        return None
    short = 0
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if _reaches(middle, psi, d, power, pairs) else (middle, enough)
    return _beyond_teeth(enough, d, psi, power, pairs)


def smallest_difference(n: int, psi: float, power: float = USUAL, pairs: int = 1) -> float | None:
    """The least difference (a fraction) that n tasks show with this power; None: not even psi, all for one format."""
    _check(psi, 0.0, pairs)
    if not ALPHA < power < 1:
        raise ValueError(f"no power to plan for: {power}")
    if not _reaches(n, psi, psi, power, pairs):
        return None
    return float(scipy.optimize.brentq(lambda d: _excess(n, psi, d, power, pairs), 0.0, psi, xtol=1e-7))


def tasks_for_equivalence(margin: float, psi: float) -> int:
    """About how many tasks show that two equal formats differ by less than the margin, at 80% power.

    The 90% interval lies inside the margin: n ~ (1.645 + 1.282)^2 psi / margin^2, by normal approximation.
    """
    _check(psi, 0.0, 1)
    if not 0 < margin <= 1:
        raise ValueError(f"no margin: {margin}")
    return math.ceil((1.645 + 1.282) ** 2 * psi / margin**2)


def connor(d: float, psi: float, power: float = USUAL, pairs: int = 1) -> float:
    """Connor's (1987) approximate number of tasks. Too few for the exact test; a place to begin looking."""
    alpha, beta = scipy.stats.norm.ppf(1 - ALPHA / pairs / 2), scipy.stats.norm.ppf(power)
    return float((alpha * math.sqrt(psi) + beta * math.sqrt(psi - d * d)) ** 2 / (d * d))


def can_show(tasks: int, formats: int) -> list[CanShow]:
    """What a set of so many possible tasks can show of so many formats, at one repeat; nothing of a single format."""
    pairs = math.comb(formats, 2)
    if not pairs or not tasks:
        return []
    return [
        CanShow(
            psi, (smallest_difference(tasks, psi), smallest_difference(tasks, psi, pairs=pairs)),
            tuple(_needed(d, psi, pairs) for d in POINTS),
        )
        for psi in DISAGREEING
    ]  # fmt: skip


def _check(psi: float, d: float, pairs: int) -> None:
    if not 0 < psi <= 1 or not 0 <= d <= psi or pairs < 1:
        raise ValueError(f"formats that disagree on {psi} of the tasks cannot differ by {d} (pairs: {pairs})")


@cache
def _most_against(pairs: int, size: int) -> _Ints:
    """For D from 0 below `size`, how many may speak against for D to be significant; -1: however they fall, none is."""
    disagree = np.arange(size)
    least = scipy.stats.binom.ppf(ALPHA / pairs / 2, disagree, 0.5)
    significant = 2 * scipy.stats.binom.cdf(least, disagree, 0.5) <= ALPHA / pairs
    return np.where(disagree == 0, -1, np.where(significant, least, least - 1)).astype(np.int64)


def _excess(n: int, psi: float, d: float, wanted: float, pairs: int) -> float:
    return power(n, psi, min(d, psi), pairs) - wanted


def _reaches(n: int, psi: float, d: float, wanted: float, pairs: int) -> bool:
    return _excess(n, psi, d, wanted, pairs) >= 0


def _bracket(d: float, psi: float, wanted: float, pairs: int) -> int | None:
    """A number of tasks that is enough, at most half as many again as needed."""
    start = connor(d, psi, wanted, pairs)
    if start > MOST_TASKS:
        return None
    n = max(math.ceil(start), 1)
    while not _reaches(n, psi, d, wanted, pairs):
        n += n // 2 + 1
    return n


def _beyond_teeth(n: int, d: float, psi: float, wanted: float, pairs: int) -> int:
    """The number of tasks after the last one, from n on, that falls short."""
    if n * psi * (1 - psi) > _BLURRED**2:
        return n
    ahead = range(n, n + 4 * math.isqrt(n) + 40)
    return max((m + 1 for m in ahead if not _reaches(m, psi, d, wanted, pairs)), default=n)


def _needed(d: float, psi: float, pairs: int) -> tuple[int | None, int | None]:
    if d > psi:  # formats that disagree on fewer tasks than that cannot differ so much
        return None, None
    return tasks_needed(d, psi), tasks_needed(d, psi, pairs=pairs)
