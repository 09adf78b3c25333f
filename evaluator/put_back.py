"""Putting unintended changes back: the reply's files with only what was allowed still changed.

One extra test run on these files tells a format's failure from a model's: where the tests pass once the
unintended changes are gone, those broke them.
"""

from collections.abc import Collection, Mapping

from miner.symbols.compare import unallowed
from miner.symbols.file_kinds import byte_changes, without_byte_changes
from miner.symbols.files import Files, byte_name, has_symbols, outline_of, text_of
from miner.symbols.lines import changed_blocks, covers, smallest_blocks
from miner.symbols.model import Outline
from miner.symbols.restore import restore
from miner.text import split_lines, to_bytes


def put_back(before: Files, after: Files, allowed: Mapping[str, Collection[str]]) -> dict[str, bytes | None]:
    """`after`, with every change that `allowed` does not cover undone."""
    restored: dict[str, bytes | None] = {}
    for path, new in after.items():
        old, names = before.get(path), allowed.get(path)
        if names is None or new is None:
            restored[path] = old
        else:
            undone = _by_symbol(path, old, new, names) if has_symbols(path) else _by_line(old, new, names)
            restored[path] = _bytes_back(old, undone, names)
    return restored


def _by_symbol(path: str, before: bytes | None, after: bytes, allowed: Collection[str]) -> bytes | None:
    """The first way of undoing that leaves nothing unintended and parses; failing all, the file before.

    Symbol by symbol is exact but where compound statements come or go; there, block by block.
    """
    old, new = outline_of(path, before), outline_of(path, after)
    for undo in (restore, _blocks):
        content = undo(old, new, allowed)
        found = outline_of(path, content)
        if found.errors <= old.errors and not unallowed(old, found, allowed):
            return content
    return before


def _bytes_back(before: bytes | None, after: bytes | None, allowed: Collection[str]) -> bytes | None:
    """The line endings, byte order mark and final newline as before, where they may not change."""
    if before is None or after is None:
        return after
    kinds = {kind for kind, _ in byte_changes(before, after) if byte_name(kind) not in allowed}
    return without_byte_changes(before, after, kinds)


def _blocks(before: Outline, after: Outline, allowed: Collection[str]) -> bytes:
    """`before` with only those differing blocks of lines that lie wholly in allowed symbols."""
    texts = text_of(before.source), text_of(after.source)
    old, new = (split_lines(text) for text in texts)
    may_old, may_new = _allowed_lines(before, allowed), _allowed_lines(after, allowed)
    result, at = [], 0
    for i1, i2, j1, j2 in changed_blocks(*texts):
        keep = all(may_old[i1:i2]) and all(may_new[j1:j2])
        result += old[at:i1] + (new[j1:j2] if keep else old[i1:i2])
        at = i2
    return to_bytes("".join(result + old[at:]))


def _allowed_lines(outline: Outline, allowed: Collection[str]) -> list[bool]:
    """For every line, whether the segment that it begins in may change."""
    may: list[bool] = []
    starts_line = True
    for segment in outline.segments:
        lines = split_lines(segment.text)
        fresh = len(lines) if starts_line else len(lines) - 1
        may += [segment.name in allowed or any(entry in allowed for entry in segment.entries)] * fresh
        starts_line = segment.text.endswith("\n")
    return may


def _by_line(content: bytes | None, edited: bytes, allowed: Collection[str]) -> bytes:
    before, after = text_of(content), text_of(edited)
    old, new = split_lines(before), split_lines(after)
    result, at = [], 0
    for i1, i2, j1, j2 in smallest_blocks(before, after):
        result += old[at:i1] + (new[j1:j2] if covers(allowed, i1, i2) else old[i1:i2])
        at = i2
    return to_bytes("".join(result + old[at:]))
