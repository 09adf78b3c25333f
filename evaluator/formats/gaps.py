"""Where two texts differ, coarsely and in next to linear time."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence


def gaps(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """What lies between the lines that stand once in either text, in the same order, as half-open indexes.

    The longest run of such lines, by patience sorting: an exact difference may take quadratic time.
    """
    ours, theirs = Counter(old), Counter(new)
    places = {line: n for n, line in enumerate(old) if ours[line] == 1}
    pairs = [(places[line], n) for n, line in enumerate(new) if theirs[line] == 1 and line in places]
    tops: list[int] = []  # the least old line in which a run of each length can end, and the pair that ends it
    ends: list[int] = []
    before: list[int] = []
    for number, (there, _) in enumerate(pairs):
        length = bisect_left(tops, there)
        before.append(ends[length - 1] if length else -1)
        tops[length : length + 1], ends[length : length + 1] = [there], [number]
    run: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    i = j = 0
    for there, here in (*reversed(run), (len(old), len(new))):
        yield i, there, j, here
        i, j = there + 1, here + 1
