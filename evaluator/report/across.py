"""The same format in several runs (`evaluator compare`): which pairs these are, their table, and their bottom line.

In such a table a format that more than one run has stands as `FORMAT@LETTER`, the letter being its run's.
"""

from collections.abc import Sequence

from evaluator.report.model import PairEstimates, ReportFile
from evaluator.report.pair_words import NO_BLOCK, what_else
from evaluator.report.tables import table
from evaluator.report.wording import NOTHING, p_value, percent, points, wrapped

TITLE = "The same format across runs"


def own_name(name: str) -> str:
    """The format's own name, without its run's letter."""
    return name.partition("@")[0]


def is_across(first: str, second: str) -> bool:
    """Whether two names are of one format in two runs: a question, and a family of Holm's, of its own (rule 1)."""
    return own_name(first) == own_name(second)


def families(pairs: Sequence[PairEstimates]) -> tuple[int, int]:
    """How many pairs are of one format in two runs, and how many are all others."""
    across = sum(pair.across_runs for pair in pairs)
    return across, len(pairs) - across


def order_across(pairs: Sequence[PairEstimates]) -> str:
    """What `pairs`, of one format in two runs each, came to where one of them has a winner."""
    won = [pair for pair in pairs if pair.winner]
    said = [f"{pair.winner} resolves MORE than {pair.second if pair.winner == pair.first else pair.first}"
            for pair in won]  # fmt: skip
    rest = sorted({own_name(pair.first) for pair in pairs} - {own_name(pair.first) for pair in won})
    others = f"; of {', '.join(rest)} no run is shown to differ from another" if rest else ""
    return f"{'; '.join(said)}{others}."


def across_table(report: ReportFile) -> str:
    """The pairs of one format in two runs, a row each in the order of the formats; empty where there are none."""
    pairs = [pair for pair in report.pairs if pair.across_runs]
    if not pairs:
        return ""
    if pairs[0].difference is None:  # then no pair has one: all are over the same blocks
        return wrapped(f"{TITLE}: {NO_BLOCK}")
    notes = [what_else(pair, report.blocks) for pair in pairs]
    header = ["format", "runs", "resolved", "gap [95%]", "p (Holm)", "verdict", *(["besides"] if any(notes) else [])]
    rows = [[*_cells(pair), *([note] if any(notes) else [])] for pair, note in zip(pairs, notes, strict=True)]
    over = f"{TITLE}, on {pairs[0].blocks} of {report.blocks} blocks; gap: how many points more the later run resolves."
    return wrapped(over) + "\n" + table(header, rows)


def _cells(pair: PairEstimates) -> list[str]:
    """The later run less the earlier, so that a sign says the same in every row."""
    first, second = (name.rpartition("@")[2] for name in (pair.first, pair.second))
    gap = pair.difference
    shown = NOTHING if gap is None else f"{points(-gap.value)} [{-100 * gap.high:.1f}, {-100 * gap.low:.1f}]"
    verdict = f"MORE: {pair.winner.rpartition('@')[2]}" if pair.winner else "not distinguishable"
    return [own_name(pair.first), f"{first}, {second}", f"{percent(pair.resolved[0])}, {percent(pair.resolved[1])}",
            shown, p_value(pair.p_holm).removeprefix("p = "), verdict]  # fmt: skip
