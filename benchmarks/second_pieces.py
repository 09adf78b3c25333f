"""The second injector's changes: files before and after as lines, and the pieces in which they differ.

Nothing here is shared with `evaluator.formats`: lines, uniqueness and context are worked out again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

Texts = Mapping[str, str | None]  # contents by path; None: there is no such file
_WIDTHS = (1, 2, 3, 5, 8, 13, 21, 34, 100_000)


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends; only `\\n` ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


@dataclass(frozen=True)
class Piece:
    """One place of a file that changes: `old` lines, from line `start` (from 0), become `new`.

    `whole` is `add`, `delete` or empty: whether the file comes into being, goes, or is there on both sides.
    """

    path: str
    start: int
    new_start: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    whole: str = ""
    ends: bool = False  # whether the old lines reach the end of the file

    @property
    def removed(self) -> list[str]:
        """The old lines that go."""
        return [line for mark, line in self.marked() if mark == "-"]

    def marked(self) -> list[tuple[str, str]]:
        """The lines of a hunk with their marks, removed ones above those that replace them."""
        found: list[tuple[str, str]] = []
        for tag, i, j, k, m in SequenceMatcher(None, self.old, self.new, autojunk=False).get_opcodes():
            if tag == "equal":
                found += [(" ", line) for line in self.old[i:j]]
            else:
                found += [("-", line) for line in self.old[i:j]]
                found += [("+", line) for line in self.new[k:m]]
        return found


def changed(before: Texts, after: Texts) -> list[str]:
    """The paths that differ, sorted."""
    return sorted(path for path in {*before, *after} if before.get(path) != after.get(path))


def pieces(before: Texts, after: Texts, kind: str) -> list[Piece]:
    """The pieces that turn `before` into `after`; `kind` is `numbered`, `unique` or `ordered`.

    `numbered`: three lines of context. `unique`: as much as makes each occur once in the text that the pieces before
    it leave. `ordered`: as much as makes it the first match below the piece before.
    """
    found: list[Piece] = []
    for path in changed(before, after):
        old, new = before.get(path), after.get(path)
        if old is None:
            found.append(Piece(path, 0, 0, (), tuple(lines_of(new or "")), "add"))
        elif new is None:
            found.append(Piece(path, 0, 0, tuple(lines_of(old)), (), "delete"))
        else:
            found += _of_file(path, old, new, kind)
    return found


def _of_file(path: str, old: str, new: str, kind: str) -> list[Piece]:
    if kind == "numbered":
        return _grouped(path, old, new, 3)
    fits = _unique if kind == "unique" else _first_below
    for width in _WIDTHS:
        found = _grouped(path, old, new, width)
        if fits(old, found):
            return found
    return [Piece(path, 0, 0, tuple(lines_of(old)), tuple(lines_of(new)), ends=True)]


def _grouped(path: str, old: str, new: str, width: int) -> list[Piece]:
    before, after = lines_of(old), lines_of(new)
    groups = SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(width)
    found = []
    for group in groups:
        start, end, new_start, new_end = group[0][1], group[-1][2], group[0][3], group[-1][4]
        old_lines, new_lines = tuple(before[start:end]), tuple(after[new_start:new_end])
        found.append(Piece(path, start, new_start, old_lines, new_lines, ends=end == len(before)))
    return found


def occurrences(text: str, part: str) -> int:
    """How often `part` stands in `text`, overlaps counted."""
    count, at = 0, text.find(part)
    while at >= 0:
        count, at = count + 1, text.find(part, at + 1)
    return count


def _unique(old: str, found: Sequence[Piece]) -> bool:
    text = old
    for piece in found:
        quoted = "".join(piece.old)
        if not quoted or occurrences(text, quoted) != 1:
            return False
        text = text.replace(quoted, "".join(piece.new), 1)
    return True


def _first_below(old: str, found: Sequence[Piece]) -> bool:
    lines, at = lines_of(old), 0
    for piece in found:
        size = len(piece.old)
        places = [i for i in range(at, len(lines) - size + 1) if tuple(lines[i : i + size]) == piece.old]
        if not size or not places or places[0] != piece.start:
            return False
        at = piece.start + size
    return True
