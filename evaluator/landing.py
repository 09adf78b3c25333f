"""Where edits landed: outside the allowed symbols, though their anchors fit inside too (docs/taxonomy.md, R11)."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from evaluator.formats.model import Placement
from miner.symbols.files import Files, has_symbols, outline_of, text_of
from miner.symbols.lines import covers
from miner.text import split_lines

_Range = tuple[int, int]


def landed_elsewhere(placements: Sequence[Placement], before: Files, allowed: Mapping[str, Collection[str]]) -> bool:
    """Whether an edit landed outside the allowed symbols although its anchor also fits inside them.

    A place that another edit of the reply landed on is taken: it is no other place.
    """
    if not any(p.others for p in placements):
        return False
    grounds = {p.path: _Ground(p.path, before.get(p.path), frozenset(allowed.get(p.path, ()))) for p in placements}
    taken = {(p.path, p.chosen) for p in placements}
    return any(
        p.others
        and not grounds[p.path].touched(p.chosen)
        and any(grounds[p.path].touched(other) for other in p.others if (p.path, other) not in taken)
        for p in placements
    )


@dataclass(frozen=True)
class _Ground:
    """A file of the starting tree, and what of it may change."""

    path: str
    content: bytes | None
    names: frozenset[str]

    def touched(self, lines: _Range) -> bool:
        """Whether a range of lines (an empty one: an insertion) touches an allowed symbol or range."""
        if not has_symbols(self.path):
            return covers(self.names, *lines)
        first, last = (self._offsets[min(line, len(self._offsets) - 1)] for line in lines)
        # An insertion touches the symbols on both its sides.
        start, end = (first, last) if last > first else (first - 1, first + 1)
        at = bisect_left(self._ends, start + 1)  # the first allowed segment that ends behind the start
        return at < len(self._ends) and self._starts[at] < end

    @cached_property
    def _offsets(self) -> list[int]:
        """The bytes above every line, and in all."""
        sizes = (len(line.encode("utf-8", "surrogateescape")) for line in split_lines(text_of(self.content)))
        return list(accumulate(sizes, initial=0))

    @cached_property
    def _allowed(self) -> list[_Range]:
        """The bytes of the allowed symbols: their segments, in order."""
        return [
            (s.start, s.end) for s in outline_of(self.path, self.content).segments
            if s.name in self.names or any(entry in self.names for entry in s.entries)
        ]  # fmt: skip

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self._allowed]

    @cached_property
    def _ends(self) -> list[int]:
        return [end for _, end in self._allowed]
