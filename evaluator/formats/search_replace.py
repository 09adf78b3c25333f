"""`search_replace`: blocks between conflict markers, the file's path on the line above.

The grammar is the conflict-marker style that several coding agents use: SEARCH quotes whole lines that
occur exactly once, REPLACE stands for them. Markers have seven or more characters, the same number
throughout a block. An empty SEARCH creates a file; `DELETE FILE: path` deletes one.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.formats.model import (
    NO_NEWLINE,
    STRICT,
    Applied,
    CannotExpress,
    Edit,
    Leniency,
    NotApplied,
    Tolerance,
    Tree,
    Unreadable,
)
from evaluator.formats.paths import (
    deleted_path,
    deletion,
    forbidden,
    line_of_path,
    path_of_line,
    unknown,
    unspellable,
)
from evaluator.formats.reply import changed_paths, joined
from evaluator.taxonomy import Detail
from miner.symbols.files import Files, text_of
from miner.symbols.lines import changed_blocks
from miner.text import to_bytes

_OPEN = re.compile(r"(<{7,}) ?SEARCH\s*\Z")
_FENCE = re.compile(r"(?:`{3,}|~{3,})[\w.+#-]*\s*\Z")
_BLANK = re.compile(r"\Z")
_MARKER_LIKE = re.compile(r"^(?:<{7,} ?SEARCH|={7,}|>{7,} ?REPLACE)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Lines:
    """Lines without their `\\n`; `final` tells whether the last one is followed by a newline."""

    lines: tuple[str, ...]
    final: bool = True

    @classmethod
    def of(cls, text: str) -> "Lines":
        """A text as lines."""
        parts = text.split("\n")
        if parts[-1] == "":
            return cls(tuple(parts[:-1]), True)
        return cls(tuple(parts), False)

    def text(self) -> str:
        """The lines as text."""
        return "\n".join(self.lines) + ("\n" if self.lines and self.final else "")


@dataclass(frozen=True)
class Block(Edit):
    """One block; both sides None: the file is deleted."""

    search: Lines | None
    replace: Lines | None


class SearchReplace:
    """Search and replace blocks."""

    name = "search_replace"
    tolerances: tuple[Tolerance, ...] = ()

    def instructions(self) -> str:
        """How to write a search/replace reply."""
        return (
            "Answer with one block for every place you change. Above each block write the file's path alone on a\n"
            "line:\n\n"
            "path/to/file.py\n<<<<<<< SEARCH\nthe lines to replace\n=======\nthe new lines\n>>>>>>> REPLACE\n\n"
            "SEARCH quotes whole lines of the file exactly, white space included, and enough of them to occur only\n"
            "once in the file. Blocks apply in order, each to the result of those before it. To add a file leave\n"
            "SEARCH empty. To delete a file write the line `DELETE FILE: path/to/file.py`. If the text itself holds\n"
            "a marker line, lengthen all the markers of the block by the same number of characters.\n"
            f"`{NO_NEWLINE}` as a side's last line says that the file ends there without a newline.\n"
        )

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:  # noqa: ARG002
        """The blocks and deletions of the reply; a block without a path is for the file before it."""
        lines = reply.split("\n")
        edits: list[Edit] = []
        at, path = 0, ""
        while at < len(lines):
            if (gone := deleted_path(lines[at])) is not None:
                edits.append(Block(gone, None, None))
            elif match := _OPEN.match(lines[at]):
                path = _path_above(lines, at) or path
                size = len(match[1])
                end = _find(lines, at + 1, rf">{{{size}}} ?REPLACE\s*\Z")
                divider = _find(lines[:end], at + 1, rf"={{{size}}}\s*\Z")
                next_block = _find(lines[:end], at + 1, rf"<{{{size}}} ?SEARCH\s*\Z")
                if divider is None or end is None or next_block is not None:
                    message = f"The block opened on line {at + 1} of the reply lacks its ======= or >>>>>>> REPLACE."
                    return Unreadable(Detail.BAD_BLOCK, message, unterminated=end is None)
                if not path:
                    return Unreadable(Detail.BAD_BLOCK, f"The block on line {at + 1} of the reply names no file.")
                edits.append(Block(path, _side(lines[at + 1 : divider]), _side(lines[divider + 1 : end])))
                at = end
            at += 1
        return edits or Unreadable(Detail.NO_EDIT, "No SEARCH/REPLACE block was found.")

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:  # noqa: ARG002
        """The blocks in order, each on the result of those before."""
        files: dict[str, bytes | None] = {}
        for fitted, edit in enumerate(edits):
            assert isinstance(edit, Block)
            if (refusal := forbidden(edit.path, tree, fitted)) is not None:
                return refusal
            current = files[edit.path] if edit.path in files else tree.read(edit.path)
            outcome = _apply_block(edit, current, fitted, number=fitted + 1)
            if isinstance(outcome, NotApplied):
                return outcome
            files[edit.path] = to_bytes(outcome) if outcome is not None else None
        return Applied(files)

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """The change as blocks with as little context as makes every SEARCH unique."""
        return joined((p, _encode_file(p, before.get(p), after.get(p))) for p in changed_paths(before, after))

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """A block whose two sides are the first line, with the context that makes it unique."""
        lines = Lines.of(text)
        return joined([(path, _encode_blocks(path, lines, lines, [(0, 1, 0, 1)]))])


def _find(lines: list[str], start: int, pattern: str) -> int | None:
    compiled = re.compile(pattern)
    return next((n for n in range(start, len(lines)) if compiled.match(lines[n])), None)


def _path_above(lines: list[str], at: int) -> str | None:
    """The path on the line above a block, or above the fence that holds it."""
    place = at - 1
    for passed_over in (_FENCE, _BLANK):
        if place >= 0 and passed_over.match(lines[place].strip()):
            place -= 1
    if place < 0 or _MARKER_LIKE.match(lines[place]):
        return None
    return path_of_line(lines[place], bare=True)


def _side(lines: list[str]) -> Lines:
    if lines and lines[-1].rstrip("\r") == NO_NEWLINE:
        return Lines(tuple(lines[:-1]), final=False)
    return Lines(tuple(lines))


def _apply_block(block: Block, current: bytes | None, fitted: int, number: int) -> str | NotApplied | None:
    if block.search is None or block.replace is None:
        return unknown(block.path, fitted) if current is None else None
    if current is None:
        return unknown(block.path, fitted) if block.search.lines else block.replace.text()
    text = Lines.of(text_of(current))
    if not block.search.lines and not text.lines:
        return block.replace.text()
    places = _places(text, block.search) if block.search.lines else []
    if not places:
        message = f"Block {number}: its SEARCH lines do not occur in {block.path}.{_nearest(text, block.search)}"
        return NotApplied(Detail.ANCHOR_MISSING, message, fitted)
    if len(places) > 1:
        where = ", ".join(str(place + 1) for place in places[:5])
        message = f"Block {number}: its SEARCH lines occur {len(places)} times in {block.path} (lines {where})."
        return NotApplied(Detail.ANCHOR_AMBIGUOUS, f"{message} Quote more lines.", fitted)
    return _replaced(text, places[0], block.search, block.replace).text()


def _places(text: Lines, search: Lines) -> list[int]:
    """The line indexes at which the search lines stand."""
    size = len(search.lines)
    last = len(text.lines) - size
    candidates = [last] if not search.final else range(last + 1)
    if not search.final and text.final:
        return []
    return [n for n in candidates if n >= 0 and text.lines[n : n + size] == search.lines]


def _replaced(text: Lines, place: int, search: Lines, replace: Lines) -> Lines:
    end = place + len(search.lines)
    lines = (*text.lines[:place], *replace.lines, *text.lines[end:])
    if end < len(text.lines):
        return Lines(lines, text.final)
    # The end of the file is part of the edit: a side that marks it decides, else it stays as it was.
    return Lines(lines, replace.final if not (search.final and replace.final) else text.final)


def _nearest(text: Lines, search: Lines) -> str:
    """A hint at where the first line of the search, blanks aside, does stand."""
    wanted = next((line.strip() for line in search.lines if line.strip()), "")
    where = [n + 1 for n, line in enumerate(text.lines) if wanted and line.strip() == wanted][:3]
    return f" Its first line is like line {', '.join(map(str, where))}." if where else ""


def _encode_file(path: str, before: bytes | None, after: bytes | None) -> str | CannotExpress:
    if after is None:
        return deletion(path)
    old, new = Lines.of(text_of(before)), Lines.of(text_of(after))
    if not old.lines:
        return _written(path, [(old, new)])
    return _encode_blocks(path, old, new, list(changed_blocks(text_of(before), text_of(after))))


def _encode_blocks(
    path: str, old: Lines, new: Lines, blocks: list[tuple[int, int, int, int]]
) -> str | CannotExpress:
    context = 1
    while context <= len(old.lines):
        pairs = _with_context(old, new, blocks, context)
        if _gives(old, pairs, new) and all(map(_reads_back, itertools.chain(*pairs))):
            return _written(path, pairs)
        context *= 2
    return _written(path, [(old, new)])


def _with_context(
    old: Lines, new: Lines, blocks: list[tuple[int, int, int, int]], context: int
) -> list[tuple[Lines, Lines]]:
    """The changed blocks widened by context lines, those that then touch made one."""
    merged: list[list[int]] = []
    for i1, i2, j1, j2 in blocks:
        above, below = min(context, i1, j1), min(context, len(old.lines) - i2, len(new.lines) - j2)
        if merged and i1 - above <= merged[-1][1]:
            merged[-1][1], merged[-1][3] = i2 + below, j2 + below
        else:
            merged.append([i1 - above, i2 + below, j1 - above, j2 + below])
    return [(_cut(old, i1, i2, new), _cut(new, j1, j2, old)) for i1, i2, j1, j2 in merged]


def _cut(of: Lines, first: int, last: int, other: Lines) -> Lines:
    at_end = last == len(of.lines) and of.final != other.final
    return Lines(of.lines[first:last], of.final if at_end else True)


def _gives(old: Lines, pairs: list[tuple[Lines, Lines]], new: Lines) -> bool:
    """Whether applying the pairs in order finds every search exactly once and ends in `new`."""
    current = old
    for search, replace in pairs:
        places = _places(current, search) if search.lines else []
        if len(places) != 1:
            return False
        current = _replaced(current, places[0], search, replace)
    return current == new


def _written(path: str, pairs: Sequence[tuple[Lines, Lines]]) -> str | CannotExpress:
    line = line_of_path(path)
    if "\n" in line or _path_above([line], 1) != path:
        return unspellable(path)
    if not all(map(_reads_back, itertools.chain(*pairs))):
        return CannotExpress(f"{path} itself has the line that says that a file has no final newline")
    return "\n".join(_block(line, search, replace) for search, replace in pairs)


def _block(line: str, search: Lines, replace: Lines) -> str:
    text = _marked(search) + _marked(replace)
    size = max([7, *(len(m.split(" ")[0].rstrip()) + 1 for m in _MARKER_LIKE.findall(text))])
    head, divider, end = f"{'<' * size} SEARCH", "=" * size, f"{'>' * size} REPLACE"
    return f"{line}\n{head}\n{_marked(search)}{divider}\n{_marked(replace)}{end}\n"


def _reads_back(side: Lines) -> bool:
    """Whether a side that is written down is read as the same one: not where it ends in the marker's own words."""
    return _side(_marked(side).split("\n")[:-1]) == side


def _marked(side: Lines) -> str:
    text = "".join(line + "\n" for line in side.lines)
    return text if side.final else text + NO_NEWLINE + "\n"
