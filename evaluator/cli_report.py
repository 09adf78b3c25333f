"""`evaluator report`: what a run found, printed and written in the forms that people and machines read."""

import json
import os
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from evaluator.journal import AttemptLine, RunFile, load_run, read_attempts, with_counts
from evaluator.report.build import build
from evaluator.report.csv_file import as_csv
from evaluator.report.html.page import write_html
from evaluator.report.junit_file import as_junit
from evaluator.report.metrics import Condition, append, condition, metrics_rows, stopping
from evaluator.report.model import ReportFile
from evaluator.report.natural_mix import of_file
from evaluator.report.noted import noted
from evaluator.report.screen import as_markdown, bottom_line_markdown, one_screen
from miner import errors
from miner.errors import ToolError
from miner.fixtures import FixtureFolder
from miner.record import as_data, write_atomically
from miner.set_file import load_set
from miner.wording import plural

TERMINAL = 24  # lines of a terminal that nobody resized


def report_command(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that `evaluator run` wrote.")],
    full: Annotated[bool, typer.Option("--full", help="Print all of report.md, not its screen alone.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print report.json instead.")] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the trials as JUnit XML.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the attempts as CSV.")] = None,
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Weights of repositories and sizes, for the mix of your own.")
    ] = None,
    equivalent_within: Annotated[
        float | None, typer.Option(metavar="POINTS", min=0, help="Ask whether formats are equal within these points.")
    ] = None,
    row: Annotated[str | None, typer.Option(metavar="NAME", help="Print rows for METRICS.md, for this change.")] = None,
    append_to: Annotated[Path | None, typer.Option("--append", metavar="FILE", help="Append the rows to it.")] = None,
    stop_when: Annotated[
        str | None, typer.Option(metavar="CONDITION", help="Say whether it holds on the lower bound: 'pass>=0.7'.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Say whether this day (2026-12-31) has come.")
    ] = None,
    fixtures: Annotated[
        Path | None, typer.Option(help="The fixtures folder, for the sizes of runs that did not note them.")
    ] = None,
) -> None:
    """Print the report of a run, and write it as report.html, report.md and report.json into the run's folder."""
    asked = _asked(row, append_to, equivalent_within, stop_when, until)
    run, lines = _read(run_folder, fixtures)
    margin = None if equivalent_within is None else equivalent_within / 100
    report = build(run, lines, of_file(weights) if weights else None, margin)
    rows = metrics_rows(report, row) if row is not None else []  # refuses before anything is written
    text, data = write_report(run_folder, report)
    write_html(run_folder, report, lines)
    if junit:
        write_atomically(junit, as_junit(run, lines))
    if csv:
        write_atomically(csv, as_csv(lines))
    print(data if as_json else _printed(report, run_folder, text if full else None), end="")
    if not as_json:
        for said in stopping(report, asked[0], asked[1], datetime.now(UTC).date()):
            print(errors.printable(said))
        if row is not None and append_to is None:
            print("".join(rows), end="")
    if append_to is not None:
        added = append(append_to, rows)
        if there := len(rows) - added:
            print(errors.printable(f"{plural(there, 'row')} of this run {'is' if there == 1 else 'are'} in {append_to} "
                                   "already: not appended again"))  # fmt: skip


def report_run(run_folder: Path) -> None:
    """What `evaluator run` does at its end: write the report and print it."""
    run, lines = _read(run_folder, None)
    report = build(run, lines)
    write_report(run_folder, report)
    write_html(run_folder, report, lines)
    print(_printed(report, run_folder), end="")


def _printed(report: ReportFile, run_folder: Path, full: str | None = None) -> str:
    """What is printed: the one screen, or all of it, and the files; the bottom line again where the top scrolls off."""
    text = errors.printable(one_screen(report, fold=True)) if full is None else full
    texts = f"; every prompt and reply: {run_folder}{os.sep}replies" if (run_folder / "replies").is_dir() else ""
    text += f"\nAll of it: {run_folder}{os.sep}report.html and report.md{texts}\n"
    return text + ("\n" + errors.printable(bottom_line_markdown(report)) if text.count("\n") > TERMINAL else "")


def load_report(run_folder: Path) -> ReportFile:
    """The report of a run's folder, built anew."""
    return build(*_read(run_folder, None))


def write_report(run_folder: Path, report: ReportFile) -> tuple[str, str]:
    """Write report.md and report.json into a run's folder; their contents."""
    text = errors.printable(as_markdown(report))
    data = json.dumps(as_data(report), indent=2) + "\n"
    write_atomically(run_folder / "report.md", text)
    write_atomically(run_folder / "report.json", data)
    return text, data


def _read(run_folder: Path, fixtures: Path | None) -> tuple[RunFile, list[AttemptLine]]:
    run = load_run(run_folder)
    lines = with_counts(read_attempts(run_folder / "attempts.jsonl"), run_folder / "calls.jsonl")
    return _with_sizes(run, run_folder, fixtures), lines


def _with_sizes(run: RunFile, run_folder: Path, fixtures: Path | None) -> RunFile:
    """The run with what its fixtures are grouped by, from the set that it ran over."""
    if fixtures is None:
        return run
    chosen, folder = load_set(fixtures), FixtureFolder(fixtures)
    if run.set_digest != chosen.digest:
        remedy = f"Give --fixtures with the set that it ran over, not {fixtures}, or leave it out."
        raise ToolError("the run is of another set", run_folder, remedy)
    if run.tasks:
        return run
    return noted(run, chosen, [folder.task(name).fixture for name in run.fixtures])


def _asked(row: str | None, append_to: Path | None, within: float | None, stop_when: str | None, until: str | None
           ) -> tuple[Condition | None, date | None]:  # fmt: skip
    """The condition and the date; usage errors before anything is read."""
    if append_to is not None and row is None:
        raise typer.BadParameter("--append needs --row NAME, the change that the run measured")
    if within is not None and not 0 < within < 100:
        raise typer.BadParameter(f"--equivalent-within {within:g}: not points between 0 and 100")
    try:
        return (
            None if stop_when is None else condition(stop_when),
            None if until is None else date.fromisoformat(until),
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
