"""The marker lines of search and replace blocks: to the letter, and as models misspell them."""

import re
from typing import NamedTuple

_EXACT = re.compile(r"(?:(<{7,}) SEARCH|(={7,})|(>{7,}) REPLACE)\r?\Z")
_NOISY = re.compile(
    r"[ \t]*(?:(<{5,})[ \t]?(?:SEARCH|ORIGINAL)\b.*|(={5,})|(>{5,})[ \t]?(?:REPLACE|UPDATED)\b.*)\s*\Z", re.DOTALL
)


class Marker(NamedTuple):
    """A marker line: `<`, `=` or `>`, and how many of them."""

    kind: str
    size: int


def marker(line: str) -> Marker | None:
    """The marker that a line is, to the letter (a carriage return aside)."""
    return _read(_EXACT, line)


def noisy_marker(line: str) -> Marker | None:
    """The marker that a line is meant for: indented, of five or more characters, in older words, with text after it."""
    return _read(_NOISY, line)


def stray(line: str) -> bool:
    """Whether a line outside all blocks is meant for a marker, so that skipping it as prose would lose an edit."""
    found = noisy_marker(line)
    return found is not None and found.kind != "="


def _read(pattern: re.Pattern[str], line: str) -> Marker | None:
    match = pattern.match(line)
    if match is None:
        return None
    run = match[1] or match[2] or match[3]
    return Marker(run[0], len(run))
