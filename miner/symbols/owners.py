"""Which symbol a place in a file belongs to."""

from bisect import bisect_right
from collections.abc import Collection

from miner.symbols.model import Outline, Symbol, pieces


class Owners:
    """The partition of a file, for looking up; `wanted` are the symbols that matter."""

    def __init__(self, outline: Outline, wanted: Collection[Symbol]) -> None:
        self._pieces = list(pieces(outline.root))
        self._starts = [start for _, start, _ in self._pieces]
        mine = [(start, end) for symbol, start, end in self._pieces if symbol in wanted]
        self._mine_starts, self._mine_ends = [start for start, _ in mine], [end for _, end in mine]

    def at(self, place: int) -> Symbol:
        """The innermost symbol around the byte at `place` of a file that is not empty."""
        return self._pieces[bisect_right(self._starts, place) - 1][0]

    def wants(self, start: int, end: int) -> bool:
        """Whether a byte of `start` to `end`, or the one at `start`, belongs to a wanted symbol."""
        at = bisect_right(self._mine_ends, start)
        return at < len(self._mine_starts) and self._mine_starts[at] < max(end, start + 1)
