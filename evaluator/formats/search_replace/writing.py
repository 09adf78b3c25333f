"""Writing a known change as search and replace blocks."""

import itertools
import re
from collections.abc import Sequence

from evaluator.formats.anchors import Range, anchored
from evaluator.formats.differing import differing
from evaluator.formats.index import as_characters
from evaluator.formats.model import CannotExpress
from evaluator.formats.paths import deletion, unspellable
from evaluator.formats.search_replace.block import Lines, marked, side
from evaluator.formats.search_replace.naming import line_of
from miner.symbols.files import text_of

_MARKER_LIKE = re.compile(r"^[ \t]*(<{5,}|={5,}|>{5,})", re.MULTILINE)


def encoded_file(path: str, before: bytes | None, after: bytes | None) -> str | CannotExpress:
    """The change of one file."""
    if after is None:
        return deletion(path)
    old, new = Lines.of(text_of(before)), Lines.of(text_of(after))
    if not old.lines:
        return _written(path, [(old, new)])
    return encoded_blocks(path, old, new, differing(text_of(before), text_of(after)))


def encoded_blocks(path: str, old: Lines, new: Lines, blocks: list[Range]) -> str | CannotExpress:
    """The blocks that stand for the differing ranges, with as little around them as makes every SEARCH unique."""
    return _written(path, unique_sides(old, new, blocks))


def unique_sides(old: Lines, new: Lines, blocks: list[Range]) -> list[tuple[Lines, Lines]]:
    """Old and new lines of the differing ranges, with as little around them as makes the old ones unique."""
    ours, theirs = as_characters(old.lines, new.lines)

    def stands_alone(lines: Range, done: tuple[int, int]) -> bool:
        present, wanted = theirs[: done[1]] + ours[done[0] :], ours[lines[0] : lines[1]]
        first = present.find(wanted)
        return present.find(wanted, first + 1) < 0 and all(map(_reads_back, _sides(old, new, lines)))

    ranges = anchored(blocks, (len(old.lines), len(new.lines)), stands_alone)
    return [_sides(old, new, lines) for lines in ranges]


def _sides(old: Lines, new: Lines, lines: Range) -> tuple[Lines, Lines]:
    i1, i2, j1, j2 = lines
    return _cut(old, i1, i2, new), _cut(new, j1, j2, old)


def _cut(of: Lines, first: int, last: int, other: Lines) -> Lines:
    """Lines of a file; that it has no newline at its end is said where the other one has."""
    at_end = last == len(of.lines) and of.final != other.final
    return Lines(of.lines[first:last], of.final if at_end else True)


def _written(path: str, pairs: Sequence[tuple[Lines, Lines]]) -> str | CannotExpress:
    line = line_of(path)
    if line is None:
        return unspellable(path)
    if not all(map(_reads_back, itertools.chain(*pairs))):
        return CannotExpress(f"{path} itself has the line that says that a file has no final newline")
    return "\n".join(_block(line, search, replace) for search, replace in pairs)


def _block(line: str, search: Lines, replace: Lines) -> str:
    text = marked(search) + marked(replace)
    size = max([7, *(len(run) + 1 for run in _MARKER_LIKE.findall(text) if len(run) >= 7)])
    head, divider, end = f"{'<' * size} SEARCH", "=" * size, f"{'>' * size} REPLACE"
    return f"{line}\n{head}\n{marked(search)}{divider}\n{marked(replace)}{end}\n"


def _reads_back(lines: Lines) -> bool:
    """Whether a side that is written down is read as the same one: not where it ends in the marker's own words."""
    return side(marked(lines).split("\n")[:-1]) == lines
