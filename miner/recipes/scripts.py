"""Shell scripts that an environment brings along, so that a fixture's command stays one that a person can read."""

from pathlib import Path


def install(env: Path, name: str, script: str) -> None:
    """Put a script on the PATH of what runs in an environment.

    A recipe that does counts the script among what shapes its environments (`Recipe.pinned`).
    """
    folder = env / "bin"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script.strip()}\n")
    (folder / name).chmod(0o755)
