"""Reading a unified diff that is not to the letter, with the tolerances that are admitted.

Only what a tolerance forgives is read otherwise than `git apply` reads it. A diff that the reply ends inside is
unterminated whatever is admitted: a hunk with fewer lines than its header says at the very end of a reply, or one
without counts in a fence that is never closed.
"""

from collections.abc import Sequence

from evaluator.formats.ladder import LINE_ENDINGS
from evaluator.formats.model import Leniency, Tolerance, Unreadable
from evaluator.formats.unified_diff.headers import GIT, WORDS, BadHeader, Header, is_pair, pair
from evaluator.formats.unified_diff.hunks import FileDiff, Hunk
from evaluator.formats.unified_diff.lenient_hunks import (
    HEADED,
    HUNK_COUNTS,
    HUNK_NUMBERS,
    MARKER_NOISE,
    REPLY_END,
    UNMARKED_CONTEXT,
    Hunks,
)
from evaluator.formats.unified_diff.names import common_name, header_name, plain_name
from evaluator.formats.unified_diff.reading import NUMBERS, Damaged, file_diff, read_header, reply_lines
from evaluator.taxonomy import Detail

GIT_HEADER = Tolerance(
    "git_header", "git's header lines contradict the `---` and `+++` lines, which then decide (GNU patch)"
)
MISSING_SENTINEL = Tolerance("missing_sentinel", "one of the `---` and `+++` lines is missing (GNU patch)")
FENCE_NOISE = Tolerance("fence_noise", "fences or prose between the hunks of one file (agents that join the blocks)")
READING = (
    REPLY_END, GIT_HEADER, MISSING_SENTINEL, MARKER_NOISE, FENCE_NOISE, UNMARKED_CONTEXT, HUNK_COUNTS, HUNK_NUMBERS,
)  # fmt: skip



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
        if LINE_ENDINGS.name in leniency and any(line.endswith("\r") for line in lines if line.startswith(HEADED)):
            lines = [line.removesuffix("\r") for line in lines]
            self._common.append(LINE_ENDINGS.name)
        if MARKER_NOISE.name in leniency and (indent := _indent(lines)):
            lines = [line.removeprefix(indent) for line in lines]
            self._common.append(MARKER_NOISE.name)
        self._lines = lines
        self._hunks = Hunks(lines, ended, leniency)
        self._header: Header | None = None
        self._read: list[Hunk] = []
        self._found: list[FileDiff] = []

    def file_diffs(self) -> list[FileDiff]:
        """All of them."""
        at, end = 0, -1  # `end`: the line after the last header or hunk
        while at < len(self._lines):
            headed = self._header_at(at)
            if headed is not None:
                self._flush()
                self._header, at, self._hunks.steps = headed
                end = at
            elif self._lines[at].startswith("@@") and (self._header is not None or NUMBERS.match(self._lines[at])):
                if self._header is None or not (end == at or self._hunks.takes(FENCE_NOISE)):
                    raise Damaged(f"The hunk on line {at + 1} of the reply has no `---` and `+++` lines above it.")
                hunk, at = self._hunks.read(at)
                self._read.append(hunk)
                end = at
            else:
                at += 1
        self._flush(open_end=end >= len(self._lines) - (not self._ended))
        return self._found

    def _flush(self, open_end: bool = False) -> None:
        if self._header is not None:
            if not self._read and self._header.plain:
                raise Damaged(f"The diff of {self._header.new} has no hunk.", open_end)
            steps = tuple(dict.fromkeys([*self._common, *self._hunks.steps]))
            self._found.append(file_diff(self._header, self._read, steps))
        self._header, self._read = None, []

    def _header_at(self, at: int) -> tuple[Header, int, list[str]] | None:
        """The header that begins on a line, the line after it, and the steps that it took; None where none does."""
        lines = self._lines
        line = lines[at]
        if not line.startswith(HEADED):
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
