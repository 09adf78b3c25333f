"""The bottom line: what a run came to, in a sentence or two that claim no more than the verdicts do."""

from collections import Counter
from collections.abc import Mapping, Sequence

from evaluator.journal import RunFile
from evaluator.report.able import share_taken
from evaluator.report.across import order_across
from evaluator.report.discarding import all_discarded
from evaluator.report.extremes import extremes
from evaluator.report.model import FormatEstimates, PairEstimates
from evaluator.report.wording import comma, rate
from evaluator.sentence import categories_of
from evaluator.statistics.exact import ALPHA
from evaluator.taxonomy import Category, Detail
from miner.wording import plural


def bottom_line(
    run: RunFile, formats: Sequence[FormatEstimates], pairs: Sequence[PairEstimates], not_compared: str | None,
    reasons: Mapping[str, int] | None = None,
) -> str:  # fmt: skip
    """Who resolves more, as far as the pairs' verdicts say; then what it cost and how long calls took, untested.

    Where no format resolved anything that comes first, with the commonest reason, and nothing is said of cost and time.
    `reasons`: how many trials were discarded for each.
    """
    if not any(f.trials for f in formats):
        lost = all_discarded(formats, reasons or {})
        said = [f"No evidence: no trial has a result{': ' + lost if lost else '.'}"]
        return " ".join([*said, *([f"Not compared: {not_compared}."] if not_compared else [])])
    simulated = "Simulated: " if run.simulated else ""
    said = [_none_resolved(formats), _verdicts(formats, pairs, not_compared)]
    if len(formats) > 1:
        beaten = {pair.second if pair.winner == pair.first else pair.first for pair in pairs if pair.winner}
        said += [_some_resolved_none(formats), *extremes(formats, beaten)]
    return simulated + " ".join(sentence for sentence in said if sentence)


def _none_resolved(formats: Sequence[FormatEstimates]) -> str:
    if any(f.resolved for f in formats):
        return ""
    which = "No format" if len(formats) > 1 else formats[0].name
    applied = "" if any(f.applied for f in formats) else ", and no reply could be applied"
    return f"{which} resolved {'no' if len(formats) == 1 else 'any'} task{applied}: {_commonest(formats)}."


def _some_resolved_none(formats: Sequence[FormatEstimates]) -> str:
    none = [f for f in formats if f.trials and not f.resolved]
    if not none or not any(f.resolved for f in formats):
        return ""
    return f"{comma([f.name for f in none])} resolved no task: {_commonest(none)}."


def _commonest(formats: Sequence[FormatEstimates]) -> str:
    """How most trials ended: `most often malformed/no_edit (53 of 60 trials)`."""
    details: Counter[Detail] = sum((Counter(f.details) for f in formats), Counter())
    categories: Counter[Category] = sum((Counter(f.failed) for f in formats), Counter())
    ended = {_named(detail): times for detail, times in details.items()}
    ended = ended or {category.value: times for category, times in categories.items()}  # lines that give no detail
    most = max(ended.values())
    which = [name for name, times in ended.items() if times == most]
    each = " each" if len(which) > 1 else ""
    return f"most often {comma(which)} ({most} of {plural(sum(f.trials for f in formats), 'trial')}{each})"


def _named(detail: Detail) -> str:
    of = categories_of(detail)
    return f"{of[0].value}/{detail.value}" if len(of) == 1 else detail.value


def _verdicts(formats: Sequence[FormatEstimates], pairs: Sequence[PairEstimates], not_compared: str | None) -> str:
    if not_compared:
        return f"Formats are not compared: {not_compared}."
    if len(formats) == 1:
        return f"One format, so nothing to compare: {formats[0].name} resolved {rate(formats[0].this_set)}."
    if any(pair.difference is None for pair in pairs):
        return "No evidence on which format resolves more: no block has a result of every format."
    if across := [pair for pair in pairs if pair.across_runs]:
        return _across(formats, across)
    if any(pair.winner for pair in pairs):
        said = _order([f.name for f in formats], pairs)
    else:
        said = _all_alike(formats, pairs[0].tasks) or _nothing_shown(pairs)
    return " ".join([said, *_caveats(pairs)])


def _across(formats: Sequence[FormatEstimates], pairs: Sequence[PairEstimates]) -> str:
    """Of several runs with formats in common: whether a format does better in one, which they are compared for."""
    if any(pair.winner for pair in pairs):
        said = order_across(pairs)
    else:
        of = f"{plural(len(pairs), 'pair')}, {plural(pairs[0].tasks, 'task')}"
        none = f"No format is shown to resolve more in one run than in another ({of}"
        said = _all_alike(formats, pairs[0].tasks) or f"{none}: {_able(pairs)})."
    return " ".join([said, *_caveats(pairs)])


def _order(names: Sequence[str], pairs: Sequence[PairEstimates]) -> str:
    """The partial order: who is over all others, else who is under whom, and which nobody is shown to be over."""
    over: dict[str, list[str]] = {name: [] for name in names}  # by loser, those that resolve more
    for pair in pairs:
        if pair.winner is not None:
            over[pair.second if pair.winner == pair.first else pair.first].append(pair.winner)
    for name in names:
        if all(name in over[other] for other in names if other != name):
            return f"{name} resolves MORE than {_the_others(names, name)}."
    beaten: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        if over[name]:
            beaten.setdefault(tuple(sorted(over[name], key=names.index)), []).append(name)
    said = [
        f"{comma(losers)} {'resolve' if len(losers) > 1 else 'resolves'} LESS than {_all_or(names, losers, winners)}"
        for winners, losers in beaten.items()
    ]
    unbeaten = [name for name in names if not over[name]]  # a pair of these has no winner: its loser would be beaten
    rest = (
        f"{comma(unbeaten)} cannot be told apart" if len(unbeaten) > 1 else
        f"no format is shown to resolve more than {unbeaten[0]}"
    )  # fmt: skip
    return "; ".join([*said, rest]) + "."


def _the_others(names: Sequence[str], name: str) -> str:
    others = [other for other in names if other != name]
    return "every other format" if len(others) > 1 else others[0]


def _all_or(names: Sequence[str], losers: Sequence[str], winners: Sequence[str]) -> str:
    """`every other format` where that is so of a single loser among several, else the winners' names."""
    every = len(losers) == 1 and len(winners) == len(names) - 1 > 1
    return "every other format" if every else comma(winners)


def _all_alike(formats: Sequence[FormatEstimates], tasks: int) -> str:
    """Where every format resolved all or nothing: what it would take to show a gap is then not the point."""
    if not any(f.resolved for f in formats):
        return f"Nothing here says which format is better ({plural(tasks, 'task')})."
    if all(f.resolved == f.trials for f in formats):
        small = f"this set ({plural(tasks, 'task')}) is too easy, or too small, to tell them apart"
        return f"Every format resolved every task: {small}."
    return ""


def _nothing_shown(pairs: Sequence[PairEstimates]) -> str:
    tasks = plural(pairs[0].tasks, "task")
    if len(pairs) == 1:
        return f"{pairs[0].first} and {pairs[0].second} cannot be told apart ({tasks}: {_able(pairs)})."
    return f"No format is shown to resolve more than another ({plural(len(pairs), 'pair')}, {tasks}: {_able(pairs)})."


def _able(pairs: Sequence[PairEstimates]) -> str:
    """What the set could have shown, at the share of tasks that the pairs disagreed on; where on none, as supposed."""
    if 2 * 0.5 ** pairs[0].tasks * len(pairs) > ALPHA:  # p at Holm's first step, had all disagreed and gone one way
        return "too few to show any gap"
    shows = [pair.shows for pair in pairs if pair.shows]
    smallest = [show.smallest for show in shows if show.smallest is not None]
    if not smallest:
        return f"{share_taken(shows)} no gap is large enough to show"
    where = f"{share_taken(shows)} " if any(show.assumed for show in shows) else ""
    return f"{where}this set shows gaps of {round(100 * min(smallest))} points or more"


def _caveats(pairs: Sequence[PairEstimates]) -> list[str]:
    """On what the verdicts hang, besides chance."""
    hang = sum(pair.depends_on_discarded for pair in pairs)
    strict = sum(pair.strict_differs for pair in pairs)
    of = "" if len(pairs) == 1 else " in {} of the {} pairs"
    found = {"This depends on discarded trials": hang, "It would differ were nothing excused": strict}
    return [said + of.format(count, len(pairs)) + "." for said, count in found.items() if count]
