"""Symbols of a text: a partition into segments, each owned by exactly one named symbol."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

IMPORTS = "<module imports>"
MODULE = "<module>"
BODY = "<body>"


@dataclass(frozen=True)
class Segment:
    """A contiguous run of a text that belongs to the symbol `name`.

    `start` and `end` are byte offsets; trailing blank lines belong to the segment before them.
    `entries` are the import bindings of an import statement, as canonical statements. `guard` is the
    kinds of the compound statements around it (`if`, `else`), so that a move between branches shows.
    """

    name: str
    start: int
    end: int
    text: str
    entries: tuple[str, ...] = ()
    guard: tuple[str, ...] = ()

    @cached_property
    def core(self) -> str:
        """The text without the line break and blank lines that separate it from the next segment."""
        solid = len(self.text.rstrip())
        line_end = self.text.find("\n", solid)
        return (self.text if line_end < 0 else self.text[:line_end]).rstrip("\r") if solid else ""

    @property
    def margin(self) -> str:
        """What `core` leaves out: the separating line break and blank lines."""
        return self.text[len(self.core) :]


@dataclass(frozen=True)
class Outline:
    """All segments of a text, in order: their texts joined are the text. `errors` counts syntax errors."""

    segments: tuple[Segment, ...]
    errors: int

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


def is_container(name: str) -> bool:
    """Whether a symbol is what is left of a file, class or import block once its named parts are taken."""
    return name in (IMPORTS, MODULE) or name.endswith(f".{BODY}")


def import_entries(segments: Iterable[Segment]) -> tuple[str, ...]:
    """The import bindings of `segments`, in order."""
    return tuple(entry for s in segments for entry in s.entries)
