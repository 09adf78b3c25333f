"""Which lines of an attempt's diff are allowed, excused or unintended, by the symbol that each belongs to. Pure."""

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from evaluator.running.diff import tree_diff
from miner.symbols.differences import compare
from miner.symbols.files import Files, has_symbols, outline_of
from miner.symbols.model import BODY, IMPORTS, MODULE, Outline, Shape, Symbol
from miner.symbols.owners import Owners

_HUNK = re.compile(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@")
_RANGE = re.compile(r"<lines (?:(\d+)-(\d+)|after (\d+))>")


class MarkKind(StrEnum):
    """What a changed line is to the verdict."""

    ALLOWED = "allowed"
    EXCUSED = "excused"
    UNINTENDED = "unintended"


@dataclass(frozen=True)
class Mark:
    """Lines `first` to `last` of a diff's text, from 1, that belong to one symbol (`path::Name`)."""

    first: int
    last: int
    kind: MarkKind
    symbol: str


@dataclass(frozen=True)
class _Line:
    """A removed or added line of one file's diff: `number` in the diff, `at` on its own side, both from 1.

    Of an added one, `above` is the line before that it follows, `replaced` the one that it stands for (0: none).
    """

    number: int
    sign: str
    at: int
    blank: bool
    above: int = 0
    replaced: int = 0


def marks(before: Files, changed: Files, unintended: Collection[str], excused: Collection[str]) -> list[Mark]:
    """The marks of `tree_diff(before, changed)`; context lines and headers have none.

    `unintended` is the strict list of an attempt's line and `excused` the part of it that is, both as `path::Name`.
    What neither names is allowed: everything was compared, so nobody minds it.
    """
    found: list[Mark] = []
    offset, named = 0, {*unintended, *excused}
    for path in sorted(changed):
        old, new = before.get(path), changed[path]
        if old == new:
            continue
        text = tree_diff({path: old}, {path: new})
        owner = _Symbols(outline_of(path, old), outline_of(path, new)) if has_symbols(path) else _Ranges(path, named)
        for line, name in _named(list(_changed_lines(text.split("\n"))), owner):
            symbol = f"{path}::{name}"
            listed = MarkKind.UNINTENDED if symbol in named else MarkKind.ALLOWED
            kind = MarkKind.EXCUSED if symbol in excused else listed
            _add(found, Mark(offset + line.number, offset + line.number, kind, symbol))
        offset += text.count("\n")
    return found


def dumped(found: Sequence[Mark]) -> str:
    """Marks as a transcript keeps them: JSON, `[[first, last, kind, symbol], ...]`; nothing for none."""
    return json.dumps([[m.first, m.last, m.kind.value, m.symbol] for m in found]) if found else ""


def loaded(text: str) -> list[Mark]:
    """What was dumped; raises `ValueError` where it is something else."""
    try:
        return [Mark(int(a), int(b), MarkKind(kind), str(symbol)) for a, b, kind, symbol in json.loads(text or "[]")]
    except TypeError as error:
        raise ValueError(str(error)) from None


def _add(found: list[Mark], mark: Mark) -> None:
    last = found[-1] if found else None
    if last and last.last + 1 == mark.first and (last.kind, last.symbol) == (mark.kind, mark.symbol):
        found[-1] = Mark(last.first, mark.last, mark.kind, mark.symbol)
    else:
        found.append(mark)


def _named(lines: Sequence[_Line], owner: "_Symbols | _Ranges") -> Iterator[tuple[_Line, str]]:
    """Every line with what it belongs to; a blank one above others that came or went is theirs."""
    names = [owner.of(line) for line in lines]
    for n in range(len(lines) - 2, -1, -1):
        line, below = lines[n], lines[n + 1]
        if line.blank and (below.sign, below.number) == (line.sign, line.number + 1):
            names[n] = names[n + 1]
    return zip(lines, names, strict=True)


def _changed_lines(lines: Sequence[str]) -> Iterator[_Line]:
    """The changed lines of one file's diff, which `tree_diff` wrote: removed ones stand above what replaces them."""
    old = new = olds = news = 0
    removed: list[int] = []
    for number, line in enumerate(lines, 1):
        if olds == news == 0:
            if hunk := _HUNK.match(line):
                old, olds, new, news = (int(part) for part in hunk.groups())
                old, new = old + (not olds), new + (not news)  # of an empty side the line above is named
                removed = []
        elif line.startswith("-"):
            yield _Line(number, "-", old, not line[1:].strip())
            removed.append(old)
            old, olds = old + 1, olds - 1
        elif line.startswith("+"):
            replaced = removed.pop(0) if len(removed) > 1 else sum(removed)  # the last stands for the rest
            yield _Line(number, "+", new, not line[1:].strip(), old - 1, replaced)
            new, news = new + 1, news - 1
        elif line.startswith(" "):
            old, olds, new, news, removed = old + 1, olds - 1, new + 1, news - 1, []


class _Symbols:
    """A file with symbols: a line is its innermost symbol's that differs, or of one around it that does."""

    def __init__(self, before: Outline, after: Outline) -> None:
        found = compare(before, after)
        self.changed = {change.name for change in found.changes} | {IMPORTS}
        self.pairs, self.added = found.pairs, found.added
        self.sides = {"-": _Side(before), "+": _Side(after)}

    def of(self, line: _Line) -> str:
        name = self._name(self.sides[line.sign].at(line.at))
        return next((one for one in (name, *_around(name)) if one in self.changed), name)

    def _name(self, symbol: Symbol | None) -> str:
        if symbol is None:
            return MODULE
        if symbol.shape is Shape.IMPORT:
            return IMPORTS
        return self.added[symbol] if symbol in self.added else self.pairs.get(symbol, symbol).name


class _Side:
    """One text of a file, and which symbol the first word of each of its lines belongs to."""

    def __init__(self, outline: Outline) -> None:
        self.lines = _lines(outline.source)
        self.starts = [0, *accumulate(map(len, self.lines))]
        self.owners = Owners(outline, ())

    def at(self, number: int) -> Symbol | None:
        if not 0 < number <= len(self.lines):
            return None
        line = self.lines[number - 1]
        blanks = len(line) - len(line.lstrip()) if line.strip() else 0
        return self.owners.at(self.starts[number - 1] + blanks)


class _Ranges:
    """A file without symbols: ranges of lines of the text before."""

    def __init__(self, path: str, names: Collection[str]) -> None:
        own = [name.removeprefix(f"{path}::") for name in names if name.startswith(f"{path}::")]
        ranges = [(name, found) for name in own if (found := _RANGE.fullmatch(name))]
        self.spans = sorted((int(found[1]), int(found[2]), name) for name, found in ranges if found[1])
        self.gaps = {int(found[3]): name for name, found in ranges if found[3]}

    def of(self, line: _Line) -> str:
        number = line.at if line.sign == "-" else line.replaced
        if not number:
            return self.gaps.get(line.above, f"<lines after {line.above}>")
        at = bisect_right(self.spans, number, key=lambda span: span[0]) - 1
        inside = at >= 0 and number <= self.spans[at][1]
        return self.spans[at][2] if inside else f"<lines {number}-{number}>"


def _lines(source: bytes) -> list[bytes]:
    """Lines that end at line feeds alone, as those of a diff do."""
    parts = source.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _around(name: str) -> Iterator[str]:
    """The containers of a symbol by its name, the innermost first: `A.<body>` of `A.f`, lastly the module."""
    scope = name.removesuffix(f".{BODY}")
    while "." in scope:
        scope = scope.rpartition(".")[0]
        yield from (f"{scope}.{BODY}", scope)
    yield MODULE
