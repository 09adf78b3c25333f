"""What a check of `miner doctor` says."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from enum import StrEnum

_TIMEOUT = 20  # seconds a program may take to say its version


class Status(StrEnum):
    """Whether something is there; `optional`: it is not, or not as it should be, and the work can be done without."""

    OK = "ok"
    OPTIONAL = "optional"
    MISSING = "missing"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: what was found, and what to do where it is not ok."""

    name: str
    status: Status
    found: str
    remedy: str = ""


def said_by(*command: str) -> str | None:
    """What a program prints, both streams; None where it does not start, fails or hangs."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", timeout=_TIMEOUT,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def version_in(text: str, name: str = "") -> tuple[int, ...]:
    """The version that follows a name in a text, else the first in it; empty where there is none."""
    named = re.search(rf"{re.escape(name)} v?(\d+(?:\.\d+)+)", text, re.IGNORECASE) if name else None
    match = named or re.search(r"(\d+(?:\.\d+)+)", text)
    return tuple(int(part) for part in match[1].split(".")) if match else ()


def dotted(version: tuple[int, ...]) -> str:
    """A version as people write it."""
    return ".".join(map(str, version))


def on_path(program: str, *folders: str) -> str | None:
    """Where a program is, in these folders or on PATH."""
    return next(filter(None, (shutil.which(program, path=folder) for folder in folders)), shutil.which(program))
