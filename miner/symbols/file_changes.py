"""What changed between two states of files as files: names, modes, and the bytes that no line shows."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import PurePosixPath

from miner.symbols.files import Files, text_of
from miner.symbols.likeness import alike
from miner.symbols.lines import changed_blocks
from miner.text import split_lines

Modes = Mapping[str, str]  # path -> mode as git writes it, such as 100755

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


@dataclass(frozen=True)
class FileChange:
    """One change to the file that is at `path` after (before, if it was deleted).

    `old_path`: where a renamed file was. `detail`: the modes, or the number of lines with another ending.
    """

    path: str
    kind: FileKind
    old_path: str | None = None
    detail: str = ""


def file_changes(before: Files, after: Files, modes: tuple[Modes, Modes] = ({}, {})) -> tuple[FileChange, ...]:
    """Every change of files as files, sorted by path; `modes` are those before and after.

    A file that is gone and one that is new are one renamed file if their contents are the same, or alike in at
    least 60 % of their lines. Of files with a NUL byte no lines are looked at.
    """
    old = {path: content for path, content in before.items() if content is not None}
    new = {path: content for path, content in after.items() if content is not None}
    renamed = _renamed({p: c for p, c in old.items() if p not in new}, {p: c for p, c in new.items() if p not in old})
    found = [FileChange(path, FileKind.DELETED) for path in old if path not in new and path not in renamed.values()]
    for path, content in new.items():
        was = path if path in old else renamed.get(path)
        if was is None:
            found.append(FileChange(path, FileKind.ADDED))
            continue
        if was != path:
            found.append(FileChange(path, FileKind.RENAMED, was))
        modes_here = modes[0].get(was), modes[1].get(path)
        if None not in modes_here and modes_here[0] != modes_here[1]:
            found.append(FileChange(path, FileKind.MODE, detail=f"{modes_here[0]} -> {modes_here[1]}"))
        found += [FileChange(path, kind, detail=detail) for kind, detail in _bytes(old[was], content)]
    return tuple(sorted(found, key=lambda change: (change.path, list(FileKind).index(change.kind))))


def _renamed(gone: Mapping[str, bytes], come: Mapping[str, bytes]) -> dict[str, str]:
    """Where each renamed file was, by where it is."""
    found: dict[str, str] = {}
    for by_name in (True, False):
        for path, content in sorted(come.items()):
            if content and path not in found:
                same = (old for old in sorted(gone) if gone[old] == content and old not in found.values())
                old = next((old for old in same if not by_name or _name(old) == _name(path)), None)
                if old is not None:
                    found[path] = old
    olds = [path for path in sorted(gone) if path not in found.values() and b"\0" not in gone[path]]
    news = [path for path in sorted(come) if path not in found and b"\0" not in come[path]]
    ranked = sorted(
        (-ratio, _name(olds[o]) != _name(news[n]), olds[o], news[n])
        for o, n, ratio in alike([gone[p].splitlines() for p in olds], [come[p].splitlines() for p in news])
    )
    for _, _, old_path, new_path in ranked:
        if new_path not in found and old_path not in found.values():
            found[new_path] = old_path
    return found


def _name(path: str) -> str:
    return PurePosixPath(path).name


def _bytes(old: bytes, new: bytes) -> Iterator[tuple[FileKind, str]]:
    if old == new or b"\0" in old or b"\0" in new:
        return
    if count := _other_endings(old.removeprefix(_BOM), new.removeprefix(_BOM)):
        yield FileKind.LINE_ENDINGS, f"{count} {'line' if count == 1 else 'lines'}"
    if old.startswith(_BOM) != new.startswith(_BOM):
        yield FileKind.BOM, ""
    if old.endswith(b"\n") != new.endswith(b"\n") and _last_line(old) == _last_line(new) != b"":
        yield FileKind.FINAL_NEWLINE, ""


def _last_line(content: bytes) -> bytes:
    """The last line without its ending and, where it is the first as well, without a byte order mark."""
    return content.removesuffix(b"\n").removesuffix(b"\r").removeprefix(_BOM).rpartition(b"\n")[2]


def _other_endings(old: bytes, new: bytes) -> int:
    """The number of lines that are the same but for ending in LF or CRLF."""
    if _endings(old) == _endings(new) and len(_endings(old)) < 2:
        return 0
    lines, others = (split_lines(text_of(side)) for side in (old, new))
    plain, other_plain = (text_of(side.replace(b"\r\n", b"\n")) for side in (old, new))
    blocks = chain(changed_blocks(plain, other_plain), [(len(lines), len(lines), len(others), len(others))])
    count = at = other_at = 0
    for first, last, other_first, other_last in blocks:
        pairs = zip(lines[at:first], others[other_at:other_first], strict=True)
        count += sum(line != other for line, other in pairs)
        at, other_at = last, other_last
    return count


def _endings(content: bytes) -> Collection[bytes]:
    windows = content.count(b"\r\n")
    unix = content.count(b"\n") - windows
    return {ending for ending, number in ((b"\r\n", windows), (b"\n", unix)) if number}
