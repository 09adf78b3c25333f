"""The strict comparison of two texts by symbol, and the allowed list that a change set gives.

Strict means: every symbol added, removed or modified that is not allowed is named, and a change to
the import block is named unless every import binding it adds or removes is allowed. Excusing is a
separate, later step. Order of definitions is not compared yet.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from miner.symbols.model import IMPORTS, Outline, Segment, import_entries, is_container
from miner.symbols.python import outline


class Kind(StrEnum):
    """How a symbol differs between two texts."""

    REMOVED = "removed"
    MODIFIED = "modified"
    ADDED = "added"


@dataclass(frozen=True)
class SymbolChange:
    """One symbol that differs, or one import binding (then `name` is the canonical statement)."""

    name: str
    kind: Kind


def unintended_changes(before: str, after: str, allowed: Collection[str]) -> list[str]:
    """Every symbol added, removed or modified between two Python texts that is not in `allowed`, sorted."""
    return sorted(change.name for change in unallowed(outline(before), outline(after), allowed))


def unallowed(before: Outline, after: Outline, allowed: Collection[str]) -> list[SymbolChange]:
    """`unintended_changes` over outlines, with the kind of each change."""
    found = [c for c in _symbol_changes(before, after) if c.name not in allowed]
    if IMPORTS not in allowed and _imports_differ(before, after, allowed):
        found.append(SymbolChange(IMPORTS, Kind.MODIFIED))
    return found


def allowed_symbols(before: str, after: str) -> list[str]:
    """What the change from `before` to `after` may touch: its symbols and import entries, sorted."""
    old, new = outline(before), outline(after)
    names = {change.name for change in _symbol_changes(old, new)} | _changed_entries(old, new)
    if _imports_differ(old, new, names):
        names.add(IMPORTS)  # the change set itself reorders or reformats the block
    return sorted(names)


def _symbol_changes(before: Outline, after: Outline) -> Iterator[SymbolChange]:
    """Differences of every symbol but the import block."""
    respaced = _respaced(before, after)
    for name in dict.fromkeys((*before.names(), *after.names())):
        if name == IMPORTS:
            continue
        old, new = before.named(name), after.named(name)
        if not new:
            yield SymbolChange(name, Kind.REMOVED)
        elif not old:
            yield SymbolChange(name, Kind.ADDED)
        elif _cores(old) != _cores(new) or name in respaced:
            yield SymbolChange(name, Kind.MODIFIED)


def _cores(segments: tuple[Segment, ...]) -> list[tuple[tuple[str, ...], str]]:
    """What a symbol consists of, in order (of two same-named definitions the last one counts), and where."""
    return [(s.guard, s.core) for s in segments if s.core]


def _respaced(before: Outline, after: Outline) -> set[str]:
    """Symbols whose trailing blank lines changed although the same symbol follows before and after.

    Where another one follows, something was inserted or removed there, and that is what changed.
    """
    old, new = dict(_margins(before)), dict(_margins(after))
    return {key[0] for key, value in old.items() if key in new and value != new[key] and value[1] == new[key][1]}


def _margins(of: Outline) -> Iterator[tuple[tuple[str, str, int], tuple[str, tuple[str, str]]]]:
    seen: Counter[tuple[str, str]] = Counter()
    followers: list[Segment | None] = [*of.segments[1:], None]
    for segment, follower in zip(of.segments, followers, strict=False):  # an empty text has no segment
        key = (segment.name, segment.core)
        seen[key] += 1
        yield (*key, seen[key]), (segment.margin, _identity(follower))


def _identity(segment: Segment | None) -> tuple[str, str]:
    if segment is None:
        return ("", "")
    return (segment.name, segment.core if is_container(segment.name) else "")


def _changed_entries(before: Outline, after: Outline) -> set[str]:
    old, new = Counter(import_entries(before.segments)), Counter(import_entries(after.segments))
    return {*(old - new), *(new - old)}


def _imports_differ(before: Outline, after: Outline, allowed: Collection[str]) -> bool:
    """Whether the import block differs by more than the allowed import entries."""
    touched = _changed_entries(before, after)
    if not touched.issubset(allowed) or IMPORTS in _respaced(before, after):
        return True
    old, new = before.named(IMPORTS), after.named(IMPORTS)
    kept = [[(s.guard, e) for s in segments for e in s.entries if e not in touched] for segments in (old, new)]
    if kept[0] != kept[1]:
        return True
    return _untouched(old, new, touched) != _untouched(new, old, touched)


def _untouched(these: tuple[Segment, ...], others: tuple[Segment, ...], touched: set[str]) -> list[str]:
    """The texts of the import statements that an allowed entry has not made one with, here or there."""
    merged = {e for s in others if touched.intersection(s.entries) for e in s.entries} | touched
    return [s.core for s in these if not merged.intersection(s.entries)]
