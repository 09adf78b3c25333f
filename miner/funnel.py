"""What `miner harvest` prints at its end: what became of the merged changes it looked at."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table

from miner.preview import Preview
from miner.rare import Rare
from miner.record import HarvestLine
from miner.rejection import EXPLANATIONS, Rejection


def funnel(lines: Sequence[HarvestLine]) -> Table:
    """How many were looked at, rejected for each reason, and kept."""
    table = _rejections(line.rejection for line in lines)
    kept = [line for line in lines if line.fixture is not None]
    proved = sum(line.proved for line in kept)
    put_off = sum(line.fixture is None and line.rejection is None for line in lines)
    if put_off:
        table.add_row("candidates, not proved yet (--want, --last)", str(put_off))
    table.add_row("kept as proven fixtures", str(proved))
    if len(kept) > proved:
        table.add_row("kept, not proved (--no-prove)", str(len(kept) - proved))
    if thin := sum(line.thin for line in kept):
        table.add_row("- of these with a prompt that is too thin to act on", str(thin))
    if leaks := sum(line.leak > 0 for line in kept):
        table.add_row("- of these with a prompt that holds some of the answer", str(leaks))
    return table


def preview_funnel(previews: Iterable[Preview]) -> Table:
    """What a dry run can say."""
    found = [rejection for preview in previews for rejection in preview.rejections]
    table = _rejections(found)
    table.add_row("left for their contents, and a proof, to decide", str(found.count(None)))
    return table


def by_repository(lines: Mapping[str, Sequence[HarvestLine]]) -> Table:
    """A row for each repository."""
    table = Table("repository", "looked at", "candidates", "kept", "proved", box=None, pad_edge=False)
    for name, its in lines.items():
        counts = (
            len(its), sum(line.is_candidate for line in its), sum(line.fixture is not None for line in its),
            sum(line.proved for line in its),
        )  # fmt: skip
        table.add_row(name, *map(str, counts))
    return table


def previews_by_repository(previews: Mapping[str, Preview]) -> Table:
    """A row for each repository of a dry run."""
    table = Table("repository", "looked at", "left", box=None, pad_edge=False)
    for name, its in previews.items():
        table.add_row(name, str(len(its.rejections)), str(its.rejections.count(None)))
    return table


def strata_table(rare: Rare, lines: Iterable[HarvestLine]) -> Table:
    """What the history is made of, and how far each stratum came."""
    table = Table("stratum", "change source", "candidates", "tried", "kept", box=None, pad_edge=False)
    for stratum, counts in rare.counts(lines):
        table.add_row(stratum, *map(str, counts))
    return table


def _rejections(found: Iterable[Rejection | None]) -> Table:
    reasons = Counter(found)
    table = Table("", "merged changes", box=None, pad_edge=False)
    table.add_row("looked at", str(sum(reasons.values())))
    for rejection, explanation in EXPLANATIONS.items():
        if reasons[rejection]:
            table.add_row(f"- {explanation} ({rejection.value})", str(reasons[rejection]))
    return table
