"""Comparison by line ranges, for text in a language without symbols.

A range is written `<lines a-b>`: lines a to b (from 1) of the text *before*, replaced or deleted; or
`<lines after k>`: something inserted after line k.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher

from miner.text import split_lines

_EXACT = 1_000_000
_PAIRS = 50_000  # of equal lines
_RANGE = re.compile(r"<lines (?:(\d+)-(\d+)|after (\d+))>\Z")


def changed_blocks(before: str, after: str) -> Iterator[tuple[int, int, int, int]]:
    """The differing blocks `(i1, i2, j1, j2)`, as half-open line indexes from 0 into both texts."""
    old, new = split_lines(before), split_lines(after)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    left, right = old[start : len(old) - end], new[start : len(new) - end]
    # On long and repetitive texts the exact matcher takes quadratic time and worse: there the lines that
    # repeat most are not used as anchors, which gives a coarser, equally true difference.
    often = Counter(right)
    pairs = sum(often[line] for line in left)
    middle = SequenceMatcher(None, left, right, autojunk=len(left) * len(right) > _EXACT or pairs > _PAIRS)
    for tag, i1, i2, j1, j2 in middle.get_opcodes():
        if tag != "equal":
            yield start + i1, start + i2, start + j1, start + j2


def smallest_blocks(before: str, after: str) -> Iterator[tuple[int, int, int, int]]:
    """As `changed_blocks`, but where as many lines went as came each is taken for itself: the first for the first."""
    for i1, i2, j1, j2 in changed_blocks(before, after):
        if i2 - i1 == j2 - j1:
            yield from ((i, i + 1, j, j + 1) for i, j in zip(range(i1, i2), range(j1, j2), strict=True))
        else:
            yield i1, i2, j1, j2


def range_name(first: int, last: int) -> str:
    """The name of the before-lines with half-open indexes `first` to `last` from 0."""
    return f"<lines {first + 1}-{last}>" if last > first else f"<lines after {first}>"


def allowed_ranges(before: str, after: str) -> list[str]:
    """The line ranges that the change from `before` to `after` touches, in order."""
    return [range_name(i1, i2) for i1, i2, _, _ in changed_blocks(before, after)]


def unintended_ranges(before: str, after: str, allowed: Collection[str]) -> list[str]:
    """The line ranges that differ between two texts outside the allowed ranges, in order."""
    ranges: list[tuple[int, int]] = []
    for i1, i2, _, _ in smallest_blocks(before, after):
        if covers(allowed, i1, i2):
            continue
        if ranges and i2 > i1 and ranges[-1][0] < ranges[-1][1] == i1:  # one with the lines right above
            i1 = ranges.pop()[0]
        ranges.append((i1, i2))
    return [range_name(i1, i2) for i1, i2 in ranges]


def covers(allowed: Collection[str], first: int, last: int) -> bool:
    """Whether the allowed ranges cover the before-lines with half-open indexes `first` to `last` from 0."""
    lines: set[int] = set()
    gaps: set[int] = set()
    for name in allowed:
        if (match := _RANGE.match(name)) is None:
            continue
        if match[3] is not None:
            gaps.add(int(match[3]))
        else:
            lines.update(range(int(match[1]), int(match[2]) + 1))
            gaps.update(range(int(match[1]) - 1, int(match[2]) + 1))
    if first == last:
        return first in gaps
    return all(line in lines for line in range(first + 1, last + 1))
