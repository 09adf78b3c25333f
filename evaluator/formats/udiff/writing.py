"""Writing a known change as a diff without line numbers."""

from collections.abc import Sequence

from evaluator.formats.differing import differing
from evaluator.formats.model import NO_NEWLINE, STRICT, CannotExpress
from evaluator.formats.paths import unspellable
from evaluator.formats.search_replace.block import Block, Lines
from evaluator.formats.search_replace.writing import unique_sides
from evaluator.formats.udiff.reading import names, read
from miner.symbols.files import text_of


def file_diff(path: str, before: bytes | None, after: bytes | None) -> str | CannotExpress:
    """The diff of one file."""
    if after is None:
        return _checked(path, f"--- a/{path}\n+++ /dev/null\n", [(None, None)])
    old, new = Lines.of(text_of(before)), Lines.of(text_of(after))
    head = f"--- {'/dev/null' if before is None else f'a/{path}'}\n+++ b/{path}\n"
    if not old.lines:
        return _checked(path, head + (_hunk(old, new) if new.lines else ""), [(old, new)])
    sides = unique_sides(old, new, differing(text_of(before), text_of(after)))
    return _checked(path, head + "".join(_hunk(*pair) for pair in sides), sides)


def restated(path: str, text: str) -> str | CannotExpress:
    """A diff that removes the first line of a file and adds it again."""
    lines = Lines.of(text)
    (pair,) = unique_sides(lines, lines, [(0, 1, 0, 1)])
    return _checked(path, f"--- a/{path}\n+++ b/{path}\n{_hunk(*pair, above=0)}", [pair])


def _hunk(old: Lines, new: Lines, above: int | None = None) -> str:
    """One hunk: what both sides have at their start and end is unchanged, the rest removed and added."""
    shorter = min(len(old.lines), len(new.lines))
    if above is None:
        above = next((n for n in range(shorter) if old.lines[n] != new.lines[n]), shorter)
    at_end = old.final != new.final
    if at_end:
        above = min(above, max(shorter - 1, 0))  # the last line is removed and added again, without its newline
    reach = 0 if at_end else shorter - above
    below = next((n for n in range(reach) if old.lines[-1 - n] != new.lines[-1 - n]), reach)
    if above + below == shorter == len(old.lines) == len(new.lines) and above == 0 and below:
        below -= 1  # a line that stands for itself is removed and added
    rows = [f" {line}" for line in old.lines[:above]]
    rows += [f"-{line}" for line in old.lines[above : len(old.lines) - below]]
    if not old.final and not below and len(old.lines) > above:
        rows.append(NO_NEWLINE)
    rows += [f"+{line}" for line in new.lines[above : len(new.lines) - below]]
    if not new.final and not below and len(new.lines) > above:
        rows.append(NO_NEWLINE)
    rows += [f" {line}" for line in old.lines[len(old.lines) - below :]] if below else []
    if not old.final and below:
        rows.append(NO_NEWLINE)
    return "@@ ... @@\n" + "".join(f"{row}\n" for row in rows)


def _checked(path: str, diff: str, sides: Sequence[tuple[Lines | None, Lines | None]]) -> str | CannotExpress:
    """The diff, if it is read as what it was written for."""
    head = diff.split("\n")
    if names(head[0], head[1]) not in ((path, path), (None, path), (path, None)):
        return unspellable(path)
    found = read(f"```diff\n{diff}```\n", STRICT)
    wanted = [Block(path, old, new) for old, new in sides]
    if found != wanted:
        return CannotExpress(f"{path} has lines that would be read as another part of the diff")
    return diff
