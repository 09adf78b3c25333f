"""The numbered sentences of the one screen: what a run found, in the words that docs/statistics.md lays down."""

from collections.abc import Mapping, Sequence

from evaluator.report.across import families
from evaluator.report.model import FormatEstimates, PairEstimates
from evaluator.report.wording import percent, rate
from miner.wording import plural

NOTE = (
    "Verdicts: the exact test over complete blocks, Holm-adjusted over the run's pairs, at 5%. Intervals are 95% and "
    "unadjusted."
)


def note(pairs: Sequence[PairEstimates]) -> str:
    """How the verdicts on `pairs` were come to."""
    across, others = families(pairs)
    if not across or not others:
        return NOTE
    apart = f"over the pairs of one format in two runs ({across}), and by itself over all others ({others})"
    return NOTE.replace("over the run's pairs", apart)


def findings(
    formats: Sequence[FormatEstimates], pairs: Sequence[PairEstimates], not_compared: str | None,
    weighted: bool = False, of_policies: str = "", of_discards: str = "",
) -> list[str]:  # fmt: skip
    """A sentence a pair, winners first; then what other numbers would have said, and how far these carry.

    Pairs of one format in two runs come before all others.

    `weighted`: there is a mix of the history to weigh by.
    `of_policies`, `of_discards`: what is to be said of policies over formats, and of discarded trials.
    """
    said = [f"Not compared: {not_compared}."] if not_compared else []
    said += [pair.sentence for pair in sorted(pairs, key=lambda pair: (not pair.across_runs, pair.winner is None))]
    beside = (
        of_discards, of_policies, _applied(formats), _strict(formats), _counted(formats), _repositories(formats),
        _unseen(formats, weighted),
    )  # fmt: skip
    return said + [sentence for sentence in beside if sentence]


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
