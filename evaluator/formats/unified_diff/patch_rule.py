"""Where GNU patch puts hunks (2.7.6, with its default fuzz of 2).

Hunks are looked for in the file as it was, below the last change made so far, first where the old side is said to
stand, moved as far as the hunk before was, then ever farther away, of two equally far lines the later first. What fits
nowhere is looked for again with one, then two of its outer context lines left out. A hunk whose context is shorter
on one side is taken to stand at that end of the file, until as many lines of the other side are left out.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from evaluator.formats.line_index import Letters, around, most_others, nearest
from evaluator.formats.unified_diff.hunks import Hunk
from evaluator.formats.unified_diff.placed import Misfit, Placed, key_of, rebuilt

_FUZZ = 2


class _File:
    """The file while hunks are placed in it. Lines count from 1, as patch has it."""

    def __init__(self, lines: Sequence[str], steps: tuple[str, ...]) -> None:
        self.letters = Letters(lines, key_of(steps))
        self.size = len(lines)
        self.offset = 0  # how far the last hunk stood from its stated line
        self.frozen = 0  # the last line that is settled

    def locate(self, hunk: Hunk, line: int, fuzz: int) -> tuple[int, str, int] | None:
        """Where the hunk, said to stand at `line`, begins with this much fuzz; the word of what is compared of its
        old side, and how many of its first lines are not."""
        guess = line + self.offset
        if not hunk.old:
            return (guess, "", 0) if guess > 0 else None
        head, tail = (fuzz + own - max(hunk.lead, hunk.trail) for own in (hunk.lead, hunk.trail))
        left_out = max(head, 0)
        word = self.letters.word(hunk.old[left_out : len(hunk.old) - max(tail, 0)])
        if word is None:
            return None
        if head < 0 and line <= 1:
            place: int | None = 1 if self.frozen <= hunk.lead else None
        elif tail < 0:
            place = self.size - len(hunk.old) + 1
            place = place if place > self.frozen else None
        else:
            place = self._nearby(guess, word, left_out)
        return (place, word, left_out) if place is not None and self._fits(word, place, left_out) else None

    def _nearby(self, guess: int, word: str, left_out: int) -> int | None:
        text, first = self.letters.text, self.frozen + 1
        if guess >= first:
            found = nearest(text, word, guess - 1 + left_out, first - 1 + left_out)
            return None if found is None else found + 1 - left_out
        # Where the stated line is settled already, patch begins as far above it as the first free line is below.
        mirrored = 2 * guess - first
        if guess - 1 + left_out > len(text) - len(word):
            return None
        for place in (mirrored, first):
            if not word or self._fits(word, place, left_out):
                return place or None  # 0 is patch's word for nowhere
        found = text.find(word, max(mirrored + left_out, 0))
        return None if found < 0 else found + 1 - left_out

    def _fits(self, word: str, place: int, left_out: int) -> bool:
        if not word:
            return place != 0  # nothing fits anywhere
        return place + left_out >= 1 and self.letters.text.startswith(word, place + left_out - 1)


def by_patch(hunks: Sequence[Hunk], lines: list[str], steps: tuple[str, ...]) -> Placed | Misfit:
    """The hunks placed, compared as `steps` say; hunks without numbers are none of patch's."""
    file = _File(lines, steps)
    places: list[int] = []
    others: list[tuple[int, ...]] = []
    for number, hunk in enumerate(hunks):
        line = 0 if hunk.line is None else hunk.line + (not hunk.old)
        most = min(_FUZZ, max(hunk.lead, hunk.trail))
        tries = (file.locate(hunk, line, fuzz) for fuzz in range(most + 1) if hunk.line is not None)
        found = next((found for found in tries if found is not None), None)
        if found is None or found[0] - 1 + hunk.lead < file.frozen:
            return Misfit(number)
        place, word, left_out = found
        file.offset = place - line
        file.frozen = place - 1 + len(hunk.old) - hunk.trail
        places.append(min(place - 1, len(lines)))  # patch adds below the end what is said to stand there
        fitting = around(file.letters.text, word, place - 1 + left_out, most_others(len(hunks)))
        others.append(tuple(n - left_out for n in fitting if n >= left_out))
    return Placed("".join(_written(hunks, lines, places, steps)), tuple(places), tuple(others), steps)


def _written(
    hunks: Sequence[Hunk], lines: Sequence[str], places: Sequence[int], steps: tuple[str, ...]
) -> Iterator[str]:  # fmt: skip
    """The file's lines after; a line without newline that is not the last gets one, as patch writes it."""
    parts: list[Sequence[str]] = []
    at = 0
    for hunk, place in zip(hunks, places, strict=True):
        first, last = hunk.touched(place)
        new = rebuilt(hunk.core(), lines[first:last], lines[max(first - 1, 0) : first + 1], last >= len(lines), steps)
        parts += lines[at:first], new
        at = last
    written = [*chain.from_iterable(parts), *lines[at:]]
    for line in written[:-1]:
        yield line if line.endswith("\n") else line + "\n"
    yield from written[-1:]
