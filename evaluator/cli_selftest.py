"""`evaluator selftest` on the command line."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.checks import Outcome
from evaluator.formats import FORMATS, chosen_formats
from evaluator.selftest import Finding, Row, failing, load, rows, selftest
from miner import errors
from miner.fixtures import FixtureFolder
from miner.options import SandboxOption, choose_sandbox, folder_and_ids
from miner.progress import ProgressLine


def selftest_command(
    fixtures: Annotated[Path, typer.Argument(help="A fixtures folder.")] = Path("fixtures"),
    fixture_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[FIXTURE_ID]...", help="Fixtures (default: all that are proved).")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="FIXTURE", help="Test this fixture only; repeatable.")
    ] = None,
    format_: Annotated[
        list[str] | None, typer.Option("--format", help=f"A format, repeatable (default: all of {', '.join(FORMATS)}).")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Fixtures tested at once.")] = 2,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Check, without a model, that fixtures and formats measure what they should; exit 1 where one does not.

    Tests must fail on the untouched tree and pass with the ground truth. Every format must write the ground truth
    so that it comes out byte for byte and is resolved, or say why it cannot; a line replaced by itself must have no
    effect; and one stray edit must be seen, and named.
    """
    formats = chosen_formats(format_, ("all",))
    fixtures, asked = folder_and_ids(fixtures, fixture_ids or ())
    loaded = load(FixtureFolder(fixtures), [*asked, *(only or ())])
    choose_sandbox(sandbox)
    line = ProgressLine()

    def progress(found: list[Finding]) -> None:
        line.step(f"{line.steps + 1} of {len(loaded.tasks)} fixtures tested, {len(failing(found))} fail"
                  f"{line.left(len(loaded.tasks))}")  # fmt: skip

    try:
        findings = selftest(loaded, formats, workers, progress)
    finally:
        line.end()
    _print_rows("measures nothing, or not what it should", rows(findings, Outcome.FAILED))
    _print_rows("not checked", rows(findings, Outcome.CANNOT_EXPRESS, Outcome.NOT_POSSIBLE))
    good = len(loaded) - len(failing(findings))
    left_out = f" ({loaded.unproved} more are not proved and left out)" if loaded.unproved else ""
    counted = f"{len(loaded)} fixture{'s' * (len(loaded) != 1)}"
    print(f"{counted}, {good} measure what they should{left_out}")
    if good < len(loaded):
        raise typer.Exit(errors.EXPECTED)


def _print_rows(title: str, found: list[Row]) -> None:
    """A table that wraps on a terminal; elsewhere every row is one line."""
    if not found:
        return
    table = Table(title, "check", "why", box=None, pad_edge=False)
    for row in found:
        table.add_row(*(Text(errors.printable(cell), overflow="fold") for cell in row))
    Console(width=None if sys.stdout.isatty() else 100_000).print(table)
    print()
