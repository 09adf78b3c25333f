"""Which lines a known change replaces, for encoders; large files without the matcher's quadratic time."""

from collections.abc import Sequence

from evaluator.formats.anchors import Range
from miner.symbols.lines import changed_blocks
from miner.text import split_lines

_LARGE = 16_000_000  # pairs of lines: below, the matcher's own difference takes less than half a second
_FAR = 64  # lines gone and come, together, within which two files meet again
_MEETING = 4  # lines that must be equal to be taken for where they do


def differing(before: str, after: str) -> list[Range]:
    """The differing blocks in order, as half-open line indexes: `changed_blocks`, or of large files a true one.

    Large files with many small changes are walked down side by side, from one change to where the files meet again,
    which is linear. Where they do not meet soon, it is the matcher's.
    """
    old, new = split_lines(before), split_lines(after)
    walked = _walked(old, new) if len(old) * len(new) > _LARGE else None
    return list(changed_blocks(before, after)) if walked is None else walked


def _walked(old: Sequence[str], new: Sequence[str]) -> list[Range] | None:
    found: list[Range] = []
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and old[i] == new[j]:
            i, j = i + 1, j + 1
            continue
        meeting = _meeting(old, new, i, j)
        if meeting is None:
            return None
        found.append((i, meeting[0], j, meeting[1]))
        i, j = meeting
    return found


def _meeting(old: Sequence[str], new: Sequence[str], i: int, j: int) -> tuple[int, int] | None:
    """The nearest place from which on both files go on alike, for some lines or to both their ends."""
    for distance in range(1, _FAR + 1):
        for gone in range(distance + 1):
            a, b = i + gone, j + distance - gone
            if a <= len(old) and b <= len(new) and old[a : a + _MEETING] == new[b : b + _MEETING]:
                return a, b
    return None
