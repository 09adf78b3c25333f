"""`evaluator plan`: what a run would take, before anything is spent."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.amounts import money
from evaluator.formats import DEFAULT, chosen_formats
from evaluator.formats.model import EditFormat
from evaluator.journal import Price
from evaluator.plan import CACHED_FROM, FIRST_TOKEN, Amount, Assumed, Plan, Size, measured, planned
from evaluator.plan_notes import notes, supposed
from evaluator.plan_shows import for_equivalence, shows
from evaluator.prices import price_of, price_table
from evaluator.report.noted import task_facts
from evaluator.running.asked import selected
from evaluator.statistics.power import POINTS
from miner.errors import printable
from miner.fixtures import FixtureFolder, Task
from miner.progress import ProgressLine
from miner.record import as_data
from miner.set_file import SetFile, load_set
from miner.strata import Stratum
from miner.wording import duration, plural


def plan_command(
    fixtures: Annotated[Path, typer.Argument(help="A fixtures folder with a set.yaml.")] = Path("fixtures"),
    format_: Annotated[
        list[str] | None,
        typer.Option("--format", help=f"A format, repeatable; `all`: every one (default: {', '.join(DEFAULT)})."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(envvar="EVALUATOR_MODEL", help="Whose prices; it is not called.", show_envvar=True)
    ] = None,
    attempts: Annotated[int, typer.Option(min=1, help="Attempts a task may take.")] = 3,
    repeats: Annotated[int, typer.Option(min=1, help="How often every task is tried in every format.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Model calls made at once.")] = 2,
    prices: Annotated[
        Path | None, typer.Option(help="A price table of your own; its rows win (docs/planning.md).")
    ] = None,
    rate: Annotated[float, typer.Option(min=0.1, help="Output tokens a second of one call.")] = 60.0,
    context: Annotated[int, typer.Option(min=0, help="Files shown besides those of the change.")] = 0,
    expect_retries: Annotated[
        float, typer.Option(min=0, max=1, help="The share of attempts that another one follows.")
    ] = 0.1,
    overhead: Annotated[
        float, typer.Option(min=0.1, help="A reply's tokens, reasoning included, over those of the bare right answer.")
    ] = 1.3,
    only: Annotated[
        list[str] | None, typer.Option(metavar="FIXTURE", help="Plan a run of this fixture only; repeatable.")
    ] = None,
    stratum: Annotated[Stratum | None, typer.Option(help="Plan a run of the fixtures of this size only.")] = None,
    equivalent_within: Annotated[
        float | None,
        typer.Option(metavar="POINTS", help="Say too how many tasks show that formats are equal within these points."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as data.")] = False,
) -> None:
    """Print calls, tokens, cost and time of a run, as expected and at most, and what difference the set can show.

    No model is called and no key is needed.
    """
    if equivalent_within is not None and not 0 < equivalent_within < 100:
        raise typer.BadParameter(f"--equivalent-within {equivalent_within:g}: not points between 0 and 100")
    margin = None if equivalent_within is None else equivalent_within / 100
    table = price_table(prices)
    chosen, formats = load_set(fixtures), chosen_formats(format_)
    name = model or chosen.model
    price = price_of(name, table) if name else None
    assumed = Assumed(chosen.cap, attempts, repeats, workers, expect_retries, overhead, rate)
    tasks = _tasks(FixtureFolder(fixtures), chosen, only or (), stratum)
    plan = planned(_sizes(tasks, chosen.show_tests, formats, context), assumed, price)
    if as_json:
        print(json.dumps(_data(plan, chosen, tasks, assumed, name, price, context, margin), indent=2))
        return
    _print(plan, tasks, assumed, name, price, margin)


def _tasks(folder: FixtureFolder, chosen: SetFile, only: Sequence[str], stratum: Stratum | None) -> list[Task]:
    """The tasks of the set that a run with the same `--only` and `--stratum` would make."""
    tasks = {fixture: folder.task(fixture) for fixture in (*chosen.fixtures, *chosen.impossible)}
    wanted = selected({i: task_facts(task.fixture, chosen) for i, task in tasks.items()}, only, stratum)
    return [tasks[fixture] for fixture in wanted]


def _sizes(tasks: Sequence[Task], show_tests: bool, formats: list[EditFormat], context: int) -> dict[str, list[Size]]:
    found: dict[str, list[Size]] = {fmt.name: [] for fmt in formats}
    line = ProgressLine()
    for task in tasks:
        for name, size in measured(task, formats, show_tests, context).items():
            found[name].append(size)
        line.step(f"{line.steps + 1} of {len(tasks)} fixtures measured")
    line.end()
    return found


def _data(
    plan: Plan, chosen: SetFile, tasks: Sequence[Task], assumed: Assumed, name: str | None, price: Price | None,
    context: int, margin: float | None,
) -> dict[str, object]:  # fmt: skip
    """The plan as plain data: what it rests on, then what `asdict` makes of it."""
    possible, impossible = _counts(tasks)
    return {
        "schema": 1, "model": name, "price": as_data(price) if price else None, "set_digest": chosen.digest,
        "fixtures": possible, "impossible": impossible, "context": context,
        "assumed": asdict(assumed) | {"first_token_seconds": FIRST_TOKEN, "cached_from_tokens": CACHED_FROM},
        "points": POINTS, "equivalent_within": margin,
        "tasks_for_equivalence": None if margin is None else [for_equivalence(row, margin) for row in plan.shows],
    } | asdict(plan)  # fmt: skip


def _counts(tasks: Sequence[Task]) -> tuple[int, int]:
    impossible = sum(task.impossible for task in tasks)
    return len(tasks) - impossible, impossible


def _print(
    plan: Plan, tasks: Sequence[Task], assumed: Assumed, name: str | None, price: Price | None, margin: float | None
) -> None:  # fmt: skip
    console = Console(width=None if sys.stdout.isatty() else 100_000, highlight=False)
    possible, withheld = _counts(tasks)
    impossible = f" and {withheld} impossible" if withheld else ""
    console.print(Text(printable(
        f"{plural(possible, 'task')}{impossible} x {plural(len(plan.formats), 'format')} x "
        f"{plural(assumed.repeats, 'repeat')}, cap {assumed.cap:,} tokens, attempts at most {assumed.attempts}\n"
        f"{_priced(name, price)}\n"
    )))  # fmt: skip
    for title, total, rows in (
        ("expected", plan.expected, [(f.name, f.expected) for f in plan.formats]),
        ("at most", plan.most, [(f.name, f.most) for f in plan.formats]),
    ):
        console.print(_amounts(title, [*rows, ("all", total)]))
        console.print()
    for line in (*notes(plan), *supposed(assumed)):
        console.print(Text(printable(line)))
    if plan.shows:
        console.print(*shows(plan.shows, possible, len(plan.formats), margin), sep="\n")


def _priced(name: str | None, price: Price | None) -> str:
    if name is None:
        return "no model named: unpriced"
    if price is None:
        return f"{name}: unpriced; give --prices FILE with a row for it (docs/planning.md)"
    return (
        f"{name}: ${price.input:g} in, ${price.output:g} out per million tokens ({price.model}, as of {price.as_of}; "
        "compare it with your provider's page)"
    )


def _amounts(title: str, rows: list[tuple[str, Amount]]) -> Table:
    table = Table(title, box=None, pad_edge=False)
    for head in ("calls", "tokens in", "cached", "tokens out", "cost, no cache", "cost, cached", "time"):
        table.add_column(head, justify="right")
    for name, amount in rows:
        use = amount.use
        counts = (use.calls, use.input_tokens, use.cached_tokens, use.output_tokens)
        costs = (money(amount.costs.canonical), money(amount.costs.paid))
        table.add_row(Text(printable(name)), *(f"{n:,.0f}" for n in counts), *costs, duration(amount.seconds))
    return table
