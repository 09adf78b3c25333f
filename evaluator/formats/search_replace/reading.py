"""Reading search and replace blocks from a reply, to the letter or with tolerances."""

import html
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from evaluator.formats.model import Edit, Leniency, Tolerance, Unreadable
from evaluator.formats.paths import deleted_path
from evaluator.formats.recovery import PATH_DECORATION
from evaluator.formats.search_replace.block import Block, side
from evaluator.formats.search_replace.markers import Marker, marker, noisy_marker, stray
from evaluator.formats.search_replace.naming import FENCE_NOISE, PATH_CARRIED, path_above
from evaluator.taxonomy import Detail

MARKER_NOISE = Tolerance(
    "marker_noise", "markers that are indented, of 5 or more characters, in the words ORIGINAL and UPDATED, followed "
    "by other text, or closing twice (Aider, Cline)"
)  # fmt: skip
MISSING_SENTINEL = Tolerance(
    "missing_sentinel", "a block that another one follows ends at a second `=======`, or else at the one fence line "
    "between, where its closing marker is missing (Aider: the second `=======`)"
)  # fmt: skip
HTML_ESCAPED = Tolerance(
    "html_escaped", "`&lt;`, `&gt;`, `&amp;` and the like in all of the reply, or in a SEARCH that does not fit "
    "otherwise (Cline, Roo Code)"
)  # fmt: skip
JSON_WRAPPED = Tolerance(
    "json_wrapped", "the blocks as the one such string of a JSON object, with the path as `path` beside it (Roo Code's "
    "apply_diff, whose arguments are JSON)"
)  # fmt: skip
_NOTHING = Unreadable(
    Detail.NO_EDIT, "No SEARCH/REPLACE block was found: write the file's path, below it `<<<<<<< SEARCH`, the lines to "
    "replace, `=======`, the new lines, `>>>>>>> REPLACE`.",
)  # fmt: skip
# In the order in which they are tried.
READING = (
    PATH_DECORATION, PATH_CARRIED, FENCE_NOISE, MARKER_NOISE, MISSING_SENTINEL, HTML_ESCAPED, JSON_WRAPPED,
)  # fmt: skip


def read(reply: str, leniency: Leniency) -> Sequence[Edit] | Unreadable:
    """The blocks and deletions of a reply by the mildest tolerances; where none will do, what is wrong with it."""
    found = _Reader(reply, frozenset()).read()
    admitted: frozenset[str] = frozenset()
    for tolerance in READING:
        if not isinstance(found, Unreadable):
            return found
        if tolerance.name not in leniency:
            continue
        admitted |= {tolerance.name}
        if tolerance in _UNWRAPPED:
            text = _UNWRAPPED[tolerance](reply)
            again = found if text is None else _Reader(text, admitted).read()
            if not isinstance(again, Unreadable):
                return [replace(edit, steps=(*edit.steps, tolerance.name)) for edit in again]
            if found.detail is Detail.NO_EDIT:
                found = again
        else:
            found = _Reader(reply, admitted).read()
    return found


def _unescaped(reply: str) -> str | None:
    return html.unescape(reply) if "&lt;&lt;&lt;" in reply else None


def _unwrapped(reply: str) -> str | None:
    """The text with blocks in a reply that is a JSON value; None where it is none, or there are several."""
    text = reply.strip().removeprefix("```json").removesuffix("```").strip()
    if not text.startswith(("{", "[", '"')):
        return None
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    strings = list(value.values()) if isinstance(value, dict) else [value]
    blocks = [text for text in strings if isinstance(text, str) and "<<<<<<< SEARCH" in text]
    if len(blocks) != 1:
        return None
    path = value.get("path") if isinstance(value, dict) else None
    return f"{path}\n{blocks[0]}" if isinstance(path, str) else blocks[0]


_UNWRAPPED: dict[Tolerance, Callable[[str], str | None]] = {HTML_ESCAPED: _unescaped, JSON_WRAPPED: _unwrapped}


@dataclass(frozen=True)
class _Sides:
    """Line indexes of a block: its divider, where its REPLACE side ends, and the first line after it."""

    divider: int
    end: int
    after: int
    steps: tuple[str, ...] = ()


class _Reader:
    """One reading of a reply at one leniency, from its first line to its last."""

    def __init__(self, reply: str, leniency: Leniency) -> None:
        self._lines = reply.split("\n")
        self._leniency = leniency
        self._noisy = MARKER_NOISE.name in leniency

    def read(self) -> Sequence[Edit] | Unreadable:
        edits: list[Edit] = []
        at, floor, path = 0, 0, ""
        while at < len(self._lines):
            line = self._lines[at]
            opening = self._marker(line)
            if opening is not None and opening.kind == "<":
                sides = self._sides(at, opening)
                if isinstance(sides, Unreadable):
                    return sides
                search = side(self._lines[at + 1 : sides.divider])
                named = path_above(self._lines, at, floor, self._leniency)
                if named is not None and " " in named[0] and not search.lines and PATH_DECORATION.name in named[1]:
                    named = None  # prose must not become a file
                if named is None and path and PATH_CARRIED.name in self._leniency:
                    named = path, (PATH_CARRIED.name,)
                if named is None:
                    return Unreadable(Detail.BAD_BLOCK, f"The block on line {at + 1} of the reply names no file.")
                path = named[0]
                steps = (*named[1], *sides.steps)
                if sides.steps == () and self._noisy and not self._exact(at, sides):
                    steps = (*steps, MARKER_NOISE.name)
                edits.append(Block(path, search, side(self._lines[sides.divider + 1 : sides.end]), steps=steps))
                at = floor = sides.after
                continue
            if (gone := deleted_path(line)) is not None:
                edits.append(Block(gone, None, None))
                floor = at + 1
            elif stray(line) and not (self._noisy and opening is not None and opening.kind == ">" and edits):
                message = f"Line {at + 1} of the reply is like a marker, but no block's: {line.strip()[:40]!r}."
                return Unreadable(Detail.BAD_BLOCK, message)
            elif stray(line):
                edits[-1] = replace(edits[-1], steps=tuple(dict.fromkeys((*edits[-1].steps, MARKER_NOISE.name))))
                floor = at + 1
            at += 1
        return edits or _NOTHING

    def _marker(self, line: str) -> Marker | None:
        return noisy_marker(line) if self._noisy else marker(line)

    def _exact(self, at: int, sides: _Sides) -> bool:
        found = [marker(self._lines[n]) for n in (at, sides.divider, sides.end)]
        return all(one is not None for one in found) and len({one.size for one in found if one}) == 1

    def _sides(self, at: int, opening: Marker) -> _Sides | Unreadable:
        """Where the parts of the block opened on line `at` end."""
        dividers: list[int] = []
        for n in range(at + 1, len(self._lines)):
            found = self._marker(self._lines[n])
            if found is None or not self._of_one_block(opening, found):
                continue
            if found.kind == "=":
                dividers.append(n)
            elif found.kind == "<":
                return self._cut_short(at, dividers, n)
            elif len(dividers) == 1:
                return _Sides(dividers[0], n, n + 1)
            else:
                what = "no =======" if not dividers else "several lines that could be its =======; use longer markers"
                return Unreadable(Detail.BAD_BLOCK, f"The block on line {at + 1} of the reply has {what}.")
        message = f"The block opened on line {at + 1} of the reply lacks its ======= or >>>>>>> REPLACE."
        return Unreadable(Detail.BAD_BLOCK, message, unterminated=True)

    def _of_one_block(self, opening: Marker, found: Marker) -> bool:
        if opening.size == found.size:
            return True
        return self._noisy and abs(opening.size - found.size) <= 2

    def _cut_short(self, at: int, dividers: list[int], following: int) -> _Sides | Unreadable:
        """The block whose closing marker is missing, though another block is opened on line `following`."""
        steps = (MISSING_SENTINEL.name,)
        if MISSING_SENTINEL.name in self._leniency and len(dividers) == 2:
            return _Sides(dividers[0], dividers[1], dividers[1] + 1, steps)
        fenced = any(self._lines[n].startswith(("```", "~~~")) for n in range(max(at - 2, 0), at))
        if MISSING_SENTINEL.name in self._leniency and len(dividers) == 1 and fenced:
            between = range(dividers[0] + 1, following)
            closing = [n for n in between if self._lines[n].rstrip() in ("```", "~~~", "````")]
            opened = [n for n in between if self._lines[n].startswith(("```", "~~~")) and n not in closing]
            # The fence of the next block, if it has no language, is like a closing one.
            first = closing[0] if closing else None
            if first is not None and len(closing) + len(opened) <= 2 and all(n > first for n in opened):
                return _Sides(dividers[0], first, first + 1, steps)
        message = f"The block opened on line {at + 1} of the reply lacks its ======= or >>>>>>> REPLACE."
        return Unreadable(Detail.BAD_BLOCK, message)
