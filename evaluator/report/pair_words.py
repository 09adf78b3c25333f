"""What is said of a pair of formats: its sentence, and the parts of it that a table of pairs needs too."""

from collections.abc import Sequence

from evaluator.report.model import Interval, PairEstimates
from evaluator.report.wording import about, difference, p_value, percent, points
from miner.wording import plural

NO_BLOCK = "no evidence, as no block has a result of every format."
NAMED = 2  # of more formats with discarded trials, how many they are: every sentence says it


def pair_sentence(pair: PairEstimates, blocks: int, lacking: Sequence[str] = ()) -> str:
    """What a pair came to, of so many blocks: MORE, or NOT DISTINGUISHABLE with what the set can show; never equal.

    `lacking` are the formats whose discarded trials leave blocks out.
    """
    if pair.difference is None:
        return f"{pair.first} and {pair.second}: {NO_BLOCK}"
    pair = in_order(pair)
    assert pair.difference is not None
    evidence = (
        f"{difference(pair.difference)} on {over_blocks(pair, blocks, lacking)}; {_disagree(pair)}"
        f"{p_value(pair.p_holm)} (Holm)."
    )
    a, b = pair.first, pair.second
    between = "over" if pair.difference.value else "and"
    verdict = f"{a} {between} {b}: NOT DISTINGUISHABLE" if pair.winner is None else f"{a} resolves MORE than {b}"
    parts = [f"{verdict}: {evidence}"]
    if pair.shows is not None:
        parts.append(_what_it_shows(pair))
    if pair.blocks < blocks:
        parts.append(_discards(pair))
    return " ".join([*parts, *_excuses(pair), *_equivalence(pair)])


def what_else(pair: PairEstimates, blocks: int) -> str:
    """What a table of pairs says of one besides its numbers; empty for most."""
    pair = in_order(pair)
    depends = [_discards(pair)] if pair.blocks < blocks and pair.depends_on_discarded else []
    return " ".join([*depends, *_excuses(pair), *_equivalence(pair)])


def in_order(pair: PairEstimates) -> PairEstimates:
    """The pair with the format that resolved more named first."""
    if pair.difference is None or pair.difference.value >= 0:
        return pair
    worst, best = pair.worst, pair.best
    return pair.model_copy(update={
        "first": pair.second, "second": pair.first, "difference": _turned(pair.difference),
        "only_first": pair.only_second, "only_second": pair.only_first,
        "worst": None if best is None else -best, "best": None if worst is None else -worst,
    })  # fmt: skip


def _excuses(pair: PairEstimates) -> list[str]:
    if not pair.strict_differs:
        return []
    other = f"{pair.strict_winner} would resolve MORE" if pair.strict_winner else "they could not be told apart"
    return [f"Were nothing excused, {other}."]


def _equivalence(pair: PairEstimates) -> list[str]:
    if pair.equivalent_within is None:
        return []
    within = f"{100 * pair.equivalent_within:g} points (the 90% interval"
    if pair.equivalent:
        return [f"Equivalent within {within} lies inside)."]
    return [f"Not shown to be equivalent within {within} does not lie inside)."]


def over_blocks(pair: PairEstimates, blocks: int, lacking: Sequence[str]) -> str:
    """`120 complete blocks`, or `117 of 120 blocks (3 left out: whole_file discarded there)`."""
    left = blocks - pair.blocks
    over = f"{pair.blocks} of {plural(blocks, 'block')}" if left else plural(blocks, "complete block")
    tasks = "" if pair.tasks == pair.blocks else f" of {plural(pair.tasks, 'task')}"
    names = ", ".join(lacking) if len(lacking) <= NAMED else f"{len(lacking)} formats"
    there = f": {names} discarded there" if lacking else ""
    return over + tasks + (f" ({left} left out{there})" if left else "")


def _turned(of: Interval) -> Interval:
    return Interval(value=-of.value, low=-of.high, high=-of.low)


def _disagree(pair: PairEstimates) -> str:
    if pair.only_first is None or pair.only_second is None:
        return ""
    return f"{pair.only_first} v {pair.only_second} disagree; "


def _what_it_shows(pair: PairEstimates) -> str:
    assert pair.shows is not None
    shows = pair.shows
    if shows.smallest is None:
        # Not that it shows none at all: where many tasks disagree, a set of this size may well show one.
        where = "" if shows.assumed else f"where {percent(shows.disagreeing)} disagree, "
        able = f"{where}no gap is large enough for this set to show"
    else:
        able = f"this set shows gaps of {100 * shows.smallest:.0f} points or more"
    terms = [f"Holm over {shows.pairs} pairs"] if shows.pairs > 1 and (shows.smallest or shows.tasks) else []
    terms += [f"supposing that {percent(shows.disagreeing)} disagree"] if shows.assumed else []
    on_terms = f" ({'; '.join(terms)})" if terms else ""
    if shows.tasks is None:
        need = f"; they disagreed too rarely for a gap of {100 * shows.for_difference:g} points"
    else:
        need = f"; {100 * shows.for_difference:g} points needs {about(shows.tasks)} fixtures"
    return f"Not the same as equal: {able}{need}{on_terms}."


def _discards(pair: PairEstimates) -> str:
    if not pair.depends_on_discarded:
        return "Holds whatever the discarded trials were."
    assert pair.worst is not None
    assert pair.best is not None
    ends = f"{points(pair.worst)} to {points(pair.best)} points"
    return f"Depends on discarded trials: {ends}, as they might have gone."
