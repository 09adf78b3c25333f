"""The `evaluator` command."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.appliers import granted
from evaluator.bench import benches
from evaluator.checks import Outcome
from evaluator.cli_calibrate import calibrate_command
from evaluator.cli_compare import compare_command
from evaluator.cli_expect import expect_command
from evaluator.cli_gate import gate_command
from evaluator.cli_report import report_command, report_run
from evaluator.formats import BROKEN, DEFAULT, FORMATS, chosen_formats, format_named
from evaluator.formats.model import EditFormat
from evaluator.formats.show import shown
from evaluator.journal import AttemptLine, DiskJournal, RunFile, load_run
from evaluator.models import KNOWN, model_named
from evaluator.report.noted import noted
from evaluator.run import run
from evaluator.selftest import Finding, Row, failing, load, rows, selftest
from miner import __version__, errors, recipes
from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task
from miner.options import SandboxOption, choose_sandbox
from miner.progress import ProgressLine
from miner.set_file import SetFile, changed, load_set, set_digest, thin_of

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Compare the edit formats a coding model can answer in, on a set of proven tasks.\n\n"
    "`evaluator selftest fixtures/` says whether the tasks measure anything; `evaluator run fixtures/` runs the\n"
    "formats and reports; `evaluator report RUN` reports again.",
)  # fmt: skip


@app.callback()
def _root() -> None:
    """Keep sub-commands even while a command could stand alone."""


@app.command("run")
def run_command(
    fixtures: Annotated[Path, typer.Argument(help="A fixtures folder with a set.yaml.")] = Path("fixtures"),
    format_: Annotated[
        list[str] | None,
        typer.Option("--format", help=f"A format, repeatable; `all`: every one (default: {', '.join(DEFAULT)})."),
    ] = None,
    applier: Annotated[
        str, typer.Option(help="The tolerances that decide: standard, strict, or a YAML file (docs/formats.md).")
    ] = "standard",
    model: Annotated[
        str | None, typer.Option(envvar="EVALUATOR_MODEL", help=f"Who answers: {KNOWN}.", show_envvar=True)
    ] = None,
    attempts: Annotated[int, typer.Option(min=1, help="Attempts a task may take; retries never count as tasks.")] = 3,
    workers: Annotated[int, typer.Option(min=1, help="Attempts made at once.")] = 2,
    seed: Annotated[int, typer.Option(help="Order of the run, and what simulated models deal by.")] = 1,
    runs: Annotated[Path, typer.Option(help="Where runs are kept.")] = Path("runs"),
    resume: Annotated[Path | None, typer.Option(help="Go on with this run, with the settings it began with.")] = None,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Run edit formats over the set under identical prompts and trees, then print the report.

    Every attempt is written as it ends. After an interruption, --resume RUN goes on and pays for nothing twice.
    """
    chosen = load_set(fixtures)
    folder = FixtureFolder(fixtures)
    if resume is not None:
        place, settings = resume, load_run(resume)
        if settings.set_digest != chosen.digest:
            raise ToolError("the set has changed since the run began", resume, "Start a new run.")
    else:
        settings = _settings(chosen, chosen_formats(format_), applier, model, attempts, seed, fixtures)
        place = _new_folder(runs, settings)
    tasks = _tasks(folder, chosen, settings)
    formats = {name: format_named(name) for name in settings.formats}
    answering = model_named(
        settings.model, settings.fixtures, list(formats.values()), settings.seed, settings.impossible
    )
    settings = settings.model_copy(update={"simulated": answering.simulated})
    settings = noted(settings, chosen, {task.id: task.fixture for task in tasks}, thin_of(fixtures, chosen))
    choose_sandbox(sandbox)  # before anything is paid for
    place.mkdir(parents=True, exist_ok=True)
    journal = DiskJournal(place, settings)
    counter = _Counter(journal.lines, len([*settings.fixtures, *settings.impossible]) * len(settings.formats))
    try:
        run(settings, formats, benches(tasks), answering, journal, workers, counter.show)
    except KeyboardInterrupt:
        print(f"\nGo on with: evaluator run {fixtures} --resume {place}", file=sys.stderr)
        raise
    finally:
        counter.end()
        journal.close()
    report_run(place)


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


def _settings(
    chosen: SetFile, formats: list[EditFormat], applier: str, model: str | None, attempts: int, seed: int,
    fixtures: Path,
) -> RunFile:
    name = model or chosen.model
    if name is None:
        raise ToolError("no model given", fixtures, f"A mined set needs --model or EVALUATOR_MODEL: {KNOWN}.")
    return RunFile(
        set_digest=chosen.digest, cap=chosen.cap, model=name, simulated=False, formats=[f.name for f in formats],
        applier=granted(applier, formats), attempts=attempts,
        seed=seed, fixtures=chosen.fixtures, started=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__, impossible=chosen.impossible, show_tests=chosen.show_tests,
    )  # fmt: skip


def _new_folder(runs: Path, settings: RunFile) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    safe = "".join(c if c.isalnum() or c in "-._" else "-" for c in settings.model)[-60:]
    place, number = runs / f"{stamp}-{safe}", 1
    while place.exists():
        number += 1
        place = runs / f"{stamp}-{safe}-{number}"
    return place


def _tasks(folder: FixtureFolder, chosen: SetFile, settings: RunFile) -> list[Task]:
    """The set's tasks, checked: proved, unchanged since the set was drawn, rebuilding their solved trees."""
    tasks = [folder.task(fixture) for fixture in (*settings.fixtures, *settings.impossible)]
    for n, task in enumerate(tasks):
        if task.impossible is not (n >= len(settings.fixtures)):
            what = "impossible" if task.impossible else "possible"
            raise ToolError(f"the set has a fixture in the wrong list: it is {what}", task.id, "Draw the set again.")
        if task.fixture.proof is None:
            raise ToolError("the fixture is not proved", task.folder, "Run `miner harvest` without --no-prove.")
        recipes.by_name(task.repository.recipe)  # raises where there is no such recipe
        assert task.solved_tree  # raises where an edited patch no longer matches
        assert task.lock is not None  # raises where a file that the run needs later is missing
        assert task.prompt is not None
    edited = {task.id: task.prompt_digest for task in tasks if task.prompt_edited}
    records = [task.fixture for task in tasks]
    if set_digest(records, chosen.cap, edited, chosen.show_tests) != chosen.digest:
        what, names = "a fixture changed since the set was drawn", changed(records, chosen, edited)
        remedy = f"Restore it, or run `miner stratify {folder.root}` again."
        raise ToolError(what, ", ".join(names) or folder.root, remedy)
    return tasks


class _Counter(ProgressLine):
    """How many attempts were made, and how many trials are resolved."""

    def __init__(self, done: list[AttemptLine], trials: int) -> None:
        super().__init__()
        self.trials, self.resolved = trials, sum(map(_is_resolved, done))

    def show(self, line: AttemptLine) -> None:
        self.resolved += _is_resolved(line)
        made = self.steps + 1
        self.step(f"{made} attempts made, {self.resolved} of {self.trials} trials resolved; last: {line.fixture}")


def _is_resolved(line: AttemptLine) -> bool:
    return line.failure_category is None and line.discarded is None


def main() -> None:
    """The console script."""
    errors.entry_point(app, "evaluator")()


if __name__ == "__main__":
    main()
