"""Reading diffs without line numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from evaluator.formats.fences import Fence
from evaluator.formats.model import NO_NEWLINE, Edit, Leniency, Tolerance, Unreadable
from evaluator.formats.paths import normal_path
from evaluator.formats.search_replace.block import Block, Lines
from evaluator.taxonomy import Detail

BLANK_CONTEXT = Tolerance(
    "blank_context", "an empty line between lines of a hunk stands for an empty unchanged line (GNU patch)"
)
MARKER_NOISE = Tolerance("marker_noise", "`@@` lines directly below each other open one hunk (GNU patch)")
MISSING_SENTINEL = Tolerance(
    "missing_sentinel", "a `+++` line above a hunk names the file without a `---` line above it (GNU patch)"
)
READING = (MISSING_SENTINEL, MARKER_NOISE, BLANK_CONTEXT)
_DIFF = ("--- ", "+++ ", "@@")  # what a line of a diff that is no line of a hunk begins with
_NULL = "/dev/null"


@dataclass
class _Hunk:
    """The two sides of a hunk while its lines are read."""

    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    finals: list[bool] = field(default_factory=lambda: [True, True])
    last: str = ""
    steps: tuple[str, ...] = ()

    def take(self, mark: str, text: str) -> None:
        if mark in " -":
            self.old.append(text)
        if mark in " +":
            self.new.append(text)
        self.last = mark

    def unended(self) -> None:
        """The line read last has no newline."""
        for place, marks in enumerate((" -", " +")):
            if self.last and self.last in marks:
                self.finals[place] = False


def read(reply: str, leniency: Leniency) -> Sequence[Edit] | Unreadable:
    """The hunks of a reply as blocks to find and replace, and the files it deletes."""
    lines, completed = _completed(reply.split("\n"), leniency)
    if _ends_in_diff(lines):
        return Unreadable(Detail.BAD_BLOCK, "The fence around the diff is not closed.", unterminated=True)
    edits: list[Edit] = []
    at = 0
    while at < len(lines):
        paths = _header(lines, at)
        if paths is None:
            at += 1
            continue
        end = next((n for n in range(at + 2, len(lines)) if _header(lines, n) is not None), len(lines))
        found = _file(paths, lines[at + 2 : end], at + 3, leniency)
        if isinstance(found, Unreadable):
            # Where nothing stands below a header or `@@`, the hunk was begun and the reply ended in it.
            return replace(found, unterminated=_ends_open(lines[at + 2 :]))
        taken = (MISSING_SENTINEL.name,) if at in completed else ()
        edits += (replace(edit, steps=(*taken, *edit.steps)) for edit in found)
        at = end
    return edits or Unreadable(Detail.NO_EDIT, "No `---` and `+++` lines with hunks below were found.")


def _ends_open(lines: list[str]) -> bool:
    """Whether the lines below a header end before a hunk's first line."""
    last = next((line for line in reversed(lines) if line.strip()), "@@")
    return last.startswith("@@")


def _completed(lines: list[str], leniency: Leniency) -> tuple[list[str], set[int]]:
    """The lines with a `---` line above every `+++` line that lacks one, and where those stand."""
    if MISSING_SENTINEL.name not in leniency:
        return lines, set()
    found: list[str] = []
    added: set[int] = set()
    for at, line in enumerate(lines):
        lone = line.startswith("+++ ") and not (found and found[-1].startswith("--- "))
        if lone and at + 1 < len(lines) and lines[at + 1].startswith("@@") and not _in_hunk(found):
            added.add(len(found))
            found.append("--- a/" + line[4:].removeprefix("b/"))
        found.append(line)
    return found, added


def _in_hunk(lines: list[str]) -> bool:
    """Whether what stands below these lines would be a line of a hunk."""
    for line in reversed(lines):
        if line.startswith("@@"):
            return True
        if not line.startswith((" ", "-", "+")):
            return False
    return False


def names(old: str, new: str) -> tuple[str | None, str | None] | None:
    """The paths that the two header lines name, None for /dev/null; None where they are no header."""
    if not (old.startswith("--- ") and new.startswith("+++ ")):
        return None
    before, after = (line[4:].rstrip("\r").partition("\t")[0].rstrip() for line in (old, new))
    if before in ("", _NULL) and after in ("", _NULL):
        return None
    if before.startswith("a/") or before == _NULL:
        before, after = before.removeprefix("a/"), after.removeprefix("b/")
    elif after == _NULL:
        before = before.removeprefix("a/")
    return tuple(None if name == _NULL else normal_path(name) for name in (before, after))  # type: ignore[return-value]


def _header(lines: list[str], at: int) -> tuple[str | None, str | None] | None:
    if at + 1 >= len(lines):
        return None
    below = lines[at + 2] if at + 2 < len(lines) else ""
    # A removed `-- x` above an added `++ y` looks like a header; no hunk begins below it.
    begins = below.startswith(("@@", "--- ", "```", "~~~")) or not below.strip()
    return names(lines[at], lines[at + 1]) if begins else None


def _file(
    paths: tuple[str | None, str | None], lines: list[str], number: int, leniency: Leniency
) -> list[Edit] | Unreadable:  # fmt: skip
    old, new = paths
    if new is None:
        return [Block(old or "", None, None)]
    if old is not None and old != new:
        message = f"The diff of {old} names another file, {new}: delete the one and add the other."
        return Unreadable(Detail.BAD_BLOCK, message)
    hunks = list(_hunks(lines, leniency))
    if MARKER_NOISE.name in leniency:
        hunks = _unstacked(hunks)
    if not hunks and old is None:
        return [Block(new, Lines(()), Lines(()))]
    if not hunks or not all(hunk.old or hunk.new for hunk in hunks):
        message = f"The diff of {new} on line {number} of the reply has a hunk without lines."
        return Unreadable(Detail.BAD_BLOCK, message)
    if old is None and any(hunk.old for hunk in hunks):
        return Unreadable(Detail.BAD_BLOCK, f"{new} is said to be new, but its diff has old lines.")
    return [
        Block(new, Lines(tuple(h.old), h.finals[0]), Lines(tuple(h.new), h.finals[1]), steps=h.steps) for h in hunks
    ]


def _hunks(lines: list[str], leniency: Leniency) -> Iterator[_Hunk]:
    hunk: _Hunk | None = None
    blanks = 0  # empty lines, which are of the hunk only where more of it follows
    for line in lines:
        if line.startswith("@@"):
            if hunk is not None:
                yield hunk
            hunk, blanks = _Hunk(), 0
        elif hunk is None:
            if line.strip():
                return
        elif line[:1] in (" ", "-", "+") and line:
            if blanks:
                for _ in range(blanks):
                    hunk.take(" ", "")
                hunk.steps, blanks = (BLANK_CONTEXT.name,), 0
            hunk.take(line[0], line[1:])
        elif line.rstrip("\r") == NO_NEWLINE:
            hunk.unended()
        elif not line.strip() and BLANK_CONTEXT.name in leniency:
            blanks += 1
        else:
            break
    if hunk is not None:
        yield hunk


def _unstacked(hunks: list[_Hunk]) -> list[_Hunk]:
    """The hunks without those that are only the `@@` line above the next one's."""
    kept: list[_Hunk] = []
    empty = False
    for hunk in hunks:
        if hunk.old or hunk.new:
            hunk.steps = (MARKER_NOISE.name, *hunk.steps) if empty else hunk.steps
            kept.append(hunk)
        empty = not (hunk.old or hunk.new)
    return hunks if empty else kept  # below the last one nothing follows


def _ends_in_diff(lines: list[str]) -> bool:
    """Whether the reply ends inside a fence, and there is or begins to be a diff in it or above it."""
    opened: Fence | None = None
    for line in lines:
        fence = Fence.of(line.rstrip())
        if fence is not None and opened is None:
            opened = fence
        elif fence is not None and opened is not None and fence.closes(opened):
            opened = None
    return opened is not None and (opened.info == "diff" or any(line.startswith(_DIFF) for line in lines))
