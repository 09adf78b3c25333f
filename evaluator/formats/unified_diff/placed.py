"""What the rules that place hunks share: the steps of the ladder, and the lines that a hunk leaves where it fits."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.formats.ladder import LINE_ENDINGS, TRAILING_SPACE, dressed
from evaluator.formats.line_index import Key
from evaluator.formats.model import Tolerance
from evaluator.formats.unified_diff.hunks import Hunk

FILE_END = Tolerance(
    "file_end", "a newline missing at the end of the file, or wrongly said to be, is not compared (`--inaccurate-eof`)"
)
EDGE_CONTEXT = Tolerance(
    "edge_context",
    "a hunk without context above or below need not begin or end the file (`git apply --unidiff-zero`)",
)
CONTEXT_FUZZ = Tolerance(
    "context_fuzz", "up to two context lines at either end are not compared (GNU patch: its offsets and its fuzz 2)"
)
# In their order: each is tried with those above it that are admitted.
PLACING = (LINE_ENDINGS, TRAILING_SPACE, FILE_END, EDGE_CONTEXT, CONTEXT_FUZZ)


@dataclass(frozen=True)
class Placed:
    """A file's hunks placed: its text after, and per hunk its place in the lines before and where else it fits.

    `places` are None for a hunk that stands between lines that earlier hunks made.
    """

    text: str
    places: tuple[int | None, ...]
    others: tuple[tuple[int, ...], ...]
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Misfit:
    """The first hunk (from 0) that fits nowhere; or, `many`, at which lines (from 0) one without numbers fits."""

    hunk: int
    many: tuple[int, ...] = ()


def key_of(steps: Sequence[str]) -> Key:
    """What is left of a line, its newline included, once what these steps do not compare is taken away."""
    loose_end = FILE_END.name in steps
    if TRAILING_SPACE.name in steps:
        return str.rstrip if loose_end else lambda line: line.rstrip() + ("\n" if line.endswith("\n") else "")
    if LINE_ENDINGS.name in steps:
        return lambda line: line.rstrip("\n").removesuffix("\r") + ("\n" if line.endswith("\n") > loose_end else "")
    return (lambda line: line.removesuffix("\n")) if loose_end else str


def rebuilt(
    hunk: Hunk, replaced: Sequence[str], nearby: Sequence[str], at_end: bool, steps: Sequence[str]
) -> list[str]:  # fmt: skip
    """The lines that a hunk leaves in the place of some that are its old ones but for what `steps` do not compare.

    Its context stays as the file has it. Where line ends are not compared, added lines get those of the lines
    around; where the end of the file (`at_end`) is not, it changes only where the hunk's two sides differ in it.
    """
    added = hunk.added()
    if LINE_ENDINGS.name in steps:
        bare = dressed(*([line.removesuffix("\n") for line in some] for some in (added, replaced, nearby)))
        added = [line + text[len(text.rstrip("\n")) :] for line, text in zip(bare, added, strict=True)]
    fresh = iter(added)
    result: list[str] = []
    at = 0
    for mark in hunk.marks:
        if mark != "-":
            result.append(next(fresh) if mark == "+" else replaced[at])
        at += mark != "+"
    if FILE_END.name in steps and result:
        last = result.pop()
        result = [line if line.endswith("\n") else line + "\n" for line in result]
        ends = _ends(replaced) if _ends(hunk.new) == _ends(hunk.old) else _ends(hunk.new)
        result.append(last.removesuffix("\n") + ("\n" if ends or not at_end else ""))
    return result


def _ends(side: Sequence[str]) -> bool:
    return not side or side[-1].endswith("\n")
