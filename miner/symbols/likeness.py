"""How alike texts are, line by line, and which of many may be the same one changed."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

ALIKE = 0.6  # the least likeness, from 0 to 1, of what is taken for the same
FEW = 3  # texts of fewer lines are too easily alike
_COMMON = 50  # a line in more texts than this says nothing of which two belong together
_EXACT = 1_000_000

Lines = Sequence[bytes]


def likeness(old: Lines, new: Lines) -> float:
    """Twice the lines in common over the lines of both, from 0 to 1; in order, unless the texts are long.

    Never more than `at_most`, which does not look at the order.
    """
    if old == new:
        return 1.0
    if len(old) * len(new) > _EXACT:
        return at_most(Counter(old), Counter(new))
    return SequenceMatcher(None, old, new, autojunk=False).ratio()


def at_most(old: Counter[bytes], new: Counter[bytes]) -> float:
    """The likeness of two texts whatever the order of their lines."""
    lines = old.total() + new.total()
    return 2 * (old & new).total() / lines if lines else 1.0


def alike(olds: Sequence[Lines], news: Sequence[Lines]) -> Iterator[tuple[int, int, float]]:
    """The pairs of texts, by their places in both lists, that are alike enough, with their likeness.

    Texts without an uncommon line in common are not compared, so that many texts cost little.
    """
    having: dict[bytes, list[int]] = defaultdict(list)
    counts = [Counter(lines) for lines in news]
    for place, count in enumerate(counts):
        if count.total() >= FEW:
            for line in count:
                having[line].append(place)
    for place, lines in enumerate(olds):
        if len(lines) < FEW:
            continue
        count = Counter(lines)
        others = {other for line in count for other in having.get(line, ()) if len(having[line]) <= _COMMON}
        for other in sorted(others):
            if at_most(count, counts[other]) >= ALIKE and (ratio := likeness(lines, news[other])) >= ALIKE:
                yield place, other, ratio
