"""Git's tree objects: read, checked for names that git refuses, and named anew after an edit, without a process.

The ids are those that git's index would write: of a folder that is touched, modes in their one form and no
empty folder.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

_FOLDER = "40000"
_FORBIDDEN = {b"", b".", b"..", b".git"}

ReadObject = Callable[[str], bytes | None]


class Entry(NamedTuple):
    """One entry of a tree: its mode as git writes it in a tree (`100644`, `40000`) and the object's id."""

    mode: str
    id: str

    @property
    def is_folder(self) -> bool:
        """Whether it is a tree."""
        return self.mode == _FOLDER


class UnreadableTree(Exception):
    """A tree that is absent, or that git's index would refuse."""


def parse_tree(content: bytes, id_size: int) -> dict[bytes, Entry]:
    """The entries of a tree object by name; `id_size` is that of a raw id, 20 or 32 bytes."""
    entries, place = {}, 0
    while place < len(content):
        space = content.index(b" ", place)
        nul = content.index(b"\0", space)
        end = nul + 1 + id_size
        entries[content[space + 1 : nul]] = Entry(_mode(content[place:space]), content[nul + 1 : end].hex())
        place = end
    return entries


def _mode(written: bytes) -> str:
    """A mode in the one form that the index knows: trees of a decade ago have padded ones, and `100664`."""
    mode = int(written, 8)
    if mode & 0o170000 == 0o100000:
        return "100755" if mode & 0o100 else "100644"
    return f"{mode & 0o170000:o}"


def tree_id(entries: Mapping[bytes, Entry], id_size: int) -> str:
    """The id of the tree with these entries."""
    # A folder sorts as if its name ended in a slash.
    rows = sorted((name + b"/" if entry.is_folder else name, name, entry) for name, entry in entries.items())
    content = b"".join(
        entry.mode.encode() + b" " + name + b"\0" + bytes.fromhex(entry.id) for _, name, entry in rows
    )
    digest = hashlib.sha1 if id_size == 20 else hashlib.sha256
    return digest(b"tree %d\0" % len(content) + content).hexdigest()


class Trees:
    """The trees of one repository. What was once found sound is not looked at again."""

    def __init__(self, read: ReadObject) -> None:
        self._read = read
        self._sound: set[str] = set()

    def check(self, tree: str) -> None:
        """Raise `UnreadableTree` where a folder below `tree` is absent or has a name that git refuses."""
        if tree in self._sound:
            return
        for name, entry in self._entries(tree).items():
            link_to_settings = entry.mode == "120000" and name.lower() == b".gitmodules"
            if name.lower() in _FORBIDDEN or b"/" in name or link_to_settings:
                raise UnreadableTree(f"tree {tree} has an entry named {name!r}")
            if entry.is_folder:
                self.check(entry.id)
        self._sound.add(tree)

    def edited(self, tree: str, edits: Mapping[str, Entry | None]) -> str:
        """The id of `tree` with files put in their places, or taken away (None); nothing is written."""
        by_path = {tuple(path.encode("utf-8", "surrogateescape").split(b"/")): e for path, e in edits.items()}
        return tree_id(self._edit(self._entries(tree), by_path, len(tree) // 2), len(tree) // 2)

    def _edit(
        self, entries: dict[bytes, Entry], edits: Mapping[tuple[bytes, ...], Entry | None], id_size: int
    ) -> dict[bytes, Entry]:
        below: defaultdict[bytes, dict[tuple[bytes, ...], Entry | None]] = defaultdict(dict)
        for path, entry in edits.items():
            if len(path) > 1:
                below[path[0]][path[1:]] = entry
            elif entry is None:
                entries.pop(path[0], None)
        for name, inner in below.items():
            old = entries.pop(name, None)
            new = self._edit(self._entries(old.id) if old and old.is_folder else {}, inner, id_size)
            if new:
                entries[name] = Entry(_FOLDER, tree_id(new, id_size))
        entries.update({path[0]: entry for path, entry in edits.items() if len(path) == 1 and entry is not None})
        empty = tree_id({}, id_size)
        return {name: entry for name, entry in entries.items() if entry.id != empty}

    def _entries(self, tree: str) -> dict[bytes, Entry]:
        content = self._read(tree)
        if content is None:
            raise UnreadableTree(f"tree {tree} is absent")
        return parse_tree(content, len(tree) // 2)
