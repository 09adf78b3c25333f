"""Two states of a file beside git's own diff of them: which lines differ, and which symbols these belong to.

Nothing here knows how symbols are compared; only the partition itself is taken from the extraction.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from miner.symbols.model import Outline, Symbol, descendants, own_or_child

Block = tuple[int, int]  # half-open, line indexes from 0
Owners = frozenset[Symbol]

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.M)
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_SOLID = re.compile(rb"\S+")


def blocks(diff: bytes) -> tuple[list[Block], list[Block]]:
    """The blocks of lines that a `git diff -U0` takes from the old file, and those it puts into the new one."""
    taken: list[Block] = []
    put: list[Block] = []
    for match in _HUNK.finditer(diff):
        for start, length, found in ((match[1], match[2], taken), (match[3], match[4], put)):
            size = 1 if length is None else int(length)
            if size:
                found.append((int(start) - 1, int(start) - 1 + size))
    return taken, put


def slides(lines: Sequence[bytes], found: Sequence[Block], index: int) -> list[Block]:
    """Where block `index` may stand as well, itself first: the rest of the file reads the same without it.

    A block slides while the line that leaves it at one end equals the one that enters at the other. What a
    hunk takes and what it puts slide each for itself, which splits a replacement.
    """
    start, end = found[index]
    floor = found[index - 1][1] if index else 0
    ceiling = found[index + 1][0] if index + 1 < len(found) else len(lines)
    result = [(start, end)]
    while start > floor and lines[start - 1] == lines[end - 1]:
        start, end = start - 1, end - 1
        result.append((start, end))
    start, end = found[index]
    while end < ceiling and lines[start] == lines[end]:
        start, end = start + 1, end + 1
        result.append((start, end))
    return result


def kept(count: int, found: Sequence[Block]) -> list[int]:
    """The lines of `count` that are in no block: the n-th of the old file is the n-th of the new one."""
    result: list[int] = []
    at = 0
    for start, end in (*found, (count, count)):
        result += range(at, start)
        at = end
    return result


@dataclass(frozen=True, eq=False)
class Side:
    """One state of a file."""

    outline: Outline

    @cached_property
    def lines(self) -> list[bytes]:
        """The file's lines as git splits them; the last one with a line end, whether it has one or not."""
        found = _LINE.findall(self.outline.source)
        return [*found[:-1], found[-1].removesuffix(b"\n") + b"\n"] if found else []

    @cached_property
    def owners(self) -> list[Owners]:
        """Per line, the symbols that its text belongs to; none for a blank line."""
        found, at, piece = [], 0, 0
        for line in self.lines:
            symbols = set()
            for solid in _SOLID.finditer(line):
                first, last = at + solid.start(), at + solid.end()
                while piece + 1 < len(self._pieces) and self._pieces[piece + 1][0] <= first:
                    piece += 1
                symbols.add(self._pieces[piece][1])
                # A run without blanks may hold the end of one symbol and the start of the next.
                while piece + 1 < len(self._pieces) and self._pieces[piece + 1][0] < last:
                    piece += 1
                    symbols.add(self._pieces[piece][1])
            found.append(frozenset(symbols))
            at += len(line)
        return found

    @cached_property
    def neighbours(self) -> list[tuple[Owners, Owners]]:
        """Per line, the symbols of the nearest lines above and below that are not blank; at the top, the file's."""
        top = frozenset({self.outline.root})
        above, below = _nearest(self.owners, top), _nearest(self.owners[::-1], Owners())[::-1]
        return list(zip(above, below, strict=True))

    @cached_property
    def touching(self) -> set[tuple[Symbol | None, Symbol | None]]:
        """The symbols of which one stands below the other with at most blank lines between; None: the file ends."""
        solid = [frozenset({self.outline.root}), *(owners for owners in self.owners if owners)]
        pairs = {(a, b) for above, below in pairwise(solid) for a in above for b in below}
        return pairs | {(s, None) for s in solid[-1]}

    @cached_property
    def parents(self) -> dict[Symbol, Symbol]:
        """The symbol around each symbol but the file."""
        return {child: parent for parent in descendants(self.outline.root) for child in parent.children}

    def own_lines(self, symbol: Symbol) -> list[bytes]:
        """The text of a symbol without the symbols inside it, blank lines and line ends."""
        pieces = [self.outline.source[a:b] for child, a, b in own_or_child(symbol, symbol.end) if child is None]
        return [line.rstrip(b"\r") for piece in pieces for line in piece.split(b"\n") if line.strip()]

    def path(self, symbol: Symbol) -> tuple[str, ...]:
        """The names of a symbol and those around it, without what tells them from their namesakes."""
        return (symbol.base, *(s.base for s in self.ancestors(symbol)))

    def ancestors(self, symbol: Symbol) -> Iterator[Symbol]:
        """The symbols around `symbol`, from inside out."""
        while (parent := self.parents.get(symbol)) is not None:
            yield parent
            symbol = parent

    @cached_property
    def _pieces(self) -> list[tuple[int, Symbol]]:
        return list(_pieces(self.outline.root)) or [(0, self.outline.root)]


def _pieces(symbol: Symbol) -> Iterator[tuple[int, Symbol]]:
    for child, start, _ in own_or_child(symbol, symbol.end):
        if child is None:
            yield start, symbol
        else:
            yield from _pieces(child)


def _nearest(own: Sequence[Owners], last: Owners) -> list[Owners]:
    """Per line, the symbols of the nearest line above it that is not blank, or at first `last`."""
    result: list[Owners] = []
    for symbols in own:
        result.append(last)
        last = symbols or last
    return result
