"""Options that several commands share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from miner.fixtures import FixtureFolder
from miner.nearest import meant
from miner.sandbox import find_bubblewrap, use

SandboxOption = Annotated[
    Literal["bubblewrap", "none"],
    typer.Option(help="`none` runs code of repositories and models unprotected on this machine."),
]


def folder_and_ids(fixtures: Path, ids: Sequence[str]) -> tuple[Path, list[str]]:
    """The folder and the ids, of `[fixtures] [FIXTURE_ID]...`: in `miner show 811` it was left out.

    Raises `ToolError` where what stands in its place is neither.
    """
    if not fixtures.is_dir() and (default := Path("fixtures")).is_dir():
        what = "neither a fixtures folder nor a fixture id"
        return default, [*meant([str(fixtures)], FixtureFolder(default).ids(), what, "`miner show` lists them."), *ids]
    return fixtures, list(ids)


def choose_sandbox(sandbox: str) -> None:
    """Use the sandbox; raises `ToolError` where it does not start."""
    use(sandbox)
    if sandbox != "none":
        find_bubblewrap()
