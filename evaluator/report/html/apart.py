"""Where the numbers of a scatter plot's points stand, so that none lies on another or on a point. Pure.

Along the plot places are percentages, whatever its width; up and down they are pixels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import scipy

RADIUS = 9.0  # pixels of the ring around a number
OFFSET = 6.5  # percent that numbers stand to the right of their points: 23 pixels on a phone
_NEAR = 10.0  # percent within which points share a column of numbers: these end OFFSET and a radius further right
_APART = 2 * RADIUS + 2  # pixels between numbers of a column


@dataclass(frozen=True)
class Place:
    """`x` in percent of the width, `y` in pixels from the top."""

    x: float
    y: float


def beside(points: Sequence[Place], top: float, bottom: float) -> list[Place]:
    """A place for the number of each point, in the points' order.

    Points that stand close together along the plot share a column to the right of them all, in which numbers are as
    near to the height of their points as they can be without touching.
    """
    found: dict[int, Place] = {}
    for column in _columns(points):
        x = max(points[n].x for n in column) + OFFSET
        column.sort(key=lambda n: points[n].y)
        heights = _spread([points[n].y for n in column], top, bottom)
        found |= {n: Place(x, y) for n, y in zip(column, heights, strict=True)}
    return [found[n] for n in range(len(points))]


def _columns(points: Sequence[Place]) -> Iterator[list[int]]:
    """The numbers of the points, in groups between which there is a gap."""
    column: list[int] = []
    for n in sorted(range(len(points)), key=lambda n: points[n].x):
        if column and points[n].x - points[column[-1]].x > _NEAR:
            yield column
            column = []
        column.append(n)
    if column:
        yield column


def _spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Sorted heights moved apart by the least squares of what they move; closer than wanted where room is short."""
    between = min(_APART, (bottom - top) / max(len(heights) - 1, 1))
    steps = [n * between for n in range(len(heights))]
    rising = scipy.optimize.isotonic_regression([y - step for y, step in zip(heights, steps, strict=True)]).x
    return [float(min(max(y, top), bottom - steps[-1])) + step for y, step in zip(rising, steps, strict=True)]
