"""New lines as the file would have them, once an anchor was placed by tolerance.

A line that the edit quotes and keeps is the file's own, byte for byte; one that it brings is indented and ended
as its surroundings are. So a tolerance never rewrites what the edit did not mean to touch.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from evaluator.formats.ladder import LINE_ENDINGS, Fit, dressed

_BOM = "\ufeff"


def renewed(
    anchor: Sequence[str], new: Sequence[str], fit: Fit, replaced: Sequence[str], around: Sequence[str] = ()
) -> list[str]:  # fmt: skip
    """`new`, which is to stand for `anchor`, as lines for the file lines `replaced`, where the anchor was found."""
    if not fit.steps:
        return list(new)
    lines: list[str] = []
    for line, quoted in zip(new, aligned(anchor, new), strict=True):
        if quoted is None:
            fresh = fit.shift(line)
            lines += dressed([fresh], replaced, around) if LINE_ENDINGS.name in fit.steps else [fresh]
        elif fit.skipped[0] <= quoted < len(anchor) - fit.skipped[1]:
            lines.append(replaced[quoted - fit.skipped[0]])
    if lines and replaced and replaced[0].startswith(_BOM) and not lines[0].startswith(_BOM):
        lines[0] = _BOM + lines[0]  # no model sees it
    return lines


def aligned(old: Sequence[str], new: Sequence[str]) -> list[int | None]:
    """Of each new line the old line that it is, increasing; None for one that is added.

    The ends they share, then the lines that occur once in each (the patience difference), then the equal neighbours
    of all those. No least difference, but one in about linear time whatever the lines.
    """
    found: list[int | None] = [None] * len(new)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        found[head] = head
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
        found[-tail] = len(old) - tail
    for there, here in _once_in_each(old[head : len(old) - tail], new[head : len(new) - tail]):
        found[head + here] = head + there
    _spread(found, old, new, 1)
    _spread(found, old, new, -1)
    return found


def _once_in_each(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The longest increasing run of pairs of equal lines that occur once in both."""
    ours, theirs = Counter(new), Counter(old)
    where = {line: n for n, line in enumerate(old) if theirs[line] == 1}
    pairs = [(where[line], n) for n, line in enumerate(new) if ours[line] == 1 and line in where]
    ends: list[int] = []  # of runs by length, the least last old line, and the pair it is of
    last: list[int] = []
    previous: list[int] = []
    for number, (there, _) in enumerate(pairs):
        length = bisect_left(ends, there)
        ends[length : length + 1] = [there]
        last[length : length + 1] = [number]
        previous.append(last[length - 1] if length else -1)
    run: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        run.append(pairs[at])
        at = previous[at]
    return run[::-1]


def _spread(found: list[int | None], old: Sequence[str], new: Sequence[str], step: int) -> None:
    """Pair the lines beside pairs, as far as they are equal and not beyond the next pair."""
    order = range(len(new)) if step > 0 else range(len(new) - 1, -1, -1)
    limits: list[int] = [0] * len(new)
    limit = len(old) if step > 0 else -1
    for n in reversed(order):
        limits[n] = limit
        limit = limit if (here := found[n]) is None else here
    at: int | None = None
    for n in order:
        if found[n] is None and at is not None and (at + step - limits[n]) * step < 0 and old[at + step] == new[n]:
            found[n] = at + step
        at = found[n] if found[n] is not None else None
