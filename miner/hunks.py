"""The hunks of a patch in git's format, and the patch that takes one of them back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FILE = re.compile(rb"^(?=diff --git )", re.MULTILINE)
_HUNK = re.compile(rb"^(?=@@ -\d)", re.MULTILINE)
_PLACE = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_NAME = re.compile(rb"diff --git (?:a/(.*) b/\1|\"a/(.*)\" \"b/\2\")$", re.MULTILINE)
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
_LETTERS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


@dataclass(frozen=True)
class Hunk:
    """One hunk as a patch of its own; `name` is `path:line`, its first line in the tree after the patch."""

    name: str
    patch: bytes


def hunks(patch: bytes) -> list[Hunk]:
    """Every hunk of a patch; a file that is added, deleted, binary or changes its mode is one hunk whole."""
    return [hunk for file in _FILE.split(patch) if file.startswith(b"diff --git ") for hunk in _of_file(file)]


def _of_file(file: bytes) -> Iterator[Hunk]:
    header, *bodies = _HUNK.split(file)
    path = _path(header)
    whole = b"\nnew file mode" in header or b"\ndeleted file mode" in header or b"\nold mode" in header
    if whole or not bodies:
        yield Hunk(f"{path}:1", file)
        return
    for body in bodies:
        place = _PLACE.match(body)
        yield Hunk(f"{path}:{place[1].decode() if place else 1}", header + body)


def _path(header: bytes) -> str:
    """The file's name: without renames both sides have the same. Names with quotes are quoted as in C."""
    match = _NAME.match(header)
    if match is None:
        return "?"
    name = match[1] if match[2] is None else _ESCAPED.sub(_unescape, match[2])
    return name.decode("utf-8", "replace")


def _unescape(match: re.Match[bytes]) -> bytes:
    said = match[1]
    return bytes([int(said, 8)]) if len(said) == 3 else _LETTERS.get(said, said)
