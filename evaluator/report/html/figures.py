"""What the page draws, from the report: rows of labels, pictures and figures, for the template to lay out. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evaluator.amounts import money
from evaluator.report.html import plots
from evaluator.report.html.plots import Axis, Estimate, Spot
from evaluator.report.model import FormatEstimates, PairEstimates, ReportFile, SizeRow
from evaluator.report.screen import history, latency, resolved
from evaluator.report.wording import difference, duration, estimated, p_value, rate, share
from evaluator.taxonomy import Category


@dataclass(frozen=True)
class Row:
    """A row of a plot: a name (and number, where the plot has one), the picture, and what it says in figures."""

    name: str
    picture: Markup
    figures: str
    more: str = ""
    number: int = 0


@dataclass(frozen=True)
class Figure:
    """A plot whose rows share an axis, whose labels are `axis`; with nothing to show it has no rows."""

    rows: tuple[Row, ...]
    axis: Markup | None = None


@dataclass(frozen=True)
class Cell:
    """A bar and its count; `link` is what it counts, as a query of the list of attempts."""

    picture: Markup
    count: int
    link: tuple[str, str]


@dataclass(frozen=True)
class Endings:
    """How tasks ended: a row a category, `resolved` last, a cell a format. `totals` is n of each."""

    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class Money:
    """Rates against what a task costs, in USD; where a format is unpriced, in output tokens."""

    picture: Markup
    rows: tuple[Row, ...]
    priced: bool


def rates(report: ReportFile) -> Figure:
    """The interval plot: every format's rate over this set, and over the history's mix where it is known."""
    rows = []
    for f in report.formats:
        drawn = [Estimate(f.this_set.value, f.this_set.low, f.this_set.high)] if f.this_set else []
        if f.history:
            most = f.history.most if f.history.unseen else None
            drawn.append(Estimate(f.history.least, f.history.low, f.history.high, "diamond", most))
        more = f"history’s mix {history(f.history)}" if f.history else ""
        picture = plots.intervals(plots.RATES, drawn, f"{f.name}: resolved", f"This set {resolved(f)}. {more}")
        rows.append(Row(f.name, picture, resolved(f), more))
    return Figure(tuple(rows), plots.ticks(plots.RATES, _percent(plots.RATES)))


def has_range(report: ReportFile) -> bool:
    """Whether an estimate over the history's mix is a range, as part of it was not seen."""
    return any(f.history and f.history.unseen for f in report.formats)


def pairs(report: ReportFile) -> Figure:
    """Differences between formats, in points, with the verdict of each pair in words."""
    known = [pair for pair in report.pairs if pair.difference]
    ends = [end for pair in known if pair.difference for end in (pair.difference.low, pair.difference.high)]
    axis = plots.axis_around_zero(ends)
    rows = tuple(_pair(pair, axis) for pair in sorted(known, key=lambda pair: pair.winner is None))
    return Figure(rows, plots.ticks(axis, [f"{100 * tick:+.0f}" if tick else "0" for tick in axis.ticks]))


def endings(report: ReportFile) -> Endings:
    """How tasks ended, as bars that line up across formats; each is a share of its format's trials."""
    names = [category.value for category in Category]
    rows = [(name, tuple(_ending(f, name, f.failed[Category(name)]) for f in report.formats)) for name in names]
    rows.append(("resolved", tuple(_ending(f, "resolved", f.resolved) for f in report.formats)))
    return Endings(tuple(rows), tuple(f.trials for f in report.formats))


def strata(report: ReportFile) -> list[tuple[str, Figure]]:
    """A small plot a stratum, sizes first. Descriptive; intervals would be read as verdicts, so there are none."""
    groups: list[Callable[[FormatEstimates], Sequence[SizeRow]]] = [lambda f: f.sizes, lambda f: f.change]
    found = []
    for group in groups:
        for n, first in enumerate(group(report.formats[0]) if report.formats else []):
            rows = tuple(_stratum(f.name, first.name, group(f)[n]) for f in report.formats)
            if any(group(f)[n].resolved.n for f in report.formats):
                found.append((first.name, Figure(rows)))
    return found


def spending(report: ReportFile) -> Money | None:
    """Resolved rate against what a task costs; None where no format has evidence."""
    shown = [(n, f) for n, f in enumerate(report.formats, 1) if f.this_set and f.output_tokens is not None]
    if not shown:
        return None
    priced = all(f.cost_per_task is not None for _, f in shown)
    amounts = [(f.cost_per_task if priced else f.output_tokens) or 0.0 for _, f in shown]
    say: Callable[[float], str] = money if priced else lambda tokens: f"{tokens:,.0f}"
    axis = plots.axis_of_ratios(amounts)
    spots = [Spot(n, x, f.this_set.value, f.this_set.low, f.this_set.high)
             for (n, f), x in zip(shown, amounts, strict=True) if f.this_set]  # fmt: skip
    unit = "USD a task" if priced else "output tokens a task (median)"
    rows = tuple(Row(f.name, Markup(""), rate(f.this_set), estimated(say(x), f.counted_here), n)
                 for (n, f), x in zip(shown, amounts, strict=True))  # fmt: skip
    described = "; ".join(f"{row.number} {row.name}: {row.more}, {row.figures}" for row in rows)
    picture = plots.scatter(axis, spots, [say(tick) for tick in axis.ticks], f"Resolved rate against {unit}", described)
    return Money(picture, rows, priced)


def latencies(report: ReportFile) -> Figure:
    """Of calls, the median and the 95th percentile: a point, and a line to the other."""
    ends = [f.latency_p95 for f in report.formats if f.latency_p95 is not None]
    axis = plots.axis_to(max(ends, default=0.0))
    rows = tuple(_latency(f, axis) for f in report.formats)
    return Figure(rows, plots.ticks(axis, [duration(tick) if tick else "0" for tick in axis.ticks]))


def _latency(f: FormatEstimates, axis: Axis) -> Row:
    drawn = []
    if f.latency_p50 is not None and f.latency_p95 is not None:
        drawn.append(Estimate(f.latency_p50, f.latency_p50, f.latency_p95))
    picture = plots.intervals(axis, drawn, f"{f.name}: latency of a call, median and 95th percentile", latency(f))
    return Row(f.name, picture, latency(f))


def _pair(pair: PairEstimates, axis: Axis) -> Row:
    """A pair with the one that resolved more named first, so that the difference is never below 0."""
    assert pair.difference is not None
    of = pair.difference
    names, ends = (pair.first, pair.second), (of.value, of.low, of.high)
    if of.value < 0:
        names, ends = (pair.second, pair.first), (-of.value, -of.high, -of.low)
    turned = of.model_copy(update=dict(zip(("value", "low", "high"), ends, strict=True)))
    verdict = f"MORE: {pair.winner}" if pair.winner else "NOT DISTINGUISHABLE"
    name = f"{names[0]} minus {names[1]}"
    picture = plots.intervals(axis, [Estimate(*ends)], name, f"{difference(turned)}; {verdict}")
    return Row(name, picture, f"{difference(turned)}", f"{p_value(pair.p_holm)} · {verdict}")


def _ending(f: FormatEstimates, name: str, count: int) -> Cell:
    tone = name if name in ("resolved", "unintended_change") else "failed"
    picture = plots.bar(count / f.trials if f.trials else 0.0, tone, f"{f.name}: {name}", share(count, f.trials))
    return Cell(picture, count, (f.name, name))


def _stratum(name: str, stratum: str, row: SizeRow) -> Row:
    k, n = row.resolved.k, row.resolved.n
    said = share(k, n)
    return Row(name, plots.bar(k / n if n else 0.0, "resolved", f"{name}, {stratum}: resolved", said), said)


def _percent(axis: Axis) -> list[str]:
    return [f"{tick:.0%}" for tick in axis.ticks]
