"""The lines of a file, so indexed that any run of lines is found in time linear in the file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evaluator.formats.apply_patch.patch import COMPARING
from evaluator.formats.ladder import INDENTATION, LINE_ENDINGS, LOOKALIKES, TRAILING_SPACE, plain
from evaluator.formats.model import Leniency

Key = Callable[[str], str]
_CHARACTERS = 0x110000
_WORTH_AN_INDEX = 16  # searches in the same lines, or changes of them
_RARE = 32  # places of a line that are looked at one by one


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
        self._text = self._coded(self._lines)
        self._index: dict[str, list[int]] | None = None
        self._asked = 0

    def _coded(self, lines: Sequence[str]) -> str:
        codes = self._codes
        return "".join([codes.get(line) or codes.setdefault(line, chr(len(codes) % _CHARACTERS)) for line in lines])

    def replace(self, first: int, last: int, lines: Sequence[str]) -> None:
        """Other lines in the place of half-open ones."""
        new = [self._key(line) for line in lines]
        self._lines[first:last] = new
        self._text = self._text[:first] + self._coded(new) + self._text[last:]
        self._index, self._asked = None, 0

    def places(self, run: Sequence[str], first: int, last: int) -> Iterator[int]:
        """Where the run, at least one line, stands as a whole between two lines, in order."""
        wanted = [self._key(line) for line in run]
        codes = [self._codes.get(line) for line in wanted]
        if None in codes:
            return
        first, last = max(first, 0), max(last, 0)
        few = self._candidates(wanted, first, last)
        for at in self._found("".join(filter(None, codes)), first, last) if few is None else few:
            if self._lines[at : at + len(wanted)] == wanted:  # codes are few, if many: they may be used twice
                yield at

    def _found(self, needle: str, first: int, last: int) -> Iterator[int]:
        at = self._text.find(needle, first, last)
        while at >= 0:
            yield at
            at = self._text.find(needle, at + 1, last)

    def _candidates(self, wanted: list[str], first: int, last: int) -> list[int] | None:
        """Where a run can stand by a line of it that is rare; None where none is, or it is not worth an index."""
        self._asked += 1
        if self._index is None and self._asked > _WORTH_AN_INDEX:
            self._index = {}
            for n, line in enumerate(self._lines):
                self._index.setdefault(line, []).append(n)
        if self._index is None:
            return None
        for n, line in enumerate(wanted[:_RARE]):
            at = self._index.get(line, [])
            if len(at) <= _RARE:
                return [place - n for place in at if first <= place - n <= last - len(wanted)]
        return None

    def last_place(self, line: str, first: int, last: int) -> int | None:
        """The last line between two lines that is this one."""
        code = self._codes.get(self._key(line))
        at = -1 if code is None else self._text.rfind(code, max(first, 0), max(last, 0))
        return None if at < 0 else at


@dataclass(frozen=True)
class Part:
    """Lines that come in the place of half-open ones, and the numbers that they had in the file before, or -1."""

    first: int
    last: int
    lines: list[str]
    origins: list[int]


class Body:
    """A file as the reference applier sees it: what stands between its line feeds.

    The empty text after a final line feed is a last line too, but only hunks at the end of the file see it:
    `end` is the number of lines without it. `origins` are the numbers of the lines in the file before, -1 for new.
    """

    def __init__(self, lines: list[str], leniency: Leniency, origins: list[int] | None = None) -> None:
        self.lines = lines
        self.origins = list(range(len(lines))) if origins is None else origins
        self.ladder = list(_steps(leniency))
        self._coded: dict[tuple[str, ...], Coded] = {}

    @property
    def end(self) -> int:
        """The number of lines without an empty one after a final line feed."""
        return len(self.lines) - (self.lines[-1:] == [""])

    def coded(self, steps: tuple[str, ...], key: Key) -> Coded:
        """The lines as they are compared at these steps; for a shifted hunk without their outer white space."""
        if steps not in self._coded:
            self._coded[steps] = Coded(self.lines, str.strip if is_shift(steps) else key)
        return self._coded[steps]

    def replace(self, parts: Sequence[Part]) -> None:
        """The parts, in order and apart, in the place of what was there."""
        if len(parts) > _WORTH_AN_INDEX:
            self._replace_all(parts)
            return
        for part in reversed(parts):
            self.lines[part.first : part.last] = part.lines
            self.origins[part.first : part.last] = part.origins
            for coded in self._coded.values():
                coded.replace(part.first, part.last, part.lines)

    def _replace_all(self, parts: Sequence[Part]) -> None:
        lines, origins, at = list[str](), list[int](), 0
        for part in parts:
            lines += self.lines[at : part.first] + part.lines
            origins += self.origins[at : part.first] + part.origins
            at = part.last
        self.lines, self.origins = lines + self.lines[at:], origins + self.origins[at:]
        self._coded = {}


def is_shift(steps: tuple[str, ...]) -> bool:
    """Whether at these steps a hunk may be shifted as a whole."""
    return steps[-1:] == (INDENTATION.name,)
