"""What a production agent would be told of a hunk that does not fit."""

from collections.abc import Sequence

from evaluator.formats.line_index import Letters, nearest
from evaluator.formats.model import NotApplied, Sought
from evaluator.formats.unified_diff.hunks import FileDiff, Hunk
from evaluator.formats.unified_diff.placed import Misfit
from evaluator.taxonomy import Detail

_TRIED = 50  # places that are compared line by line
_SHOWN = 100  # characters of a line


def misfit(edit: FileDiff, found: Misfit, lines: Sequence[str], fitted: int) -> NotApplied:
    """The refusal of a file's diff because of one hunk."""
    hunk = edit.hunks[found.hunk]
    stated = "" if hunk.line is None else f" (line {hunk.line})"
    what = f"{edit.path}: hunk {found.hunk + 1} of {len(edit.hunks)}{stated}"
    sought = (Sought(edit.source or edit.path, tuple(line.removesuffix("\n") for line in hunk.old)),)
    if found.many:
        where = ", ".join(str(at + 1) for at in found.many[:5])
        message = f"{what} fits in {len(found.many)} places (lines {where}). Give more lines of context."
        return NotApplied(Detail.ANCHOR_AMBIGUOUS, message, fitted + found.hunk, sought)
    message = f"{what} does not match the file. {_why(hunk, lines)}"
    return NotApplied(Detail.HUNK_MISMATCH, message, fitted + found.hunk, sought)


def _why(hunk: Hunk, lines: Sequence[str]) -> str:
    letters = Letters(lines)
    for side, text in ((hunk.new, "The lines that it leaves are there already, on line {}."),
                       (hunk.old, "Its lines are on line {}, but git wants them elsewhere: {}")):  # fmt: skip
        word = letters.word(side)
        place = nearest(letters.text, word, max((hunk.line or 1) - 1, 0)) if word else None
        if place is not None:
            return text.format(place + 1, _wanted(hunk))
    if not hunk.old:
        return "It has no lines of context that say where its new lines go."
    place = _likest(hunk.old, lines, (hunk.line or 1) - 1)
    for at, wanted in enumerate(hunk.old, place):
        there = lines[at] if 0 <= at < len(lines) else None
        if there != wanted:
            is_there = "the file ends" if there is None else f"the file has {_shown(there)}"
            return f"At its likeliest place {is_there} on line {at + 1}, the hunk {_shown(wanted)}."
    return "Its lines stand where another hunk has changed the file already."


def _wanted(hunk: Hunk) -> str:
    if hunk.line is not None and hunk.line <= 1:
        return "a hunk that says line 1 begins the file."
    if not hunk.trail:
        return "a hunk without context below its changes ends the file."
    return "another hunk has changed them already."


def _likest(old: Sequence[str], lines: Sequence[str], stated: int) -> int:
    """Where most of the old lines stand in their order; of equally good places the one nearest to the stated line."""
    wanted = {line: n for n, line in reversed(list(enumerate(old))) if line.strip()}
    places = {at - wanted[line] for at, line in enumerate(lines) if line in wanted} | {stated}
    near = sorted(places, key=lambda place: abs(place - stated))[:_TRIED]

    def alike(place: int) -> int:
        return sum(
            1 for at, line in enumerate(old, place) if 0 <= at < len(lines) and lines[at] == line
        )  # fmt: skip

    return max(near, key=alike)  # the first of the best is the nearest


def _shown(line: str) -> str:
    text = line.removesuffix("\n")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
