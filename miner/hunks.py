"""The hunks of a patch in git's format, and the patch that takes one of them back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FILE = re.compile(rb"^(?=diff --git )", re.MULTILINE)
_HUNK = re.compile(rb"^(?=@@ -\d)", re.MULTILINE)
_PLACE = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_NEW_NAME = re.compile(rb"^\+\+\+ b/([^\t\n]*)\t?$", re.MULTILINE)
_ANY_NAME = re.compile(rb"^diff --git a/(.*) b/\1$", re.MULTILINE)


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
    whole = b"\nnew file mode" in header or b"\ndeleted file mode" in header or b"\nold mode" in header
    if whole or not bodies:
        yield Hunk(f"{_path(file)}:1", file)
        return
    for body in bodies:
        place = _PLACE.match(body)
        yield Hunk(f"{_path(file)}:{place[1].decode() if place else 1}", header + body)


def _path(file: bytes) -> str:
    match = _NEW_NAME.search(file) or _ANY_NAME.search(file)
    return match[1].decode("utf-8", "replace") if match else "?"
