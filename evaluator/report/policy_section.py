"""How a report says whether a mix of formats would do better: a section, and a sentence of the one screen."""

from collections import Counter
from collections.abc import Iterator, Sequence

from evaluator.amounts import money
from evaluator.journal import RunFile
from evaluator.report.model import PolicyEstimates, ReportFile
from evaluator.report.policies import THRESHOLDS
from evaluator.report.tables import table
from evaluator.report.wording import comma, difference, estimated, percent, wrapped
from miner.wording import plural

TITLE = "Would a mix of formats do better?"
_NAMES = {"size_rule": "size rule", "fallback_chain": "fallback chain"}
_BORDERS = comma([f"{t:g}" for t in THRESHOLDS])


def policy_section(report: ReportFile) -> str:
    """The section's text, without its title; empty where there are no policies."""
    found = report.policies
    if not found:
        return ""
    said = [_how(found[0].tasks), _table(report), *(wrapped(_chosen(p, report.run)) for p in found),
            wrapped(_single(found[0])), *map(wrapped, _missing(report))]  # fmt: skip
    return "\n".join(said)


def policy_finding(found: Sequence[PolicyEstimates], run: RunFile) -> str:
    """Points to the section, whose title it begins with, where a policy stands out; it claims no winner. Else empty."""
    told = [f"{p.chosen[0]}{_chances(p, run)} resolves {percent(p.rate)} of tasks that did not choose it, the best "
            f"single format {percent(max(p.own_rates.values()))}" for p in found if p.stands_out]  # fmt: skip
    return f"{TITLE} A description, no verdict: {'; '.join(told)}." if told else ""


def _how(tasks: int) -> str:
    return wrapped(
        f"A description, no verdict. Of {plural(tasks, 'task')} a fifth at a time is set aside; a policy, and the "
        "single format beside it, are chosen on the others and scored on what was set aside. The interval is widened "
        "by a fifth, as what is chosen varies with the tasks too."
    )


def _table(report: ReportFile) -> str:
    """The single format is the same beside every policy: the folds and the tasks are."""
    found, counted_here = report.policies, sum(f.counted_here or 0 for f in report.formats)

    def cost(usd: float | None) -> str:
        return estimated(money(usd), counted_here)

    rows = [[_NAMES[p.kind], percent(p.rate), difference(p.difference), cost(p.cost_per_task)] for p in found]
    rows.append(["single format", percent(found[0].format_rate), "", cost(found[0].format_cost_per_task)])
    return table(["the best", "resolved", "difference [95%, widened]", "cost a task"], rows)


def _chosen(p: PolicyEstimates, run: RunFile) -> str:
    which = f"{_NAMES[p.kind].capitalize()}, of {p.tried} tried: {_by_folds(p.chosen)}."
    if p.kind == "size_rule":
        return f"{which} The size is what a rewrite of the changed files takes, in tokens."
    signals = ", ".join(signal.value for signal in run.retry_on)
    return (
        f"{which} The second format begins again from the starting tree where the first was seen to fail ({signals}), "
        f"so that a task may take {plural(2 * run.attempts, 'attempt')} and costs both. It only adds chances, and "
        "resolves no less than its first format: what counts is how much more, and at what cost."
    )


def _single(p: PolicyEstimates) -> str:
    own = ", ".join(f"{name} {percent(of)}" for name, of in p.own_rates.items())
    apart = "" if len(set(p.formats)) == 1 else ", so that its rate can be below that of each"
    return f"Single format: {_by_folds(p.formats)}{apart}. Over all of these tasks: {own}."


def _missing(report: ReportFile) -> Iterator[str]:
    """Why there is no policy of a kind."""
    kinds = {p.kind for p in report.policies}
    if "size_rule" not in kinds:
        noted = all(fixture in report.run.tasks for fixture in report.run.fixtures)
        why = f"no border ({_BORDERS} of the cap) has tasks on both sides" if noted else "the run noted no sizes"
        yield f"No size rule: {why}."
    if "fallback_chain" not in kinds:
        yield "No fallback chain: no trial ended in a failure that the run would have seen (--retry-on)."


def _by_folds(chosen: Sequence[str]) -> str:
    """`every fold chose A`, or how many folds chose which, and what that means."""
    counted = Counter(chosen).most_common()
    if len(counted) == 1:
        return f"every fold chose {chosen[0]}"
    folds = "; ".join(f"{name} in {times}" for name, times in counted)
    return f"the folds choose differently ({folds}): the set is too small to choose"


def _chances(p: PolicyEstimates, run: RunFile) -> str:
    return f" (up to {plural(2 * run.attempts, 'attempt')} a task)" if p.kind == "fallback_chain" else ""
