"""Patches in git's format, read file by file, and applied to bytes without any leniency."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

ABSENT = "000000"  # the mode of a file that does not exist

_FILE = re.compile(rb"^(?=diff --git )", re.MULTILINE)
_HUNK = re.compile(rb"^(?=@@ -\d)", re.MULTILINE)
_NAME = re.compile(rb"diff --git (?:a/(.*) b/\1|\"a/(.*)\" \"b/\2\")$", re.MULTILINE)
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
_LETTERS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_PLACE = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_MODE = re.compile(rb"^(old|new|new file|deleted file) mode (\d{6})$", re.MULTILINE)
_SAME_MODE = re.compile(rb"^index [0-9a-f]+\.\.[0-9a-f]+ (\d{6})$", re.MULTILINE)
_BINARY = re.compile(rb"^(?:GIT binary patch|Binary files .*)$", re.MULTILINE)
_NO_NEWLINE = b"\\"  # the line that says that the one before it is the file's last and has no newline


@dataclass(frozen=True)
class FilePatch:
    """One file's part of a patch: the header, up to its first hunk, and the hunks, each from its `@@` line on."""

    path: str
    header: bytes
    hunks: tuple[bytes, ...]

    @property
    def text(self) -> bytes:
        """The part as it stands in the patch."""
        return self.header + b"".join(self.hunks)

    @property
    def lines(self) -> tuple[int, int]:
        """The numbers of lines that are added and deleted."""
        return sum(hunk.count(b"\n+") for hunk in self.hunks), sum(hunk.count(b"\n-") for hunk in self.hunks)

    @property
    def is_binary(self) -> bool:
        """Whether the contents are not given as lines."""
        return _BINARY.search(self.header) is not None

    @property
    def modes(self) -> tuple[str, str]:
        """The file's modes before and after, `ABSENT` for a side on which it does not exist."""
        said = {name: mode.decode() for name, mode in _MODE.findall(self.header)}
        if b"new file" in said:
            return ABSENT, said[b"new file"]
        if b"deleted file" in said:
            return said[b"deleted file"], ABSENT
        same = _SAME_MODE.search(self.header)
        kept = same[1].decode() if same else ABSENT
        return said.get(b"old", kept), said.get(b"new", kept)


def file_patches(patch: bytes) -> Iterator[FilePatch]:
    """The parts of a patch, one a file, in their order.

    A line of a hunk or of binary data never starts as a header does, so that nothing in a file passes for one.
    """
    for part in _FILE.split(patch):
        if part.startswith(b"diff --git "):
            header, *hunks = _HUNK.split(part)
            yield FilePatch(_path(header), header, tuple(hunks))


def _path(header: bytes) -> str:
    """The file's name: without renames both sides have the same. Names with quotes are quoted as in C."""
    match = _NAME.match(header)
    if match is None:
        return "?"
    name = match[1] if match[2] is None else _ESCAPED.sub(_unescape, match[2])
    return name.decode("utf-8", "surrogateescape")


def _unescape(match: re.Match[bytes]) -> bytes:
    said = match[1]
    return bytes([int(said, 8)]) if len(said) == 3 else _LETTERS.get(said, said)


def rebuilt(old: bytes, hunks: tuple[bytes, ...]) -> bytes | None:
    """`old` with the hunks applied where they say, or None where one does not fit byte for byte."""
    lines = old.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + lines[-1:]
    new: list[bytes] = []
    done = 0
    for hunk in hunks:
        place, _, body = hunk.partition(b"\n")
        match = _PLACE.match(place)
        sides = _sides(body)
        if match is None or sides is None:
            return None
        start, gone, _, come = (1 if number is None else int(number) for number in match.groups())
        start -= gone > 0  # a hunk that takes no line away names the line that it follows
        removed, added = sides
        if (gone, come) != (len(removed), len(added)) or start < done or lines[start : start + gone] != removed:
            return None
        new += lines[done:start] + added
        done = start + gone
    return b"".join(new + lines[done:])


def _sides(body: bytes) -> tuple[list[bytes], list[bytes]] | None:
    """The lines of a hunk before and after it, or None where a line is of no kind."""
    old: list[bytes] = []
    new: list[bytes] = []
    touched: tuple[list[bytes], ...] = ()
    for row in body.split(b"\n")[:-1]:
        kind, line = row[:1], row[1:] + b"\n"
        if kind == _NO_NEWLINE:
            for side in touched:
                side[-1] = side[-1].removesuffix(b"\n")
            continue
        touched = {b" ": (old, new), b"-": (old,), b"+": (new,)}.get(kind, ())
        if not touched:
            return None
        for side in touched:
            side.append(line)
    return old, new
