"""Reading the lines of a hunk whose header is wrong about them, or says nothing of them."""

import re
from collections.abc import Sequence

from evaluator.formats.model import Leniency, Tolerance
from evaluator.formats.unified_diff.headers import GIT, is_pair
from evaluator.formats.unified_diff.hunks import Body, Hunk, is_note
from evaluator.formats.unified_diff.reading import NUMBERS, Damaged, counted_hunk

REPLY_END = Tolerance("reply_end", "the reply's last line, the last of a whole hunk, lacks its newline (GNU patch)")
MARKER_NOISE = Tolerance(
    "marker_noise",
    "the whole diff is indented (GNU patch); `@@` lines directly below each other, of which the last with numbers "
    "counts, or without the closing `@@`",
)
UNMARKED_CONTEXT = Tolerance("unmarked_context", "context lines without their leading space (Codex's first applier)")
HUNK_COUNTS = Tolerance("hunk_counts", "wrong line counts in a hunk's header (`git apply --recount`)")
HUNK_NUMBERS = Tolerance(
    "hunk_numbers", "a hunk's header without numbers: the hunk goes where it fits, which must be one place (Aider)"
)

HEADED = ("--- ", "+++ ", GIT)
_FENCE = ("```", "~~~")
_LOOSE_NUMBERS = re.compile(r"@@+ ?-(\d{1,18})(?:,(\d{1,18}))? \+(\d{1,18})(?:,(\d{1,18}))?(?=\s|@|\Z)")


class Hunks:
    """The hunks of one reply. `steps` are the tolerances that those read so far took."""

    def __init__(self, lines: Sequence[str], ended: bool, leniency: Leniency) -> None:
        self._lines, self._ended, self._leniency = lines, ended, leniency
        self._open = _open_fences(lines)
        self.steps: list[str] = []

    def takes(self, tolerance: Tolerance) -> bool:
        """Whether a tolerance is admitted; it is recorded if so."""
        if tolerance.name in self._leniency:
            self.steps.append(tolerance.name)
            return True
        return False

    def read(self, at: int) -> tuple[Hunk, int]:
        """The hunk whose header is at `at`, and the line after it."""
        lines = self._lines
        last = at
        while last + 1 < len(lines) and lines[last + 1].startswith("@@"):
            last += 1
        numbered = [match for line in lines[at : last + 1] if (match := NUMBERS.match(line))]
        if last > at and not self.takes(MARKER_NOISE):
            raise Damaged(f"The hunk on line {at + 1} of the reply has no lines.")
        if not numbered and (loose := _LOOSE_NUMBERS.match(lines[last])) and self.takes(MARKER_NOISE):
            numbered = [loose]
        if numbered:
            return self._numbered(last, numbered[-1])
        if not self.takes(HUNK_NUMBERS):
            cut = last + 1 == len(lines)
            raise Damaged(f"The hunk header on line {at + 1} of the reply has no line numbers.", open_end=cut)
        hunk, end = self._counted_anew(last, None)
        if end == len(lines) and self._open[last]:
            raise Damaged(f"The reply ends inside the hunk on line {last + 1}.", open_end=True)
        return hunk, end

    def _numbered(self, at: int, header: re.Match[str]) -> tuple[Hunk, int]:
        """A hunk by its counts if it has them right, else by its lines."""
        lines = self._lines
        ended = self._ended or REPLY_END.name in self._leniency
        refused: Damaged | None = None
        for unmarked in (False, True) if UNMARKED_CONTEXT.name in self._leniency else (False,):
            try:
                hunk, end = counted_hunk(lines, at, header, ended, unmarked)
            except Damaged as error:
                refused = refused or error
                continue
            if not self._runs_on(end):
                if end == len(lines) and not self._ended:
                    self.steps.append(REPLY_END.name)
                if unmarked:
                    self.steps.append(UNMARKED_CONTEXT.name)
                return hunk, end
        if HUNK_COUNTS.name not in self._leniency:
            raise refused or Damaged(f"The hunk on line {at + 1} of the reply has more lines than its header says.")
        try:
            hunk, end = self._counted_anew(at, header)
        except Damaged as error:
            raise refused or error from None
        if end == len(lines):
            raise refused or Damaged(f"The reply ends inside the hunk on line {at + 1}.", open_end=True)
        self.steps.append(HUNK_COUNTS.name)
        return hunk, end

    def _runs_on(self, at: int) -> bool:
        """Whether lines like those of a hunk, and then a hunk without a header, follow: git would refuse those."""
        start = at
        lines = self._lines
        while at < len(lines) and lines[at][:1] in ("", " ", "+", "-") and not lines[at].startswith(HEADED):
            at += 1
        return at < len(lines) and lines[at].startswith("@@") and any(lines[start:at])

    def _counted_anew(self, at: int, header: re.Match[str] | None) -> tuple[Hunk, int]:
        """The hunk up to the first line that cannot be its own, and that line; blank lines at its end are not its
        own."""
        lines = self._lines
        start = at
        body = Body()
        at += 1
        blank = 0
        while at < len(lines) and not self._stops(at):
            if is_note(lines[at]):
                body.unend()
            elif not body.take(lines[at : at + 1]):
                if UNMARKED_CONTEXT.name not in self._leniency or not self._open[at]:
                    break
                self.steps.append(UNMARKED_CONTEXT.name)
                body.take([" " + lines[at]])
            blank = 0 if lines[at] else blank + 1
            at += 1
        for _ in range(blank):
            body.drop_last()
        if not body.changes():
            raise Damaged(f"The hunk on line {start + 1} of the reply changes nothing.", open_end=at == len(lines))
        return (body.hunk(None, None) if header is None else body.hunk(int(header[1]), int(header[3]))), at

    def _stops(self, at: int) -> bool:
        """Whether a line begins something else than a line of a hunk."""
        line = self._lines[at]
        if line.startswith(("@@", GIT, *_FENCE)) or is_pair(self._lines, at):
            return True
        return line.startswith(HEADED) and "".join(self._lines[at + 1 : at + 2]).startswith("@@")


def _open_fences(lines: Sequence[str]) -> list[bool]:
    """For every line, whether a code fence is open on it."""
    found: list[bool] = []
    is_open = False
    for line in lines:
        is_open ^= line.startswith(_FENCE)
        found.append(is_open)
    return found
