"""Percentile bootstrap over fixtures (Efron and Tibshirani 1993, ch. 13), within repository x stratum (rules 6, 9).

For what has no formula: rates over attempts. A fixture is drawn with all its attempts, as these hang together.
Of n fixtures of a cell n - 1 are drawn, each counting n / (n - 1) times (Rao and Wu 1988, JASA 83, 231-241): drawn n at
a time a cell varies by (n - 1) / n of what it should, which is little of a large cell and half of one of two.
"""

from collections.abc import Hashable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluator.statistics.interval import CONFIDENCE, Interval

DRAWS = 2_000
_AT_ONCE = 4_000_000  # numbers held at a time: 32 MB

Numbers = NDArray[np.float64]


def ratio_of_sums(
    numerators: Sequence[float], denominators: Sequence[float], cells: Sequence[Hashable], seed: int = 0,
    draws: int = DRAWS, confidence: float = CONFIDENCE,
) -> Interval | None:  # fmt: skip
    """sum numerators / sum denominators, a number of each per fixture; `cells`: its repository and stratum.

    Such as attempts that applied over attempts that reached the applier. None where the denominators sum to 0.
    """
    top, bottom = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    _check(len(top), len(bottom), len(cells))
    if bottom.sum() == 0:
        return None
    drawn = []
    for times in _times(cells, seed, draws):
        below = times @ bottom
        drawn.append((times @ top)[below != 0] / below[below != 0])
    return _percentiles(float(top.sum() / bottom.sum()), np.concatenate(drawn), confidence)


def _times(cells: Sequence[Hashable], seed: int, draws: int) -> Iterator[Numbers]:
    """How often each fixture counts, a row a draw, as many rows at once as fit; each cell for as many as it has."""
    generator = np.random.default_rng(seed)
    groups = _groups(cells)
    rows = max(1, _AT_ONCE // max(1, len(cells)))
    for start in range(0, draws, rows):
        times = np.zeros((min(rows, draws - start), len(cells)))
        for here in groups:
            count, taken = len(here), max(1, len(here) - 1)
            drawn = generator.integers(count, size=(len(times), taken))
            drawn += count * np.arange(len(times))[:, None]
            found = np.bincount(drawn.ravel(), minlength=len(times) * count).reshape(len(times), count)
            times[:, here] = found * (count / taken)
        yield times


def _groups(cells: Sequence[Hashable]) -> list[list[int]]:
    """The fixtures by cell; those that are alone in theirs are drawn together, or with the smallest other cell.

    A fixture drawn from itself does not vary: where cells are many and small the interval would be next to nothing.
    """
    members: dict[Hashable, list[int]] = {}
    for n, cell in enumerate(cells):
        members.setdefault(cell, []).append(n)
    alone = [n for here in members.values() if len(here) == 1 for n in here]
    others = sorted((here for here in members.values() if len(here) > 1), key=len)
    if len(alone) == 1 and others:
        others[0] = [*alone, *others[0]]
        return others
    return [alone, *others] if alone else others


def _percentiles(value: float, drawn: Numbers, confidence: float) -> Interval:
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Interval(value, float(low), float(high))


def _check(*lengths: int) -> None:
    if len(set(lengths)) != 1:
        raise ValueError(f"not one of each per fixture: {lengths}")
