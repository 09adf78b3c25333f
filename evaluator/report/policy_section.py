"""How a report says whether a mix of formats would do better: a section, and a sentence of the one screen."""

from collections import Counter
from collections.abc import Sequence

from evaluator.amounts import money
from evaluator.journal import RunFile
from evaluator.report.model import PolicyEstimates, ReportFile
from evaluator.report.policies import THRESHOLDS
from evaluator.report.tables import table
from evaluator.report.wording import comma, difference, percent, wrapped
from miner.wording import plural

TITLE = "Would a mix of formats do better?"
_NAMES = {"size_rule": "size rule", "fallback_chain": "fallback chain"}
_BORDERS = comma([f"{t:g}" for t in THRESHOLDS])
_WITHOUT = {
    "size_rule": f"No size rule: no border ({_BORDERS} of the cap) has tasks on both sides, or a size was not noted.",
    "fallback_chain": "No fallback chain: no trial ended in a failure that the run would have seen (--retry-on).",
}


def policy_section(report: ReportFile) -> str:
    """The section's text, without its title; empty where there are no policies."""
    found = report.policies
    if not found:
        return ""
    missing = [said for kind, said in _WITHOUT.items() if kind not in {p.kind for p in found}]
    said = [_how(found[0].tasks), _table(found), *(wrapped(_chosen(p, report.run)) for p in found),
            *map(wrapped, missing)]  # fmt: skip
    return "\n".join(said)


def policy_finding(found: Sequence[PolicyEstimates], run: RunFile) -> str:
    """Points to the section where folds that agree found something; it claims no winner. Empty where they did not."""
    seen = [p for p in found if p.difference.low > 0 and len(set(p.chosen)) == 1]
    if not seen:
        return ""
    told = [f"{p.chosen[0]}{_chances(p, run)}, {difference(p.difference)} from the best single format" for p in seen]
    return f"{TITLE} A description, no verdict: {'; '.join(told)}. The section of that name says how it was worked out."


def _how(tasks: int) -> str:
    return wrapped(
        f"A description, no verdict. Of {plural(tasks, 'task')} a fifth at a time is set aside; a policy, and the "
        "single format beside it, are chosen on the others and scored on what was set aside. The interval is widened "
        "by a fifth, as what is chosen varies with the tasks too."
    )


def _table(found: Sequence[PolicyEstimates]) -> str:
    priced = any(p.cost_per_task is not None for p in found)
    header = ["", "resolved", "best single format", "difference [95%, widened]"]
    header += ["cost a task", "single format's"] if priced else []
    rows = [
        [_NAMES[p.kind], percent(p.rate), percent(p.format_rate), difference(p.difference)]
        + ([money(p.cost_per_task), money(p.format_cost_per_task)] if priced else [])
        for p in found
    ]
    return table(header, rows)


def _chosen(p: PolicyEstimates, run: RunFile) -> str:
    which = f"{_NAMES[p.kind].capitalize()}, of {p.tried} tried: {_by_folds(p.chosen)}."
    beside = f"Beside it: {_by_folds(p.formats)}."
    if p.kind == "size_rule":
        meant = "Sizes are what a rewrite of the changed files takes, as a share of the cap."
    else:
        signals = ", ".join(signal.value for signal in run.retry_on)
        meant = (
            f"The second format begins again from the starting tree where the first was seen to fail ({signals}), so "
            f"that a task may take {plural(2 * run.attempts, 'attempt')} and costs both. It only adds chances, and "
            "resolves no less than its first format: what counts is how much more, and at what cost."
        )
    return f"{which} {beside} {meant}"


def _by_folds(chosen: Sequence[str]) -> str:
    """`every fold chose A`, or how many folds chose which, and what that means."""
    counted = Counter(chosen).most_common()
    if len(counted) == 1:
        return f"every fold chose {chosen[0]}"
    folds = "; ".join(f"{name} ({times} of {len(chosen)})" for name, times in counted)
    return f"the folds choose differently, the set is too small to choose: {folds}"


def _chances(p: PolicyEstimates, run: RunFile) -> str:
    return f" (up to {plural(2 * run.attempts, 'attempt')} a task)" if p.kind == "fallback_chain" else ""
