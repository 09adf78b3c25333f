"""Symbols that were renamed or moved, recognised among those removed and those added by what they contain.

Texts are compared line by line without indentation and blank lines, with the symbol's own name masked. First
classes are paired, and what is inside them under the same name follows; then the rest. Among equals, what
stays in its file and in the symbol around it comes first. The two sides of a renamed file should be compared with
one another before: to this module every file is itself.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from miner.symbols.differences import Comparison, Kind
from miner.symbols.likeness import FEW, alike
from miner.symbols.match import core_of
from miner.symbols.model import BODY, Outline, Shape, Symbol, descendants

_Place = tuple[str, Symbol]


class MoveKind(StrEnum):
    """What became of a symbol. `MOVED`: to another file, or into or out of another symbol."""

    RENAMED = "renamed"
    MOVED = "moved"
    MOVED_AND_RENAMED = "moved_and_renamed"


@dataclass(frozen=True)
class Compared:
    """The two states of a file, and what differs between them."""

    before: Outline
    after: Outline
    found: Comparison


@dataclass(frozen=True)
class Move:
    """One symbol that goes by another name or stands elsewhere after. `alike`: how much of it stayed, 0.6 to 1.

    Names are qualified, without `.<body>` for classes. `removed` and `added` are the names of the changes that it
    accounts for: its own, and those of what is inside it and went along.
    """

    old_path: str
    old_name: str
    new_path: str
    new_name: str
    kind: MoveKind
    alike: float
    removed: tuple[str, ...]
    added: tuple[str, ...]


def moves(files: Mapping[str, Compared]) -> tuple[Move, ...]:
    """Every symbol that was renamed or moved, within a file or between files, in order of where it was."""
    run = _Run(files)
    for classes in (True, False):
        run.pair_equal(classes)
        run.pair_alike(classes)
    return tuple(run.result())


@dataclass(eq=False)
class _Side:
    """A removed or added symbol. `partner`: what it is on the other side."""

    path: str
    name: str
    symbol: Symbol
    parent: Symbol
    lines: tuple[bytes, ...]
    added: bool
    partner: "_Side | None" = None
    alike: float = 0.0

    @property
    def place(self) -> _Place:
        return self.path, self.symbol


class _Run:
    def __init__(self, files: Mapping[str, Compared]) -> None:
        # By path as well: files with the same text have the same symbols.
        self._olds, self._news = ({s.place: s for s in _sides(files, kind)} for kind in (Kind.REMOVED, Kind.ADDED))
        self._kept = {(path, new): (path, old) for path, file in files.items() for new, old in file.found.pairs.items()}

    def pair_equal(self, classes: bool) -> None:
        """Pair what contains the same: within the symbol around it, the file, under its name, and anywhere."""
        keys: tuple[Callable[[_Side], Hashable], ...] = (
            lambda s: (s.path, self._around(s)),
            lambda s: (s.path, s.symbol.base),
            lambda s: s.path,
            lambda s: s.symbol.base,
            lambda _: None,
        )
        for key in keys:
            groups: dict[Hashable, list[_Side]] = defaultdict(list)
            for new in self._free(self._news, classes):
                groups[key(new), new.symbol.shape, new.lines].append(new)
            waiting: dict[Hashable, list[_Side]] = defaultdict(list)
            for old in self._free(self._olds, classes):
                waiting[key(old), old.symbol.shape, old.lines].append(old)
            for kind, olds in waiting.items():
                news = groups.get(kind, [])
                # Of several short texts that are the same, none is more likely than the others.
                if len(olds[0].lines) >= FEW or len(olds) == len(news) == 1:
                    for old, new in zip(olds, news, strict=False):
                        self._pair(old, new, 1.0)

    def pair_alike(self, classes: bool) -> None:
        """Pair what is alike enough, the most alike first."""
        olds, news = list(self._free(self._olds, classes)), list(self._free(self._news, classes))
        found = [
            (-ratio, *self._apart(olds[o], news[n]), o, n)
            for o, n, ratio in alike([s.lines for s in olds], [s.lines for s in news])
            if olds[o].symbol.shape is news[n].symbol.shape
        ]
        for ratio, *_, o, n in sorted(found):
            if olds[o].partner is None and news[n].partner is None:
                self._pair(olds[o], news[n], -ratio)

    def result(self) -> Iterator[Move]:
        """The pairs but for those that only go along with what is around them."""
        for old in self._olds.values():
            new = old.partner
            if new is None or self._goes_along(old):
                continue
            _, moved, renamed = self._apart(old, new)
            kind = MoveKind.RENAMED if not moved else MoveKind.MOVED_AND_RENAMED if renamed else MoveKind.MOVED
            names = old.name.removesuffix(f".{BODY}"), new.name.removesuffix(f".{BODY}")
            removed, added = zip(*((o.name, n.name) for o, n in self._with_inside(old, new)), strict=True)
            yield Move(old.path, names[0], new.path, names[1], kind, old.alike, removed, added)

    def _with_inside(self, old: _Side, new: _Side) -> Iterator[tuple[_Side, _Side]]:
        yield old, new
        for child in old.symbol.children:
            side = self._olds.get((old.path, child))
            if side is not None and side.partner is not None and self._goes_along(side):
                yield from self._with_inside(side, side.partner)

    def _goes_along(self, old: _Side) -> bool:
        """Whether a pair has its name and place still, inside what was itself renamed or moved."""
        return old.partner is not None and not any(self._apart(old, old.partner)[1:])

    def _apart(self, old: _Side, new: _Side) -> tuple[bool, bool, bool]:
        """Whether a pair differs in file, in the symbol around it, in name."""
        return old.path != new.path, self._around(old) != self._around(new), old.symbol.base != new.symbol.base

    def _around(self, side: _Side) -> _Place:
        """The symbol around, as it was before where it was there."""
        place = side.path, side.parent
        if not side.added:
            return place
        if (new := self._news.get(place)) is not None and new.partner is not None:
            return new.partner.place
        return self._kept.get(place, place)

    def _free(self, sides: Mapping[_Place, _Side], classes: bool) -> Iterator[_Side]:
        return (s for s in sides.values() if s.partner is None and (s.symbol.shape is Shape.CLASS) is classes)

    def _pair(self, old: _Side, new: _Side, ratio: float) -> None:
        old.partner, new.partner, old.alike = new, old, ratio
        self._follow(old, new)

    def _follow(self, old: _Side, new: _Side) -> None:
        """Pair what is inside two symbols under the same names; what goes with them is no move of its own."""
        waiting: dict[str, list[_Side]] = defaultdict(list)
        for side in _inside(old, self._olds):
            waiting[side.symbol.base].append(side)
        for side in _inside(new, self._news):
            if waiting[side.symbol.base]:
                other = waiting[side.symbol.base].pop(0)
                self._pair(other, side, 1.0)


def _inside(side: _Side, sides: Mapping[_Place, _Side]) -> Iterator[_Side]:
    inside = (sides.get((side.path, child)) for child in side.symbol.children)
    return (s for s in inside if s is not None and s.partner is None)


def _sides(files: Mapping[str, Compared], kind: Kind) -> Iterator[_Side]:
    for path, file in sorted(files.items()):
        outline = file.before if kind is Kind.REMOVED else file.after
        symbols = {change.old or change.new: change.name for change in file.found.changes if change.kind is kind}
        for parent in descendants(outline.root) if symbols else ():
            for symbol in parent.children:
                if symbol in symbols:
                    yield _Side(path, symbols[symbol], symbol, parent, _lines(outline, symbol), kind is Kind.ADDED)


def _lines(outline: Outline, symbol: Symbol) -> tuple[bytes, ...]:
    base = re.escape(symbol.base.encode("utf-8", "surrogateescape"))
    text = re.sub(rb"(?<![\w$])" + base + rb"(?![\w$])", b"\0", core_of(outline, symbol))
    return tuple(line for line in map(bytes.strip, text.split(b"\n")) if line)
