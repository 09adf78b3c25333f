"""The numbered sentences of the one screen: what a run found, in the words that docs/statistics.md lays down."""

from collections.abc import Mapping, Sequence

from evaluator.report.model import FormatEstimates, Interval, PairEstimates
from evaluator.report.wording import about, difference, p_value, percent, points, rate
from miner.wording import plural

NAMED = 2  # of more formats with discarded trials, how many they are: every sentence says it
NOTE = (
    "Verdicts: the exact test over complete blocks, Holm-adjusted over the run's pairs, at 5%. Intervals are 95% and "
    "unadjusted."
)


def findings(
    formats: Sequence[FormatEstimates], pairs: Sequence[PairEstimates], not_compared: str | None,
    weighted: bool = False, of_policies: str = "",
) -> list[str]:  # fmt: skip
    """A sentence a pair, winners first; then what other numbers would have said, and how far these carry.

    `weighted`: there is a mix of the history to weigh by. `of_policies`: what is to be said of policies over formats.
    """
    said = [f"Not compared: {not_compared}."] if not_compared else []
    said += [pair.sentence for pair in sorted(pairs, key=lambda pair: pair.winner is None)]
    beside = (of_policies, _applied(formats), _strict(formats), _counted(formats), _repositories(formats), _unseen(formats, weighted))
    return said + [sentence for sentence in beside if sentence]


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


NO_BLOCK = "no evidence, as no block has a result of every format."


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
    assumed = f" (supposing that {percent(shows.disagreeing)} disagree)" if shows.assumed else ""
    if shows.tasks is None:
        need = f"; they disagreed too rarely for a gap of {100 * shows.for_difference:g} points"
    else:
        need = f"; {100 * shows.for_difference:g} points needs {about(shows.tasks)} fixtures"
    return f"Not the same as equal: {able}{need}{assumed}."


def _discards(pair: PairEstimates) -> str:
    if not pair.depends_on_discarded:
        return "Holds whatever the discarded trials were."
    assert pair.worst is not None
    assert pair.best is not None
    ends = f"{points(pair.worst)} to {points(pair.best)} points"
    return f"Depends on discarded trials: {ends}, as they might have gone."


def _applied(formats: Sequence[FormatEstimates]) -> str:
    known = [f for f in formats if f.reached_applier and f.this_set]
    if len(known) < 2:
        return ""
    applied = {f.name: f.applied / f.reached_applier for f in known}
    resolved = {f.name: f.this_set.value for f in known if f.this_set}
    shown = ", ".join(f"{f.name} {percent(applied[f.name])}{_of_those(f)}"
                      for f in sorted(known, key=lambda f: -applied[f.name]))  # fmt: skip
    if len(set(applied.values())) == 1:
        return f"Applied cleanly tells none from another: {shown}."
    verb = "ranks them the same" if _order(applied) == _order(resolved) else "would have ranked them"
    return f"Applied cleanly {verb}: {shown}."


def _of_those(f: FormatEstimates) -> str:
    """What the rate leaves out: attempts that were cut off, or could not be read."""
    if f.reached_applier == f.attempts:
        return ""
    return f" (of the {f.reached_applier} of {plural(f.attempts, 'attempt')} that reached the applier)"


def _order(rates: Mapping[str, float]) -> list[list[str]]:
    """Names by their rates, the highest first; those of equal rates are together."""
    values = sorted(set(rates.values()), reverse=True)
    return [[name for name, own in rates.items() if own == value] for value in values]


def _strict(formats: Sequence[FormatEstimates]) -> str:
    excused = [f"{f.strict_would_change} of {f.name}" for f in formats if f.strict_would_change]
    return f"Resolved only because what an allowed symbol needs is excused: {', '.join(excused)}." if excused else ""


def _counted(formats: Sequence[FormatEstimates]) -> str:
    counted, attempts = sum(f.counted_here or 0 for f in formats), sum(f.attempts for f in formats)
    if not counted:
        return ""
    return (
        f"Estimates (~): the tokens of {counted:,} of {plural(attempts, 'attempt')} were counted here, in another "
        "vocabulary than the model's, as the provider gave no whole counts; and with them what they cost."
    )


def _repositories(formats: Sequence[FormatEstimates]) -> str:
    names = sorted({name for f in formats for name in f.repositories.per_repository})
    if len(names) == 1:
        return f"Every interval is of tasks of one repository, {names[0]}; of others it says nothing."
    if not names:
        return ""
    new = [f"{f.name} {rate(f.repositories.new_repository)}" for f in formats if f.repositories.new_repository]
    these = f"Every interval is of tasks of these {len(names)} repositories"
    if not new:  # they are all alike, which does not make a new one certain
        return f"{these}; of others it says nothing."
    return f"{these}. Of a new repository (t interval): {', '.join(new)}."


def _unseen(formats: Sequence[FormatEstimates], weighted: bool) -> str:
    unseen = [f.history.unseen for f in formats if f.history]
    if weighted and not unseen and any(f.trials for f in formats):
        return "No estimate over the history: no task with evidence is of a repository and size that its mix weighs."
    if not unseen or max(unseen) < 0.0005:
        return ""
    return f"No evidence for {max(unseen):.1%} of the history; the intervals of its mix leave room for all of it."
