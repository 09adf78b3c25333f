"""What the comparison by symbol says about two states of a file, to be asked line by line."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from benchmarks.symbol_alignment import Block, Owners, Side, blocks, kept, slides
from miner.symbols.compare import unallowed
from miner.symbols.differences import Comparison, Kind, compare
from miner.symbols.model import IMPORTS, Outline, Shape, Symbol, descendants


@dataclass(frozen=True)
class Violation:
    """Something two comparisons disagree about; `lines` from 1, `-first,last` before and `+first,last` after."""

    check: str
    lines: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.check} {self.lines} {', '.join(self.names)}"


class Reported:
    """The symbols reported for two states of a file, and which symbol of one is which of the other."""

    def __init__(self, before: Outline, after: Outline) -> None:
        self.old, self.new = Side(before), Side(after)
        self._found = compare(before, after)
        self._imports = {change.name: change.kind for change in unallowed(before, after, ())}.get(IMPORTS)
        self._partner = _partners(before.root, after.root, self._found)
        self._reported = {s for change in self._found.changes for s in (change.old, change.new) if s is not None}
        self._reported |= {self._partner[s] for s in self._reported if s in self._partner}
        self._reported |= set(self._same_named())

    def outside(self, diff: bytes) -> tuple[list[Violation], set[Symbol]]:
        """The lines of a `git diff` whose symbols are not reported; and all symbols it shows a difference of.

        A symbol shows one as well where git keeps a line that belongs to another symbol before than
        after: a class got another name, or a comment was left behind by what stood below it.
        """
        taken, put = blocks(diff)
        pairs = zip(kept(len(self.old.lines), taken), kept(len(self.new.lines), put), strict=True)
        passed = [(i, j) for i, j in pairs if not self._same(self.old.owners[i], self.new.owners[j])]
        seen = {s for i, j in passed for s in self.old.owners[i] | self.new.owners[j]}
        # What stands around a symbol that left it or came into it has changed places with it.
        around = {a for side in (self.old, self.new) for s in seen for a in side.ancestors(s)}
        found, old_movable = self._outside_blocks("-", self.old, taken, around)
        also, new_movable = self._outside_blocks("+", self.new, put, around)
        found += also
        for side, lines in ((self.old, old_movable), (self.new, new_movable)):
            seen |= {s for i in lines for s in side.owners[i] or _both(side, i)}
        for i, j in passed:
            owners = (self.old.owners[i], self.new.owners[j])
            if i not in old_movable and j not in new_movable and not self._hand_over(*owners):
                found.append(Violation("owner", f"-{i + 1},{i + 1} +{j + 1},{j + 1}", _names(owners[0] | owners[1])))
        return found, seen

    def _outside_blocks(
        self, sign: str, side: Side, its_blocks: list[Block], around: set[Symbol]
    ) -> tuple[list[Violation], set[int]]:  # fmt: skip
        found: list[Violation] = []
        movable: set[int] = set()
        for index in range(len(its_blocks)):
            places = slides(side.lines, its_blocks, index)
            movable.update(line for start, end in places for line in range(start, end))
            missing = [[i for i in range(*place) if not self._covers_line(side, i, around)] for place in places]
            if all(missing):
                unnamed = {s for i in missing[0] for s in side.owners[i] or _both(side, i)}
                found.append(Violation("hunk", f"{sign}{places[0][0] + 1},{places[0][1]}", _names(unnamed)))
        return found, movable

    def unseen(self, seen: set[Symbol]) -> Iterator[Violation]:
        """The reported symbols that are not `seen` in any difference."""
        for change in self._found.changes:
            if change.kind is not Kind.REORDERED and not seen.intersection((change.old, change.new)):
                yield Violation("symbol", f"={change.kind.value}", (change.name,))
        if self._imports is Kind.MODIFIED and not any(s.shape is Shape.IMPORT for s in seen):
            yield Violation("symbol", "=modified", (IMPORTS,))

    def last_line(self) -> tuple[list[Violation], list[Symbol]]:
        """The line end of the last line: if it came or went in one and the same symbol, that is to be reported.

        Git is shown both states with a line end there, or an addition at the end would touch the line above.
        """
        ends = [side.outline.source.endswith(b"\n") for side in (self.old, self.new)]
        old, new = (next((o for o in reversed(side.owners) if o), Owners()) for side in (self.old, self.new))
        if ends[0] == ends[1] or not old or not new or not self._same(old, new):
            return [], []
        found = [] if any(self._covers(self.old, symbol) for symbol in old) else [Violation("hunk", "end", _names(old))]
        return found, [*old, *new]

    def _covers_line(self, side: Side, index: int, around: set[Symbol]) -> bool:
        """Whether a difference in a line is reported.

        Blank lines between two symbols separate them and count as either one's. If something else stands
        between the two on the other side, that is what changed: a definition added at the end of a
        file takes a separation with it that by extent belongs to the symbol above, which nobody reports.
        """
        if side.owners[index]:
            return any(self._covers(side, symbol, around) for symbol in side.owners[index])
        above, below = side.neighbours[index]
        if any(self._covers(side, symbol, around) for symbol in above | below):
            return True
        other = self.new if side is self.old else self.old
        pairs = {(a, b) for a in above for b in (below or {None})}
        return not any((self._partner.get(a), b and self._partner.get(b)) in other.touching for a, b in pairs)

    def _covers(self, side: Side, symbol: Symbol, around: Collection[Symbol] = ()) -> bool:
        """Whether a symbol is reported, or only changed places: in a container that is, or with what it contained."""
        if symbol in self._reported or (symbol.shape is Shape.IMPORT and self._imports is not None):
            return True
        partner = self._partner.get(symbol)
        other = self.new if side is self.old else self.old
        if partner is None or side.own_lines(symbol) != other.own_lines(partner):
            return False
        if symbol in around or partner in around or self._imports is not None:
            return True
        return any(s in self._reported for s in side.ancestors(symbol))

    def _same(self, olds: Owners, news: Owners) -> bool:
        """Whether two lines belong to the same symbol, or both to imports, or are both blank."""
        if not olds or not news:
            return True
        imports = [any(s.shape is Shape.IMPORT for s in owners) for owners in (olds, news)]
        return all(imports) or any(self._partner.get(s) in olds for s in news)

    def _hand_over(self, olds: Owners, news: Owners) -> bool:
        return any(self._covers(self.old, s) for s in olds) and any(self._covers(self.new, s) for s in news)

    def _same_named(self) -> Iterator[Symbol]:
        """Added symbols that share one reported name, of which the report keeps one."""
        added = [change.new for change in self._found.changes if change.kind is Kind.ADDED]
        paths = {self.new.path(symbol) for symbol in added if symbol is not None}
        for symbol in descendants(self.new.outline.root):
            if symbol not in self._partner and self.new.path(symbol) in paths:
                yield symbol


def _both(side: Side, index: int) -> Owners:
    above, below = side.neighbours[index]
    return above | below


def _names(symbols: Iterable[Symbol]) -> tuple[str, ...]:
    return tuple(sorted({symbol.name for symbol in symbols}))


def _partners(old: Symbol, new: Symbol, found: Comparison) -> dict[Symbol, Symbol]:
    """Both directions of `pairs`, and those inside symbols of the same bytes, which `pairs` leaves out."""
    partner: dict[Symbol, Symbol] = {old: new, new: old}
    work = [(old, new)]
    while work:
        old, new = work.pop()
        inside = [(found.pairs[child], child) for child in new.children if child in found.pairs]
        if not inside and len(old.children) == len(new.children):
            inside = [(o, n) for o, n in zip(old.children, new.children, strict=True) if o.base == n.base]
        for o, n in inside:
            partner[o], partner[n] = n, o
        work += inside
    return partner
