"""The token that GitHub is asked with. Its value is never printed, logged, written, or put on a command line."""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from miner.errors import ToolError

_VARIABLES = ("GITHUB_TOKEN", "GH_TOKEN")
_PATIENCE = 10  # seconds that gh has to answer


@dataclass(frozen=True)
class Token:
    """A token and where it came from; what is printed of it is the second only."""

    value: str = field(repr=False)
    origin: str

    def __str__(self) -> str:
        return f"the token of {self.origin}"


def ask_gh(host: str) -> str:
    """What `gh auth token` says for a host; empty where there is no gh, or it is not logged in there."""
    program = shutil.which("gh")
    if program is None:
        return ""
    command = [program, "auth", "token", "--hostname", host]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""


def find_token(
    host: str, environment: Mapping[str, str] = os.environ, ask: Callable[[str], str] = ask_gh
) -> Token | None:
    """The token of GITHUB_TOKEN, else GH_TOKEN, else of gh for this host; None where there is none.

    Raises `ToolError` for one that no header can hold: the HTTP library would print it in its complaint.
    """
    for name in _VARIABLES:
        if environment.get(name, "").strip():
            return _checked(environment[name], name)
    said = ask(host)
    return _checked(said, "`gh auth token`") if said.strip() else None


def _checked(text: str, origin: str) -> Token:
    value = text.strip()
    if not (value.isascii() and value.isprintable() and " " not in value):
        raise ToolError("not a token", origin, "It has spaces or characters that no token has: set it again.")
    return Token(value, origin)
