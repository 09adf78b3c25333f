"""`evaluator calibrate`: measuring the measurer."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from evaluator.appliers import granted
from evaluator.bench import benches
from evaluator.formats import FORMATS, format_named
from evaluator.journal import RunFile
from evaluator.models import KNOWN, model_named
from evaluator.same import Counted, Seeded, same
from evaluator.selftest import load
from miner import __version__, errors
from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task
from miner.options import SandboxOption, choose_sandbox
from miner.progress import ProgressLine

_CAP = 8_000  # truncation is dealt by simulated models, never met
_MODEL = "simulated:same"


def calibrate_command(
    fixtures: Annotated[Path, typer.Argument(help="A fixtures folder; all its proven fixtures are used.")] = Path(
        "fixtures"
    ),
    same_runs: Annotated[
        int | None,
        typer.Option("--same", min=1, metavar="N", help="Compare a format with itself, N times; a winner is noise."),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", help=f"The format of --same: {', '.join(FORMATS)}.")
    ] = "search_replace",
    model: Annotated[str, typer.Option(help=f"Who answers; it must draw its answers by a seed. {KNOWN}.")] = _MODEL,
    attempts: Annotated[int, typer.Option(min=1, help="Attempts a task may take.")] = 3,
    workers: Annotated[int, typer.Option(min=1, help="Attempts made at once.")] = 2,
    seed: Annotated[int, typer.Option(help="The first run's seed; each further run has the next.")] = 1,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Measure the measurer: does the line from reply to verdict find what is not there?

    --same N runs one format under two names, N times with draws of their own, through everything that an ordinary
    run goes through, and counts how often one is declared better. Exit 1 where that is more often than a test at 5%
    does by chance: above 67 of 1,000, 551 of 10,000.
    """
    if same_runs is None:
        raise typer.BadParameter("give --same N")
    tasks = _tasks(fixtures)
    choose_sandbox(sandbox)
    _same(tasks, same_runs, format_, model, attempts, workers, seed)


def _tasks(fixtures: Path) -> list[Task]:
    """The proven fixtures of tasks that can be done; raises `ToolError` where there is none, or one is damaged."""
    loaded = load(FixtureFolder(fixtures), [])
    for finding in loaded.damaged:
        raise ToolError("a fixture cannot be used", finding.fixture, finding.why)
    return [task for task in loaded.tasks if not task.impossible]


def _same(tasks: Sequence[Task], runs: int, name: str, model: str, attempts: int, workers: int, seed: int) -> None:
    fmt, ids = format_named(name), [task.id for task in tasks]
    answering = model_named(model, ids, [fmt], seed)
    if not isinstance(answering, Seeded):
        raise ToolError("the model does not draw by a seed", model, "Give simulated:same or simulated:FILE.yaml.")
    settings = RunFile(
        set_digest="", cap=_CAP, model=model, simulated=True, formats=[fmt.name], attempts=attempts, seed=seed,
        fixtures=ids, started="", version=__version__, applier=granted("standard", [fmt]),
    )  # fmt: skip
    line, counted = ProgressLine(), None
    try:
        for counted in same(settings, fmt, benches(tasks), answering.seeded, runs, workers):
            line.step(f"{counted.runs} of {runs} runs, {sum(counted.winners)} declared a winner")
    finally:
        line.end()
        if counted is not None:  # Ctrl-C: what was counted so far
            print(errors.printable(summary(counted, name, model)))
    if counted is None or not counted.passed:
        raise typer.Exit(errors.EXPECTED)


def summary(counted: Counted, name: str, model: str) -> str:
    """What the runs gave, what was to be expected, and whether that passes."""
    won, runs = sum(counted.winners), counted.runs
    disagreements = sum(counted.disagreed.values()) / runs
    lines = [
        f"{name} against itself under two names, {len(counted.disagreed)} fixtures, {model}: {runs:,} runs",
        f"a winner was declared in {won:,} ({won / runs:.2%}): {counted.winners[0]:,} for the first name, "
        f"{counted.winners[1]:,} for the second; more than {counted.limit:,} fail (by chance at 5%: 1 time in 100)",
        f"resolved {counted.resolved:,} of {counted.trials:,} trials ({_share(counted.resolved, counted.trials)}); "
        f"{disagreements:.1f} of {len(counted.disagreed)} blocks disagree a run; "
        f"{counted.incomplete:,} blocks were left out for discarded trials",
        f"at that, the exact test finds a winner in {counted.expected:.2%} of runs (by enumeration): it is "
        "conservative, as counts come in steps",
    ]
    if not counted.decidable:
        lines.append("FAIL: no run had enough disagreements to declare a winner, so nothing was tested")
    else:
        lines.append("PASS" if counted.passed else "FAIL: winners are declared that are none")
    return "\n".join(lines)


def _share(k: int, n: int) -> str:
    return f"{k / n:.1%}" if n else "no evidence"
