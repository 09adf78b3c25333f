"""The commands that look after the machine: `miner environments` and `miner doctor`."""

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer
from rich.console import Console
from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from miner.environments import Entry, Kind, entries, measure
from miner.errors import printable
from miner.options import SandboxOption
from miner.progress import ProgressLine
from miner.prune import Pruned, chosen_by_age, chosen_by_digest, prune

_WIDE = 160  # columns where the output is no terminal: what reads it wants whole words


def _console() -> Console:
    return Console(highlight=False, width=None if sys.stdout.isatty() else _WIDE)


def _row(*cells: str) -> list[Text]:
    return [Text(printable(cell)) for cell in cells]


def environments_command(
    repository: Annotated[str | None, typer.Option(metavar="NAME", help="Only this repository's.")] = None,
    prune_digest: Annotated[
        list[str] | None,
        typer.Option("--prune", metavar="DIGEST", help="Remove this environment; may be repeated, and cut short."),
    ] = None,
    prune_older: Annotated[
        float | None, typer.Option(min=0, metavar="DAYS", help="Remove all that was last used longer ago than this.")
    ] = None,
    prune_all: Annotated[bool, typer.Option("--prune-all", help="Remove everything in the cache.")] = False,
) -> None:
    """List what the cache holds, its size and last use; or prune it, which says what was freed.

    Everything in it can be made again. What a running command uses stays; what killed ones left goes with
    every pruning. Exit 1 where something could not be removed.
    """
    if sum((bool(prune_digest), prune_older is not None, prune_all)) > 1:
        raise typer.BadParameter("choose one of --prune, --prune-older and --prune-all")
    everything = entries(repository)
    if prune_digest:
        chosen = chosen_by_digest(everything, prune_digest)
    elif prune_older is not None:
        chosen = chosen_by_age(everything, datetime.now(UTC), prune_older)
    elif prune_all:
        chosen = everything
    else:
        _print_entries(everything)
        return
    outcomes = prune(chosen, everything)
    _print_pruned(outcomes)
    if any(outcome.failed for outcome in outcomes):
        raise typer.Exit(1)


def _print_entries(everything: Sequence[Entry]) -> None:
    line, sizes = ProgressLine(), {}
    for entry in everything:
        sizes[entry.path] = measure(entry.path)
        line.step(f"{len(sizes)} of {len(everything)} measured")
    line.end()
    built = [entry for entry in everything if entry.kind is Kind.ENVIRONMENT]
    if built:
        table = Table("repository", "digest", "toolchain", "variant", box=None, pad_edge=False)
        table.add_column("size", justify="right")
        table.add_column("last used (UTC)", no_wrap=True)
        table.columns[1].no_wrap = True
        for entry in built:
            toolchain, variant = entry.toolchain or "not known", entry.variant or "not known"
            size, used = decimal(sizes[entry.path]), f"{entry.used:%Y-%m-%d %H:%M}"
            table.add_row(*_row(entry.repository, entry.path.name, toolchain, variant, size, used))
        _console().print(table)
        print()
    _console().print(_totals(everything, sizes))


def _totals(everything: Sequence[Entry], sizes: Mapping[Path, int]) -> Table:
    table = Table("", box=None, pad_edge=False)
    table.add_column("number", justify="right")
    table.add_column("size", justify="right")
    for kind in Kind:
        of_kind = [sizes[entry.path] for entry in everything if entry.kind is kind]
        if of_kind or kind is Kind.ENVIRONMENT:
            table.add_row(kind.value, str(len(of_kind)), decimal(sum(of_kind)))
    table.add_row("in all", str(len(everything)), decimal(sum(sizes.values())))
    return table


def _print_pruned(outcomes: Sequence[Pruned]) -> None:
    for outcome in outcomes:
        if outcome.kept:
            print(printable(f"kept {outcome.entry.path}: {outcome.kept}"))
    gone = [outcome.entry.kind for outcome in outcomes if not outcome.kept]
    said = ", ".join(f"{gone.count(kind)} {kind.value}" for kind in Kind if kind in gone)
    print(f"freed {decimal(sum(outcome.freed for outcome in outcomes))}: {said or 'nothing'}")


def doctor_command(
    repo: Annotated[Path | None, typer.Option(help="A local clone to look at as well.")] = None,
    cwd: Annotated[str, typer.Option(help="A sub-project's folder inside the repository.")] = ".",
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Say what this machine (and a repository) still needs, each with its remedy; exit 1 if a needed thing is missing.

    No token is shown.
    """
    from miner.doctor import Status, examination  # no other command should wait for all that it looks at

    checks = examination(repo, str(PurePosixPath(cwd)), sandbox != "none")
    table = Table("", "", box=None, pad_edge=False)
    table.add_column("found", overflow="fold")
    table.add_column("what to do", overflow="fold")
    for check in checks:
        table.add_row(*_row(check.status.value, check.name, check.found, check.remedy))
    _console().print(table)
    missing = [check.name for check in checks if check.status is Status.MISSING]
    if missing:
        print(f"Missing and needed: {', '.join(missing)}.")
        raise typer.Exit(1)
    print("Nothing that is needed is missing.")
