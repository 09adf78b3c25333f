"""The `miner` command."""


import re
import shlex
import time
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from miner import cli_impossible, cli_upkeep, errors
from miner.errors import ToolError
from miner.fixtures import FixtureFolder
from miner.harvest import Options, harvest
from miner.options import SandboxOption
from miner.progress import ProgressLine
from miner.prompt.make import LeakPolicy
from miner.proving import Effort
from miner.record import FIXTURE_ID, NAME, HarvestLine
from miner.rejection import EXPLANATIONS
from miner.repository import Overrides
from miner.sandbox import use
from miner.screen import Limits
from miner.sources.choose import source_for
from miner.sources.model import Unit
from miner.stratify import DEFAULT_STRATA, stratify, thin_of
from miner.trees import write_files
from miner.verify import Verdict, to_verify, verify

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Turn a repository's merged pull requests into proven tasks for comparing edit formats.\n\n"
    "First `miner harvest`, then `miner stratify`, then `evaluator run`.",
)  # fmt: skip
_console = Console()
Regression = Literal["files", "full"]


@app.callback()
def _root() -> None:
    """Keep sub-commands even while a command could stand alone."""


@app.command("harvest")
def harvest_command(
    repo: Annotated[str, typer.Option(help="What is mined: a clone, bare or not, a git URL, or org/svc on GitHub.")],
    last: Annotated[int, typer.Option(min=1, help="How many merged changes to look at, newest first.")] = 200,
    out: Annotated[Path, typer.Option(help="Where fixtures are kept; one folder a repository.")] = Path("fixtures"),
    name: Annotated[str, typer.Option(help="The repository's name in fixture ids (default: its own).")] = "",
    branch: Annotated[str | None, typer.Option(help="Of GitHub or a URL: this branch, not the default.")] = None,
    api_url: Annotated[str | None, typer.Option(help="The API of a GitHub Enterprise server.")] = None,
    unit: Annotated[Unit, typer.Option(help="A merged change is a pull request, or any single commit.")] = Unit.PULL,
    prove: Annotated[bool, typer.Option(help="Prove fixtures by running their tests.")] = True,
    repeats: Annotated[int, typer.Option(min=2, help="How often each side of a proof is run.")] = 3,
    strength: Annotated[bool, typer.Option(help="Leave out each hunk in turn: do the tests notice?")] = True,
    regression: Annotated[Regression, typer.Option(help="The changed test files, or the whole suite.")] = "files",
    timeout: Annotated[float, typer.Option(min=1, help="Seconds one test command may take.")] = 300,
    max_files: Annotated[int, typer.Option(min=1, help="More source files than this is no single task.")] = 20,
    max_lines: Annotated[int, typer.Option(min=1, help="More changed source lines than this is none.")] = 2000,
    leak: Annotated[LeakPolicy, typer.Option(help="What becomes of prompts that hold the answer.")] = LeakPolicy.CUT,
    workers: Annotated[int, typer.Option(min=1, help="How many changes are worked on at once.")] = 2,
    cwd: Annotated[str | None, typer.Option(help="A sub-project's folder inside the repository.")] = None,
    python: Annotated[str | None, typer.Option(help="The Python to use, in place of the detected: 3.11.")] = None,
    setup: Annotated[list[str] | None, typer.Option(help="A shell command after the build; may be repeated.")] = None,
    test: Annotated[str | None, typer.Option(help="The test command; {tests} and {results} are filled in.")] = None,
    env: Annotated[list[str] | None, typer.Option(help="KEY=VALUE for builds and tests; may be repeated.")] = None,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Read merged changes and freeze those that a test proves into fixtures.

    Every change looked at gets a line in harvest.jsonl: kept, or the reason why not. An interrupted
    harvest keeps what it has done; the same command goes on from there. What --cwd, --python, --setup,
    --test and --env say is kept in repo.yaml, which may also be edited.
    """
    use(sandbox)
    source = source_for(repo, branch, api_url, unit=unit)
    options = Options(
        repo=repo if source else Path(repo), out=out, last=last, unit=unit, prove=prove,
        name=name or (source.name if source else _name_of(Path(repo))),
        effort=Effort(repeats, timeout, strength, regression == "full"), workers=workers,
        overrides=Overrides(_folder(cwd), python, setup or None, _words(test), _pairs(env)),
        limits=Limits(max_files, max_lines), leak=leak, source=source,
    )  # fmt: skip
    if not re.fullmatch(NAME, options.name):
        raise ToolError("not a usable name", options.name, "Give one with --name: a-z, 0-9, dot, dash, underscore.")
    counter = _Counter(last)
    started = time.monotonic()
    lines = harvest(options, counter.show, print, counter.say)
    counter.end()
    _print_funnel(lines, options)
    tests = sum(line.test_seconds for line in counter.lines)
    if tests:
        print(f"{time.monotonic() - started:.0f} s with {workers} workers; the test commands took {tests:.0f} s.")


def _folder(cwd: str | None) -> str | None:
    if cwd is None:
        return None
    pure = PurePosixPath(cwd)
    if pure.is_absolute() or ".." in pure.parts:
        raise ToolError("not a folder inside the repository", cwd, "Give it relative to the repository's top.")
    return str(pure)


def _words(test: str | None) -> list[str] | None:
    try:
        return None if test is None else shlex.split(test)
    except ValueError as error:
        raise ToolError("not a command", test or "", f"{error}. Check the quotes.") from None


def _pairs(env: list[str] | None) -> dict[str, str] | None:
    if not env:
        return None
    if bad := next((pair for pair in env if not re.match(r"[A-Za-z_]\w*=", pair)), None):
        raise ToolError("not an environment variable", bad, "Write --env NAME=VALUE.")
    return dict(pair.split("=", 1) for pair in env)


@app.command("verify")
def verify_command(
    fixtures: Annotated[Path, typer.Argument(help="The fixtures folder.")] = Path("fixtures"),
    only: Annotated[list[str] | None, typer.Option(help="Only this fixture id; may be repeated.")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Runs of each side (default: as at first).")] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many fixtures are proved at once.")] = 2,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Prove a set again from its stored locks; exit 1 naming each fixture that no longer holds, and why."""
    use(sandbox)
    folder = FixtureFolder(fixtures)
    ids = only or to_verify(folder)
    if not ids:
        raise ToolError("no proven fixture", fixtures, "Run `miner harvest --repo REPO` first.")
    started, line = time.monotonic(), ProgressLine()

    def step(verdict: Verdict) -> None:
        line.step(f"{line.steps + 1} of {len(ids)} fixtures; last: {verdict.fixture}")

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


@app.command("stratify")
def stratify_command(
    fixtures: Annotated[Path, typer.Argument(help="The fixtures folder.")] = Path("fixtures"),
    cap: Annotated[int, typer.Option(help="The model's output cap in tokens.")] = 8000,
    size: Annotated[int | None, typer.Option(min=1, help="The largest set (default: strata.yaml's).")] = None,
    balanced: Annotated[bool, typer.Option("--balanced", help="Cut every size to the scarcest.")] = False,
    strata: Annotated[Path, typer.Option(help="Bounds and quotas.")] = DEFAULT_STRATA,
    model: Annotated[str | None, typer.Option(help="Default model; for demonstration sets only.")] = None,
    impossible: Annotated[
        int | None, typer.Option(min=0, help="Impossible tasks to add, beside the size (default: strata.yaml's).")
    ] = None,
    show_tests: Annotated[bool, typer.Option("--show-tests", help="Prompts show the tests that must pass.")] = False,
) -> None:
    """Draw a set that is balanced by file size against the output cap, and write fixtures/set.yaml."""
    if model is not None and not model.startswith("simulated:"):
        remedy = "A set may only name a simulated model: choose the real one with `evaluator run --model`."
        raise ToolError("not a simulated model", model, remedy)
    chosen, drawn = stratify(fixtures, strata, cap, size, balanced, model, impossible, show_tests)
    table = Table("stratum", "wanted", "in the pool", "taken", "", box=None, pad_edge=False)
    for quota in drawn.quotas:
        verdict = "met" if not quota.missing else f"{quota.missing} missing"
        table.add_row(quota.name, str(quota.wanted), str(quota.available), str(quota.taken), verdict)
    _console.print(table)
    _console.print(f"{len(chosen.fixtures)} fixtures, cap {cap} tokens: {fixtures / 'set.yaml'}", highlight=False)
    if chosen.impossible or impossible:
        taken = len(chosen.impossible)
        short = f", not {impossible}: make more with `miner impossible`" if taken < (impossible or 0) else ""
        print(f"and {taken} impossible tasks, counted apart{short}")
    for what, ids in (("edited after the harvest", chosen.edited), ("too thin to act on", thin_of(fixtures, chosen))):
        if ids:
            _console.print(f"{len(ids)} prompts {what}: {', '.join(ids)}", highlight=False, markup=False)


@app.command("checkout")
def checkout_command(
    fixture: Annotated[str, typer.Argument(help="A fixture's id, `<repo>/<number>-<slug>`, or its folder.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    solved: Annotated[bool, typer.Option("--solved", help="The solved tree in place of the starting tree.")] = False,
    fixtures: Annotated[Path, typer.Option(help="The fixtures folder.")] = Path("fixtures"),
) -> None:
    """Write a fixture's starting tree (or solved tree) to a folder, byte for byte, without a .git."""
    if not FIXTURE_ID.match(fixture) and (Path(fixture) / "fixture.yaml").exists():
        place = Path(fixture).resolve()
        fixture, fixtures = f"{place.parent.name}/{place.name}", place.parent.parent
    task = FixtureFolder(fixtures).task(fixture)
    if solved and task.impossible:
        raise ToolError("an impossible task has no solved tree", fixture, "Leave out --solved.")
    tree = task.solved_tree if solved else task.fixture.starting_tree
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ToolError("the folder is not empty", folder, "Give a new or empty one.")
    folder.mkdir(parents=True, exist_ok=True)
    task.store.checkout(tree, folder)
    write_files(folder, dict.fromkeys(task.withheld))
    print(f"{tree} {folder}" + (f" without {', '.join(task.withheld)}" if task.withheld else ""))


app.command("impossible")(cli_impossible.impossible_command)
app.command("environments")(cli_upkeep.environments_command)
app.command("doctor")(cli_upkeep.doctor_command)


class _Counter(ProgressLine):
    """How many merged changes were looked at, and how many became fixtures."""

    def __init__(self, total: int) -> None:
        super().__init__()
        self.total, self.kept = total, 0
        self.lines: list[HarvestLine] = []

    def show(self, line: HarvestLine) -> None:
        self.lines.append(line)
        self.kept += line.fixture is not None
        seen = self.steps + 1
        self.step(f"{seen} of at most {self.total} merged changes, {self.kept} fixtures; last: {line.number}")


def _name_of(repo: Path) -> str:
    place = repo.resolve()
    if place.name == ".git":
        place = place.parent
    return re.sub(r"[^a-z0-9._-]+", "-", place.name.removesuffix(".git").lower()).strip("-._")


def _print_funnel(lines: list[HarvestLine], options: Options) -> None:
    if len(lines) < options.last:
        print(f"The history holds {len(lines)} merged changes, fewer than the {options.last} asked for.")
    reasons = Counter(line.rejection for line in lines if line.rejection is not None)
    kept = [line for line in lines if line.fixture is not None]
    table = Table("", "merged changes", box=None, pad_edge=False)
    table.add_row("looked at", str(len(lines)))
    for rejection, explanation in EXPLANATIONS.items():
        if reasons[rejection]:
            table.add_row(f"- {explanation} ({rejection.value})", str(reasons[rejection]))
    proved = sum(line.proved for line in kept)
    table.add_row("kept as proven fixtures", str(proved))
    if len(kept) > proved:
        table.add_row("kept, not proved (--no-prove)", str(len(kept) - proved))
    if thin := sum(line.thin for line in kept):
        table.add_row("- of these with a prompt that is too thin to act on", str(thin))
    if leaks := sum(line.leak > 0 for line in kept):
        table.add_row("- of these with a prompt that holds some of the answer", str(leaks))
    _console.print(table)
    print(f"Why each was not kept: {options.out / options.name / 'harvest.jsonl'}")


def main() -> None:
    """The console script."""
    errors.entry_point(app, "miner")()



if __name__ == "__main__":
    main()
