"""`evaluator plan`: what a run would take, before anything is spent."""

import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.amounts import duration, money
from evaluator.formats import DEFAULT, chosen_formats
from evaluator.formats.model import EditFormat
from evaluator.journal import Price
from evaluator.plan import (
    CACHED_FROM,
    FEEDBACK,
    FEEDBACK_MOST,
    FIRST_TOKEN,
    Amount,
    Assumed,
    Plan,
    Size,
    measured,
    planned,
)
from evaluator.prices import price_of, price_table
from evaluator.statistics.power import POINTS
from miner.errors import printable
from miner.fixtures import FixtureFolder
from miner.progress import ProgressLine
from miner.record import as_data
from miner.set_file import SetFile, load_set


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
    as_json: Annotated[bool, typer.Option("--json", help="Print it as data.")] = False,
) -> None:
    """Print calls, tokens, cost and time of a run, as expected and at most, and what difference the set can show.

    No model is called and no key is needed.
    """
    table = price_table(prices)
    chosen, formats = load_set(fixtures), chosen_formats(format_)
    name = model or chosen.model
    price = price_of(name, table) if name else None
    assumed = Assumed(chosen.cap, attempts, repeats, workers, expect_retries, overhead, rate)
    plan = planned(_sizes(FixtureFolder(fixtures), chosen, formats, context), assumed, price)
    if as_json:
        print(json.dumps(_data(plan, chosen, assumed, name, price, context), indent=2))
        return
    _print(plan, chosen, assumed, name, price)


def _sizes(folder: FixtureFolder, chosen: SetFile, formats: list[EditFormat], context: int) -> dict[str, list[Size]]:
    found: dict[str, list[Size]] = {fmt.name: [] for fmt in formats}
    line = ProgressLine()
    fixtures = [*chosen.fixtures, *chosen.impossible]
    for fixture in fixtures:
        for name, size in measured(folder.task(fixture), formats, chosen.show_tests, context).items():
            found[name].append(size)
        line.step(f"{line.steps + 1} of {len(fixtures)} fixtures measured")
    line.end()
    return found


def _data(
    plan: Plan, chosen: SetFile, assumed: Assumed, name: str | None, price: Price | None, context: int
) -> dict[str, object]:
    """The plan as plain data: what it rests on, then what `asdict` makes of it."""
    return {
        "schema": 1, "model": name, "price": as_data(price) if price else None, "set_digest": chosen.digest,
        "fixtures": len(chosen.fixtures), "impossible": len(chosen.impossible), "context": context,
        "assumed": asdict(assumed) | {"first_token_seconds": FIRST_TOKEN, "cached_from_tokens": CACHED_FROM},
        "points": POINTS,
    } | asdict(plan)  # fmt: skip


def _print(plan: Plan, chosen: SetFile, assumed: Assumed, name: str | None, price: Price | None) -> None:
    console = Console(width=None if sys.stdout.isatty() else 100_000, highlight=False)
    impossible = f" and {len(chosen.impossible)} impossible" if chosen.impossible else ""
    console.print(Text(printable(
        f"{_many(len(chosen.fixtures), 'task')}{impossible} x {_many(len(plan.formats), 'format')} x "
        f"{_many(assumed.repeats, 'repeat')}, cap {assumed.cap:,} tokens, attempts at most {assumed.attempts}\n"
        f"{_priced(name, price)}\n"
    )))  # fmt: skip
    for title, total, rows in (
        ("expected", plan.expected, [(f.name, f.expected) for f in plan.formats]),
        ("at most", plan.most, [(f.name, f.most) for f in plan.formats]),
    ):
        console.print(_amounts(title, [*rows, ("all", total)]))
        console.print()
    for line in (*_notes(plan), *_supposed(assumed)):
        console.print(Text(printable(line)))
    if plan.shows:
        console.print(*_shows(plan, len(chosen.fixtures)), sep="\n")


def _many(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


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


def _notes(plan: Plan) -> list[str]:
    """What the formats cannot do, which costs all the same."""
    unsaid: dict[int, list[str]] = {}
    long: dict[int, list[str]] = {}
    for fmt in plan.formats:
        unsaid.setdefault(fmt.cannot_express, []).append(fmt.name)
        long.setdefault(fmt.past_cap, []).append(fmt.name)
    return [
        *(f"{', '.join(names)}: cannot express {_many(n, 'change')}; every attempt is paid for."
          for n, names in unsaid.items() if n),
        *(f"{', '.join(names)}: {_many(n, 'right answer')} longer than the cap; every attempt is paid for, and cut off."
          for n, names in long.items() if n),
    ]  # fmt: skip


def _supposed(assumed: Assumed) -> list[str]:
    return [
        f"Expected: {assumed.retries:.0%} of attempts are followed by another (--expect-retries), replies take "
        f"{assumed.overhead:g} times the bare right answer (--overhead).",
        f"A retry carries the conversation and {FEEDBACK} tokens of feedback. At most: every attempt, every reply at "
        f"the cap, {FEEDBACK_MOST:,} tokens of feedback, every prompt",
        f"written to a cache that is never read. Cached: a block's first call writes what formats share (from "
        f"{CACHED_FROM:,} tokens), the others read it.",
        f"Time: {assumed.rate:g} tokens a second (--rate), {FIRST_TOKEN:g} s to the first, "
        f"{_many(assumed.workers, 'call')} at once (--workers); without tests and back-off. Tokens are o200k's; "
        "others differ.",
        "",
    ]  # fmt: skip


def _shows(plan: Plan, tasks: int) -> tuple[Text, Table, Text]:
    """What the set can show: each cell for one pair alone, and for each of all pairs (Holm)."""
    pairs = math.comb(len(plan.formats), 2)
    several = f" In brackets: each of {pairs} pairs (Holm)." if pairs > 1 else ""
    title = f"What {_many(tasks, 'task')} can show: 80% power, exact test at 5%, one repeat.{several}"
    table = Table(box=None, pad_edge=False)
    table.add_column("a pair disagrees on", justify="right")
    table.add_column("smallest difference, points", justify="right")
    for points in POINTS:
        table.add_column(f"tasks for {points * 100:g} points", justify="right")
    for row in plan.shows:
        smallest = _pair(pairs, *(None if d is None else f"{d * 100:.1f}" for d in row.smallest))
        needed = [_pair(pairs, *(None if n is None else f"{n:,}" for n in found)) for found in row.tasks]
        table.add_row(f"{row.disagreeing:.0%} of tasks", smallest, *needed)
    return Text(title), table, Text("-: formats that disagree on so few tasks cannot differ so much.")


def _pair(pairs: int, one: str | None, several: str | None) -> str:
    return f"{one or '-'} ({several or '-'})" if pairs > 1 else one or "-"
