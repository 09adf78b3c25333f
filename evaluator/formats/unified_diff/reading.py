"""Reading a unified diff to the letter: what `git apply` reads in a reply, and what it refuses as damaged.

The counts of a hunk's header are the law: they tell where the hunk ends. What stands between the diffs of files
is prose. A hunk that belongs to no file, is shorter than its counts or changes nothing makes the whole diff bad.
"""

import re
from collections.abc import Sequence

from evaluator.formats.model import Unreadable
from evaluator.formats.unified_diff.headers import GIT, WORDS, BadHeader, Header, git_header, is_pair, pair
from evaluator.formats.unified_diff.hunks import Body, FileDiff, Hunk, is_note
from evaluator.taxonomy import Detail

NUMBERS = re.compile(r"@@ -(\d{1,18})(?:,(\d{1,18}))? \+(\d{1,18})(?:,(\d{1,18}))? @@")


class Damaged(Exception):
    """A diff that cannot be read. `open_end`: because the reply ends inside it."""

    def __init__(self, message: str, open_end: bool = False) -> None:
        super().__init__(message)
        self.open_end = open_end


def reply_lines(reply: str) -> tuple[list[str], bool]:
    """The lines of a reply, and whether the last one ends in a newline."""
    lines = reply.split("\n")
    if lines[-1] == "":
        return lines[:-1], True
    return lines, False


def read(reply: str) -> list[FileDiff] | Unreadable:
    """The file diffs of a reply, or why there is none."""
    lines, ended = reply_lines(reply)
    try:
        found = _file_diffs(lines, ended)
    except Damaged as error:
        return Unreadable(Detail.BAD_BLOCK, str(error), unterminated=error.open_end)
    return found or Unreadable(Detail.NO_EDIT, "No `--- a/path` and `+++ b/path` lines with a hunk below were found.")


def _file_diffs(lines: list[str], ended: bool) -> list[FileDiff]:
    found: list[FileDiff] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("@@ -") and NUMBERS.match(line):
            message = f"The hunk on line {at + 1} of the reply has no `---` and `+++` lines"
            hint = ", or the hunk above it has more lines than its header says." if found else " above it."
            raise Damaged(message + hint)
        if line.startswith(GIT) or is_pair(lines, at):
            start = at
            header, at = read_header(lines, at, ended)
            if header is None:
                continue
            hunks, at = _hunks(lines, at, ended)
            if not hunks and header.plain:
                message = f"The diff on line {start + 1} of the reply has no hunk."
                raise Damaged(message, open_end=at >= len(lines) - (not ended))
            found.append(file_diff(header, hunks))
        else:
            at += 1
    return found


def read_header(lines: list[str], at: int, ended: bool) -> tuple[Header | None, int]:
    """The header here and the line after it; no header where no hunk or extended line follows it.

    Raises `Damaged`, as one that the reply ends inside where it ends with the header's last line, unended.
    """
    size = len(lines)
    try:
        if lines[at].startswith(GIT):
            header, after = git_header(lines, at)
        elif at + 2 < size and not lines[at + 2].startswith("@@ -"):
            return None, at + 2
        else:
            header, after = pair(lines, at), at + 2
    except BadHeader as error:
        last = next((n for n in range(at + 1, size) if not lines[n].startswith(WORDS)), size)
        message = f"The header on line {at + 1} of the reply contradicts itself: {error}."
        raise Damaged(message, open_end=last == size) from None
    if after == size and not ended:
        raise Damaged(f"The reply ends inside the header on line {at + 1}.", open_end=True)
    return (header if after > at + 1 else None), after


def _hunks(lines: list[str], at: int, ended: bool) -> tuple[list[Hunk], int]:
    hunks: list[Hunk] = []
    while at < len(lines) and lines[at].startswith("@@ -"):
        match = NUMBERS.match(lines[at])
        if match is None:
            message = f"The hunk header on line {at + 1} of the reply is damaged: write `@@ -1,7 +1,8 @@`."
            raise Damaged(message, open_end=at + 1 == len(lines) and not ended)
        hunk, at = counted_hunk(lines, at, match, ended)
        hunks.append(hunk)
    return hunks, at


def counts(header: re.Match[str]) -> tuple[int, int]:
    """How many old and new lines a hunk's header states."""
    _, old, _, new = header.groups()
    return 1 if old is None else int(old), 1 if new is None else int(new)


def counted_hunk(
    lines: Sequence[str], at: int, header: re.Match[str], ended: bool, unmarked: bool = False
) -> tuple[Hunk, int]:
    """The hunk whose header is at `at`, of as many lines as it states, and the line after it.

    `unmarked` takes a line without a mark as context. Raises `Damaged`.
    """
    start = at
    want_old, want_new = counts(header)
    body = Body()
    at += 1
    while (left := max(want_old - len(body.old), want_new - len(body.new))) > 0:
        chunk = lines[at : at + left]  # a line counts once on a side, so that these are the hunk's
        read = body.take(chunk)
        at += read
        if read == len(chunk):
            if not chunk:
                raise Damaged(f"The hunk on line {start + 1} of the reply ends early: {_says(header)}.", open_end=True)
        elif is_note(lines[at]):
            body.unend()
            at += 1
        elif unmarked and not lines[at].startswith(("\\", "```", "~~~", "@@", GIT)):
            body.take([" " + lines[at]])
            at += 1
        else:
            break
    if (len(body.old), len(body.new)) != (want_old, want_new):
        message = f"The hunk on line {start + 1} of the reply is inconsistent: {_says(header)}, its lines do not."
        raise Damaged(message)
    if at == len(lines) and not ended:
        raise Damaged(f"The last line of the hunk on line {start + 1} of the reply does not end in a newline.")
    if at < len(lines) and is_note(lines[at]):
        body.unend()
        at += 1
    if not body.changes():
        raise Damaged(f"The hunk on line {start + 1} of the reply changes nothing.")
    return body.hunk(int(header[1]), int(header[3])), at


def _says(header: re.Match[str]) -> str:
    return "its header says {} old and {} new lines".format(*counts(header))


def file_diff(header: Header, hunks: Sequence[Hunk], steps: tuple[str, ...] = ()) -> FileDiff:
    """The diff of one file; raises `Damaged` where the hunks are not what the header says."""
    old, new = (sum(len(side) for side in sides) for sides in ([h.old for h in hunks], [h.new for h in hunks]))
    path = header.old if header.new is None else header.new
    assert path is not None
    if header.created and old:
        raise Damaged(f"{path} is said to be new, but its hunks have old lines.")
    if header.gone and new:
        raise Damaged(f"{path} is said to be deleted, but its hunks leave lines.")
    creates = header.created
    if creates is None and (old or len(hunks) > 1):
        creates = False
    return FileDiff(
        path, tuple(hunks), source=header.old, creates=creates, deletes=header.gone is True,
        copies=header.copies, link=header.link, written=header.written, steps=steps,
    )  # fmt: skip
