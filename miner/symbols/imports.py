"""Comparison of import blocks by their bindings, so that allowing one binding frees no other."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from miner.symbols.match import core_of
from miner.symbols.model import Outline, Shape, descendants

_PART = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Statement:
    """One import statement: its text without the blank lines below, and its bindings."""

    text: str
    entries: tuple[str, ...]


Statements = tuple[Statement, ...]


def statements(outline: Outline) -> Statements:
    """The import statements of a file, in order."""
    return tuple(
        Statement(core_of(outline, s).decode("utf-8", "surrogateescape"), s.entries)
        for s in descendants(outline.root) if s.shape is Shape.IMPORT
    )  # fmt: skip


def touched_entries(before: Statements, after: Statements) -> set[str]:
    """The bindings that only one side has, or has more often."""
    if before == after:  # as of most replies
        return set()
    old, new = (Counter(entry for s in side for entry in s.entries) for side in (before, after))
    return {*(old - new), *(new - old)}


def added_entries(before: Statements, after: Statements) -> set[str]:
    """The bindings that the text after has more often."""
    old, new = (Counter(entry for s in side for entry in s.entries) for side in (before, after))
    return {*(new - old)}


def modified(before: Statements, after: Statements, allowed: Collection[str]) -> bool:
    """Whether import statements differ by more than bindings in `allowed` and the order of the rest."""
    if before == after:
        return False
    touched = touched_entries(before, after)
    if not touched.issubset(allowed):
        return True
    if Counter(_untouched(before, after, touched)) != Counter(_untouched(after, before, touched)):
        return True
    return _rewritten(before, after, touched)


def reordered(before: Statements, after: Statements) -> bool:
    """Whether the bindings that both sides have come in another order."""
    if before == after:
        return False
    touched = touched_entries(before, after)
    old, new = ([e for s in side for e in s.entries if e not in touched] for side in (before, after))
    return old != new


def only_reordered(before: Statements, after: Statements) -> bool:
    """Whether both sides have the same bindings and words, in another order."""
    old, new = (Counter(word for s in side for word in _PART.findall(s.text)) for side in (before, after))
    return not touched_entries(before, after) and reordered(before, after) and old == new


def _merged(these: Statements, others: Statements, touched: set[str]) -> set[str]:
    """The bindings of statements that a touched binding has made one with, on either side."""
    return {e for s in (*these, *others) if touched.intersection(s.entries) for e in s.entries} | touched


def _untouched(these: Statements, others: Statements, touched: set[str]) -> list[str]:
    merged = _merged(these, others, touched)
    return [s.text for s in these if not merged.intersection(s.entries)]


def _rewritten(before: Statements, after: Statements, touched: set[str]) -> bool:
    """Whether the statements around touched bindings differ by words that are no part of those: comments."""
    merged = _merged(before, after, touched)
    old, new = (
        Counter(word for s in side if merged.intersection(s.entries) for word in _WORD.findall(s.text))
        for side in (before, after)
    )
    free = {word for entry in touched for word in _WORD.findall(entry)}
    return not free.issuperset({*(old - new), *(new - old)})
