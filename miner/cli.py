"""The `miner` command."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from miner import cli_harvest, cli_impossible, cli_show, cli_stratify, cli_upkeep, errors
from miner.errors import ToolError, printable
from miner.fixtures import FixtureFolder
from miner.nearest import meant
from miner.options import SandboxOption, folder_and_ids
from miner.progress import ProgressLine
from miner.record import FIXTURE_ID
from miner.sandbox import use
from miner.trees import write_files
from miner.verify import Verdict, to_verify, verify

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Turn a repository's merged pull requests into proven tasks for comparing edit formats.\n\n"
    "First `miner harvest`, then `miner stratify`, then `evaluator run`.",
)  # fmt: skip
_console = Console()


@app.callback()
def _root() -> None:
    """Keep sub-commands even while a command could stand alone."""


app.command("harvest")(cli_harvest.harvest_command)


@app.command("verify")
def verify_command(
    fixtures: Annotated[Path, typer.Argument(help="The fixtures folder.")] = Path("fixtures"),
    fixture_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[FIXTURE_ID]...", help="Fixtures (default: all that are proved).")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="FIXTURE", help="Verify this fixture only; repeatable.")
    ] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Runs of each side (default: as at first).")] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many fixtures are proved at once.")] = 2,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Prove a set again from its stored locks; exit 1 naming each fixture that no longer holds, and why."""
    use(sandbox)
    fixtures, asked = folder_and_ids(fixtures, fixture_ids or ())
    folder = FixtureFolder(fixtures)
    ids = to_verify(folder, [*asked, *(only or ())])
    if not ids:
        raise ToolError("no proven fixture", fixtures, "Run `miner harvest --repo REPO` first.")
    started, line = time.monotonic(), ProgressLine()

    def step(verdict: Verdict) -> None:
        line.step(f"{line.steps + 1} of {len(ids)} fixtures{line.left(len(ids))}; last: {verdict.fixture}")

    verdicts = verify(folder, ids, repeats, workers, step)
    line.end()
    rotted = [verdict for verdict in verdicts if verdict.rotted]
    for verdict in rotted:
        _console.print(f"{verdict.fixture}: {verdict.rotted}", highlight=False, markup=False, soft_wrap=True)
    tests = sum(verdict.test_seconds for verdict in verdicts)
    print(f"{len(ids) - len(rotted)} of {len(ids)} fixtures hold; {time.monotonic() - started:.0f} s with {workers} "
          f"workers, the test commands took {tests:.0f} s.")  # fmt: skip
    if rotted:
        raise typer.Exit(1)


app.command("stratify")(cli_stratify.stratify_command)
app.command("show")(cli_show.show_command)


@app.command("checkout")
def checkout_command(
    fixture: Annotated[str, typer.Argument(help="A fixture: its id, number or folder.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    solved: Annotated[bool, typer.Option("--solved", help="The solved tree in place of the starting tree.")] = False,
    fixtures: Annotated[Path, typer.Option(help="The fixtures folder.")] = Path("fixtures"),
) -> None:
    """Write a fixture's starting tree (or solved tree) to a folder, byte for byte, without a .git."""
    if not FIXTURE_ID.match(fixture) and (Path(fixture) / "fixture.yaml").exists():
        place = Path(fixture).resolve()
        fixture, fixtures = f"{place.parent.name}/{place.name}", place.parent.parent
    there = FixtureFolder(fixtures)
    if not (FIXTURE_ID.match(fixture) and (fixtures / fixture).is_dir()):  # a damaged one is told below
        [fixture] = meant([fixture], there.ids(), "no such fixture", "An id reads `<repo>/<number>-<slug>`.")
    task = there.task(fixture)
    if solved and task.impossible:
        raise ToolError("an impossible task has no solved tree", fixture, "Leave out --solved.")
    tree = task.solved_tree if solved else task.fixture.starting_tree
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ToolError("the folder is not empty", folder, "Give a new or empty one.")
    folder.mkdir(parents=True, exist_ok=True)
    task.store.checkout(tree, folder)
    write_files(folder, dict.fromkeys(task.withheld))
    without = f", without {', '.join(task.withheld)}" if task.withheld else ""
    print(printable(f"tree {tree} written to {folder}{without}"))


app.command("impossible")(cli_impossible.impossible_command)
app.command("environments")(cli_upkeep.environments_command)
app.command("doctor")(cli_upkeep.doctor_command)


def main() -> None:
    """The console script."""
    errors.entry_point(app, "miner")()


if __name__ == "__main__":
    main()
