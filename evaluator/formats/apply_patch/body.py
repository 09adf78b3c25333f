"""The lines of a file, so indexed that any run of lines is found in time linear in the file."""

from collections.abc import Callable, Iterator, Sequence

from evaluator.formats.apply_patch.patch import COMPARING
from evaluator.formats.ladder import INDENTATION, LINE_ENDINGS, LOOKALIKES, TRAILING_SPACE, plain
from evaluator.formats.model import Leniency

Key = Callable[[str], str]
_CHARACTERS = 0x110000


def _without_cr(line: str) -> str:
    return line.removesuffix("\r")


def _steps(leniency: Leniency) -> Iterator[tuple[tuple[str, ...], Key]]:
    """How lines are compared, mildest first: the steps that are added up, and what of a line is left."""
    steps: tuple[str, ...] = ()
    key: Key = str
    yield steps, key
    for tolerance in COMPARING:
        if tolerance.name not in leniency:
            continue
        if tolerance is INDENTATION:  # a shift is no longer one where all white space is passed over
            yield (*steps, tolerance.name), key
            continue
        steps = (*steps, tolerance.name)
        if tolerance is LINE_ENDINGS:
            key = _without_cr
        elif tolerance is TRAILING_SPACE:
            key = str.rstrip
        elif tolerance is LOOKALIKES:
            key = _plain(key)
        else:
            key = str.strip
        yield steps, key


def _plain(key: Key) -> Key:
    return lambda line: key(plain(line))


class Coded:
    """Lines as one string, a character for every distinct line, in which runs of lines are substrings."""

    def __init__(self, lines: Sequence[str], key: Key) -> None:
        self._key = key
        self._lines = [key(line) for line in lines]
        self._codes: dict[str, str] = {}
        for line in self._lines:
            self._codes.setdefault(line, chr(len(self._codes) % _CHARACTERS))
        self._text = "".join(map(self._codes.__getitem__, self._lines))

    def places(self, run: Sequence[str], first: int, last: int) -> Iterator[int]:
        """Where the run, at least one line, stands as a whole between two lines, in order."""
        wanted = [self._key(line) for line in run]
        codes = [self._codes.get(line) for line in wanted]
        if None in codes:
            return
        needle = "".join(filter(None, codes))
        at = self._text.find(needle, max(first, 0), max(last, 0))
        while at >= 0:
            if self._lines[at : at + len(wanted)] == wanted:  # codes are few, if many: they may be used twice
                yield at
            at = self._text.find(needle, at + 1, last)

    def last_place(self, line: str, first: int, last: int) -> int | None:
        """The last line between two lines that is this one."""
        code = self._codes.get(self._key(line))
        at = -1 if code is None else self._text.rfind(code, max(first, 0), max(last, 0))
        return None if at < 0 else at


class Body:
    """A file as the reference applier sees it: what stands between its line feeds.

    The empty text after a final line feed is a last line too, but only hunks at the end of the file see it:
    `end` is the number of lines without it.
    """

    def __init__(self, lines: list[str], leniency: Leniency) -> None:
        self.lines = lines
        self.end = len(lines) - (lines[-1:] == [""])
        self.ladder = list(_steps(leniency))
        self._coded: dict[tuple[str, ...], Coded] = {}

    def coded(self, steps: tuple[str, ...], key: Key) -> Coded:
        """The lines as they are compared at these steps; for a shifted hunk without their outer white space."""
        if steps not in self._coded:
            self._coded[steps] = Coded(self.lines, str.strip if is_shift(steps) else key)
        return self._coded[steps]


def is_shift(steps: tuple[str, ...]) -> bool:
    """Whether at these steps a hunk may be shifted as a whole."""
    return steps[-1:] == (INDENTATION.name,)
