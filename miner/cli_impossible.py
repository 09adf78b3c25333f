"""`miner impossible`, the command."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from miner import errors
from miner.fixtures import FixtureFolder
from miner.impossible import Asked, Outcome, make_impossible
from miner.options import SandboxOption
from miner.progress import ProgressLine
from miner.sandbox import use
from miner.wording import plural


def impossible_command(
    fixtures: Annotated[Path, typer.Argument(help="The fixtures folder.")] = Path("fixtures"),
    fixture_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[FIXTURE_ID]...", help="Fixtures (default: all that are proved).")
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help="How many to make (default: all that can be).")] = None,
    seed: Annotated[int, typer.Option(help="The order in which fixtures are tried.")] = 1,
    repeats: Annotated[int, typer.Option(min=1, help="How often the tests must fail, with and without the rest.")] = 2,
    workers: Annotated[int, typer.Option(min=1, help="Fixtures worked on at once.")] = 2,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Make tasks that cannot be done, from proven ones: what is to be changed is withheld, other files are shown.

    The right answer is `BLOCKED: why`. Each is proved: without what is withheld the tests fail, even with the rest of
    the right answer. Those that are there already are kept; an interrupted command goes on where it was.
    """
    use(sandbox)
    line, made = ProgressLine(), 0

    def step(outcome: Outcome) -> None:
        nonlocal made
        made += outcome.record is not None
        line.step(f"{plural(line.steps + 1, 'fixture')} tried, {made} impossible ones; last: {outcome.of}")

    try:
        asked = Asked(fixture_ids or (), count, seed, repeats, workers)
        outcomes = make_impossible(FixtureFolder(fixtures), asked, step)
    finally:
        line.end()
    _print_outcomes(outcomes)
    kept = sum(outcome.kept for outcome in outcomes)
    print(f"{plural(made, 'impossible fixture')} ({kept} there before), {len(outcomes) - made} refused.")
    if count is not None and made < count:
        print(f"{count - made} fewer than asked for: no other proven fixture is left to try.")
    if not made:
        raise typer.Exit(errors.EXPECTED)


def _print_outcomes(outcomes: list[Outcome]) -> None:
    """A table that wraps on a terminal; elsewhere every row is one line."""
    made, refused = Table("impossible", "withheld", "shown", box=None), Table("refused", "why", box=None)
    for outcome in outcomes:
        if outcome.record is not None and outcome.record.impossible is not None:
            said = outcome.record.impossible
            _add(made, outcome.record.id, ", ".join(said.withheld), ", ".join(said.shown))
        else:
            _add(refused, outcome.of, outcome.refused)
    console = Console(width=None if sys.stdout.isatty() else 100_000)
    for table in (made, refused):
        if table.row_count:
            console.print(table)


def _add(table: Table, *cells: str) -> None:
    table.add_row(*(Text(errors.printable(cell), overflow="fold") for cell in cells))
