"""Options that several commands share."""

from typing import Annotated, Literal

import typer

SandboxOption = Annotated[
    Literal["bubblewrap", "none"],
    typer.Option(help="`none` runs code of repositories and models unprotected on this machine."),
]
