"""The bottom line: what a run came to, in a sentence or two that claim no more than the verdicts do."""

from collections.abc import Callable, Mapping, Sequence

from evaluator.amounts import money
from evaluator.journal import RunFile
from evaluator.report.model import FormatEstimates, PairEstimates
from evaluator.report.wording import comma, duration, rate
from evaluator.statistics.exact import ALPHA
from miner.wording import plural


def bottom_line(
    run: RunFile, formats: Sequence[FormatEstimates], pairs: Sequence[PairEstimates], not_compared: str | None
) -> str:  # fmt: skip
    """Who resolves more, as far as the pairs' verdicts say; then what it cost and how long calls took, untested."""
    if not any(f.trials for f in formats):
        return "No evidence: no trial has a result." + (f" Not compared: {not_compared}." if not_compared else "")
    simulated = "Simulated: " if run.simulated else ""
    return simulated + " ".join([_verdicts(formats, pairs, not_compared), *_descriptive(formats)])


def _verdicts(formats: Sequence[FormatEstimates], pairs: Sequence[PairEstimates], not_compared: str | None) -> str:
    if not_compared:
        return f"Formats are not compared: {not_compared}."
    if len(formats) == 1:
        return f"One format, so nothing to compare: {formats[0].name} resolved {rate(formats[0].this_set)}."
    if any(pair.difference is None for pair in pairs):
        return "No evidence on which format resolves more: no block has a result of every format."
    said = _order([f.name for f in formats], pairs) if any(pair.winner for pair in pairs) else _nothing_shown(pairs)
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


def _nothing_shown(pairs: Sequence[PairEstimates]) -> str:
    tasks = plural(pairs[0].tasks, "task")
    if len(pairs) == 1:
        return f"{pairs[0].first} and {pairs[0].second} cannot be told apart ({tasks}: {_able(pairs)})."
    return f"No format is shown to resolve more than another ({plural(len(pairs), 'pair')}, {tasks}: {_able(pairs)})."


def _able(pairs: Sequence[PairEstimates]) -> str:
    """What the set could have shown, at the share of tasks that the pairs disagreed on."""
    if 2 * 0.5 ** pairs[0].tasks * len(pairs) > ALPHA:  # p at Holm's first step, had all disagreed and gone one way
        return "too few to show any gap"
    smallest = [pair.shows.smallest for pair in pairs if pair.shows and pair.shows.smallest is not None]
    if not smallest:
        return "at the share that they disagree on no gap is large enough to show"
    return f"this set shows gaps of {round(100 * min(smallest))} points or more"


def _caveats(pairs: Sequence[PairEstimates]) -> list[str]:
    """On what the verdicts hang, besides chance."""
    hang = sum(pair.depends_on_discarded for pair in pairs)
    strict = sum(pair.strict_differs for pair in pairs)
    of = "" if len(pairs) == 1 else " in {} of the {} pairs"
    found = {"This depends on discarded trials": hang, "It would differ were nothing excused": strict}
    return [said + of.format(count, len(pairs)) + "." for said, count in found.items() if count]


def _descriptive(formats: Sequence[FormatEstimates]) -> list[str]:
    """Cost, or tokens where there is no price, and latency: the least, and how many times as much the most is."""
    if len(formats) == 1:
        return []
    costs = {f.name: f.cost_per_resolved.value for f in formats if f.cost_per_resolved}
    tokens = {f.name: f.output_tokens for f in formats if f.output_tokens}
    times = {f.name: f.latency_p50 for f in formats if f.latency_p50}
    said = []
    if all(f.cost_total is not None for f in formats if f.trials):
        said.append(_extremes("Cheapest per resolved task", costs, money, "costs"))
    else:
        said.append(_extremes("Fewest output tokens a task (median)", tokens, lambda n: f"{n:,.0f}", "takes"))
    said.append(_extremes("Fastest call (median)", times, duration, "takes"))
    return [sentence for sentence in said if sentence]


def _extremes(title: str, of: Mapping[str, float], shown: Callable[[float], str], verb: str) -> str:
    if len(of) < 2 or min(of.values()) <= 0:
        return ""
    low, high = min(of, key=lambda name: of[name]), max(of, key=lambda name: of[name])
    times = of[high] / of[low]
    if times < 1.05:  # rounded, they are the same
        return ""
    return f"{title}: {low} {shown(of[low])}; {high} {verb} {times:.1f} times as much."
