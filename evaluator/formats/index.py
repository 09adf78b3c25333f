"""The lines of one file, found fast while edits change them.

Each line becomes one character of a string, equal lines the same one, so that searching lines is searching a
string: linear whatever the lines are (CPython's `str.find` is, by the two-way algorithm), and an edit costs a
copy of that string. One string is kept for each way of comparing lines that was asked for.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence

Key = Callable[[str], str]  # what is compared of a line
_CHARACTERS = 0x110000


def indent(line: str) -> str:
    """The blanks and tabs that a line starts with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def bare(line: str) -> str:
    """A line without its indentation."""
    return line.lstrip(" \t")


def relative(lines: Iterable[str], above: str | None) -> list[Hashable]:
    """Lines as their text and the change of indentation from the solid line before, at first `above`.

    Each is what goes and what comes at the end of the indentation, and the rest of the line, so that texts which
    differ by a common indentation are equal. Blank lines are equal whatever they hold; a solid line under none has
    no change.
    """
    found: list[Hashable] = []
    for line in lines:
        if not line.strip():
            found.append("")
            continue
        here, text = indent(line), bare(line)
        if above is None or above == here:
            found.append(("", "", text))
        elif here.startswith(above):
            found.append(("", here[len(above) :], text))
        elif above.startswith(here):
            found.append((above[len(here) :], "", text))
        else:
            same = next(n for n, (a, b) in enumerate(zip(above, here, strict=False)) if a != b)
            found.append((above[same:], here[same:], text))
        above = here
    return found


class _Coded:
    """Things as characters, equal ones the same."""

    def __init__(self, things: Sequence[Hashable]) -> None:
        self._codes = {thing: _character(n) for n, thing in enumerate(dict.fromkeys(things))}
        self._things = list(things)
        self._string = "".join(map(self._codes.__getitem__, things))

    def find(self, wanted: Sequence[Hashable]) -> list[int]:
        """Where the wanted things, at least one, stand one after the other; overlaps count."""
        codes = list(map(self._codes.get, wanted))
        if None in codes:
            return []
        needle = "".join(map(str, codes))
        places, at = [], self._string.find(needle)
        while at >= 0:
            places.append(at)
            at = self._string.find(needle, at + 1)
        if len(self._codes) > _CHARACTERS:  # different lines may share a character
            places = [at for at in places if self._things[at : at + len(wanted)] == list(wanted)]
        return places

    def replace(self, first: int, last: int, new: Sequence[Hashable]) -> None:
        """Put new things in the place of the half-open range."""
        for thing in new:
            if thing not in self._codes:
                self._codes[thing] = _character(len(self._codes))
        coded = "".join(map(self._codes.__getitem__, new))
        self._string = self._string[:first] + coded + self._string[last:]
        self._things[first:last] = new


def _character(number: int) -> str:
    return chr(number % _CHARACTERS)


class Text:
    """Lines of a file without their `\\n`, as edits change them one after the other.

    `origin` has of each line its index in the file before, or -1 for a new one.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self.origin = list(range(len(lines)))
        self._plain: dict[tuple[Key, ...], _Coded] = {}
        self._relative: dict[tuple[Key, ...], _Coded] = {}

    def places(self, anchor: Sequence[str], keys: tuple[Key, ...] = ()) -> list[int]:
        """Where the anchor, at least one line, stands by what the keys leave of lines."""
        if keys not in self._plain:
            self._plain[keys] = _Coded(keyed(self.lines, keys))
        return self._plain[keys].find(keyed(anchor, keys))

    def shifted(self, anchor: Sequence[str], keys: tuple[Key, ...]) -> list[int]:
        """Where the anchor, its first line solid, may stand shifted by a common indentation."""
        heads = self.places(anchor[:1], (*keys, bare))
        if len(anchor) == 1 or not heads:
            return heads
        if keys not in self._relative:
            self._relative[keys] = _Coded(relative(keyed(self.lines, keys), None))
        solid = keyed(anchor, keys)
        tails = self._relative[keys].find(relative(solid[1:], indent(solid[0])))
        return sorted({at - 1 for at in tails} & set(heads))

    def replace(self, first: int, last: int, new: Sequence[str]) -> None:
        """Put new lines in the place of the half-open range."""
        for keys, coded in self._plain.items():
            coded.replace(first, last, keyed(new, keys))
        self.lines[first:last] = new
        self.origin[first:last] = [-1] * len(new)
        end = first + len(new)
        # The solid line below the new ones has another one above it now.
        below = next((n for n in range(end, len(self.lines)) if self.lines[n].strip()), len(self.lines) - 1) + 1
        above = next((line for line in reversed(self.lines[max(first - 200, 0) : first]) if line.strip()), None)
        for keys, coded in self._relative.items():
            around = None if above is None else indent(keyed([above], keys)[0])
            things = relative(keyed(self.lines[first:below], keys), around)
            coded.replace(first, last + below - end, things)

    def before(self, first: int, last: int) -> tuple[int, int] | None:
        """The range of the file before that a range of the present lines is, or None where all of it is new."""
        own = [line for line in self.origin[first:last] if line >= 0]
        if own:
            return min(own), max(own) + 1
        if last > first:
            return None
        if first and self.origin[first - 1] >= 0:
            return self.origin[first - 1] + 1, self.origin[first - 1] + 1
        if first < len(self.origin):
            return (self.origin[first], self.origin[first]) if self.origin[first] >= 0 else None
        return None if first else (0, 0)


def keyed(lines: Sequence[str], keys: tuple[Key, ...]) -> list[str]:
    """What the keys, applied in turn, leave of the lines."""
    kept = list(lines)
    for key in keys:
        kept = list(map(key, kept))
    return kept


def as_characters(*texts: Sequence[str]) -> list[str]:
    """Each list of lines as a string of one character a line, equal lines the same in all of them."""
    known = {line: _character(n) for n, line in enumerate(dict.fromkeys(line for text in texts for line in text))}
    return ["".join(map(known.__getitem__, text)) for text in texts]
