"""The hunks of a patch in git's format, and the patch that takes one of them back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from miner.patches import FilePatch, file_patches

_PLACE = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True)
class Hunk:
    """One hunk as a patch of its own; `name` is `path:line`, its first line in the tree after the patch."""

    name: str
    patch: bytes


def hunks(patch: bytes) -> list[Hunk]:
    """Every hunk of a patch; a file that is added, deleted, binary or changes its mode is one hunk whole."""
    return [hunk for file in file_patches(patch) for hunk in _of_file(file)]


def _of_file(file: FilePatch) -> Iterator[Hunk]:
    path = file.path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    whole = any(line in file.header for line in (b"\nnew file mode", b"\ndeleted file mode", b"\nold mode"))
    if whole or not file.hunks:
        yield Hunk(f"{path}:1", file.text)
        return
    for hunk in file.hunks:
        place = _PLACE.match(hunk)
        yield Hunk(f"{path}:{place[1].decode() if place else 1}", file.header + hunk)
