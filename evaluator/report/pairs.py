"""The comparisons of a run in its report: which pairs can be told apart, or why none is compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.tables import table
from evaluator.statistics.comparison import Comparison, Pair, Split, compare, outcomes
from evaluator.statistics.exact import ALPHA
from evaluator.trials import is_finished, trials

LEGEND = (
    "Pairs: McNemar's exact test over the blocks that have evidence for every format, Holm-adjusted over the run's "
    f"pairs, at {ALPHA}. Not distinguishable is not the same as equal. Where trials were discarded, the bounds are the "
    "difference had they all gone against the first format, or all for it.\n"
)


@dataclass(frozen=True)
class Refused:
    """Why the formats of a run are not compared."""

    why: str


def compared(run: RunFile, lines: Sequence[AttemptLine]) -> Comparison | Refused:
    """The pairs of a run's formats, or why they are not compared."""
    served = sorted({a.served_model for a in lines if a.served_model})
    if len(served) > 1:
        return Refused(f"the served model changed within the run ({', '.join(served)})")
    done = [t for t in trials(lines) if is_finished(t.attempts, run.attempts, run.retry_on)]
    if any(t.repeat > 1 for t in done):
        return Refused("McNemar's test does not apply to more than one repeat of a fixture")
    ended = {(t.fixture, t.format) for t in done}
    left = sum((fixture, name) not in ended for fixture in run.fixtures for name in run.formats)
    if left:
        unfinished = "1 trial has" if left == 1 else f"{left} trials have"
        return Refused(f"{unfinished} not ended, and the test is taken once, when all have")
    return compare(run.formats, outcomes(run.formats, done))


def verdict(pair: Pair) -> str:
    """A pair's verdict in words."""
    if pair.winner is None:
        return f"{pair.first} and {pair.second}: NOT DISTINGUISHABLE"
    other = pair.second if pair.winner == pair.first else pair.first
    return f"{pair.winner} resolves MORE than {other}"


def as_markdown(found: Comparison | Refused) -> str:
    """A row a pair."""
    if isinstance(found, Refused):
        return f"Not compared: {found.why}.\n"
    header = ["verdict", "resolved", "only one did", "difference", "p (Holm)", "discarded trials"]
    rows = [
        [
            verdict(pair), f"{pair.resolved[0]} v {pair.resolved[1]} of {pair.split.blocks}",
            f"{pair.split.only_first} v {pair.split.only_second}", *_evidence(pair), _discards(pair, found),
        ]
        for pair in found.pairs
    ]  # fmt: skip
    note = f"\n{found.complete} of {found.blocks} blocks are complete; the others are in no pair.\n"
    return table(header, rows) + (note if found.complete < found.blocks else "")


def _evidence(pair: Pair) -> tuple[str, str]:
    """The difference and its p; over no complete block there is neither, which is not a difference of zero."""
    return (points(pair.split.difference), p_value(pair.p)) if pair.split.blocks else ("no evidence", "no evidence")


def _discards(pair: Pair, found: Comparison) -> str:
    if found.complete == found.blocks:
        return "none"
    said = "depends on discarded trials" if pair.depends else "holds whatever they were"
    return f"{said} ({points(pair.worst.difference)} to {points(pair.best.difference)})"


def points(fraction: float) -> str:
    """A difference of rates in percentage points: `+7.7`."""
    return f"{100 * fraction:+.1f} points"


def p_value(p: float) -> str:
    """`0.039`, or `< 0.001`."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def as_data(found: Comparison | Refused) -> dict[str, object]:
    """The comparisons as JSON data; the mid-p is not adjusted, and in no verdict."""
    if isinstance(found, Refused):
        return {"refused": found.why}
    return {
        "blocks": found.blocks, "complete": found.complete, "alpha": ALPHA,
        "pairs": [
            {
                "first": pair.first, "second": pair.second, "verdict": verdict(pair), "winner": pair.winner,
                "resolved": list(pair.resolved), **_split(pair.split), "p_holm": pair.p, "p_exact": pair.split.p,
                "mid_p": pair.mid_p, "worst": _split(pair.worst), "best": _split(pair.best),
                "depends_on_discarded": pair.depends,
            }
            for pair in found.pairs
        ],
    }  # fmt: skip


def _split(split: Split) -> dict[str, object]:
    return {"blocks": split.blocks, "only_first": split.only_first, "only_second": split.only_second,
            "difference": split.difference if split.blocks else None}  # fmt: skip
