"""`evaluator run`: every format over every fixture of a set, under the same prompts and trees."""

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from evaluator.bench import Benches
from evaluator.cli_report import report_run
from evaluator.formats import DEFAULT, chosen_formats, format_named
from evaluator.journal import CallSettings, DiskJournal, Feedback, RunFile, load_run, write_run
from evaluator.live import Live
from evaluator.models import KNOWN, close_model, model_named
from evaluator.models.model import Model
from evaluator.running.asked import Asked, parameters, settings_of
from evaluator.running.budget import seconds
from evaluator.running.checked import check_lines, checked_tasks
from evaluator.running.driver import run
from evaluator.running.going_on import check_timeout, resumed
from evaluator.running.keeping import Extras
from evaluator.running.place import new_folder, remove_if_unused
from evaluator.running.trees import keep_tree
from evaluator.signals import parse_signals
from evaluator.taxonomy import Discard
from evaluator.trials import trials
from miner.errors import ToolError, printable
from miner.fixtures import FixtureFolder, Task
from miner.options import SandboxOption, choose_sandbox
from miner.progress import lasting
from miner.set_file import load_set
from miner.strata import Stratum

# What may be given besides --resume: the rest is as the run began.
_OF_THE_PROCESS = {"fixtures", "resume", "workers", "test_workers", "sandbox", "again", "keep", "max_spend", "max_time",
                   "timeout", "runs"}  # fmt: skip


def run_command(
    context_: typer.Context,
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
    repeats: Annotated[int, typer.Option(min=1, help="How often every task is run, each with a seed of its own.")] = 1,
    feedback: Annotated[
        Literal["none", "error", "full"], typer.Option(help="What a retry is told of the attempt (docs/running.md).")
    ] = "error",
    retry_on: Annotated[
        str, typer.Option(help="The signals that cause a retry, of stop, parser, applier, syntax, tests; or none.")
    ] = "stop,parser,applier,syntax",
    context: Annotated[int, typer.Option(min=0, help="Files shown besides those of the task, the nearest first.")] = 0,
    temperature: Annotated[float | None, typer.Option(min=0, help="Passed on (default: the provider's).")] = None,
    reasoning_effort: Annotated[str | None, typer.Option(help="Passed on (default: the provider's).")] = None,
    param: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Any other parameter to pass on, repeatable.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="The server of a compatible API: vLLM, Ollama, a proxy.")] = None,
    no_seed: Annotated[bool, typer.Option("--no-seed", help="Send no seed with the calls.")] = False,
    timeout: Annotated[
        float | None, typer.Option(min=1, help="Seconds a call may take (default: by the cap; docs/models.md).")
    ] = None,
    prices: Annotated[Path | None, typer.Option(help="Rows of prices that go before ours (docs/planning.md).")] = None,
    max_spend: Annotated[
        float | None,
        typer.Option(min=0, metavar="USD", help="Begin no call once so much is spent; those under way may cost more."),
    ] = None,
    max_time: Annotated[str | None, typer.Option(help="Begin no call after 90m, 2h, 1h30m or 600 (seconds).")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Model calls at once.")] = 2,
    test_workers: Annotated[
        int | None, typer.Option(min=1, help="Replies scored and tested at once (default: as many as cores).")
    ] = None,
    seed: Annotated[int, typer.Option(help="Order of the run, seeds of the calls, what simulated models deal by.")] = 1,
    only: Annotated[
        list[str] | None, typer.Option(metavar="FIXTURE", help="Run this fixture only; repeatable.")
    ] = None,
    stratum: Annotated[Stratum | None, typer.Option(help="Run the fixtures of this size only.")] = None,
    runs: Annotated[Path, typer.Option(help="Where runs are kept.")] = Path("runs"),
    keep: Annotated[bool, typer.Option("--keep", help="Leave the tree of every applied attempt in the run.")] = False,
    resume: Annotated[Path | None, typer.Option(help="Go on with this run, with the settings it began with.")] = None,
    again: Annotated[
        bool, typer.Option("--again", help="With --resume: make calls anew that the provider failed or refused.")
    ] = False,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Run edit formats over the set under identical prompts and trees, then print the report.

    Every reply is stored as it comes, every attempt as it ends. After an interruption, --resume RUN goes on and pays
    for nothing twice. --max-spend and --max-time end a run cleanly: what is left is no evidence until it is resumed.
    """
    chosen, limit = load_set(fixtures), seconds(max_time) if max_time else None
    tasks = checked_tasks(FixtureFolder(fixtures), chosen)
    if resume is not None:
        _refuse_settings(context_)
        settings = resumed(resume, chosen, max_spend, limit, timeout)
    elif again:
        raise ToolError("--again is for a run that was begun", "--again", "Give it with --resume RUN.")
    else:
        call = CallSettings(
            temperature=temperature, reasoning_effort=reasoning_effort, params=parameters(param or ()),
            base_url=base_url, seeded=not no_seed, timeout_seconds=timeout,
        )  # fmt: skip
        told: Feedback = feedback
        asked = Asked(
            model, applier, attempts, repeats, seed, told, parse_signals(retry_on), context, call, prices, max_spend,
            limit, only or (), stratum,
        )  # fmt: skip
        settings = settings_of(asked, chosen, tasks, chosen_formats(format_))
    answering = _model(settings)
    settings = settings.model_copy(update={"simulated": answering.simulated})
    choose_sandbox(sandbox)  # before anything is paid for
    place = resume or new_folder(runs, settings.model)
    try:
        _run(settings, tasks, answering, place, workers, test_workers, again=again, keep=keep, fixtures=fixtures)
    except Exception:
        if resume is None and remove_if_unused(place):
            lasting(f"Nothing was answered or kept, so there is no run to go on with: {place} is removed")
        elif resume is None:
            lasting(f"What was made is in {place}")
        raise
    report_run(place)


def _run(
    settings: RunFile, tasks: list[Task], model: Model, place: Path, workers: int, test_workers: int | None, *,
    again: bool, keep: bool, fixtures: Path,
) -> None:  # fmt: skip
    formats = {name: format_named(name) for name in settings.formats}
    journal = DiskJournal(place, settings)
    go_on = shlex.join(["evaluator", "run", str(fixtures), "--resume", str(place)])
    try:
        check_lines(settings, journal.lines, model.name, place)
        if (before := load_run(place)) != settings:  # resumed with another limit
            check_timeout(before, settings, journal)
            write_run(place, settings)
        with Live(settings, journal.lines) as live:
            run(
                settings, formats, Benches(tasks), model, journal, workers, live.show, test_workers,
                Extras(again=again, keep=partial(keep_tree, place / "trees") if keep else None),
            )  # fmt: skip
    except KeyboardInterrupt:
        print(printable(f"\nGo on with: {go_on}"), file=sys.stderr)
        raise
    finally:
        journal.close()
        close_model(model)
    if any(trial.last.discarded is Discard.BUDGET_EXHAUSTED for trial in trials(journal.lines)):
        lasting(f"The run's money or time is used up. Go on with: {go_on}, and a greater --max-spend or --max-time")


def _model(settings: RunFile) -> Model:
    formats = [format_named(name) for name in settings.formats]
    return model_named(
        settings.model, settings.fixtures, formats, settings.seed, settings.impossible, settings.call, settings.cap
    )


def _refuse_settings(context: typer.Context) -> None:
    """Raise `ToolError` where --resume came with a setting that the run has already."""
    for name in context.params:
        if name in _OF_THE_PROCESS or getattr(context.get_parameter_source(name), "name", "") != "COMMANDLINE":
            continue
        option = f"--{name.strip('_').replace('_', '-')}"
        raise ToolError("--resume goes on with the settings the run began with", option, "Leave it out.")
