"""Putting unintended changes back: the reply's files with only what was allowed still changed.

One extra test run on these files tells a format's failure from a model's: where the tests pass once the
unintended changes are gone, those broke them.
"""

from collections.abc import Collection, Mapping, Sequence

from miner.symbols.compare import unallowed
from miner.symbols.files import Files, has_symbols, text_of
from miner.symbols.lines import changed_blocks, covers
from miner.symbols.model import IMPORTS, Outline, Segment
from miner.symbols.python import outline
from miner.text import split_lines, to_bytes


def put_back(before: Files, after: Files, allowed: Mapping[str, Collection[str]]) -> dict[str, bytes | None]:
    """`after`, with every change that `allowed` does not cover undone."""
    restored: dict[str, bytes | None] = {}
    for path, new in after.items():
        old, names = before.get(path), allowed.get(path)
        if names is None or new is None:
            restored[path] = old
        else:
            undo = _python if has_symbols(path) else _lines
            restored[path] = to_bytes(undo(text_of(old), text_of(new), names))
    return restored


def _python(before: str, after: str, allowed: Collection[str]) -> str:
    """The first way of undoing that leaves nothing unintended and parses; failing all, the text before.

    Symbol by symbol is exact but where compound statements come or go; there, block by block.
    """
    old = outline(before)
    for undo in (_symbols, _blocks):
        text = undo(before, after, allowed)
        new = outline(text)
        if new.errors <= old.errors and not unallowed(old, new, allowed):
            return text
    return before


def _blocks(before: str, after: str, allowed: Collection[str]) -> str:
    """`before` with only those differing blocks of lines that lie wholly in allowed symbols."""
    old, new = split_lines(before), split_lines(after)
    may_old, may_new = _allowed_lines(before, allowed), _allowed_lines(after, allowed)
    result, at = [], 0
    for i1, i2, j1, j2 in changed_blocks(before, after):
        keep = all(may_old[i1:i2]) and all(may_new[j1:j2])
        result += old[at:i1] + (new[j1:j2] if keep else old[i1:i2])
        at = i2
    return "".join(result + old[at:])


def _allowed_lines(text: str, allowed: Collection[str]) -> list[bool]:
    """For every line, whether the segment that it begins in may change."""
    return [
        segment.name in allowed or any(entry in allowed for entry in segment.entries)
        for segment in outline(text).segments for _ in split_lines(segment.text)
    ]  # fmt: skip


def _lines(before: str, after: str, allowed: Collection[str]) -> str:
    old, new = split_lines(before), split_lines(after)
    result, at = [], 0
    for i1, i2, j1, j2 in changed_blocks(before, after):
        result += old[at:i1] + (new[j1:j2] if covers(allowed, i1, i2) else old[i1:i2])
        at = i2
    return "".join(result + old[at:])


def _symbols(before: str, after: str, allowed: Collection[str]) -> str:
    old, new = outline(before), outline(after)
    undone = {change.name for change in unallowed(old, new, allowed)}
    segments = list(new.segments)
    for name in sorted(undone - {IMPORTS}):
        segments = _restore(name, old, segments)
    if IMPORTS in undone:
        segments = _restore_imports(old, segments, allowed)
    return "".join(s.text for s in segments)


def _restore(name: str, old: Outline, segments: list[Segment]) -> list[Segment]:
    """The segments with one symbol as it was: the old text at its first place, or after its old predecessor."""
    place = next((n for n, s in enumerate(segments) if s.name == name), None)
    kept = [s for s in segments if s.name != name]
    originals = old.named(name)
    if not originals:
        return kept
    if len(originals) > 1 and place is not None and len(originals) == len(segments) - len(kept):
        again = iter(originals)  # a symbol in several pieces, as many as before: piece by piece
        return [next(again) if s.name == name else s for s in segments]
    if place is None:
        place = _after_predecessor(originals[0], old.segments, kept)
    return kept[:place] + list(originals) + kept[place:]


def _after_predecessor(original: Segment, order: Sequence[Segment], segments: list[Segment]) -> int:
    above = [s.name for s in order[: order.index(original)]]
    for name in reversed(above):
        places = [n for n, s in enumerate(segments) if s.name == name]
        if places:
            return places[-1] + 1
    return 0


def _restore_imports(old: Outline, segments: list[Segment], allowed: Collection[str]) -> list[Segment]:
    """The old import statements in place of the new ones, and the allowed new bindings after them.

    Imports inside compound statements (`try:`) stay where they are: taking them out would leave an
    empty suite.
    """
    def at_top(segment: Segment) -> bool:
        return segment.name == IMPORTS and not segment.text[:1].isspace()

    had = {entry for s in old.named(IMPORTS) for entry in s.entries}
    added = [e for s in segments if at_top(s) for e in s.entries if e in allowed and e not in had]
    gone = {e for e in had if e in allowed} - {e for s in segments for e in s.entries}
    originals = [s for s in old.segments if at_top(s) and not (s.entries and gone.issuperset(s.entries))]
    place = next((n for n, s in enumerate(segments) if at_top(s)), None)
    if place is None:
        place = _after_predecessor(originals[0], old.segments, segments) if originals else 0
    extra = Segment(IMPORTS, 0, 0, "".join(f"{entry}\n" for entry in added))
    before, after = segments[:place], [s for s in segments[place:] if not at_top(s)]
    return [*before, *originals, extra, *after]
