"""Reading the sections of a patch: headers, new files, and hunks line by line."""

import re
from collections.abc import Iterator
from dataclasses import replace

from evaluator.formats.apply_patch.patch import (
    BARE_CONTEXT,
    BLANK_CONTEXT,
    END_OF_FILE,
    MARKER_NOISE,
    MOVE,
    Action,
    Hunk,
    Section,
)
from evaluator.formats.model import Leniency, Tolerance
from evaluator.formats.paths import normal_path

_HEADER = re.compile(r"\*\*\* (Add|Delete|Update) File: (\S.*)\Z")
_NOISY_HEADER = re.compile(r"[ \t]*\*\*\*[ \t]*(Add|Delete|Update) File:[ \t]*(\S.*)\Z")


def header_path(line: str) -> str | None:
    """The path that the header of a section names; None where the line is no header."""
    match = _HEADER.match(line)
    return None if match is None else normal_path(match[2].strip())


def like_marker(line: str, marker: str) -> bool:
    """Whether a line is a marker, be it with white space around it and asterisks behind it."""
    return marker in line and line.strip().rstrip("* \t") == marker


class BadPatch(Exception):
    """What makes a reply unreadable, in words."""


class SectionReader:
    """The lines of a reply, and what is admitted in them.

    `around` are the tolerances that its patches took, `taken` those of the section that is being read.
    """

    def __init__(self, lines: list[str], leniency: Leniency) -> None:
        self.lines = [line.removesuffix("\r") for line in lines]  # as markers are compared
        self.raw = lines
        self.leniency = leniency
        self.around: dict[str, None] = {}
        self.taken: dict[str, None] = {}

    def admits(self, tolerance: Tolerance) -> bool:
        """Whether a tolerance is admitted."""
        return tolerance.name in self.leniency

    def take_around(self, tolerance: Tolerance, at: int, what: str) -> None:
        """Takes a tolerance for all of the reply; raises `BadPatch` where it is not admitted."""
        if not self.admits(tolerance):
            raise BadPatch(f"Line {at + 1} of the reply {what}.")
        self.around[tolerance.name] = None

    def _take(self, tolerance: Tolerance, at: int, what: str) -> None:
        if not self.admits(tolerance):
            raise BadPatch(f"Line {at + 1} of the reply {what}.")
        self.taken[tolerance.name] = None

    def is_marker(self, marker: str, at: int) -> bool:
        """Whether a line is a marker; not quite one only where that is admitted."""
        if at >= len(self.lines) or not like_marker(self.lines[at], marker):
            return False
        return self.lines[at] == marker or self.admits(MARKER_NOISE)

    def sections(self, at: int, end: int) -> Iterator[Section]:
        """The sections between two lines."""
        while at < end:
            if not self.lines[at].strip():
                self.take_around(BLANK_CONTEXT, at, "is empty where a section should begin")
                at += 1
                continue
            header = self.header(at)
            if header is None:
                raise BadPatch(f"Line {at + 1} of the reply begins no section: {self.lines[at][:80]!r}.")
            action, path = header
            section, at = self._section(Action(action), normal_path(path.strip()), at + 1, end)
            yield replace(section, steps=tuple(self.taken))
            self.taken = {}

    def header(self, at: int, peek: bool = False) -> tuple[str, str] | None:
        """The word and path of a section's header; its tolerance is taken unless this is but a `peek`."""
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
            raise BadPatch(f"The section of {path!r} that ends on line {at} of the reply has no hunk.")
        return Section(path, action, hunks=tuple(hunks), move=move), at

    def _hunks(self, at: int, end: int) -> tuple[list[Hunk], int]:
        hunks: list[Hunk] = []
        while at < end and not (self.lines[at].startswith("***") and self.header(at, peek=True)):
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
        return at < end and not self.lines[at].startswith(("@@", "+", "-")) and self.header(at, peek=True) is not None

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
            raise BadPatch(f"Line {at + 1} of the reply should begin a hunk with `@@`.")
        body: list[str] = []
        while at < end and not self.lines[at].startswith(("@@", "***")):
            body.append(self._line(at))
            at += 1
        if not body:
            raise BadPatch(f"The hunk on line {start + 1} of the reply has no lines.")
        at_end = self.is_marker(END_OF_FILE, at) if at < end else False
        if at_end and self.lines[at] != END_OF_FILE:
            self._take(MARKER_NOISE, at, "")
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
