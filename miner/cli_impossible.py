"""`miner impossible`, the command."""

import shlex
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from miner import errors
from miner.fixtures import FixtureFolder
from miner.impossible import Asked, Outcome, candidates, impossible_there, make_impossible
from miner.options import SandboxOption, folder_and_ids
from miner.progress import ProgressLine
from miner.sandbox import use
from miner.set_file import load_set
from miner.tables import print_table, wrapped
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
    fixtures, ids = folder_and_ids(fixtures, fixture_ids or ())
    folder, asked = FixtureFolder(fixtures), Asked(ids, count, seed, repeats, workers)
    todo = len(candidates(folder, asked))
    line, made = ProgressLine(), 0

    def step(outcome: Outcome) -> None:
        nonlocal made
        made += outcome.record is not None
        left = line.left(_still_to_try(todo, count, line.steps + 1, made))
        line.step(f"{plural(line.steps + 1, 'fixture')} tried, {made} impossible ones{left}; last: {outcome.of}")

    try:
        outcomes = make_impossible(folder, asked, step)
    finally:
        line.end()
    _print_outcomes(outcomes)
    kept = sum(outcome.kept for outcome in outcomes)
    print(f"{plural(made, 'impossible fixture')} ({kept} there before), {len(outcomes) - made} refused.")
    if count is not None and made < count:
        print(f"{count - made} fewer than asked for: no other proven fixture is left to try.")
    if not made:
        raise typer.Exit(errors.EXPECTED)
    print(errors.printable(_in_no_set(folder)))


def _still_to_try(there: int, count: int | None, tried: int, made: int) -> int:
    """How many are tried in all, if as many more of them can be made impossible as so far."""
    if count is None or made == 0:
        return there
    return min(there, ceil(tried * count / made))


def _in_no_set(folder: FixtureFolder) -> str:
    """How the impossible tasks of the folder come into a set, which they do not by themselves."""
    options = ["--cap", "8000"]
    with suppress(errors.ToolError):  # there is no set yet
        chosen = load_set(folder.root)
        options = ["--cap", str(chosen.cap), *(["--show-tests"] if chosen.show_tests else [])]
    where = [] if folder.root == Path("fixtures") else [str(folder.root)]
    command = shlex.join(["miner", "stratify", *where, *options, "--impossible", str(impossible_there(folder))])
    return f"No run has them before the set does: `{command}`."


def _print_outcomes(outcomes: list[Outcome]) -> None:
    """What was made with its files below it, and a table of what was refused, and why."""
    refused = Table("refused", "why", box=None, pad_edge=False)
    for outcome in outcomes:
        if outcome.record is not None and outcome.record.impossible is not None:
            said = outcome.record.impossible
            print(errors.printable(outcome.record.id))
            for what, paths in (("withheld", said.withheld), ("shown", said.shown)):
                print(wrapped(errors.printable(f"{what}: {', '.join(paths)}"), "  "))
        else:
            refused.add_row(*(Text(errors.printable(cell), overflow="fold") for cell in (outcome.of, outcome.refused)))
    if refused.row_count:
        print_table(refused)
