"""Symbols of a file: a tree of named extents, and the partition of the file's bytes that it gives.

Every byte belongs to the innermost symbol around it. What is left of a file or class once its named
parts are taken belongs to `<module>` or `Class.<body>`; import statements to `<module imports>`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

IMPORTS = "<module imports>"
MODULE = "<module>"
BODY = "<body>"


class Shape(Enum):
    """What a node of a syntax tree is to the partition."""

    FUNCTION = "function"  # a symbol; definitions inside it are found, its statements are its own
    CLASS = "class"  # a symbol whose members are symbols; what is left of it is its `<body>`
    VALUE = "value"  # a constant or field; inside functions only where its value is a function
    IMPORT = "import"  # a statement of `<module imports>`
    WRAP = "wrap"  # belongs to the one definition inside it: decorators, `export`, `template <...>`
    OPEN = "open"  # is looked into: blocks, `if`, `try`, preprocessor conditionals


@dataclass(slots=True, eq=False)  # not frozen, which would take longer than parsing does
class Symbol:
    """One symbol and the symbols inside it, as byte offsets into its file.

    `base` is what it is called where it stands, and `label` that name told apart from its siblings';
    `name` is the qualified name that its own bytes go by. Trailing blank lines belong to it.
    """

    base: str
    label: str
    apart: str
    name: str
    scope: str
    shape: Shape
    start: int
    end: int
    entries: tuple[str, ...]
    children: tuple["Symbol", ...]


@dataclass(frozen=True)
class Segment:
    """A contiguous run of a file that belongs to the symbol `name`."""

    name: str
    start: int
    end: int
    text: str
    entries: tuple[str, ...] = ()
    shape: Shape = Shape.CLASS

    @property
    def core(self) -> str:
        """The text without the line break and blank lines that separate it from the next segment."""
        source = self.text.encode("utf-8", "surrogateescape")
        return source[: core_end(source, 0, len(source))].decode("utf-8", "surrogateescape")


@dataclass(frozen=True, eq=False)
class Outline:
    """The symbols of a file. `errors` counts syntax errors (ERROR and MISSING nodes)."""

    source: bytes
    root: Symbol
    errors: int

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The partition in order of position: the texts joined are the file."""
        return tuple(
            Segment(s.name, start, end, self._text(start, end), s.entries, s.shape)
            for s, start, end in pieces(self.root)
        )

    @cached_property
    def by_name(self) -> dict[str, tuple[Segment, ...]]:
        """The segments of every symbol, symbols in order of first appearance."""
        found: dict[str, list[Segment]] = {}
        for segment in self.segments:
            found.setdefault(segment.name, []).append(segment)
        return {name: tuple(segments) for name, segments in found.items()}

    def named(self, name: str) -> tuple[Segment, ...]:
        """The segments that belong to the symbol `name`."""
        return self.by_name.get(name, ())

    def names(self) -> tuple[str, ...]:
        """The symbols, each once, in order of first appearance."""
        return tuple(self.by_name)

    def _text(self, start: int, end: int) -> str:
        return self.source[start:end].decode("utf-8", "surrogateescape")


def pieces(symbol: Symbol) -> Iterator[tuple[Symbol, int, int]]:
    """The byte ranges of `symbol` in order of position, each with the innermost symbol that it belongs to."""
    for child, start, end in own_or_child(symbol, symbol.end):
        if child is None:
            yield symbol, start, end
        else:
            yield from pieces(child)


def own_or_child(symbol: Symbol, limit: int) -> Iterator[tuple[Symbol | None, int, int]]:
    """The byte ranges of `symbol` up to `limit`: its own (None) and those of the symbols right inside it."""
    at = symbol.start
    for child in symbol.children:
        if child.start > at:
            yield None, at, child.start
        yield child, child.start, min(child.end, limit)
        at = child.end
    if limit > at:
        yield None, at, limit


def descendants(symbol: Symbol) -> Iterator[Symbol]:
    """`symbol` and every symbol inside it, in order of position."""
    yield symbol
    for child in symbol.children:
        yield from descendants(child)


def labelled(base: str, apart: str) -> str:
    """A name together with what tells it from its namesakes."""
    return f"{base}({apart})" if apart else base


def core_end(source: bytes, start: int, end: int) -> int:
    """Where `source[start:end]` ends without the line break and blank lines at its end.

    A comma that separates it from the next belongs to these: it comes and goes with what follows.
    """
    solid = start + len(source[start:end].rstrip())
    if solid == start:
        return start
    if source[solid - 1 : solid] == b"," and solid - 1 > start:
        return solid - 1
    line_end = source.find(b"\n", solid, end)
    if line_end < 0:
        return end
    return solid + len(source[solid:line_end].rstrip(b"\r"))


def is_container(name: str) -> bool:
    """Whether a symbol is what is left of a file, class or import block once its named parts are taken."""
    return name in (IMPORTS, MODULE) or name.endswith(f".{BODY}")
