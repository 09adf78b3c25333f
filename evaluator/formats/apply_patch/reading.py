"""Reading the V4A envelope: a reply's sections and hunks, to the letter first, then with what is admitted."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from evaluator.formats.apply_patch.patch import (
    BARE_CONTEXT,
    BEGIN,
    BLANK_CONTEXT,
    END,
    END_OF_FILE,
    FENCE_NOISE,
    JSON_WRAPPED,
    MARKER_NOISE,
    MISSING_SENTINEL,
    MOVE,
    Action,
    Hunk,
    Section,
)
from evaluator.formats.model import STRICT, Leniency, Tolerance, Unreadable
from evaluator.formats.paths import normal_path
from evaluator.taxonomy import Detail

_HEADER = re.compile(r"\*\*\* (Add|Delete|Update) File: (\S.*)\Z")
_NOISY_HEADER = re.compile(r"[ \t]*\*\*\*[ \t]*(Add|Delete|Update) File:[ \t]*(\S.*)\Z")
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


def header_path(line: str) -> str | None:
    """The path that the header of a section names; None where the line is no header."""
    match = _HEADER.match(line)
    return None if match is None else normal_path(match[2].strip())


class _Bad(Exception):
    """What makes a reply unreadable, in words."""


class _Reader:
    """One reading of a reply; `taken` are the tolerances that the section being read took so far."""

    def __init__(self, lines: list[str], leniency: Leniency) -> None:
        self.lines = [line.removesuffix("\r") for line in lines]  # as markers are compared
        self.raw = lines
        self.leniency = leniency
        self.around: dict[str, None] = {}
        self.taken: dict[str, None] = {}

    def admits(self, tolerance: Tolerance) -> bool:
        return tolerance.name in self.leniency

    def read(self) -> list[Section] | Unreadable:
        sections: list[Section] = []
        at = 0
        try:
            while (first := self._beginning(at)) is not None:
                begun = self.lines[first].strip() == BEGIN
                closed = self._closing(first)
                end = self._end(first + begun, closed)
                if end is None:
                    message = f"The patch that begins on line {first + 1} of the reply has no `{END}`."
                    open_end = closed is None and self._last() != END
                    return Unreadable(Detail.BAD_BLOCK, message, unterminated=open_end)
                if any(line.strip() for line in self.lines[at:first]):
                    self._outside(at, first, bool(sections))
                if not begun:
                    self._around(MISSING_SENTINEL, first, f"does not follow `{BEGIN}`")
                elif self.lines[first] != BEGIN:
                    self._around(MARKER_NOISE, first, "has white space around the marker")
                sections += self._sections(first + begun, end)
                at = end + (self._is(END, end))
            if not sections and at == 0:
                return Unreadable(Detail.NO_EDIT, f"No patch was found: it begins with the line `{BEGIN}`.")
            if any(line.strip() for line in self.lines[at:]):
                self._outside(at, len(self.lines), True)
        except _Bad as bad:
            return Unreadable(Detail.BAD_BLOCK, str(bad))
        if not sections:
            return Unreadable(Detail.NO_EDIT, "The patch is empty.")
        return [replace(section, steps=(*self.around, *section.steps)) for section in sections]

    def _beginning(self, at: int) -> int | None:
        """The first line from `at` on that begins a patch, or a section outside of one."""
        rest = range(at, len(self.lines))
        return next((n for n in rest if self.lines[n].strip() == BEGIN or self._header(n, peek=True)), None)

    def _last(self) -> str:
        return next((line.strip() for line in reversed(self.lines) if line.strip()), "")

    def _outside(self, first: int, last: int, after: bool) -> None:
        solid = [n for n in range(first, last) if self.lines[n].strip()]
        doubled = after and all(self.lines[n].strip() == END for n in solid)
        self._around(MARKER_NOISE if doubled else FENCE_NOISE, solid[0], "is no line of the patch")

    def _around(self, tolerance: Tolerance, at: int, what: str) -> None:
        if not self.admits(tolerance):
            raise _Bad(f"Line {at + 1} of the reply {what}.")
        self.around[tolerance.name] = None

    def _take(self, tolerance: Tolerance, at: int, what: str) -> None:
        if not self.admits(tolerance):
            raise _Bad(f"Line {at + 1} of the reply {what}.")
        self.taken[tolerance.name] = None

    def _is(self, marker: str, at: int) -> bool:
        """Whether a line is a marker; not quite one only where that is admitted."""
        if at >= len(self.lines) or self.lines[at].strip() != marker:
            return False
        return self.lines[at] == marker or self.admits(MARKER_NOISE)

    def _closing(self, first: int) -> int | None:
        """The line that closes the fence in which the patch that begins at `first` stands."""
        above = next((n for n in range(first - 1, -1, -1) if self.lines[n].strip()), None)
        match = _FENCE.match(self.lines[above]) if above is not None else None
        if match is None:
            return None
        closing = re.compile(rf"{re.escape(match[1])}{re.escape(match[1][0])}*[ \t]*\Z")
        return next((n for n in range(first, len(self.lines)) if closing.match(self.lines[n])), None)

    def _end(self, first: int, closed: int | None) -> int | None:
        """Where the patch ends: the index of its end marker, or of what stands in its place; None: nowhere."""
        indented = stop = None
        for n in range(first, len(self.lines)):
            line = self.lines[n]
            if line == END:
                return n
            if line.strip() == END and self.admits(MARKER_NOISE):
                indented = n
            if line.strip() == BEGIN:
                stop = n
                break
        if indented is not None:
            self._around(MARKER_NOISE, indented, "is indented")
            return indented
        ends = [n for n in (stop, closed) if n is not None]
        if ends and self.admits(MISSING_SENTINEL):
            self._around(MISSING_SENTINEL, min(ends), "")
            return min(ends)
        return None

    def _sections(self, at: int, end: int) -> Iterator[Section]:
        while at < end:
            if not self.lines[at].strip():
                self._around(BLANK_CONTEXT, at, "is empty where a section should begin")
                at += 1
                continue
            header = self._header(at)
            if header is None:
                raise _Bad(f"Line {at + 1} of the reply begins no section: {self.lines[at][:80]!r}.")
            action, path = header
            section, at = self._section(Action(action), normal_path(path.strip()), at + 1, end)
            yield replace(section, steps=tuple(self.taken))
            self.taken = {}

    def _header(self, at: int, peek: bool = False) -> tuple[str, str] | None:
        line = self.lines[at]
        if match := _HEADER.match(line):
            return match[1], match[2]
        if self.admits(MARKER_NOISE) and (match := _NOISY_HEADER.match(line)):
            if not peek:
                self._take(MARKER_NOISE, at, "")
            return match[1], match[2]
        return None

    def _section(self, action: Action, path: str, at: int, end: int) -> tuple[Section, int]:
        if action is Action.DELETE:
            return Section(path, action), at
        if action is Action.ADD:
            start = at
            while at < end and self.raw[at].startswith("+"):
                at += 1
            return Section(path, action, content="".join(f"{line[1:]}\n" for line in self.raw[start:at])), at
        move = None
        if at < end and self.lines[at].startswith(MOVE):
            move, at = normal_path(self.lines[at].removeprefix(MOVE).strip()), at + 1
        hunks, at = self._hunks(at, end)
        if not hunks and move is None:
            raise _Bad(f"The section of {path!r} that ends on line {at} of the reply has no hunk.")
        return Section(path, action, hunks=tuple(hunks), move=move), at

    def _hunks(self, at: int, end: int) -> tuple[list[Hunk], int]:
        hunks: list[Hunk] = []
        while at < end and not (self.lines[at].startswith("***") and self._header(at, peek=True)):
            if not self.lines[at]:
                self._take(BLANK_CONTEXT, at, "is empty where a hunk should begin")
                at += 1
                continue
            if not self._section_follows(at, end):
                hunk, at = self._hunk(at, end, first=not hunks)
                hunks.append(hunk)
            else:
                break
        return hunks, at

    def _section_follows(self, at: int, end: int) -> bool:
        """Whether an indented header, which in a hunk would be context, stands where a hunk should begin."""
        return at < end and not self.lines[at].startswith(("@@", "+", "-")) and self._header(at, peek=True) is not None

    def _hunk(self, at: int, end: int, first: bool) -> tuple[Hunk, int]:
        start, scopes = at, list[str]()
        while at < end and self.lines[at].startswith("@@"):
            scope = self.lines[at][2:]
            if scope and not scope.startswith(" "):
                self._take(MARKER_NOISE, at, "has no blank after `@@`")
                scope = f" {scope}"
            scopes += [scope[1:]] if scope.strip() else []
            at += 1
        if at == start and not first:
            raise _Bad(f"Line {at + 1} of the reply should begin a hunk with `@@`.")
        body: list[str] = []
        while at < end and not self.lines[at].startswith(("@@", "***")):
            body.append(self._line(at))
            at += 1
        if not body:
            raise _Bad(f"The hunk on line {start + 1} of the reply has no lines.")
        at_end = self._is(END_OF_FILE, at) if at < end else False
        return Hunk(tuple(scopes), tuple(body), at_end, start + 1), at + at_end

    def _line(self, at: int) -> str:
        line = self.raw[at]
        if line[:1] in ("+", "-", " "):
            return line
        if not self.lines[at]:
            self._take(BLANK_CONTEXT, at, "is empty: an empty line of context is one blank")
        else:
            self._take(BARE_CONTEXT, at, "is no line of a hunk: it must begin with a blank, `+` or `-`")
        return f" {line}"


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
