"""What a set can show, as `evaluator plan` prints it (docs/planning.md). Pure."""

from collections.abc import Iterator, Sequence
from math import comb

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from evaluator.report.wording import about
from evaluator.statistics.power import DISAGREEING, POINTS, USUAL, CanShow, tasks_for_equivalence
from miner.wording import plural

TOO_FEW, CANNOT = "none", "-"
_MOST = f"{max(DISAGREEING):.0%}"


def shows(
    rows: Sequence[CanShow], tasks: int, formats: int, margin: float | None = None
) -> Iterator[RenderableType]:  # fmt: skip
    """The table with what is said above and below it: each cell for one pair alone, and for each of all (Holm).

    `margin` (a fraction) asks for the tasks of equivalence within it, which is asked of every pair by itself.
    """
    pairs = comb(formats, 2)
    several = f" In brackets: each of {pairs} pairs (Holm)." if pairs > 1 else ""
    yield Text(
        f"What {plural(tasks, 'task')} can show: {USUAL:.0%} power, exact test at 5%, one repeat.{several}"
        + "".join(f"\n{said}" for said in nothing(rows, tasks, pairs))
    )
    table = Table(box=None, pad_edge=False)
    table.add_column("a pair disagrees on", justify="right")
    table.add_column("smallest difference, points", justify="right")
    for points in POINTS:
        table.add_column(f"tasks for {points * 100:g} points", justify="right")
    if margin is not None:
        table.add_column(f"tasks for equal within {margin * 100:g} points", justify="right")
    for row in rows:
        smallest = _cell(pairs, [TOO_FEW if d is None else f"{d * 100:.1f}" for d in row.smallest])
        needed = [_cell(pairs, [CANNOT if n is None else f"{n:,}" for n in found]) for found in row.tasks]
        equal = [] if margin is None else [for_equivalence(row, margin)]
        needed += [CANNOT if n is None else about(n) for n in equal]
        table.add_row(f"{row.disagreeing:.0%} of tasks", smallest, *needed)
    yield table
    if any(d is None for row in rows for d in row.smallest):
        yield Text(f"{TOO_FEW}: too few tasks, even if all that the two disagree on went to one of them.")
    yield Text(f"{CANNOT}: formats that disagree on so few tasks cannot differ so much.")
    if margin is not None:
        yield Text("Equal within: two equal formats' 90% interval lies inside; of one pair, whatever others there are.")


def for_equivalence(row: CanShow, margin: float) -> int | None:
    """About how many tasks show that two equal formats differ by less than the margin; None: they cannot differ by it.

    Where they disagree on no more than the margin they are within it whatever is measured, and the number would be one
    of an approximation that fails there (docs/statistics.md, "Sample size").
    """
    return tasks_for_equivalence(margin, row.disagreeing) if margin <= row.disagreeing else None


def nothing(rows: Sequence[CanShow], tasks: int, pairs: int) -> list[str]:
    """What to say, if anything, of a set that is too small to show anything."""
    if all(row.smallest[0] is None for row in rows):
        return [f"With {plural(tasks, 'task')} no difference can be shown, even where a pair disagrees on {_MOST} of "
                "them."]  # fmt: skip
    if all(row.smallest[1] is None for row in rows):
        return [f"With {plural(tasks, 'task')} and {pairs} pairs no difference can be shown, even where a pair "
                f"disagrees on {_MOST} of them: compare fewer formats, or take more tasks."]  # fmt: skip
    return []


def _cell(pairs: int, cells: Sequence[str]) -> str:
    one, several = cells
    return f"{one} ({several})" if pairs > 1 else one
