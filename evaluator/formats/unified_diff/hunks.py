"""What a unified diff says of one file: its names, and its hunks line by line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluator.formats.model import Edit

_SHORTEST_NOTE = 11  # characters of a `\\ No newline at end of file`, as git has it


@dataclass(frozen=True)
class Hunk:
    """One hunk: where it says that it stands, and its two sides, lines with their line ends.

    `line` and `new_line` are the stated first lines (from 1) of the old and the new side, None where its header has
    no numbers. `marks` has for every line of the body ` `, `-` or `+`. `lead` and `trail` count the context lines
    before the first and after the last changed line.
    """

    line: int | None
    new_line: int | None
    marks: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    lead: int
    trail: int

    def added(self) -> list[str]:
        """The lines that it adds."""
        new = iter(self.new)
        return [text for mark in self.marks if mark != "-" for text in (next(new),) if mark == "+"]

    def core(self) -> "Hunk":
        """The hunk without the context around its changes, and without numbers."""
        inner = slice(self.lead, len(self.marks) - self.trail)
        old, new = (side[self.lead : len(side) - self.trail] for side in (self.old, self.new))
        return Hunk(None, None, self.marks[inner], old, new, 0, 0)

    def touched(self, place: int) -> tuple[int, int]:
        """The lines that the hunk changes, without its outer context, where its old side stands at `place`."""
        return place + self.lead, place + len(self.old) - self.trail


class Body:
    """The lines of a hunk, as they are read."""

    def __init__(self) -> None:
        self.marks: list[str] = []
        self.old: list[str] = []
        self.new: list[str] = []

    def take(self, lines: Sequence[str]) -> int:
        """Take in lines up to the first that is no line of a hunk; how many. An empty line is one of context."""
        old, new, marks = self.old.append, self.new.append, self.marks.append
        for count, line in enumerate(lines):
            mark = line[:1]
            if mark == " ":
                text = line[1:] + "\n"
                old(text)
                new(text)
            elif mark == "+":
                new(line[1:] + "\n")
            elif mark == "-":
                old(line[1:] + "\n")
            elif not mark:
                old("\n")
                new("\n")
                mark = " "
            else:
                return count
            marks(mark)
        return len(lines)

    def unend(self) -> None:
        """Take the newline from the last line so far."""
        mark = self.marks[-1] if self.marks else ""
        for side, others in ((self.old, "+"), (self.new, "-")):
            if mark and mark != others:
                side[-1] = side[-1].removesuffix("\n")

    def changes(self) -> bool:
        """Whether any line is no context."""
        return "+" in self.marks or "-" in self.marks

    def drop_last(self) -> None:
        """Forget the last line, one of context."""
        for lines in (self.marks, self.old, self.new):
            lines.pop()

    def hunk(self, line: int | None, new_line: int | None) -> Hunk:
        """The hunk, at least one of whose lines is changed, with the numbers of its header."""
        marks, size = "".join(self.marks), len(self.marks)
        lead, trail = (size - len(context) for context in (marks.lstrip(" "), marks.rstrip(" ")))
        return Hunk(line, new_line, marks, tuple(self.old), tuple(self.new), lead, trail)


def is_note(line: str) -> bool:
    r"""Whether a line says, in any language, that the line above has no newline at its end (`\ No newline ...`)."""
    return line.startswith("\\ ") and len(line) >= _SHORTEST_NOTE


@dataclass(frozen=True)
class FileDiff(Edit):
    """The diff of one file. `path` is the file that it leaves, or the one that it deletes.

    `source` is the file that it reads, None for a new one; another path than `path` where it is renamed
    (`copies`: it stays as well). `creates` None: the file is new if there is none, as the diff does not say.
    `link`: the result is to be a link or submodule. `written` are the names as the headers have them, for recovery.
    """

    hunks: tuple[Hunk, ...]
    source: str | None = None
    creates: bool | None = False
    deletes: bool = False
    copies: bool = False
    link: bool = False
    written: tuple[str, ...] = ()

    def named(self, path: str, step: str) -> "FileDiff":
        """The same diff for another path that its headers may mean, and the step that found it."""
        source = None if self.source is None else path
        return replace(self, path=path, source=source, steps=(*self.steps, step))
