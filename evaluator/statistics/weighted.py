"""Rates of a mix of strata whose weights are given, such as the history's (rule 2): Yan and Su's stratified Wilson.

A weighted stratum without a task is never made up for by the others: what it could be stays in the interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose, sqrt

import numpy as np

from evaluator.statistics.interval import CONFIDENCE, Interval, quantile
from evaluator.statistics.paired import combined, correlation, covariance, shrunk
from evaluator.statistics.wilson import clipped, effective, variance, wilson


@dataclass(frozen=True)
class Stratum:
    """A stratum's weight, and the mean of its tasks: as many as `n`, or of effect so (repeats); n 0: no task."""

    weight: float
    mean: float
    n: float


@dataclass(frozen=True)
class PairedStratum:
    """A stratum's weight, and its task means under two formats, the same tasks in the same order; may be none."""

    weight: float
    first: Sequence[float]
    second: Sequence[float]


@dataclass(frozen=True)
class Weighted:
    """An estimate over a mix, of which `unseen` (a share of the weights) has no evidence.

    `least` and `most` are the estimate had the unseen part gone the worst way and the best; equal where all was seen.
    """

    least: float
    most: float
    low: float
    high: float
    unseen: float

    @property
    def value(self) -> float | None:
        """The estimate; None where part of the mix was not seen, as nothing says what it is there."""
        return self.least if self.unseen == 0 else None


def strata_of(rows: Sequence[tuple[float, Sequence[float]]]) -> list[Stratum]:
    """Strata of tasks by weight and their means over repeats (0 or 1 at one repeat).

    A stratum's effective number of tasks is its own, but at most what repeats add over all strata: of a handful of
    tasks the variance is now and then next to nothing by luck (the interval then held the truth in only .86 of draws).
    """
    values = [np.asarray(means, dtype=float) for _, means in rows]
    seen = [(len(v), clipped(v.mean()), variance(v)) for v in values if len(v)]
    differ = sum(n * s2 for n, _, s2 in seen)
    added = max(1.0, sum(n * p * (1 - p) for n, p, _ in seen) / differ) if differ else 1.0
    return [_stratum(weight, v, added) for (weight, _), v in zip(rows, values, strict=True)]


def _stratum(weight: float, means: np.ndarray, added: float) -> Stratum:
    if not len(means):
        return Stratum(weight, 0.0, 0.0)
    mean, n = clipped(means.mean()), len(means)
    return Stratum(weight, mean, min(effective(mean, variance(means), n), n * added))


def stratified(strata: Sequence[Stratum], confidence: float = CONFIDENCE) -> Weighted | None:
    """The weighted rate with the stratified Wilson interval of Yan and Su (2010, Stat. Biopharm. Res. 2, 329-335).

    With the weights as given (not the ones the paper optimises): each stratum's Wilson ends at a z that is so much
    smaller as the errors of strata cancel. None where no stratum has a task. Raises `ValueError` unless the weights
    sum to 1.
    """
    seen = _seen([s.weight for s in strata], [s.n for s in strata])
    if not seen:
        return None
    shown = [strata[n] for n in seen]
    unseen = _unseen([s.weight for s in shown])
    value = sum(s.weight * s.mean for s in shown)
    low, high = _ends(shown, quantile(confidence))
    return Weighted(value, value + unseen, low, min(1.0, high + unseen), unseen)


def stratified_difference(strata: Sequence[PairedStratum], confidence: float = CONFIDENCE) -> Weighted | None:
    """The weighted difference of two formats on the same tasks; None where no stratum has one.

    Method 10 with Yan and Su's ends as margins and as phi the correlation of both weighted rates: sum W^2 cov / n over
    the square root of both variances, each stratum's covariance with method 10's correction (without it small strata
    hold the truth too seldom: .87 where five tasks weigh 40%). Ours, so its coverage is simulated. Over one stratum it
    is `paired_means`. Weights as in `stratified`.
    """
    seen = _seen([s.weight for s in strata], [len(s.first) for s in strata])
    if any(len(s.first) != len(s.second) for s in strata):
        raise ValueError("a stratum's two formats have not the same tasks")
    if not seen:
        return None
    shown = [strata[n] for n in seen]
    unseen, z = _unseen([s.weight for s in shown]), quantile(confidence)
    margins = strata_of([(s.weight, s.first) for s in shown]), strata_of([(s.weight, s.second) for s in shown])
    first, second = (clipped(sum(s.weight * s.mean for s in margin)) for margin in margins)
    together = sum(s.weight**2 * _together(s) / len(s.first) for s in shown)
    spread = [sum(s.weight**2 * s.mean * (1 - s.mean) / s.n for s in margin) for margin in margins]
    found: Interval = combined(
        first, _ends(margins[0], z), second, _ends(margins[1], z), correlation(together, spread[0], spread[1])
    )
    return Weighted(
        found.value - unseen, found.value + unseen, max(-1.0, found.low - unseen), min(1.0, found.high + unseen), unseen
    )


def _together(of: PairedStratum) -> float:
    """The corrected covariance of a stratum's task means."""
    first, second = np.asarray(of.first, dtype=float), np.asarray(of.second, dtype=float)
    return shrunk(covariance(first, second), len(first))


def _ends(shown: Sequence[Stratum], z: float) -> tuple[float, float]:
    """Sum W l(z*) and sum W u(z*) over strata that have tasks."""
    variances = [s.mean * (1 - s.mean) / s.n for s in shown]
    if not any(variances):  # every stratum all or nothing: the variance at Wilson's centre instead
        centres = [(s.mean * s.n + z * z / 2) / (s.n + z * z) for s in shown]
        variances = [p * (1 - p) / (s.n + z * z) for p, s in zip(centres, shown, strict=True)]
    weights = [s.weight for s in shown]
    inner = sum(w * sqrt(v) for w, v in zip(weights, variances, strict=True))
    star = z * sqrt(sum(w * w * v for w, v in zip(weights, variances, strict=True))) / inner
    ends = [wilson(s.mean, s.n, star) for s in shown]
    return (
        sum(w * low for w, (low, _) in zip(weights, ends, strict=True)),
        sum(w * high for w, (_, high) in zip(weights, ends, strict=True)),
    )


def _seen(weights: Sequence[float], sizes: Sequence[float]) -> list[int]:
    """Which strata weigh something and have a task."""
    if any(w < 0 for w in weights) or not isclose(sum(weights), 1, abs_tol=1e-9):
        raise ValueError(f"the weights of strata sum to {sum(weights)}, not to 1")
    return [n for n, (w, size) in enumerate(zip(weights, sizes, strict=True)) if w > 0 and size > 0]


def _unseen(seen_weights: Sequence[float]) -> float:
    left = 1 - sum(seen_weights)
    return left if left > 1e-9 else 0.0
