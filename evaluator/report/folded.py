"""Many pairs in one sentence of the one screen: those with a winner, and those that are not distinguishable."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.report.able import share_taken
from evaluator.report.across import TITLE, families
from evaluator.report.model import PairEstimates, ReportFile
from evaluator.report.pair_words import NO_BLOCK
from evaluator.report.wording import about, comma, p_value, wrapped
from miner.wording import plural

FEW = 3  # pairs with a winner, or without one, that are read in full
MANY = 15  # pairs that are not named one by one: six formats have as many
LINES = 24  # of numbered sentences on the one screen
IN_FULL = "Each by itself: report.md."


@dataclass(frozen=True)
class Group:
    """The numbered sentences of pairs with a winner, or without; `together` is one for all, `title` heads them all."""

    title: str
    won: bool
    together: str
    numbered: tuple[tuple[int, str], ...]
    pairs: tuple[PairEstimates, ...]  # those that the sentences are of


def groups(report: ReportFile) -> list[Group]:
    """The sentences of the pairs with a winner, and of those without one; groups of none are left out."""
    all_won = [pair for pair in report.pairs if pair.winner]
    all_left = [pair for pair in report.pairs if not pair.winner]
    found = []
    for across in (True, False):  # the order of their sentences
        of = families(report.pairs)[not across]
        said = f"{TITLE}: " if across else ""
        won, left = ([pair for pair in some if pair.across_runs is across] for some in (all_won, all_left))
        found += [
            Group("Pairs of which one resolves more, one by one", True, said + _won(won), *_numbered(report, won)),
            Group("Pairs that are not distinguishable, one by one", False,
                  said + _not_distinguishable(left, of), *_numbered(report, left)),
        ]  # fmt: skip
    return [group for group in found if group.numbered]


def folded(report: ReportFile) -> list[Group]:
    """The groups that one sentence each stands for on the one screen.

    Those of more than `FEW` sentences. Where what is left to read is still more than `LINES` lines, the pairs without a
    winner, and then those with one: these decide.
    """
    found = groups(report)
    chosen: list[Group] = []
    for most_left, most_won in ((FEW, FEW), (1, FEW), (1, 1)):
        chosen = [group for group in found if len(group.numbered) > (most_won if group.won else most_left)]
        if told(report, chosen).count("\n") <= LINES:
            break
    return chosen


def told(report: ReportFile, one_each: Sequence[Group], in_full: str = IN_FULL) -> str:
    """The numbered sentences, wrapped; the numbers of those of a group that is folded stand before its one sentence.

    `in_full` says where each of these stands.
    """
    lines = []
    for group, numbered in parted(report, one_each):
        if group is None:
            lines += [wrapped(f"{n}. {said}", "   ") for n, said in numbered]
        else:
            lines.append(wrapped(f"{numbered[0][0]}-{numbered[-1][0]}. {group.together} {in_full}", "   "))
    return "".join(lines)


def parted(report: ReportFile, apart: Sequence[Group]) -> Iterator[tuple[Group | None, list[tuple[int, str]]]]:
    """All numbered sentences in order, those of a group `apart` with it; a group's stand together."""
    owner = {n: group for group in apart for n, _ in group.numbered}
    run: list[tuple[int, str]] = []
    for n, said in enumerate(report.findings, 1):
        if run and owner.get(n) is not owner.get(run[-1][0]):
            yield owner.get(run[-1][0]), run
            run = []
        run.append((n, said))
    if run:
        yield owner.get(run[-1][0]), run


def _numbered(
    report: ReportFile, pairs: Sequence[PairEstimates]
) -> tuple[tuple[tuple[int, str], ...], tuple[PairEstimates, ...]]:  # fmt: skip
    by_sentence = {pair.sentence: pair for pair in pairs}
    numbered = tuple((n, said) for n, said in enumerate(report.findings, 1) if said in by_sentence)
    return numbered, tuple(by_sentence[said] for _, said in numbered)


def _won(pairs: Sequence[PairEstimates]) -> str:
    """Who resolves more than whom, those with most below them first."""
    if not pairs:
        return ""
    below: dict[str, list[str]] = {}
    for pair in pairs:
        if pair.winner is not None:
            below.setdefault(pair.winner, []).append(pair.second if pair.winner == pair.first else pair.first)
    most_first = sorted(below.items(), key=lambda item: -len(item[1]))
    (best, others), *rest = most_first
    who = "; ".join([f"{best} resolves MORE than {comma(others)}",
                     *(f"{name} than {comma(losers)}" for name, losers in rest)])  # fmt: skip
    return " ".join([f"{who}: {_spans(pairs)}.", *_caveats(pairs)])


def _not_distinguishable(pairs: Sequence[PairEstimates], of: int) -> str:
    """What pairs without a winner have in common."""
    which = f"every pair ({of})" if len(pairs) == of else _which(pairs)
    known = [pair for pair in pairs if pair.difference]
    if not known:
        return f"{which[0].upper()}{which[1:]}: {NO_BLOCK}"
    said = f"NOT DISTINGUISHABLE: {which}: {_spans(known)}. Not the same as equal: {_together_show(known)}."
    return " ".join([said, *_caveats(known)])


def _which(pairs: Sequence[PairEstimates]) -> str:
    """Pairs by name; of more than anybody reads, how many: the others are those with a winner, which are named."""
    if len(pairs) > MANY:
        return f"all other pairs ({len(pairs)})"
    return f"{plural(len(pairs), 'pair')} ({_names(pairs)})"


def _names(pairs: Sequence[PairEstimates]) -> str:
    beside: dict[str, list[str]] = {}
    for pair in pairs:
        beside.setdefault(pair.first, []).append(pair.second)
    return "; ".join(f"{first} and {', '.join(others)}" for first, others in beside.items())


def _spans(pairs: Sequence[PairEstimates]) -> str:
    gaps = [abs(pair.difference.value) for pair in pairs if pair.difference]
    low, high = (p_value(end(pair.p_holm for pair in pairs)) for end in (min, max))
    p = low if low == high else f"{low} to {high.removeprefix('p = ')}"
    return f"gaps of {100 * min(gaps):.1f} to {100 * max(gaps):.1f} points; {p} (Holm)"


def _caveats(pairs: Sequence[PairEstimates]) -> list[str]:
    parts = []
    for count, said in (
        (sum(pair.depends_on_discarded for pair in pairs), "on discarded trials"),
        (sum(pair.strict_differs for pair in pairs), "on what was excused"),
    ):
        parts += [f"{count} {'depend' if count > 1 else 'depends'} {said}."] if count else []
    if asked := next((pair.equivalent_within for pair in pairs if pair.equivalent_within is not None), None):
        parts.append(f"Equivalent within {100 * asked:g} points: {sum(pair.equivalent is True for pair in pairs)}.")
    return parts


def _together_show(pairs: Sequence[PairEstimates]) -> str:
    shows = [pair.shows for pair in pairs if pair.shows]
    smallest = [100 * show.smallest for show in shows if show.smallest is not None]
    tasks = [show.tasks for show in shows if show.tasks is not None]
    where = share_taken(shows)
    if not smallest:
        able = f"{where} no gap is large enough for this set to show"
    else:
        some = "" if len(smallest) == len(shows) else f", and none in {len(shows) - len(smallest)} of them"
        gaps = _span(f"{min(smallest):.0f}", f"{max(smallest):.0f}")
        able = f"{where} this set shows gaps of {gaps} points or more{some}"
    points_asked = f"{100 * shows[0].for_difference:g} points"
    need = f"; {points_asked} needs {_span(about(min(tasks)), about(max(tasks)))} fixtures" if tasks else ""
    need += f" (Holm over {shows[0].pairs} pairs)" if shows[0].pairs > 1 and (smallest or tasks) else ""
    return able + need


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"
