"""What a unified diff says of one file: its names, and its hunks line by line."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evaluator.formats.model import Edit


@dataclass(frozen=True)
class Hunk:
    """One hunk: where it says that it stands, and its lines with their line ends.

    `line` and `new_line` are the stated first lines (from 1) of the old and the new side, None where its header has
    no numbers. `marks` has for every line of the body ` `, `-` or `+`, `texts` the line without it. `old` and `new`
    are the two sides, `lead` and `trail` the context lines before the first and after the last changed line.
    """

    line: int | None
    new_line: int | None
    marks: str
    texts: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    lead: int
    trail: int

    @classmethod
    def of(cls, line: int | None, new_line: int | None, marks: str, texts: Sequence[str]) -> "Hunk":
        """A hunk of these lines, at least one of them changed."""
        pairs = list(zip(marks, texts, strict=True))
        return cls(
            line, new_line, marks, tuple(texts),
            tuple([text for mark, text in pairs if mark != "+"]), tuple([text for mark, text in pairs if mark != "-"]),
            len(marks) - len(marks.lstrip(" ")), len(marks) - len(marks.rstrip(" ")),
        )  # fmt: skip

    def touched(self, place: int) -> tuple[int, int]:
        """The lines that the hunk changes, without its outer context, where its old side stands at `place`."""
        return place + self.lead, place + len(self.old) - self.trail


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
