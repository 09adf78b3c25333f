"""Ending whatever a program started, sessions of their own included: all of it has a variable in its environment."""

import contextlib
import os
import signal
import time
from collections.abc import Collection
from pathlib import Path

VARIABLE = "EVALUATOR_CALL"
_PROC = Path("/proc")
_ROUNDS, _BETWEEN = 20, 0.01  # what was killed may have started one more just before; seconds


def within(call: str) -> str:
    """What a call's programs have the variable set to: where a call of another run made this one, that call's, too."""
    return " ".join(filter(None, (os.environ.get(VARIABLE), call)))


def kill_all(calls: Collection[str]) -> None:
    """Kill every process of ours that was started `within` one of these calls, whose names no one could guess.

    What took the variable out of its environment is not found; where there is no /proc, nothing is.
    """
    for _ in range(_ROUNDS):
        found = _started_within({call.encode() for call in calls})
        if not found:
            return
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_BETWEEN)


def _started_within(calls: set[bytes]) -> list[int]:
    """The living processes with one of these in the environment that they began with (a zombie's is empty)."""
    found, named = [], f"{VARIABLE}=".encode()
    for folder in _PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended, or is another user's
            settings = (folder / "environ").read_bytes().split(b"\0")
            of = next((value.removeprefix(named) for value in settings if value.startswith(named)), b"")
            if not calls.isdisjoint(of.split()):
                found.append(int(folder.name))
    return found
