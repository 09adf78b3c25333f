"""The `evaluator` command."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.checks import Outcome
from evaluator.cli_calibrate import calibrate_command
from evaluator.cli_compare import compare_command
from evaluator.cli_expect import expect_command
from evaluator.cli_gate import gate_command
from evaluator.cli_plan import plan_command
from evaluator.cli_report import report_command
from evaluator.cli_rescore import rescore_command
from evaluator.cli_run import run_command
from evaluator.formats import BROKEN, FORMATS, chosen_formats
from evaluator.formats.show import shown
from evaluator.selftest import Finding, Row, failing, load, rows, selftest
from miner import errors
from miner.fixtures import FixtureFolder
from miner.options import SandboxOption, choose_sandbox
from miner.progress import ProgressLine

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Compare the edit formats a coding model can answer in, on a set of proven tasks.\n\n"
    "`evaluator selftest fixtures/` says whether the tasks measure anything; `evaluator run fixtures/` runs the\n"
    "formats and reports; `evaluator report RUN` reports again.",
)  # fmt: skip


@app.callback()
def _root() -> None:
    """Keep sub-commands even while a command could stand alone."""


app.command("plan")(plan_command)
app.command("run")(run_command)


@app.command("formats")
def formats_command() -> None:
    """List the edit formats, each with an example and the tolerances of its ladder."""
    for fmt in FORMATS.values():
        print(errors.printable(shown(fmt)))
    for name, why in BROKEN.items():
        print(errors.printable(f"{name}: unusable: {why}"))


app.command("expect")(expect_command)
app.command("calibrate")(calibrate_command)
app.command("report")(report_command)
app.command("compare")(compare_command)
app.command("gate")(gate_command)
app.command("rescore")(rescore_command)


@app.command("selftest")
def selftest_command(
    fixtures: Annotated[Path, typer.Argument(help="A fixtures folder.")] = Path("fixtures"),
    fixture_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[FIXTURE_ID]...", help="Fixtures (default: all that are proved).")
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
    loaded = load(FixtureFolder(fixtures), fixture_ids or [])
    choose_sandbox(sandbox)
    line = ProgressLine()

    def progress(found: list[Finding]) -> None:
        line.step(f"{line.steps + 1} of {len(loaded.tasks)} fixtures tested, {len(failing(found))} fail")

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


def main() -> None:
    """The console script."""
    errors.entry_point(app, "evaluator")()


if __name__ == "__main__":
    main()
