"""Runs of lines found in a text at the speed of a string search, however often lines repeat.

Every different line becomes one letter; a run of lines is then a word, and Python finds words in linear
time (the two-way algorithm). Only exact matches are letters' business: what counts as the same line is the key's.
"""

from collections.abc import Callable, Iterable, Sequence

Key = Callable[[str], str]

SEALED = "\0"  # the letter of a line that nothing may match
_SURROGATES = 0xD800
_MOST = 25  # places that are listed of a word
# Of lines that a file repeats without end, so many other places are told of a hunk, and of all hunks together.
_OTHERS, _ALL_OTHERS = 1_000, 100_000


class Letters:
    """Lines as letters, one text for the lines at hand; lines are equal where their keys are."""

    def __init__(self, lines: Iterable[str], key: Key = str) -> None:
        self._known: dict[str, str] = {}
        self._key = key
        self.text = "".join([self._letter(line if key is str else key(line)) for line in lines])

    def _letter(self, line: str) -> str:
        letter = self._known.get(line)
        if letter is None:
            number = len(self._known) + 1
            letter = self._known[line] = chr(number if number < _SURROGATES else number + 0x800)
        return letter

    def word(self, lines: Sequence[str]) -> str | None:
        """The word of some lines; None where one of them is nowhere in the text."""
        key = self._key
        letters = [self._known.get(line if key is str else key(line)) for line in lines]
        return None if None in letters else "".join(letters)  # type: ignore[arg-type]

    def replace(self, at: int, count: int, letters: str) -> None:
        """Put other letters in the place of `count` of them."""
        self.text = self.text[:at] + letters + self.text[at + count :]

    def places(self, word: str, most: int = _MOST) -> list[int]:
        """The first places of a word, at most `most` of them, in order."""
        found: list[int] = []
        at = self.text.find(word)
        while at >= 0 and len(found) < most:
            found.append(at)
            at = self.text.find(word, at + 1)
        return found


def nearest(text: str, word: str, at: int, first: int = 0, last: int | None = None) -> int | None:
    """The place of a word nearest to `at`, of equally near ones the later; within `first` to `last`, both included."""
    last = len(text) - len(word) if last is None else min(last, len(text) - len(word))
    if first <= at <= last and text.startswith(word, at):
        return at
    ahead = text.find(word, max(at, first), last + len(word)) if max(at, first) <= last else -1
    before = min(at - 1, last)
    behind = text.rfind(word, first, before + len(word)) if before >= first else -1
    if ahead < 0 or (behind >= 0 and at - behind < ahead - at):
        return behind if behind >= 0 else None
    return ahead


def most_others(hunks: int) -> int:
    """How many other places of each of so many hunks are told."""
    return min(_OTHERS, max(_ALL_OTHERS // max(hunks, 1), 1))


def around(text: str, word: str, chosen: int, most: int) -> list[int]:
    """Other places of a word than the chosen one, at most `most` on either side, in order."""
    if not word:
        return []
    below: list[int] = []
    at = chosen
    while at > 0 and len(below) < most and (at := text.rfind(word, 0, at - 1 + len(word))) >= 0:
        below.append(at)
    above: list[int] = []
    at = chosen
    while len(above) < most and (at := text.find(word, at + 1)) >= 0:
        above.append(at)
    return [*reversed(below), *above]
