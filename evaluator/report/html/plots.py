"""Plots as inline SVG. Pure.

Every picture is as wide as its place and as high as it says in pixels: places along it are percentages, so nothing is
stretched, and labels are text of the page beside it. Colours are classes of the style sheet. Each is an image with a
name and a description that hold its numbers, which also stand in a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Literal

from markupsafe import Markup, escape

from evaluator.report.html.apart import OFFSET, RADIUS, Place, beside
from evaluator.report.html.hidden import plain

ROW = 30  # pixels of a row's picture
_TICKS = 4  # about so many on an axis
Shape = Literal["dot", "diamond"]


@dataclass(frozen=True)
class Axis:
    """An axis from `low` to `high`, with its `ticks`, all in the same unit; linear, or by ratios (`log`)."""

    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Where a value stands, as a fraction of the length; what lies outside stands at the end."""
        low, high = self.low, self.high
        if self.log:
            value, low, high = log10(max(value, self.low)), log10(self.low), log10(self.high)
        return min(max((value - low) / (high - low), 0.0), 1.0)

    def at(self, value: float) -> str:
        """The same as a percentage."""
        return f"{100 * self.share(value):.2f}%"


RATES = Axis(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))
_UPPER_RATES = Axis(0.5, 1.0, (0.5, 0.6, 0.7, 0.8, 0.9, 1.0))


@dataclass(frozen=True)
class Estimate:
    """A point with the ends of its interval; without ends (None) the point alone. `drawn` is what it is drawn as.

    Where all that is known is that the estimate is from `value` to `most`, it is that range, and no point.
    """

    value: float
    low: float | None = None
    high: float | None = None
    drawn: Shape = "dot"
    most: float | None = None


def axis_to(highest: float) -> Axis:
    """An axis from 0 with round ticks that holds `highest`; of nothing, one to 1."""
    step = _step(highest if highest > 0 else 1.0)
    count = max(1, ceil((highest if highest > 0 else 1.0) / step - 1e-9))
    return Axis(0.0, count * step, tuple(n * step for n in range(count + 1)))


def axis_of_ratios(values: Sequence[float]) -> Axis:
    """An axis by ratios with the ticks 1, 2 and 5 of each power of ten, where the values, above 0, lie far apart.

    Where they lie within a factor of 5, or one is 0, an axis from 0.
    """
    low, high = min(values, default=0.0), max(values, default=0.0)
    if low <= 0 or high < 5 * low:
        return axis_to(high)
    powers = range(floor(log10(low)) - 1, ceil(log10(high)) + 2)
    steps = [n * 10.0**power for power in powers for n in (1, 2, 5)]
    first = max(step for step in steps if step < low)
    last = min(step for step in steps if step > high)
    within = [step for step in steps if first <= step <= last]
    shown = within if len(within) <= 8 else [step for step in within if f"{step:e}"[0] == "1"]
    return Axis(first, last, tuple(shown), log=True)


def axis_around_zero(values: Sequence[float]) -> Axis:
    """An axis with round ticks that holds the values and 0 in its middle, at most from -1 to 1."""
    reach = max([abs(value) for value in values] or [0.1])
    step = _step(2 * max(reach, 0.02))
    count = max(1, ceil(reach / step - 1e-9))
    ends = min(count * step, 1.0)
    return Axis(-ends, ends, tuple(n * step for n in range(-count, count + 1) if abs(n * step) <= ends + 1e-9))


def intervals(axis: Axis, drawn: Sequence[Estimate], title: str, description: str) -> Markup:
    """A row of an interval plot: each estimate on a line of its own, over the ticks' lines."""
    height = max(ROW, 16 * len(drawn) + 6)
    marks = [_grid(axis, height)]
    for n, one in enumerate(drawn):
        y = height / 2 + 15 * (n - (len(drawn) - 1) / 2)
        if one.low is not None and one.high is not None:
            marks.append(_interval(axis, one.low, one.high, y, one.drawn))
        marks.append(
            _point(axis.at(one.value), f"{y:g}", one.drawn) if one.most is None else
            _range(axis, one.value, one.most, y)
        )  # fmt: skip
    return _picture(height, title, description, marks)


def bar(share: float, tone: str, title: str, description: str) -> Markup:
    """A bar from the left over its whole track; `tone` is a class of the style sheet."""
    filled = f'<rect class="bar {escape(tone)}" x="0" y="3" width="{100 * min(max(share, 0), 1):.2f}%" height="10"/>'
    return _picture(16, title, description, ['<rect class="track" x="0" y="3" width="100%" height="10"/>', filled])


def ticks(axis: Axis, labels: Sequence[str]) -> Markup:
    """The labels of an axis, below its rows. The rows say what they say, so it is hidden from readers of text."""
    texts = []
    for n, (value, label) in enumerate(zip(axis.ticks, labels, strict=True)):
        anchor = "start" if n == 0 else "end" if n == len(labels) - 1 else "middle"
        texts.append(f'<text class="tick" x="{axis.at(value)}" y="13" text-anchor="{anchor}">{escape(label)}</text>')
    return Markup(f'<svg class="plot" height="18" width="100%" aria-hidden="true">{"".join(texts)}</svg>')


@dataclass(frozen=True)
class Spot:
    """A numbered point of a scatter plot; `y` is a fraction, with its interval."""

    number: int
    x: float
    y: float
    low: float
    high: float


def scatter(axis: Axis, spots: Sequence[Spot], labels: Sequence[str], title: str, description: str) -> Markup:
    """Rates against an amount: points, the interval of the rate through each, and a number that a line leads to.

    `labels` are of the axis. Rates that all lie in the upper half are drawn over that half.
    """
    height, top, bottom, left, right = 260, 10.0, 232.0, 9.0, 97.0 - OFFSET
    rates = _UPPER_RATES if spots and min(spot.low for spot in spots) >= _UPPER_RATES.low else RATES

    def x(value: float) -> str:
        return f"{left + (right - left) * axis.share(value):.2f}%"

    def y(value: float) -> str:
        return f"{bottom - (bottom - top) * rates.share(value):.1f}"

    marks = []
    for tick in rates.ticks:
        marks.append(f'<line class="grid" x1="{left}%" x2="{right}%" y1="{y(tick)}" y2="{y(tick)}"/>')
        marks.append(f'<text class="tick" x="{left - 1}%" y="{y(tick)}" dy="4" text-anchor="end">{tick:.0%}</text>')
    for tick, label in zip(axis.ticks, labels, strict=True):
        marks.append(f'<line class="grid" x1="{x(tick)}" x2="{x(tick)}" y1="{top}" y2="{bottom}"/>')
        marks.append(f'<text class="tick" x="{x(tick)}" y="250" text-anchor="middle">{escape(label)}</text>')
    for spot in spots:
        at = x(spot.x)
        marks.append(f'<line class="whisker" x1="{at}" x2="{at}" y1="{y(spot.low)}" y2="{y(spot.high)}"/>')
    points = [Place(left + (right - left) * axis.share(spot.x), float(y(spot.y))) for spot in spots]
    numbers = beside(points, top, bottom)
    marks += [_leader(*ends) for ends in zip(points, numbers, strict=True)]
    marks += [_number(spot.number, at) for spot, at in zip(spots, numbers, strict=True)]
    marks += [_point(f"{at.x:.2f}%", f"{at.y:.1f}", "dot") for at in points]
    return _picture(height, title, description, marks)


def _picture(height: float, title: str, description: str, marks: Sequence[str]) -> Markup:
    return Markup(
        '<svg class="plot" role="img" width="100%" height="{}"><title>{}</title><desc>{}</desc>{}</svg>'
    ).format(f"{height:g}", plain(title), plain(description), Markup("".join(marks)))


def _grid(axis: Axis, height: float) -> str:
    return "".join(
        f'<line class="{"zero" if tick == 0 and axis.low < 0 else "grid"}" x1="{axis.at(tick)}" x2="{axis.at(tick)}" '
        f'y1="0" y2="{height:g}"/>'
        for tick in axis.ticks
    )


def _interval(axis: Axis, low: float, high: float, y: float, drawn: Shape) -> str:
    a, b = axis.at(low), axis.at(high)
    ends = "".join(f'<line class="whisker" x1="{x}" x2="{x}" y1="{y - 4:g}" y2="{y + 4:g}"/>' for x in (a, b))
    return f'<line class="whisker {drawn}" x1="{a}" x2="{b}" y1="{y:g}" y2="{y:g}"/>{ends}'


def _range(axis: Axis, least: float, most: float, y: float) -> str:
    return f'<line class="range" x1="{axis.at(least)}" x2="{axis.at(most)}" y1="{y:g}" y2="{y:g}"/>'


def _point(x: str, y: str, drawn: Shape) -> str:
    if drawn == "dot":
        return f'<circle class="point" cx="{x}" cy="{y}" r="4.5"/>'
    return f'<svg x="{x}" y="{y}" overflow="visible"><path class="open" d="M0-5.5L5.5 0L0 5.5L-5.5 0Z"/></svg>'


def _leader(point: Place, number: Place) -> str:
    ends = f'x1="{point.x:.2f}%" y1="{point.y:.1f}" x2="{number.x:.2f}%" y2="{number.y:.1f}"'
    return f'<line class="leader" {ends}/>'


def _number(number: int, at: Place) -> str:
    x, y = f"{at.x:.2f}%", f"{at.y:.1f}"
    return (f'<circle class="spot" cx="{x}" cy="{y}" r="{RADIUS:g}"/>'
            f'<text class="number" x="{x}" y="{y}" dy="4" text-anchor="middle">{number}</text>')  # fmt: skip


def _step(reach: float) -> float:
    """The round step (1, 2 or 5 times a power of ten) that cuts `reach` into about `_TICKS`."""
    rough = reach / _TICKS
    power = 10.0 ** floor(log10(rough))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= rough * (1 - 1e-9))
