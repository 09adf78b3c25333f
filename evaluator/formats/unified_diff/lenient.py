"""Reading a unified diff that is not to the letter, with the tolerances that are admitted.

Only what a tolerance forgives is read otherwise than `git apply` reads it. A diff that the reply ends inside is
unterminated whatever is admitted: a hunk with fewer lines than its header says at the very end of a reply, or one
without counts in a fence that is never closed.
"""

import re
from collections.abc import Sequence

from evaluator.formats.ladder import LINE_ENDINGS
from evaluator.formats.model import Leniency, Tolerance, Unreadable
from evaluator.formats.unified_diff.headers import GIT, WORDS, BadHeader, Header, is_pair, pair
from evaluator.formats.unified_diff.hunks import FileDiff, Hunk
from evaluator.formats.unified_diff.names import common_name, header_name, plain_name
from evaluator.formats.unified_diff.reading import (
    NUMBERS,
    Damaged,
    counted_body,
    file_diff,
    is_note,
    read_header,
    reply_lines,
    unend,
)
from evaluator.taxonomy import Detail

REPLY_END = Tolerance("reply_end", "the reply's last line, the last of a whole hunk, lacks its newline (GNU patch)")
GIT_HEADER = Tolerance(
    "git_header", "git's header lines contradict the `---` and `+++` lines, which then decide (GNU patch)"
)
MISSING_SENTINEL = Tolerance("missing_sentinel", "one of the `---` and `+++` lines is missing (GNU patch)")
MARKER_NOISE = Tolerance(
    "marker_noise",
    "the whole diff is indented (GNU patch); `@@` lines directly below each other, of which the last with numbers "
    "counts, or without the closing `@@`",
)
FENCE_NOISE = Tolerance("fence_noise", "fences or prose between the hunks of one file (agents that join the blocks)")
UNMARKED_CONTEXT = Tolerance("unmarked_context", "context lines without their leading space (Codex's first applier)")
HUNK_COUNTS = Tolerance("hunk_counts", "wrong line counts in a hunk's header (`git apply --recount`)")
HUNK_NUMBERS = Tolerance(
    "hunk_numbers", "a hunk's header without numbers: the hunk goes where it fits, which must be one place (Aider)"
)
READING = (
    REPLY_END, GIT_HEADER, MISSING_SENTINEL, MARKER_NOISE, FENCE_NOISE, UNMARKED_CONTEXT, HUNK_COUNTS, HUNK_NUMBERS,
)  # fmt: skip

_LOOSE_NUMBERS = re.compile(r"@@+ ?-(\d{1,18})(?:,(\d{1,18}))? \+(\d{1,18})(?:,(\d{1,18}))?(?=\s|@|\Z)")
_FENCE = ("```", "~~~")
_HEADED = ("--- ", "+++ ", GIT)


def read(reply: str, leniency: Leniency, refused: Unreadable) -> list[FileDiff] | Unreadable:
    """The file diffs of a reply that `refused` says is not to the letter, or why there is none."""
    lines, ended = reply_lines(reply)
    try:
        return _Reader(lines, ended, leniency).file_diffs() or refused
    except Damaged as error:
        return Unreadable(Detail.BAD_BLOCK, str(error), unterminated=error.open_end)


class _Reader:
    """One reply while it is read from top to bottom, file by file."""

    def __init__(self, lines: list[str], ended: bool, leniency: Leniency) -> None:
        self._leniency, self._ended = leniency, ended
        self._common: list[str] = []  # steps that every edit took
        if LINE_ENDINGS.name in leniency and any(line.endswith("\r") for line in lines if line.startswith(_HEADED)):
            lines = [line.removesuffix("\r") for line in lines]
            self._common.append(LINE_ENDINGS.name)
        if MARKER_NOISE.name in leniency and (indent := _indent(lines)):
            lines = [line.removeprefix(indent) for line in lines]
            self._common.append(MARKER_NOISE.name)
        self._lines = lines
        self._open = _open_fences(lines)
        self._steps: list[str] = []
        self._header: Header | None = None
        self._hunks: list[Hunk] = []
        self._found: list[FileDiff] = []

    def file_diffs(self) -> list[FileDiff]:
        """All of them."""
        at, end = 0, -1  # `end`: the line after the last header or hunk
        while at < len(self._lines):
            headed = self._header_at(at)
            if headed is not None:
                self._flush()
                self._header, at, self._steps = headed
                end = at
            elif self._lines[at].startswith("@@") and (self._header is not None or NUMBERS.match(self._lines[at])):
                if self._header is None or not (end == at or self._takes(FENCE_NOISE)):
                    raise Damaged(f"The hunk on line {at + 1} of the reply has no `---` and `+++` lines above it.")
                hunk, at = self._hunk(at)
                self._hunks.append(hunk)
                end = at
            else:
                at += 1
        self._flush(open_end=end >= len(self._lines) - (not self._ended))
        return self._found

    def _takes(self, tolerance: Tolerance) -> bool:
        """Whether a tolerance is admitted; it is recorded if so."""
        if tolerance.name in self._leniency:
            self._steps.append(tolerance.name)
            return True
        return False

    def _flush(self, open_end: bool = False) -> None:
        if self._header is not None:
            if not self._hunks and self._header.plain:
                raise Damaged(f"The diff of {self._header.new} has no hunk.", open_end)
            steps = tuple(dict.fromkeys([*self._common, *self._steps]))
            self._found.append(file_diff(self._header, self._hunks, steps))
        self._header, self._hunks = None, []

    def _header_at(self, at: int) -> tuple[Header, int, list[str]] | None:
        """The header that begins on a line, the line after it, and the steps that it took; None where none does."""
        lines = self._lines
        line = lines[at]
        if not line.startswith(_HEADED):
            return None
        after = lines[at + 2] if at + 2 < len(lines) else None
        if line.startswith(GIT):
            return self._git_header(at)
        if is_pair(lines, at):
            if after is None:
                raise Damaged(f"The diff on line {at + 1} of the reply has no hunk.", open_end=True)
            return (self._pair(at), at + 2, []) if after.startswith("@@") else None
        if MISSING_SENTINEL.name in self._leniency and at + 1 < len(lines) and lines[at + 1].startswith("@@"):
            name = header_name(line[4:])
            if name is not None:
                path = plain_name(name)
                return Header(path, path, written=(name,)), at + 1, [MISSING_SENTINEL.name]
        return None

    def _git_header(self, at: int) -> tuple[Header, int, list[str]] | None:
        lines = self._lines
        try:
            header, end = read_header(lines, at, self._ended)
            return None if header is None else (header, end, [])
        except Damaged:
            end = next((n for n in range(at + 1, len(lines)) if not lines[n].startswith(WORDS)), len(lines))
            sides = [n for n in range(at + 1, end) if lines[n].startswith(("--- ", "+++ "))]
            step = MISSING_SENTINEL if len(sides) == 1 else GIT_HEADER
            if end == len(lines) or not sides or step.name not in self._leniency:
                raise
            if is_pair(lines, sides[0]):
                return self._pair(sides[0]), end, [step.name]
            name = header_name(lines[sides[0]][4:])
            path = common_name(lines[at][len(GIT) :]) if name is None else plain_name(name)
            if path is None:
                raise
            is_new, gone = (any(w.startswith(kind) for w in lines[at:end]) for kind in ("new file ", "deleted file "))
            written = () if name is None else (name,)
            header = Header(None if is_new else path, None if gone else path, is_new, gone, written=written)
            return header, end, [step.name]

    def _pair(self, at: int) -> Header:
        try:
            return pair(self._lines, at)
        except BadHeader as error:
            raise Damaged(f"The header on line {at + 1} of the reply contradicts itself: {error}.") from None

    def _hunk(self, at: int) -> tuple[Hunk, int]:
        """The hunk whose header is at `at`, and the line after it."""
        lines = self._lines
        last = at
        while last + 1 < len(lines) and lines[last + 1].startswith("@@"):
            last += 1
        numbered = [match for line in lines[at : last + 1] if (match := NUMBERS.match(line))]
        if last > at and not self._takes(MARKER_NOISE):
            raise Damaged(f"The hunk on line {at + 1} of the reply has no lines.")
        if not numbered and (loose := _LOOSE_NUMBERS.match(lines[last])) and self._takes(MARKER_NOISE):
            numbered = [loose]
        if numbered:
            return self._numbered(last, numbered[-1])
        if not self._takes(HUNK_NUMBERS):
            cut = last + 1 == len(lines)
            raise Damaged(f"The hunk header on line {at + 1} of the reply has no line numbers.", open_end=cut)
        marks, texts, end = self._counted_anew(last)
        if end == len(lines) and self._open[last]:
            raise Damaged(f"The reply ends inside the hunk on line {last + 1}.", open_end=True)
        return Hunk.of(None, None, marks, texts), end

    def _numbered(self, at: int, header: re.Match[str]) -> tuple[Hunk, int]:
        """A hunk by its counts if it has them right, else by its lines."""
        lines = self._lines
        ended = self._ended or REPLY_END.name in self._leniency
        refused: Damaged | None = None
        for unmarked in (False, True) if UNMARKED_CONTEXT.name in self._leniency else (False,):
            try:
                marks, texts, end = counted_body(lines, at, header, ended, unmarked)
            except Damaged as error:
                refused = refused or error
                continue
            if not self._runs_on(end):
                if end == len(lines) and not self._ended:
                    self._steps.append(REPLY_END.name)
                if unmarked:
                    self._steps.append(UNMARKED_CONTEXT.name)
                return Hunk.of(int(header[1]), int(header[3]), marks, texts), end
        if HUNK_COUNTS.name not in self._leniency:
            raise refused or Damaged(f"The hunk on line {at + 1} of the reply has more lines than its header says.")
        marks, texts, end = self._counted_anew(at)
        if end == len(lines):
            raise refused or Damaged(f"The reply ends inside the hunk on line {at + 1}.", open_end=True)
        self._steps.append(HUNK_COUNTS.name)
        return Hunk.of(int(header[1]), int(header[3]), marks, texts), end

    def _runs_on(self, at: int) -> bool:
        """Whether lines like those of a hunk, and then a hunk without a header, follow: git would refuse those."""
        start = at
        lines = self._lines
        while at < len(lines) and lines[at][:1] in ("", " ", "+", "-") and not lines[at].startswith(_HEADED):
            at += 1
        return at < len(lines) and lines[at].startswith("@@") and any(lines[start:at])

    def _counted_anew(self, at: int) -> tuple[str, list[str], int]:
        """Marks and texts of a hunk up to the first line that cannot be its own, and that line; blank lines at its
        end are not its own."""
        lines = self._lines
        start = at
        marks: list[str] = []
        texts: list[str] = []
        at += 1
        solid = 0
        while at < len(lines) and not self._stops(at):
            line = lines[at]
            if is_note(line):
                unend(texts)
            elif line[:1] in ("", " ", "+", "-"):
                marks.append(line[:1] or " ")
                texts.append(line[1:] + "\n")
            elif UNMARKED_CONTEXT.name in self._leniency and self._open[at]:
                self._steps.append(UNMARKED_CONTEXT.name)
                marks.append(" ")
                texts.append(line + "\n")
            else:
                break
            at += 1
            solid = len(marks) if line else solid
        marks, texts = marks[:solid], texts[:solid]
        if not set(marks) - {" "}:
            raise Damaged(f"The hunk on line {start + 1} of the reply changes nothing.", open_end=at == len(lines))
        return "".join(marks), texts, at

    def _stops(self, at: int) -> bool:
        """Whether a line begins something else than a line of a hunk."""
        line = self._lines[at]
        if line.startswith(("@@", GIT, *_FENCE)) or is_pair(self._lines, at):
            return True
        return line.startswith(_HEADED) and "".join(self._lines[at + 1 : at + 2]).startswith("@@")


def _indent(lines: Sequence[str]) -> str:
    """The indentation of the first header, where no header stands at the start of a line."""
    indented = ""
    for at in range(len(lines) - 1):
        bare = lines[at].lstrip(" \t")
        if bare.startswith("--- ") and lines[at + 1].lstrip(" \t").startswith("+++ "):
            if len(bare) == len(lines[at]):
                return ""
            indented = indented or lines[at][: len(lines[at]) - len(bare)]
    return indented


def _open_fences(lines: Sequence[str]) -> list[bool]:
    """For every line, whether a code fence is open on it."""
    found: list[bool] = []
    is_open = False
    for line in lines:
        is_open ^= line.startswith(_FENCE)
        found.append(is_open)
    return found
