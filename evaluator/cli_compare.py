"""`evaluator compare`: runs of the same set, cap, prompts and model in one table."""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from evaluator.journal import load_run, read_attempts, with_counts
from evaluator.report.build import build
from evaluator.report.model import ReportFile
from evaluator.report.natural_mix import Mix, of_file
from evaluator.report.screen import one_screen
from evaluator.report.several import Named, Together, differences, tables
from miner import errors
from miner.record import as_data

IN_FULL = "Each by itself: `--full`."


def compare_command(
    run_folders: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that `evaluator run` wrote.")],
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Weights of repositories and sizes, for the mix of your own.")
    ] = None,
    equivalent_within: Annotated[
        float | None, typer.Option(metavar="POINTS", help="Ask whether formats are equal within these points.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Print a sentence for every pair, not one for many that are alike.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a list of reports, as report.json has one.")] = False,
) -> None:
    """Compare formats across runs that asked the same of the same model; other models get tables of their own.

    The runs are A, B, ... in the order given; a format that two of them have stands as FORMAT@A. Nothing is written.
    """
    if equivalent_within is not None and not 0 < equivalent_within < 100:
        raise typer.BadParameter(f"--equivalent-within {equivalent_within:g}: not points between 0 and 100")
    runs = _named(run_folders)
    mix = of_file(weights) if weights else None
    margin = None if equivalent_within is None else equivalent_within / 100
    reports = [_report(one, mix, margin) for one in tables(runs)]
    if as_json:
        print(json.dumps([as_data(report) for report in reports], indent=2))
        return
    for said in differences(runs):
        print(errors.printable(f"**{said}.**\n"))
    print(errors.printable("\n".join(one_screen(report, not full, IN_FULL) for report in reports)), end="")
    if len(reports) > 1:
        print("\nDifferent models are different tables: no number here compares one with the other.")


def _report(of: Together, mix: Mix | None, margin: float | None) -> ReportFile:
    return build(of.run, of.lines, mix, margin).model_copy(update={"compared_runs": list(of.runs)})


def _named(folders: list[Path]) -> list[Named]:
    """The runs with a letter each, by the names of their folders, or the whole paths where names are the same."""
    once = list(dict.fromkeys(folder.resolve() for folder in folders))
    if len(once) < len(folders):
        raise typer.BadParameter("a run is given twice")
    names = Counter(folder.name for folder in once)
    return [
        Named(folder.name if names[folder.name] == 1 else str(folder), load_run(folder),
              with_counts(read_attempts(folder / "attempts.jsonl"), folder / "calls.jsonl"), _letter(n))
        for n, folder in enumerate(once)
    ]  # fmt: skip


def _letter(n: int) -> str:
    """A to Z, then A2 to Z2."""
    return chr(ord("A") + n % 26) + (str(n // 26 + 1) if n >= 26 else "")
