"""`miner show`, the command."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from miner.catalogue import Filter, Row, as_data, open_shelf, page, selected
from miner.errors import ToolError, printable
from miner.hazards import Tag
from miner.kind import Kind
from miner.nearest import meant
from miner.options import folder_and_ids
from miner.rare import STRATA
from miner.strata_file import DEFAULT_STRATA, definition_of
from miner.tables import print_table
from miner.wording import plural


def show_command(
    fixtures: Annotated[Path, typer.Argument(help="The fixtures folder.")] = Path("fixtures"),
    fixture_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[FIXTURE_ID]...", help="Fixtures (default: all).")
    ] = None,
    stratum: Annotated[list[str] | None, typer.Option(help=f"{', '.join(STRATA)}; repeatable.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help=f"A hazard, repeatable: {', '.join(Tag)}.")] = None,
    kind: Annotated[list[Kind] | None, typer.Option(help="A kind of task, repeatable.")] = None,
    repo: Annotated[list[str] | None, typer.Option(help="A repository, by its name in ids; repeatable.")] = None,
    in_set: Annotated[bool, typer.Option("--in-set", help="Only those of set.yaml.")] = False,
    cap: Annotated[int | None, typer.Option(min=1, help="What sizes are against (default: the set's).")] = None,
    strata: Annotated[Path, typer.Option(help="Bounds, where --cap is given.")] = DEFAULT_STRATA,
    json_: Annotated[bool, typer.Option("--json", help="As JSON, a row an object.")] = False,
) -> None:
    """List fixtures with size, strength and hazards; with one FIXTURE_ID, show all of it.

    A fixture is listed that meets every kind of filter given, in any one of its values.
    """
    fixtures, asked = folder_and_ids(fixtures, fixture_ids or ())
    if unknown := sorted(set(stratum or ()) - set(STRATA)):
        raise ToolError("not a stratum", unknown[0], f"Strata are {', '.join(STRATA)}.")
    shelf = open_shelf(fixtures, cap, definition_of(strata))
    ids = meant(asked, shelf.folder.ids(), "no such fixture", "`miner show` without an id lists all.")
    wanted = Filter(stratum or (), tag or (), [one.value for one in kind or ()], repo or (), in_set)
    rows = selected(shelf, ids, wanted)
    if json_:
        print(json.dumps([as_data(row) for row in rows], indent=2))
    elif len(ids) == 1 and rows:
        print(printable(page(shelf.folder.task(ids[0]), rows[0])))
    else:
        _print_rows(rows, shelf.cap)


def _print_rows(rows: list[Row], cap: int) -> None:
    """A table that wraps on a terminal; elsewhere only tags wrap."""
    columns = ("fixture", "kind", "stratum", "tokens", "changed", "strength", "in set", "tags")
    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        strength = "not proved" if not row.proved else "-" if row.strength is None else f"{row.strength:.0%}"
        cells = (
            row.id, row.kind, row.stratum + (" large" if row.large else ""), str(row.rewrite_tokens),
            f"{row.change_fraction:.0%}", strength, "yes" if row.in_set else "-", " ".join(row.tags) or "-",
        )  # fmt: skip
        table.add_row(*(Text(printable(cell), overflow="fold") for cell in cells))
    print_table(table)
    print(f"{plural(len(rows), 'fixture')}, sizes against a cap of {cap} tokens")
