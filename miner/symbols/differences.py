"""What differs between two outlines, symbol by symbol.

Nothing can hide: two states of a symbol are equal where their own lines, the order of what they share
and the white space between are, and each inner symbol in turn; whatever is not shared is named itself.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from miner.remembered import remembered
from miner.symbols.imports import Statements, statements, touched_entries
from miner.symbols.match import match_children
from miner.symbols.model import BODY, IMPORTS, Outline, Shape, Symbol, descendants, labelled
from miner.symbols.template import Unit, numbered, template


class Kind(StrEnum):
    """How a symbol differs between two texts.

    `REORDERED`: what it contains stands in another order. `BYTES`: of a file, what no line shows.
    """

    REMOVED = "removed"
    MODIFIED = "modified"
    ADDED = "added"
    REORDERED = "reordered"
    BYTES = "bytes"


@dataclass(frozen=True)
class SymbolChange:
    """One symbol that differs, with its state before and after where it has one.

    A symbol that is there before goes by its name there; an added one by its name after, told apart
    only from those that are there before.
    """

    name: str
    kind: Kind
    old: Symbol | None = field(default=None, compare=False, repr=False)
    new: Symbol | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Comparison:
    """What differs: symbols; the import statements of both sides, and whether these moved among the
    rest or the blank lines between them changed. `pairs` are the symbols that both sides have, by the new
    one; `added` the names of those that only the side after has."""

    changes: tuple[SymbolChange, ...]
    imports: tuple[Statements, Statements]
    imports_moved: bool
    imports_respaced: bool
    pairs: Mapping[Symbol, Symbol]
    added: Mapping[Symbol, str]


# The strict list, excusing, putting back and the words all ask for the same.
@remembered(4 << 20, lambda before, after: len(before.source) + len(after.source) + 2000)
def compare(before: Outline, after: Outline) -> Comparison:
    """Every symbol that differs between two outlines, each once."""
    run = _Run(before, after)
    run.pair(before.root, after.root)
    run.respace()
    imports = (statements(before), statements(after))
    changes = tuple(run.changes.values())
    # What one scope lost and the file as a whole did not went to another.
    moved = run.imports_moved or not run.entries.issubset(touched_entries(*imports))
    return Comparison(changes, imports, moved, run.imports_respaced, run.pairs, run.added)


class _Run:
    """One comparison, with the changes found so far by name."""

    def __init__(self, before: Outline, after: Outline) -> None:
        self._before, self._after = before, after
        self._taken = {symbol.scope for symbol in descendants(before.root)}
        self._respaced: list[tuple[Symbol, Symbol]] = []
        self.changes: dict[str, SymbolChange] = {}
        self.pairs: dict[Symbol, Symbol] = {after.root: before.root}
        self.added: dict[Symbol, str] = {}
        self.imports_moved = self.imports_respaced = False
        self.entries: set[str] = set()  # that some symbol has more or fewer of right inside it

    def pair(self, old: Symbol, new: Symbol) -> None:
        """Compare two states of one symbol, and what is inside it."""
        if self._before.source[old.start : old.end] == self._after.source[new.start : new.end]:
            return
        pairs = match_children(self._before, old, self._after, new)
        self.pairs.update(pairs)
        kept = {o: n for n, o in pairs.items()}
        self._own(old, new, kept)
        for child in old.children:
            if child not in kept:
                self._add(SymbolChange(s.name, Kind.REMOVED, s) for s in descendants(child))
        added = {symbol: name for name, symbol in _added(old, new, pairs, self._taken)}
        self.added.update(added)
        self._add(SymbolChange(name, Kind.ADDED, None, symbol) for symbol, name in added.items())
        for old_child, new_child in kept.items():
            if old_child.shape is not Shape.IMPORT:
                self.pair(old_child, new_child)

    def respace(self) -> None:
        """Blame white space below a symbol on the innermost one that ends there, if it is the same on both sides.

        Where it is not, something was added, removed or moved there, and that is what changed.
        """
        for old, new in self._respaced:
            old, new = _last_inside(old), _last_inside(new)
            if self.pairs.get(new) is old:
                if old.shape is Shape.IMPORT:
                    self.imports_respaced = True
                else:
                    self._add([SymbolChange(old.name, Kind.MODIFIED, old, new)])

    def _own(self, old: Symbol, new: Symbol, kept: Mapping[Symbol, Symbol]) -> None:
        units = numbered(template(self._before, old, {child: child for child in kept}))
        others = numbered(template(self._after, new, {n: o for o, n in kept.items()}))
        lines, other_lines = ([k for k, u in side.items() if u.child is None] for side in (units, others))
        rest, other_rest = ([k for k, u in side.items() if not _is_import(u)] for side in (units, others))
        mine, theirs = ([k for k, u in side.items() if _is_import(u)] for side in (units, others))
        if lines != other_lines:
            self._add([SymbolChange(old.name, Kind.MODIFIED, old, new)])
        elif rest != other_rest:
            self._add([SymbolChange(old.name, Kind.REORDERED, old, new)])
        elif list(units) != list(others):
            self.imports_moved = True
        if mine != theirs:
            self.imports_moved = True
        self.entries |= _entries(old, new) | _entries(new, old)
        for unit in _respaced(units, others):
            if unit.child is not None:
                self._respaced.append((unit.child, kept[unit.child]))
            else:
                self._add([SymbolChange(old.name, Kind.MODIFIED, old, new)])

    def _add(self, changes: Iterable[SymbolChange]) -> None:
        for change in changes:
            if change.name != IMPORTS:
                self.changes.setdefault(change.name, change)


def _is_import(unit: Unit) -> bool:
    return unit.child is not None and unit.child.shape is Shape.IMPORT


def _entries(symbol: Symbol, other: Symbol) -> set[str]:
    """The import bindings that `symbol` has right inside it, and more often than `other`."""
    mine, theirs = ([e for child in s.children for e in child.entries] for s in (symbol, other))
    return {*(Counter(mine) - Counter(theirs))} if mine != theirs else set()


def _last_inside(symbol: Symbol) -> Symbol:
    while symbol.children and symbol.children[-1].end == symbol.end:
        symbol = symbol.children[-1]
    return symbol


def _respaced(units: Mapping[object, Unit], others: Mapping[object, Unit]) -> Iterator[Unit]:
    """The units below which the white space differs although the same unit follows on both sides."""
    following = dict(zip(units, [*list(units)[1:], None], strict=True))
    others_following = dict(zip(others, [*list(others)[1:], None], strict=True))
    for key, unit in units.items():
        other = others.get(key)
        if other is None or other.gap == unit.gap or unit.loose or other.loose:
            continue
        if following[key] == others_following[key]:
            yield unit


def _added(old: Symbol, new: Symbol, pairs: Mapping[Symbol, Symbol], taken: set[str]) -> Iterator[tuple[str, Symbol]]:
    """The symbols inside `new` that `old` lacks, and what is inside them, each with the name it goes by.

    `taken` are the scopes before, which no added symbol may share: a change of the one would hide that of the other.
    """
    namesakes = Counter(child.base for child in old.children)
    for child in new.children:
        if child in pairs or child.shape is Shape.IMPORT:
            continue
        label = child.base
        if label in namesakes or f"{old.scope}{label}." in taken:
            label = _free(old.scope, child, namesakes[label] or 1, taken)
            taken.add(f"{old.scope}{label}.")
        yield from _all_added(child, old.scope + label, taken)


def _free(scope: str, symbol: Symbol, number: int, taken: set[str]) -> str:
    """The name for an added symbol among namesakes before: told apart from them, else the next number."""
    label = labelled(symbol.base, symbol.apart)
    while f"{scope}{label}." in taken:
        number += 1
        label = f"{symbol.base}#{number}"
    return label


def _all_added(symbol: Symbol, name: str, taken: set[str]) -> Iterator[tuple[str, Symbol]]:
    yield (f"{name}.{BODY}" if symbol.shape is Shape.CLASS else name), symbol
    for child in symbol.children:
        if child.shape is not Shape.IMPORT:
            label = child.base if f"{name}.{child.base}." not in taken else _free(f"{name}.", child, 1, taken)
            yield from _all_added(child, f"{name}.{label}", taken)
