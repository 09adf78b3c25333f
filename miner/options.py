"""Options that several commands share."""

from typing import Annotated, Literal

import typer

from miner.sandbox import find_bubblewrap, use

SandboxOption = Annotated[
    Literal["bubblewrap", "none"],
    typer.Option(help="`none` runs code of repositories and models unprotected on this machine."),
]


def choose_sandbox(sandbox: str) -> None:
    """Use the sandbox; raises `ToolError` where it does not start."""
    use(sandbox)
    if sandbox != "none":
        find_bubblewrap()
