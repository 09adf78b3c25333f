"""What changes of a file as a file, and the bytes that no line shows: line endings, byte order mark, final newline."""

from collections.abc import Collection, Iterator
from enum import StrEnum
from itertools import chain

from miner.symbols.lines import changed_blocks
from miner.text import split_lines

_BOM = b"\xef\xbb\xbf"


class FileKind(StrEnum):
    """What happened to a file. Of lines, only those count that are otherwise unchanged."""

    ADDED = "added"
    DELETED = "deleted"
    RENAMED = "renamed"
    MODE = "mode"
    LINE_ENDINGS = "line_endings"
    BOM = "bom"
    FINAL_NEWLINE = "final_newline"


def byte_changes(old: bytes, new: bytes) -> Iterator[tuple[FileKind, str]]:
    """The changes that no line shows, and for line endings on how many lines; none of files with a NUL byte."""
    if old == new or b"\0" in old or b"\0" in new:
        return
    if count := _other_endings(old.removeprefix(_BOM), new.removeprefix(_BOM)):
        yield FileKind.LINE_ENDINGS, f"{count} {'line' if count == 1 else 'lines'}"
    if old.startswith(_BOM) != new.startswith(_BOM):
        yield FileKind.BOM, ""
    if old.endswith(b"\n") != new.endswith(b"\n") and _last_line(old) == _last_line(new) != b"":
        yield FileKind.FINAL_NEWLINE, ""


def without_byte_changes(old: bytes, new: bytes, kinds: Collection[FileKind]) -> bytes:
    """`new` with what `kinds` say of it as it was in `old`."""
    if FileKind.LINE_ENDINGS in kinds:
        new = _with_endings_of(old, new)
    if FileKind.BOM in kinds:
        new = (_BOM if old.startswith(_BOM) else b"") + new.removeprefix(_BOM)
    if FileKind.FINAL_NEWLINE in kinds:
        ending = old[len(old.rstrip(b"\r\n")) :] if old.endswith(b"\n") else b""
        new = new.removesuffix(b"\n").removesuffix(b"\r") + ending[-2:]
    return new


def _last_line(content: bytes) -> bytes:
    """The last line without its ending and, where it is the first as well, without a byte order mark."""
    return content.removesuffix(b"\n").removesuffix(b"\r").removeprefix(_BOM).rpartition(b"\n")[2]


def _other_endings(old: bytes, new: bytes) -> int:
    """The number of lines that are the same but for ending in LF or CRLF."""
    endings = _endings(old)
    if endings == _endings(new) and len(endings) < 2:
        return 0
    lines, others = (split_lines(_text(side)) for side in (old, new))
    return sum(lines[i] != others[j] for i, j in _same_lines(old, new))


def _with_endings_of(old: bytes, new: bytes) -> bytes:
    lines, others = (split_lines(_text(side)) for side in (old, new))
    for i, j in _same_lines(old, new):
        others[j] = lines[i]
    return "".join(others).encode("utf-8", "surrogateescape")


def _same_lines(old: bytes, new: bytes) -> Iterator[tuple[int, int]]:
    """The indexes of the lines that are the same but for their endings."""
    plain, other_plain = (_text(side.replace(b"\r\n", b"\n")) for side in (old, new))
    end, other_end = len(split_lines(plain)), len(split_lines(other_plain))
    at = other_at = 0
    blocks = chain(changed_blocks(plain, other_plain), [(end, end, other_end, other_end)])
    for first, last, other_first, other_last in blocks:
        yield from zip(range(at, first), range(other_at, other_first), strict=True)
        at, other_at = last, other_last


def _endings(content: bytes) -> set[bytes]:
    windows = content.count(b"\r\n")
    unix = content.count(b"\n") - windows
    return {ending for ending, number in ((b"\r\n", windows), (b"\n", unix)) if number}


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")
