"""Reading the V4A envelope: a reply's sections and hunks, to the letter first, then with what is admitted."""

import json
import re
from dataclasses import replace

from evaluator.formats.apply_patch.patch import (
    BEGIN,
    END,
    FENCE_NOISE,
    JSON_WRAPPED,
    MARKER_NOISE,
    MISSING_SENTINEL,
    Section,
)
from evaluator.formats.apply_patch.sections import BadPatch, SectionReader, like_marker
from evaluator.formats.model import STRICT, Leniency, Unreadable
from evaluator.taxonomy import Detail

_NOTHING = Unreadable(
    Detail.NO_EDIT, f"No patch was found: write `{BEGIN}`, then `*** Update File: path` with hunks below, then `{END}`."
)
_OPEN_JSON = re.compile(r"[{\[]\s*\"(?:[^\"\n]{0,40}\"[:,\s\[]*\"){0,3}\*\*\* Begin Patch\\n")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")


def read(reply: str, leniency: Leniency) -> list[Section] | Unreadable:
    """The sections of a reply, at least one."""
    lines = reply.split("\n")
    found = _Reader(lines, STRICT).read()
    if isinstance(found, Unreadable) and leniency:
        found = _Reader(lines, leniency).read()
    if isinstance(found, Unreadable) and JSON_WRAPPED.name in leniency and (text := _in_json(reply)) is not None:
        inner = _Reader(text.split("\n"), leniency).read()
        if not isinstance(inner, Unreadable):
            return [replace(section, steps=(JSON_WRAPPED.name, *section.steps)) for section in inner]
    if isinstance(found, Unreadable) and END not in reply and _OPEN_JSON.search(reply):
        return replace(found, detail=Detail.BAD_BLOCK, unterminated=True)
    return found


class _Reader(SectionReader):
    """One reading of a reply: its patches, and what stands around them."""

    def read(self) -> list[Section] | Unreadable:
        sections: list[Section] = []
        at = 0
        try:
            while (first := self._beginning(at)) is not None:
                begun = like_marker(self.lines[first], BEGIN)
                end = self._end(first, first + begun)
                if end is None:
                    message = f"The patch that begins on line {first + 1} of the reply has no `{END}`."
                    open_end = self._closing(first) is None and not like_marker(self._last(), END)
                    return Unreadable(Detail.BAD_BLOCK, message, unterminated=open_end)
                if any(line.strip() for line in self.lines[at:first]):
                    self._outside(at, first, bool(sections))
                if not begun:
                    self.take_around(MISSING_SENTINEL, first, f"does not follow `{BEGIN}`")
                elif self.lines[first] != BEGIN:
                    self.take_around(MARKER_NOISE, first, f"is more than the marker `{BEGIN}`")
                sections += self.sections(first + begun, end)
                at = end + (self.is_marker(END, end))
            if not sections and at == 0:
                return _NOTHING
            if any(line.strip() for line in self.lines[at:]):
                self._outside(at, len(self.lines), True)
        except BadPatch as bad:
            return Unreadable(Detail.BAD_BLOCK, str(bad))
        if not sections:
            return Unreadable(Detail.NO_EDIT, "The patch is empty.")
        return [replace(section, steps=(*self.around, *section.steps)) for section in sections]

    def _beginning(self, at: int) -> int | None:
        """The first line from `at` on that begins a patch, or a section outside of one."""
        rest = range(at, len(self.lines))
        return next((n for n in rest if like_marker(self.lines[n], BEGIN) or self.header(n, peek=True)), None)

    def _last(self) -> str:
        return next((line for line in reversed(self.lines) if line.strip()), "")

    def _outside(self, first: int, last: int, after: bool) -> None:
        solid = [n for n in range(first, last) if self.lines[n].strip()]
        doubled = after and all(like_marker(self.lines[n], END) for n in solid)
        self.take_around(MARKER_NOISE if doubled else FENCE_NOISE, solid[0], "is no line of the patch")

    def _closing(self, first: int) -> int | None:
        """The line that closes the fence in which the patch that begins at `first` stands."""
        above = next((n for n in range(first - 1, -1, -1) if self.lines[n].strip()), None)
        match = _FENCE.match(self.lines[above]) if above is not None else None
        if match is None:
            return None
        closing = re.compile(rf"{re.escape(match[1])}{re.escape(match[1][0])}*[ \t]*\Z")
        return next((n for n in range(first, len(self.lines)) if closing.match(self.lines[n])), None)

    def _end(self, first: int, body: int) -> int | None:
        """Where the patch ends: the index of its end marker, or of what stands in its place; None: nowhere."""
        noisy = stop = None
        for n in range(body, len(self.lines)):
            line = self.lines[n]
            if line == END:
                return n
            if like_marker(line, END) and self.admits(MARKER_NOISE):
                noisy = n
            if like_marker(line, BEGIN):
                stop = n
                break
        if noisy is not None:
            self.take_around(MARKER_NOISE, noisy, "")
            return noisy
        if not self.admits(MISSING_SENTINEL):
            return None
        ends = [n for n in (stop, self._closing(first)) if n is not None]
        if not ends:
            return None
        self.take_around(MISSING_SENTINEL, min(ends), "")
        return min(ends)


def _in_json(reply: str) -> str | None:
    """The one string with a patch in the JSON that a reply holds."""
    start = min((at for mark in "{[" if (at := reply.find(mark)) >= 0), default=None)
    if start is None or BEGIN not in reply:
        return None
    try:
        found, _ = json.JSONDecoder(strict=False).raw_decode(reply, start)
    except (ValueError, RecursionError):
        return None
    texts: list[str] = []
    left = [found]
    while left:
        value = left.pop()
        if isinstance(value, str) and BEGIN in value:
            texts.append(value)
        elif isinstance(value, dict | list):
            left += value.values() if isinstance(value, dict) else value
    return texts[0] if len(texts) == 1 else None
