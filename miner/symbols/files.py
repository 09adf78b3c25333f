"""Symbols over whole files and change sets: which comparison a path gets, and names as `path::symbol`."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from miner.remembered import remembered
from miner.symbols import compare, lines
from miner.symbols.differences import Kind
from miner.symbols.file_kinds import FileKind, byte_changes
from miner.symbols.language import Language
from miner.symbols.languages import BY_SUFFIX
from miner.symbols.model import MODULE, Outline
from miner.symbols.outline import outline

SYMBOLS_VERSION = 2  # raised whenever the same two texts may give other names

Files = Mapping[str, bytes | None]  # path -> contents; None: the file does not exist


@dataclass(frozen=True)
class Change:
    """One unintended change: the file, the symbol or line range in it, and its kind."""

    path: str
    symbol: str
    kind: Kind

    def __str__(self) -> str:
        return f"{self.path}::{self.symbol}"


def has_symbols(path: str) -> bool:
    """Whether files of this name are compared by symbol; others are compared by line ranges."""
    return language_of(path) is not None


@lru_cache(maxsize=4096)  # asked for many times with every reply
def language_of(path: str) -> Language | None:
    """The language of a file by its name, or None where it has no symbols."""
    return BY_SUFFIX.get(PurePosixPath(path).suffix)


def outline_of(path: str, content: bytes | None) -> Outline:
    """The symbols of a file with symbols; of one that does not exist, as of an empty one."""
    language = language_of(path)
    assert language is not None
    return outline(content or b"", language)


def text_of(content: bytes | None) -> str:
    """Contents as text: bytes that are no UTF-8 survive as lone surrogates, line endings as they are."""
    return "" if content is None else content.decode("utf-8", "surrogateescape")


def syntax_errors(path: str, content: bytes) -> int:
    """The number of syntax errors of a file in a language with symbols, else 0."""
    return outline_of(path, content).errors if has_symbols(path) else 0


def allowed_by(before: Files, after: Files) -> dict[str, list[str]]:
    """Per path that differs, the symbols and import entries (or line ranges) that may change."""
    found: dict[str, list[str]] = {}
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old != new:
            if has_symbols(path):
                found[path] = compare.allowed_symbols(outline_of(path, old), outline_of(path, new))
            else:
                found[path] = lines.allowed_ranges(text_of(old), text_of(new))
            found[path] += _byte_names(old, new)
    return found


def unintended(before: Files, after: Files, allowed: Mapping[str, Collection[str]]) -> list[Change]:
    """Every change between two states of files that `allowed` does not cover, sorted by name."""
    found: list[Change] = []
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old != new:
            found += _unintended_in(path, old, new, frozenset(allowed[path]) if path in allowed else None)
    return sorted(found, key=str)


# The formats of a block often write equal files.
@remembered(8 << 20, lambda _path, old, new, _allowed: len(old or b"") + len(new or b"") + 1000)
def _unintended_in(
    path: str, old: bytes | None, new: bytes | None, allowed: frozenset[str] | None
) -> tuple[Change, ...]:  # fmt: skip
    """The changes of one file that are not allowed; `allowed` None: it may not change at all."""
    names = allowed or frozenset()
    changes = _in_file(path, old, new, names)
    if not changes and allowed is None and b"" in (old, new):
        # An empty file appeared or went: no symbol and no line shows it.
        kind = Kind.ADDED if old is None else Kind.REMOVED
        changes = [Change(path, MODULE if has_symbols(path) else lines.range_name(0, 0), kind)]
    unseen = (name for name in _byte_names(old, new) if name not in names)
    return (*changes, *(Change(path, name, Kind.BYTES) for name in unseen))


def byte_name(kind: FileKind) -> str:
    """What a change of bytes that no line shows is called among the symbols of its file: `<line endings>`."""
    return f"<{kind.value.replace('_', ' ')}>"


def _byte_names(old: bytes | None, new: bytes | None) -> list[str]:
    return [] if old is None or new is None else [byte_name(kind) for kind, _ in byte_changes(old, new)]


def _in_file(path: str, old: bytes | None, new: bytes | None, allowed: Collection[str]) -> list[Change]:
    kind = Kind.ADDED if old is None else Kind.REMOVED if new is None else None
    if has_symbols(path):
        changes = compare.unallowed(outline_of(path, old), outline_of(path, new), allowed)
        return [Change(path, c.name, kind or c.kind) for c in changes]
    names = lines.unintended_ranges(text_of(old), text_of(new), allowed)
    return [Change(path, name, kind or Kind.MODIFIED) for name in names]
