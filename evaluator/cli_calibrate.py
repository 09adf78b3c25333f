"""`evaluator calibrate`: measuring the measurer."""

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from evaluator import confusion
from evaluator.appliers import granted
from evaluator.bench import benches
from evaluator.calibration import ALL_FAULTS, QUICK, Plan, Tried, calibrate, write_disagreements
from evaluator.formats import FORMATS, chosen_formats, format_named
from evaluator.formats.model import EditFormat
from evaluator.journal import RunFile
from evaluator.models import KNOWN, model_named
from evaluator.same import Counted, Seeded, same
from evaluator.selftest import load
from evaluator.statistics.exact import ALPHA, mcnemar
from miner import __version__, errors
from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task
from miner.options import SandboxOption, choose_sandbox, folder_and_ids
from miner.progress import ProgressLine
from miner.record import write_atomically

_CAP = 8_000  # truncation is dealt by simulated models, never met
_MODEL = "simulated:same"
_SAME = "search_replace"
_OUT = Path("calibration")


def calibrate_command(
    fixtures: Annotated[Path, typer.Argument(help="A fixtures folder.")] = Path("fixtures"),
    fixture_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[FIXTURE_ID]...", help="Fixtures (default: all that are proved).")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="FIXTURE", help="Calibrate on this fixture only; repeatable.")
    ] = None,
    format_: Annotated[
        list[str] | None,
        typer.Option("--format", help=f"A format, repeatable (default: all of {', '.join(FORMATS)}; --same: {_SAME})."),
    ] = None,
    applier: Annotated[
        str, typer.Option(help="The tolerances granted: standard, strict, or a YAML file (docs/formats.md).")
    ] = "standard",
    most: Annotated[int, typer.Option(min=1, help="Replies a fault, format and fixture, where it has the places.")] = 1,
    slow: Annotated[bool, typer.Option("--slow", help="Also faults that run tests until they time out.")] = False,
    out: Annotated[Path, typer.Option(help="Where the matrix and what was scored otherwise is written.")] = _OUT,
    same_runs: Annotated[
        int | None,
        typer.Option("--same", min=1, metavar="N", help="Compare a format with itself, N times; a winner is noise."),
    ] = None,
    model: Annotated[str, typer.Option(help=f"Who answers --same; it must draw by a seed. {KNOWN}.")] = _MODEL,
    attempts: Annotated[int, typer.Option(min=1, help="Attempts a task may take, with --same.")] = 3,
    workers: Annotated[int, typer.Option(min=1, help="Fixtures, or attempts, worked on at once.")] = 2,
    seed: Annotated[int, typer.Option(help="What is drawn by; each further run of --same has the next.")] = 1,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Measure the measurer. Exit 1 where it is found wrong.

    Right answers are damaged in ways whose label is known by construction (docs/taxonomy.md), in every format, and
    scored: the confusion matrix goes to the terminal and to --out, with every reply that was scored otherwise.

    --same N instead runs one format under two names, N times with draws of their own, through everything that an
    ordinary run goes through, and counts how often one is declared better: no more often than a test at 5% does by
    chance (67 of 1,000, 551 of 10,000).
    """
    fixtures, asked = folder_and_ids(fixtures, fixture_ids or ())
    tasks = _tasks(fixtures, [*asked, *(only or ())])
    if same_runs is not None:
        name = format_[0] if format_ else _SAME
        if len(format_ or ()) > 1 or name == "all":
            raise ToolError("--same compares one format with itself", ", ".join(format_ or ()), "Give one --format.")
        fmt = format_named(name)
        choose_sandbox(sandbox)
        _same([task for task in tasks if not task.impossible], same_runs, fmt, model, attempts, workers, seed)
        return
    formats = chosen_formats(format_, ("all",))
    choose_sandbox(sandbox)
    plan = Plan(formats, granted(applier, formats), ALL_FAULTS if slow else QUICK, most, str(seed))
    _matrix(tasks, plan, workers, out)


def _tasks(fixtures: Path, wanted: Sequence[str]) -> list[Task]:
    """The proven fixtures; raises `ToolError` where there is none, or one is damaged."""
    loaded = load(FixtureFolder(fixtures), wanted)
    for finding in loaded.damaged:
        raise ToolError("a fixture cannot be used", finding.fixture, finding.why)
    return loaded.tasks


def _matrix(tasks: Sequence[Task], plan: Plan, workers: int, out: Path) -> None:
    _check_writable(out)
    line = ProgressLine()
    tried: list[Tried] = []

    def step(so_far: list[Tried]) -> None:
        tried[:] = so_far
        _save(tried, out)  # what was tried stands there whatever happens next
        off = sum(not one.agrees for one in so_far)
        line.step(f"{line.steps + 1} of {len(tasks)} fixtures, {len(so_far):,} replies, {off:,} scored otherwise"
                  f"{line.left(len(tasks))}")  # fmt: skip

    try:
        calibrate(tasks, plan, workers, step)
    finally:
        line.end()
        if tried:  # Ctrl-C: what was tried so far
            print(_save(tried, out))
            print(f"Written to {out}{os.sep}calibration.md and .json; scored otherwise: {out}{os.sep}replies")
    if not tried or not all(one.agrees for one in tried):
        raise typer.Exit(errors.EXPECTED)


def _check_writable(out: Path) -> None:
    """Raise `OSError` now where nothing can be written to `out`, not when the first fixture is done."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=out):
        pass


def _save(tried: Sequence[Tried], out: Path) -> str:
    """Write the matrix and what was scored otherwise; returns the matrix as Markdown."""
    ordered = sorted(tried, key=lambda one: one.fixture)
    replies = write_disagreements(out / "replies", ordered)
    text = errors.printable(confusion.as_markdown(ordered))
    write_atomically(out / "calibration.md", text)
    data = confusion.as_data(ordered, lambda one: str(replies[one].relative_to(out)))
    write_atomically(out / "calibration.json", json.dumps(data, indent=2) + "\n")
    return text


def _same(
    tasks: Sequence[Task], runs: int, fmt: EditFormat, model: str, attempts: int, workers: int, seed: int
) -> None:  # fmt: skip
    if mcnemar(len(tasks), 0) > ALPHA:
        what = "too few possible fixtures to declare any winner"
        raise ToolError(what, str(len(tasks)), "Six that all disagree one way are the first significant split.")
    ids = [task.id for task in tasks]
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
            line.step(f"{counted.runs} of {runs} runs, {sum(counted.winners)} declared a winner{line.left(runs)}")
    finally:
        line.end()
        if counted is not None:  # Ctrl-C: what was counted so far
            print(errors.printable(summary(counted, fmt.name, model)))
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
