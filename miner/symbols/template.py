"""A symbol's own text with its inner symbols as place holders: what is compared of it.

Two states of a symbol differ in their own lines, in where the inner symbols stand among them, or in the
white space between. An inner symbol that only one side has is left out: it is a change of its own, and
the blank lines beside it are no one's.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from miner.symbols.model import Outline, Symbol, core_end, own_or_child

_LINES = re.compile(rb"(?:[ \t\r\x0b\x0c]*\n)+|[^\n]*\n|[^\n]+")  # blank lines at once, or one line


@dataclass
class Unit:
    """A line of a symbol's own text, or the inner symbol `child`; and the line break and blank lines below.

    `loose`: an inner symbol that the other side lacks was left out below it.
    """

    line: bytes
    child: Symbol | None
    gap: bytes = b""
    loose: bool = False


def template(outline: Outline, symbol: Symbol, known: Mapping[Symbol, Symbol]) -> list[Unit]:
    """The units of `symbol`, after an empty one for what stands above the first.

    `known` gives the identity of every inner symbol that the other side has too.
    """
    units = [Unit(b"", None)]
    source = outline.source
    # White space below a symbol is compared where it stands: in what is around it. Nothing is around a file.
    limit = symbol.end if symbol is outline.root else core_end(source, symbol.start, symbol.end)
    for child, start, end in own_or_child(symbol, limit):
        if child is None:
            _add_lines(units, source[start:end])
        elif child in known:
            core = core_end(source, start, end)
            units.append(Unit(b"", known[child], source[core:end]))
        else:
            units[-1].loose = True
    return units


def _add_lines(units: list[Unit], text: bytes) -> None:
    for line in _LINES.findall(text):
        solid = line.rstrip(b"\r\n")
        if solid.strip():
            units.append(Unit(solid, None, line[len(solid) :]))
        else:
            units[-1].gap += line


def numbered(units: list[Unit]) -> dict[object, Unit]:
    """Units by what they are, in order; equal lines told apart by number."""
    seen: Counter[bytes] = Counter()
    found: dict[object, Unit] = {}
    for unit in units:
        if unit.child is None:
            seen[unit.line] += 1
            found[unit.line, seen[unit.line]] = unit
        else:
            found[unit.child] = unit
    return found
