"""Options that several commands share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from miner.sandbox import find_bubblewrap, use

SandboxOption = Annotated[
    Literal["bubblewrap", "none"],
    typer.Option(help="`none` runs code of repositories and models unprotected on this machine."),
]


def folder_and_ids(fixtures: Path, ids: Sequence[str]) -> tuple[Path, list[str]]:
    """The fixtures folder and the ids, of `[fixtures] [FIXTURE_ID]...`: in `miner show 811` it was left out."""
    if not fixtures.is_dir() and (default := Path("fixtures")).is_dir():
        return default, [str(fixtures), *ids]
    return fixtures, list(ids)


def choose_sandbox(sandbox: str) -> None:
    """Use the sandbox; raises `ToolError` where it does not start."""
    use(sandbox)
    if sandbox != "none":
        find_bubblewrap()
