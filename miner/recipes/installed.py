"""Compilers and runtimes of this machine: found where installers put them, asked for their version."""

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from miner.recipes.model import EnvironmentFailed, Toolchain

Version = tuple[int, ...]
_NUMBERS = re.compile(r"\d+(?:\.\d+)*")


def numbers(text: str) -> Version:
    """The first dotted number of a text (`go1.19.8 linux` gives 1, 19, 8); empty where there is none."""
    match = _NUMBERS.search(text)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def version_of(toolchain: Toolchain) -> Version:
    """The version as numbers."""
    return numbers(toolchain.version)


def executables(patterns: Iterable[tuple[Path, str]], name: str) -> list[Path]:
    """Executable files that match a pattern below a folder, and the one called `name` on the PATH; links resolved."""
    found = {path.resolve() for folder, pattern in patterns for path in folder.glob(pattern)}
    if on_path := shutil.which(name):
        found.add(Path(on_path).resolve())
    return sorted(path for path in found if path.is_file())


@cache
def answer(executable: Path, *arguments: str) -> str:
    """What a program prints when asked, on both streams; empty where it does not run."""
    try:
        done = subprocess.run([str(executable), *arguments], capture_output=True, text=True, timeout=30)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr if done.returncode == 0 else ""


def at_least(have: Sequence[Toolchain], wanted: Version) -> list[Toolchain]:
    """Those that are not older than wanted, the oldest first: the nearest to what the project was written on."""
    return sorted((t for t in have if version_of(t)[: len(wanted)] >= wanted), key=version_of)


def nearest(have: Sequence[Toolchain], recorded: str) -> Toolchain:
    """The toolchain of a recorded version (`go 1.19.8`), else the next newer, else the newest.

    Raises `EnvironmentFailed` where there is none.
    """
    if not have:
        raise EnvironmentFailed(f"{recorded} proved this, and none of its kind is installed")
    newer = at_least(have, numbers(recorded))
    return newer[0] if newer else max(have, key=version_of)
