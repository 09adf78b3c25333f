"""`evaluator gate`: a run against what a team asks of it, for CI."""

from pathlib import Path
from typing import Annotated

import typer

from evaluator.cli_report import load_report
from evaluator.report.gate import Asked, checks, failing
from evaluator.report.model import ReportFile
from evaluator.report.tables import table
from miner import errors


def gate_command(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that `evaluator run` wrote.")],
    min_resolved: Annotated[
        list[str] | None,
        typer.Option(metavar="[FORMAT=]SHARE", help="The least share of tasks resolved, such as whole_file=0.8."),
    ] = None,
    max_silent: Annotated[
        list[str] | None, typer.Option(metavar="[FORMAT=]SHARE", help="The most silent defects, a share of tasks.")
    ] = None,
    point: Annotated[bool, typer.Option("--point", help="Take the rates themselves, not their bounds.")] = False,
) -> None:
    """Exit 1 where a format is not shown to be good enough: by the 95% bound, and where there is no evidence.

    Without a format a demand is on every format of the run that none is made on by name.
    """
    report = load_report(run_folder)
    if not (min_resolved or max_silent):
        raise typer.BadParameter("nothing is asked: give --min-resolved or --max-silent")
    asked = Asked(
        _shares("--min-resolved", min_resolved or [], report), _shares("--max-silent", max_silent or [], report)
    )
    found = checks(report, asked, point)
    for warning in report.warnings:
        print(errors.printable(warning))
    bad = failing(found)
    if not bad:
        print(f"passed: {len(found)} of {len(found)} demands")
        return
    rows = [[check.format, check.asked, check.found] for check in bad]
    print(errors.printable(table(["failed", "asked", "found"], rows)), end="")
    raise typer.Exit(errors.EXPECTED)


def _shares(option: str, given: list[str], report: ReportFile) -> dict[str | None, float]:
    found: dict[str | None, float] = {}
    for text in given:
        name, equals, share = text.rpartition("=")
        key = name if equals else None
        if key is not None and key not in report.run.formats:
            known = ", ".join(report.run.formats)
            raise typer.BadParameter(f"{option} {text}: the run has no format {key!r}; it has {known}")
        try:
            value = float(share)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1:
            raise typer.BadParameter(f"{option} {text}: not a share from 0 to 1")
        if key in found:
            raise typer.BadParameter(f"{option} {text}: asked twice of {key or 'every format'}")
        found[key] = value
    return found
