"""Many pairs of formats as one table, with what they have in common said once above it (report.md)."""

from collections.abc import Sequence

from evaluator.report.model import PairEstimates, ReportFile
from evaluator.report.pair_words import NO_BLOCK, in_order, over_blocks, what_else
from evaluator.report.tables import table
from evaluator.report.wording import about, p_value, percent, points, wrapped
from evaluator.statistics.exact import ALPHA
from miner.wording import plural

_NONE = "-"


def pair_table(report: ReportFile, numbered: Sequence[tuple[int, PairEstimates]]) -> str:
    """The pairs, all of them with a winner or all without one, under the numbers of their sentences."""
    first = numbered[0][1]
    if first.difference is None:  # then no pair has one: all are over the same blocks
        return wrapped(f"Each of these pairs: {NO_BLOCK}")
    pairs = [pair for _, pair in numbered]
    shown = any(pair.shows for pair in pairs)
    counted = any(pair.only_first is not None for pair in pairs)
    notes = [what_else(pair, report.blocks) for pair in pairs]
    header = ["", "pair", "gap [95%]", *(["only the first", "only the second"] if counted else []), "p (Holm)"]
    header += ["shows gaps of", "fixtures for a gap of " + _asked(pairs)] if shown else []
    header += ["besides"] if any(notes) else []
    rows = []
    for (n, pair), note in zip(numbered, notes, strict=True):
        rows.append([str(n), *_cells(pair, counted), *(_able(pair) if shown else []), *([note] if any(notes) else [])])
    return wrapped(_in_common(report, pairs, counted)) + "\n" + table(header, rows)


def _in_common(report: ReportFile, pairs: Sequence[PairEstimates], counted: bool) -> str:
    lacking = [f.name for f in report.formats if f.discarded]
    over = over_blocks(pairs[0], report.blocks, lacking)
    if pairs[0].winner:
        said = [f"Of each pair the first resolves MORE, on {over}."]
    else:
        said = [f"NOT DISTINGUISHABLE, each of them, which is not the same as equal; on {over}."]
    said.append("Gap: how many points more the first resolves, with an interval that is not adjusted.")
    if counted:
        said.append("Only the first, only the second: tasks that it alone resolved.")
    said.append(f"A pair has a winner where p, Holm's over all pairs of the run, is at most {percent(ALPHA)}.")
    if family := next((pair.shows.pairs for pair in pairs if pair.shows), 0):
        said.append(
            "Shows gaps of: the smallest, in points, that a set like this shows with 80% power, with Holm over "
            f"{plural(family, 'pair')}, at the share of tasks that the pair disagrees on; and how many fixtures a gap "
            f"of {_asked(pairs)} needs."
        )
        guesses = {percent(pair.shows.disagreeing) for pair in pairs if pair.shows and pair.shows.assumed}
        said += [f"*: they disagree on none, so that {guess} is supposed." for guess in guesses]
    if pairs[0].blocks < report.blocks:
        said.append("What does not depend on discarded trials holds whatever they were.")
    return " ".join(said)


def _asked(pairs: Sequence[PairEstimates]) -> str:
    return next((f"{100 * pair.shows.for_difference:g} points" for pair in pairs if pair.shows), "")


def _cells(pair: PairEstimates, counted: bool) -> list[str]:
    """Who resolved more is named first, as in the sentence."""
    turned = in_order(pair)
    assert turned.difference is not None
    gap = turned.difference
    between = "over" if gap.value else "and"
    only = [_NONE if of is None else str(of) for of in (turned.only_first, turned.only_second)] if counted else []
    interval = f"{points(gap.value)} [{100 * gap.low:.1f}, {100 * gap.high:.1f}]"
    return [f"{turned.first} {between} {turned.second}", interval, *only, p_value(pair.p_holm).removeprefix("p = ")]


def _able(pair: PairEstimates) -> list[str]:
    shows = pair.shows
    if shows is None:
        return [_NONE, _NONE]
    supposed = "*" if shows.assumed else ""
    smallest = "none large enough" if shows.smallest is None else f"{100 * shows.smallest:.0f} or more"
    needed = "disagree too rarely" if shows.tasks is None else about(shows.tasks)
    return [smallest + supposed, needed + supposed]
