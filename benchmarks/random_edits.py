"""Small random edits of a text, each with the places that it touched before and after."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

Range = tuple[int, int]  # half-open, byte offsets

_PUT = tuple(bytes([byte]) for byte in b"\n x#(){}\"'`/*<;\t\r\xff0")
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Edit:
    """What an edit made of a text. A range without length is a place between two bytes."""

    kind: str
    text: bytes
    old: tuple[Range, ...]
    new: tuple[Range, ...]


def random_edit(text: bytes, dice: random.Random) -> Edit:
    """One edit of a text that is not empty; now and then one that changes nothing."""
    kind = dice.choice(list(_EDITS))
    return _EDITS[kind](kind, text, dice)


def _bytes(kind: str, text: bytes, dice: random.Random) -> Edit:
    at = dice.randrange(len(text))
    put = b"" if kind == "delete byte" else dice.choice(_PUT)
    end = at if kind == "insert byte" else at + 1
    return _replaced(kind, text, at, end, put)


def _line_end(kind: str, text: bytes, dice: random.Random) -> Edit:
    start, end = dice.choice(_lines(text))
    line = text[start:end]
    solid = line.removesuffix(b"\n").removesuffix(b"\r")
    other = b"\n" if not line.endswith(b"\n") or line.endswith(b"\r\n") else b"\r\n"
    return _replaced(kind, text, start + len(solid), end, other)


def _one_line(kind: str, text: bytes, dice: random.Random) -> Edit:
    start, end = dice.choice(_lines(text))
    if kind == "indent line":
        return _replaced(kind, text, start, start, dice.choice((b" ", b"    ", b"\t")))
    if kind == "delete line":
        return _replaced(kind, text, start, end, b"")
    return _replaced(kind, text, end, end, text[start:end])


def _moved(kind: str, text: bytes, dice: random.Random) -> Edit:
    """A line moved: anywhere, or past its neighbour."""
    lines = _lines(text)
    index = dice.randrange(len(lines))
    to = dice.randrange(len(lines)) if kind == "move line" else min(index + 1, len(lines) - 1)
    (start, end), (first, last) = lines[index], lines[to]
    line = text[start:end]
    if to > index:
        new = text[:start] + text[end:last] + line + text[last:]
        place = last - len(line)
        return Edit(kind, new, ((start, end), (last, last)), ((place, place + len(line)), (start, start)))
    new = text[:first] + line + text[first:start] + text[end:]
    return Edit(kind, new, ((start, end), (first, first)), ((first, first + len(line)), (end, end)))


def _replaced(kind: str, text: bytes, start: int, end: int, put: bytes) -> Edit:
    return Edit(kind, text[:start] + put + text[end:], ((start, end),), ((start, start + len(put)),))


def _lines(text: bytes) -> list[Range]:
    ends = list(accumulate(len(line) for line in _LINE.findall(text)))
    return list(zip([0, *ends], ends, strict=False))


_EDITS: dict[str, Callable[[str, bytes, random.Random], Edit]] = {
    **dict.fromkeys(("insert byte", "delete byte", "replace byte"), _bytes),
    "line end": _line_end,
    **dict.fromkeys(("duplicate line", "delete line", "indent line"), _one_line),
    **dict.fromkeys(("move line", "swap lines"), _moved),
}
