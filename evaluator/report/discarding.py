"""How many trials were discarded, and what for most often: on the one screen, whenever there are any."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from evaluator.report.model import FormatEstimates
from evaluator.report.wording import comma
from evaluator.taxonomy import Discard
from evaluator.trials import Trial
from miner.wording import plural

AGAIN = "`--resume RUN --again` makes those calls anew"
_LONGEST = 160  # characters of a reason: whole pages of a provider stand in some


def reasons_of(done: Iterable[Trial]) -> dict[str, int]:
    """How many trials were discarded for each reason, the commonest first; what a budget ended comes last.

    That it was used up is said elsewhere, and would hide what else went wrong.
    """
    lost = [trial.last for trial in done if not trial.has_evidence]
    found = Counter(line.error for line in lost)
    budget = {line.error for line in lost if line.discarded is Discard.BUDGET_EXHAUSTED}
    return dict(sorted(found.items(), key=lambda item: (item[0] in budget, -item[1])))


def discards_said(formats: Sequence[FormatEstimates], reasons: Mapping[str, int]) -> str:
    """A sentence on the trials that were discarded; empty where none was. `reasons`: how many trials a reason ended."""
    kinds = _kinds(formats)
    if not kinds:
        return ""
    return f"Discarded, in no rate: {kinds.total():,} of {plural(_ended(formats), 'trial')}, {_why(kinds, reasons)}."


def all_discarded(formats: Sequence[FormatEstimates], reasons: Mapping[str, int]) -> str:
    """The same where every trial was, with what to do; empty where not."""
    kinds = _kinds(formats)
    if not kinds or any(f.trials for f in formats):
        return ""
    remedy = f" {AGAIN}." if set(kinds) == {Discard.INFRA_ERROR} else ""
    which = "the one that ended was" if kinds.total() == 1 else f"all {kinds.total():,} that ended were"
    return f"{which} discarded {_why(kinds, reasons)}.{remedy}"


def _kinds(formats: Sequence[FormatEstimates]) -> Counter[Discard]:
    return sum((Counter(f.discarded) for f in formats), Counter())


def _ended(formats: Sequence[FormatEstimates]) -> int:
    return sum(f.trials + sum(f.discarded.values()) for f in formats)


def _why(kinds: Counter[Discard], reasons: Mapping[str, int]) -> str:
    """`as infra_error: 503 overloaded`, or `5 as infra_error and 1 as refusal; most often (4): 503 overloaded`.

    `reasons` are as `reasons_of` gives them.
    """
    of_each = kinds.most_common()
    said = comma([f"{times:,} as {kind.value}" for kind, times in of_each])
    said = f"as {of_each[0][0].value}" if len(of_each) == 1 else said
    known = {reason: times for reason, times in reasons.items() if reason.strip()}
    if not known:
        return said
    reason = next(iter(known))
    besides = " but for the budget" if Discard.BUDGET_EXHAUSTED in kinds and len(kinds) > 1 else ""
    often = "" if known[reason] == kinds.total() else f"; most often{besides} ({known[reason]:,})"
    return f"{said}{often}: {_short(reason)}"


def _short(reason: str) -> str:
    line = " ".join(reason.split()).rstrip(".")
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."
