"""`evaluator expect`: what a run of a simulated model must report, before it is run."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from evaluator.models import simulation
from evaluator.models.expected import Ending, Expected, expected
from evaluator.models.spec import SimulationFile
from evaluator.taxonomy import Category, Discard
from miner import errors

IMPOSSIBLE = "impossible tasks"


def expect_command(
    file: Annotated[Path, typer.Argument(metavar="FILE.yaml", help="A simulated model's file (docs/simulated.md).")],
    attempts: Annotated[int, typer.Option(min=1, help="Attempts a task may take.")] = 3,
) -> None:
    """Print the exact shares that a run of `simulated:FILE.yaml` tends to, per format.

    Per ending: the share of first attempts, of trials, and of trials with evidence (what the report's rates are of).
    The run is supposed to retry on the default signals: stop, parser, applier, syntax.
    """
    spec = simulation(file)
    console = Console(width=None if sys.stdout.isatty() else 100_000)
    for name, found in of_file(spec, attempts):
        console.print(_table(name, found))
        print(f"attempts a trial: {found.mean_attempts:.4f}\n")


def of_file(spec: SimulationFile, attempts: int) -> list[tuple[str, Expected]]:
    """The distribution for every format that the file names, for all others, and for impossible tasks."""
    named = [(name, expected(spec, name, attempts)) for name in sorted(spec.formats)]
    others = expected(spec.model_copy(update={"formats": {}}), "", attempts)
    rest = "every other format" if named else "every format"
    return [*named, (rest, others), (IMPOSSIBLE, expected(spec, "", attempts, impossible=True))]


def _table(name: str, found: Expected) -> Table:
    table = Table(errors.printable(name), "first attempts", "trials", "with evidence", box=None, pad_edge=False)
    for ending in (*Category, None, *Discard):
        if found.first.get(ending) or found.verdicts.get(ending):
            shares = found.first.get(ending, 0.0), found.verdicts.get(ending, 0.0)
            table.add_row(_named(ending), *(f"{share:.3%}" for share in shares), _with_evidence(found, ending))
    return table


def _named(ending: Ending) -> str:
    return "resolved" if ending is None else ending.value


def _with_evidence(found: Expected, ending: Ending) -> str:
    if isinstance(ending, Discard):
        return "-"
    share = found.share(ending)
    return "no evidence" if share is None else f"{share:.3%}"
