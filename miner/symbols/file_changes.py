"""What changed between two states of files as files: names, modes, and the bytes that no line shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from miner.symbols.file_kinds import FileKind, byte_changes
from miner.symbols.files import Files
from miner.symbols.likeness import alike

Modes = Mapping[str, str]  # path -> mode as git writes it, such as 100755

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
        found += [FileChange(path, kind, detail=detail) for kind, detail in byte_changes(old[was], content)]
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
