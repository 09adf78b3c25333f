"""Undoing by symbol: the text after with every change undone that is not allowed."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from miner.symbols.compare import unallowed
from miner.symbols.differences import compare
from miner.symbols.imports import added_entries
from miner.symbols.model import IMPORTS, Outline, Shape, Symbol, descendants, own_or_child

_Piece = tuple[Symbol | None, bytes]  # the symbol, as it was before where it was there; None: own text


def restore(before: Outline, after: Outline, allowed: Collection[str]) -> bytes:
    """`after` with its symbols as in `before` but for the allowed ones.

    What is put back goes below what it stood below. Where statements around symbols come or go, the
    result can be no valid file: the caller checks it.
    """
    return _Restore(before, after, allowed).render(before.root, after.root)


class _Restore:
    def __init__(self, before: Outline, after: Outline, allowed: Collection[str]) -> None:
        self._before, self._after, self._allowed = before, after, allowed
        self._found = compare(before, after)
        self._undone = {change.name for change in unallowed(before, after, allowed)}

    def render(self, old: Symbol, new: Symbol) -> bytes:
        """One symbol that both sides have, with what is inside it."""
        if self._of_before(old) == self._of_after(new):
            return self._of_after(new)
        if old.name in self._undone:
            pieces = list(self._old_pieces(old))
            missing: list[_Piece] = [(child, self._added(child)) for child in new.children if self._stays(child)]
            order: Sequence[Symbol] = [self._found.pairs.get(child, child) for child in new.children]
        else:
            pieces = list(self._new_pieces(new))
            there = {symbol for symbol, _ in pieces}
            missing = [(c, self._of_before(c)) for c in old.children if c not in there and self._comes_back(c)]
            order = old.children
        for piece in missing:
            _insert(piece, order, pieces, self._moved_away(pieces))
        self._space(pieces, old.children)
        if IMPORTS in self._undone and old is self._before.root:
            self._add_entries(pieces)
        return b"".join(text for _, text in pieces)

    def _moved_away(self, pieces: list[_Piece]) -> set[Symbol]:
        """Symbols whose blank lines below are not as before: something else was put there."""
        old = set(self._found.pairs.values())
        there = ((symbol, text) for symbol, text in pieces if symbol is not None and symbol in old)
        return {s for s, text in there if (was := self._of_before(s)) != text and was.rstrip() == text.rstrip()}

    def _space(self, pieces: list[_Piece], was: Sequence[Symbol]) -> None:
        """Between symbols that follow each other again as they did before, the blank lines are as before."""
        followed = set(pairwise(was))
        for n, ((symbol, text), (below, _)) in enumerate(pairwise(pieces)):
            if symbol is not None and (symbol, below) in followed and text:
                before = self._of_before(symbol)
                if before.rstrip() == text.rstrip():
                    pieces[n] = symbol, before

    def _old_pieces(self, old: Symbol) -> Iterator[_Piece]:
        partners = {o: n for n, o in self._found.pairs.items()}
        for child, start, end in own_or_child(old, old.end):
            if child is None:
                yield None, self._before.source[start:end]
            elif child in partners and not self._undone_import(child):
                was, text = self._of_before(child), self.render(child, partners[child])
                # In its old place it has the blank lines below that it had there.
                yield child, was if was.rstrip() == text.rstrip() else text
            elif self._comes_back(child):
                yield child, self._of_before(child)

    def _new_pieces(self, new: Symbol) -> Iterator[_Piece]:
        for child, start, end in own_or_child(new, new.end):
            if child is None:
                yield None, self._after.source[start:end]
            elif child.shape is Shape.IMPORT:
                if not self._undone_import(child) or self._after.source[start : start + 1].isspace():
                    yield self._found.pairs.get(child, child), self._of_after(child)
                else:
                    yield child, b""  # the place for those that come back, and for new ones
            elif child in self._found.pairs:
                yield self._found.pairs[child], self.render(self._found.pairs[child], child)
            elif self._stays(child):
                yield child, self._added(child)

    def _undone_import(self, child: Symbol) -> bool:
        return child.shape is Shape.IMPORT and IMPORTS in self._undone

    def _comes_back(self, child: Symbol) -> bool:
        """Whether what is not there any more is put back."""
        if child.shape is not Shape.IMPORT:
            return child.name in self._undone
        if IMPORTS not in self._undone:
            return False
        kept = {entry for s in descendants(self._after.root) for entry in s.entries}
        return not child.entries or any(e in kept or e not in self._allowed for e in child.entries)

    def _stays(self, child: Symbol) -> bool:
        """Whether what was not there before is kept."""
        if child in self._found.pairs:
            return False
        if child.shape is Shape.IMPORT:
            return IMPORTS not in self._undone
        return self._found.added.get(child) not in self._undone

    def _added(self, symbol: Symbol) -> bytes:
        """An added symbol without what is undone inside it."""
        parts = (
            self._after.source[start:end] if child is None or child.shape is Shape.IMPORT
            else self._added(child) if self._stays(child) else b""
            for child, start, end in own_or_child(symbol, symbol.end)
        )
        return b"".join(parts)

    def _add_entries(self, pieces: list[_Piece]) -> None:
        """The allowed new import bindings as statements of their own, below the last import statement."""
        wanted = added_entries(*self._found.imports).intersection(self._allowed)
        new = [entry for entry in _in_order(self._after) if entry in wanted]
        places = [
            n for n, (symbol, text) in enumerate(pieces)
            if symbol is not None and symbol.shape is Shape.IMPORT and not text[:1].isspace()
        ]  # fmt: skip
        written = [n for n in places if pieces[n][1]]
        place = written[-1] if written else places[-1] if places else None
        samples = [self._of_after(s) for s in descendants(self._after.root) if s.shape is Shape.IMPORT]
        end = b";" if any(sample.rstrip().endswith(b";") for sample in samples) else b""
        text = b"".join(entry.encode("utf-8", "surrogateescape") + end + b"\n" for entry in new)
        if place is None:
            pieces.insert(0, (None, text))
            return
        symbol, above = pieces[place]
        margin = above[len(above.rstrip()) :] or b"\n"
        below = text + (b"\n" if text else b"")
        pieces[place] = (symbol, above.rstrip() + b"\n" + text + margin[1:] if above else below)

    def _of_before(self, symbol: Symbol) -> bytes:
        return self._before.source[symbol.start : symbol.end]

    def _of_after(self, symbol: Symbol) -> bytes:
        return self._after.source[symbol.start : symbol.end]


def _in_order(outline: Outline) -> Iterable[str]:
    """The import entries of a file's own, not those inside its symbols."""
    return dict.fromkeys(entry for s in outline.root.children for entry in s.entries)


def _insert(piece: _Piece, order: Sequence[Symbol], pieces: list[_Piece], moved_away: Collection[Symbol]) -> None:
    """Put a piece below the nearest symbol above it in `order` that is there, else above the first symbol.

    Where that symbol moved away from what stood below it, above the nearest symbol below.
    """
    symbol, text = piece
    places = {there: n for n, (there, _) in enumerate(pieces) if there is not None}
    at = next(n for n, s in enumerate(order) if s is symbol)
    above = next((s for s in reversed(order[:at]) if s in places), None)
    below = next((s for s in order[at + 1 :] if s in places), None)
    if above is None:
        place = min(places.values(), default=len(pieces))
    elif above in moved_away and below is not None and places[below] > places[above]:
        place = places[below]
    else:
        place = places[above] + 1
    if place and not pieces[place - 1][1].endswith(b"\n"):
        pieces[place - 1] = (pieces[place - 1][0], pieces[place - 1][1] + b"\n")
    pieces.insert(place, (symbol, text))
