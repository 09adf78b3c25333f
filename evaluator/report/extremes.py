"""Which format is cheapest and which is fastest: said of those that resolve something, and untested."""

from collections.abc import Callable, Collection, Mapping, Sequence

from evaluator.amounts import money
from evaluator.report.model import FormatEstimates
from evaluator.report.wording import duration, estimated


def extremes(formats: Sequence[FormatEstimates], beaten: Collection[str]) -> list[str]:
    """Cost, or tokens where there is no price, and latency: the least, and how many times as much the most is.

    What a format that resolved nothing took is the price of failing: it is in no sentence. Of those `beaten`, which
    verdicts show to resolve less than another, it is said where one of them has the least.
    """
    able = [f for f in formats if f.resolved]
    costs = {f.name: f.cost_per_resolved.value for f in able if f.cost_per_resolved}
    tokens = {f.name: f.output_tokens for f in able if f.output_tokens}
    times = {f.name: f.latency_p50 for f in able if f.latency_p50}
    guessed = {f.name: f.counted_here for f in able}

    def said(title: str, of: Mapping[str, float], shown: Callable[[str], str], verb: str) -> str:
        if len(of) < 2 or min(of.values()) <= 0:
            return ""
        low, high = min(of, key=lambda name: of[name]), max(of, key=lambda name: of[name])
        times = of[high] / of[low]
        if times < 1.05:  # rounded, they are the same
            return ""
        less = ", which resolves LESS than another" if low in beaten else ""
        return f"{title}: {low} {shown(low)}{less}; {high} {verb} {times:.1f} times as much."

    if all(f.cost_total is not None for f in formats if f.trials):
        spent = said("Cheapest per resolved task", costs, lambda n: estimated(money(costs[n]), guessed[n]), "costs")
    else:
        spent = said("Fewest output tokens a task (median)", tokens,
                     lambda n: estimated(f"{tokens[n]:,.0f}", guessed[n]), "takes")  # fmt: skip
    took = said("Fastest call (median)", times, lambda n: duration(times[n]), "takes")
    return [sentence for sentence in (spent, took) if sentence]
