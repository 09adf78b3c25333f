"""What the comparison by symbol says about two states of a file, to be asked line by line."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.symbol_alignment import Block, Owners, Side, blocks, kept, slides
from miner.symbols.compare import unallowed
from miner.symbols.differences import Comparison, Kind
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

    def __init__(self, before: Outline, after: Outline, found: Comparison) -> None:
        self.old, self.new = Side(before), Side(after)
        self._found = found
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
        found: list[Violation] = []
        seen: set[Symbol] = set()
        movable: tuple[set[int], set[int]] = (set(), set())
        changed = blocks(diff)
        commas = self._separated(changed)
        for sign, side, its_blocks, its_movable in zip("-+", (self.old, self.new), changed, movable, strict=True):
            covered = commas[side is self.new]
            for index in range(len(its_blocks)):
                places = slides(side.lines, its_blocks, index)
                its_movable.update(line for place in places for line in range(*place))
                missing = [
                    [n for n in range(*place) if side.lines[n] not in covered and not self._covers_line(side, n)]
                    for place in places
                ]
                if all(missing):
                    unnamed = {s for line in missing[0] for s in side.owners[line] or _both(side, line)}
                    found.append(Violation("hunk", f"{sign}{places[0][0] + 1},{places[0][1]}", _names(unnamed)))
            seen |= {s for line in its_movable for s in side.owners[line] or _both(side, line)}
        pairs = zip(kept(len(self.old.lines), changed[0]), kept(len(self.new.lines), changed[1]), strict=True)
        for i, j in pairs:
            olds, news = self.old.owners[i], self.new.owners[j]
            if not self._same(olds, news):
                seen |= olds | news
                if i not in movable[0] and j not in movable[1] and not self._hand_over(olds, news):
                    found.append(Violation("owner", f"-{i + 1},{i + 1} +{j + 1},{j + 1}", _names(olds | news)))
        return found, seen

    def _separated(self, changed: tuple[Sequence[Block], Sequence[Block]]) -> tuple[set[bytes], set[bytes]]:
        """The changed lines of both sides that differ by a comma at their end from one of the other side.

        A comma separates two members as blank lines do: it comes and goes with the one that follows.
        """
        sides = zip((self.old, self.new), changed, strict=True)
        lines = [{side.lines[n] for block in found for n in range(*block)} for side, found in sides]
        with_comma, without = ([{line for line in found if (line.rstrip()[-1:] == b",") is ends} for found in lines]
                               for ends in (True, False))
        bare = [{line.rstrip().removesuffix(b",") for line in found} for found in with_comma]
        plain = [{line.rstrip() for line in found} for found in without]
        alike = (bare[0] & plain[1]) | (plain[0] & bare[1])
        old, new = ({line for line in found if line.rstrip().removesuffix(b",") in alike} for found in lines)
        for mine, others, into in ((with_comma[0], lines[1], old), (with_comma[1], lines[0], new)):
            # What stood behind the comma went to a line of its own, or came from one.
            into |= {line for line in mine if any(other.startswith(line.rstrip()) for other in others)}
        return old, new

    def rest_agrees(self) -> bool:
        """Whether the lines of symbols that are not reported read the same on both sides, symbol by symbol.

        Only then is there an alignment, of all that there are, that touches no line of those; git looks for
        a short one, and among closing brackets finds one that touches others. Blank lines between two of
        these lines are part of them unless something else stands there on one side.
        """
        olds, news = self._rest(self.old), self._rest(self.new)
        if len(olds) != len(news):
            return False
        last = (-1, -1)
        for i, j in zip([*olds, len(self.old.lines)], [*news, len(self.new.lines)], strict=True):
            gaps = self.old.lines[last[0] + 1 : i], self.new.lines[last[1] + 1 : j]
            if gaps[0] != gaps[1] and not any(line.strip() for gap in gaps for line in gap):
                return False
            last = (i, j)
        pairs = [(self.old.lines[i], self.new.lines[j], self.old.owners[i], self.new.owners[j])
                 for i, j in zip(olds, news, strict=True)]  # fmt: skip
        return all(before == after and self._same(owners, others) for before, after, owners, others in pairs)

    def _rest(self, side: Side) -> list[int]:
        return [i for i, owners in enumerate(side.owners) if owners and not self._covers_line(side, i)]

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

    def _covers_line(self, side: Side, index: int) -> bool:
        """Whether a difference in a line is reported.

        Blank lines between two symbols separate them and count as either one's. If something else stands
        between the two on the other side, that is what changed: a definition added at the end of a
        file takes a separation with it that by extent belongs to the symbol above, which nobody reports.
        """
        if side.owners[index]:
            return any(self._covers(side, symbol) for symbol in side.owners[index])
        above, below = side.neighbours[index]
        if any(self._covers(side, symbol) for symbol in above | below):
            return True
        other = self.new if side is self.old else self.old
        pairs = {(a, b) for a in above for b in (below or {None})}
        return not any((self._partner.get(a), b and self._partner.get(b)) in other.touching for a, b in pairs)

    def _covers(self, side: Side, symbol: Symbol) -> bool:
        """Whether a symbol is reported, or only changed places in a container that is."""
        if symbol in self._reported or (symbol.shape is Shape.IMPORT and self._imports is not None):
            return True
        partner = self._partner.get(symbol)
        other = self.new if side is self.old else self.old
        if partner is None or side.own_lines(symbol) != other.own_lines(partner):
            return False
        return self._imports is not None or any(s in self._reported for s in side.ancestors(symbol))

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
