"""Many pairs that are not distinguishable, in one sentence of the one screen."""

from collections.abc import Sequence

from evaluator.report.findings import NO_BLOCK
from evaluator.report.model import PairEstimates
from evaluator.report.wording import about, p_value
from miner.wording import plural


def folded_sentence(open_pairs: Sequence[PairEstimates], pairs: int) -> str:
    """What many pairs without a winner, of so many pairs, have in common; each has its own sentence elsewhere."""
    names = ", ".join(f"{pair.first} and {pair.second}" for pair in open_pairs)
    which = f"every pair ({pairs})" if len(open_pairs) == pairs else f"{plural(len(open_pairs), 'pair')} ({names})"
    known = [pair for pair in open_pairs if pair.difference]
    if not known:
        return f"{which[0].upper()}{which[1:]}: {NO_BLOCK}"
    gaps = [abs(pair.difference.value) for pair in known if pair.difference]
    low, high = (p_value(end(pair.p_holm for pair in known)) for end in (min, max))
    p = low if low == high else f"{low} to {high.removeprefix('p = ')}"
    parts = [
        f"NOT DISTINGUISHABLE: {which}: gaps of {100 * min(gaps):.1f} to {100 * max(gaps):.1f} points; "
        f"{p} (Holm). Not the same as equal: {_together_show(known)}."
    ]
    for count, said in (
        (sum(pair.depends_on_discarded for pair in known), "on discarded trials"),
        (sum(pair.strict_differs for pair in known), "on what was excused"),
    ):
        parts += [f"{count} {'depend' if count > 1 else 'depends'} {said}."] if count else []
    if asked := next((pair.equivalent_within for pair in known if pair.equivalent_within is not None), None):
        parts.append(f"Equivalent within {100 * asked:g} points: {sum(pair.equivalent is True for pair in known)}.")
    return " ".join([*parts, "Each by itself: report.md."])


def _together_show(pairs: Sequence[PairEstimates]) -> str:
    shows = [pair.shows for pair in pairs if pair.shows]
    smallest = [100 * show.smallest for show in shows if show.smallest is not None]
    tasks = [show.tasks for show in shows if show.tasks is not None]
    where = "at the share of tasks that they disagree on"
    if not smallest:
        able = f"{where} no gap is large enough for this set to show"
    else:
        some = "" if len(smallest) == len(shows) else f", and none in {len(shows) - len(smallest)} of them"
        gaps = _span(f"{min(smallest):.0f}", f"{max(smallest):.0f}")
        able = f"{where} this set shows gaps of {gaps} points or more{some}"
    points_asked = f"{100 * shows[0].for_difference:g} points"
    need = f"; {points_asked} needs {_span(about(min(tasks)), about(max(tasks)))} fixtures" if tasks else ""
    return able + need


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"
