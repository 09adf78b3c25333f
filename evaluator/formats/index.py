"""The lines of one file, found fast while edits change them.

Each line becomes one character of a string, equal lines the same one, so that searching lines is searching a
string: linear whatever the lines are (CPython's `str.find` is, by the two-way algorithm), and an edit costs a
copy of that string. One string is kept for each way of comparing lines that was asked for; most searches need
none, as some line of the anchor is nowhere, or there at few places.
"""

import itertools
from collections.abc import Callable, Hashable, Iterable, Sequence

# What is compared of lines: the lines without some kind of difference; the same list where there is none.
Key = Callable[[list[str]], list[str]]
_CHARACTERS = range(0x110000)
_FEW = 20  # places
_LOOKS = 8  # searches before one through all of a list costs more than the characters do


def indent(line: str) -> str:
    """The blanks and tabs that a line starts with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def bare(lines: Iterable[str]) -> list[str]:
    """Lines without their indentation."""
    return [line.lstrip(" \t") for line in lines]


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
        text = line.lstrip(" \t")
        here = line[: len(line) - len(text)]
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


def keyed(lines: Sequence[str], keys: Iterable[Key]) -> list[str]:
    """What the keys, applied in turn, leave of the lines."""
    kept = lines if isinstance(lines, list) else list(lines)
    for key in keys:
        kept = key(kept)
    return kept


def as_characters(*texts: Sequence[Hashable]) -> list[str]:
    """Each list of things as a string of one character a thing, equal things the same in all of them."""
    known = _numbered(itertools.chain(*texts))
    return ["".join(map(known.__getitem__, text)) for text in texts]


def _numbered(things: Iterable[Hashable]) -> dict[Hashable, str]:
    return dict(zip(dict.fromkeys(things), map(chr, itertools.cycle(_CHARACTERS)), strict=False))


class _Things:
    """A list that is searched: things as characters, equal ones the same."""

    def __init__(self, things: list[Hashable]) -> None:
        self._things = things
        self._codes: dict[Hashable, str] | None = None
        self._string: str | None = None
        self._looks = _LOOKS
        self._found: dict[str, list[int]] = {}  # since the last change: replies repeat what does not fit

    def has(self, wanted: Iterable[Hashable]) -> bool:
        """Whether each of the things is there somewhere."""
        return all(map(self._known().__contains__, wanted))

    def find(self, wanted: Sequence[Hashable]) -> list[int]:
        """Where the wanted things, at least one, stand one after the other; overlaps count."""
        if self._codes is None and self._looks and (few := self._few(wanted)) is not None:
            self._looks -= 1
            return few
        if not self.has(wanted):
            return []
        codes = self._known()
        if self._string is None:
            self._string = "".join(map(codes.__getitem__, self._things))
        part = "".join(map(codes.__getitem__, wanted))
        if part not in self._found:
            self._found[part] = _occurrences(self._string, part)
        places = self._found[part]
        if len(codes) > len(_CHARACTERS):  # different things may share a character
            places = [at for at in places if self._things[at : at + len(wanted)] == list(wanted)]
        return places

    def _few(self, wanted: Sequence[Hashable]) -> list[int] | None:
        """The places, where one of the things is at few, by looking at these; else None."""
        probe = max(range(len(wanted)), key=lambda n: len(str(wanted[n])))
        found: list[int] = []
        at, size = -1, len(wanted)
        for _ in range(_FEW):
            try:
                at = self._things.index(wanted[probe], at + 1)
            except ValueError:
                return found
            start = at - probe
            if start >= 0 and self._things[start : start + size] == list(wanted):
                found.append(start)
        return None

    def _known(self) -> dict[Hashable, str]:
        if self._codes is None:
            self._codes = _numbered(self._things)
        return self._codes

    def replaced(self, first: int, last: int, new: Sequence[Hashable]) -> None:
        """Take note that new things are in the place of the half-open range, of a list changed elsewhere."""
        self._found.clear()
        if self._codes is None:
            return
        for thing in new:
            if thing not in self._codes:
                self._codes[thing] = chr(len(self._codes) % len(_CHARACTERS))
        if self._string is not None:
            coded = "".join(map(self._codes.__getitem__, new))
            self._string = self._string[:first] + coded + self._string[last:]


def _occurrences(text: str, part: str) -> list[int]:
    places, at = [], text.find(part)
    while at >= 0:
        places.append(at)
        at = text.find(part, at + 1)
    return places


class _Level:
    """The lines by one way of comparing them: as they are, without indentation, and by its changes."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.plain = _Things(lines)  # type: ignore[arg-type]  # a list of strings is one of hashable things to read
        self._bare: tuple[list[str], _Things] | None = None
        self._relative: tuple[list[Hashable], _Things] | None = None

    def shifted(self, anchor: list[str]) -> list[int]:
        """Where an anchor whose first line is solid may stand, shifted by a common indentation."""
        if self._bare is None:
            lines = bare(self.lines)
            self._bare = lines, _Things(lines)  # type: ignore[arg-type]
        solid = bare(line for line in anchor if line.strip())
        if not self._bare[1].has(solid):
            return []
        heads = self._bare[1].find(solid[:1])
        if len(anchor) == 1:
            return heads
        if self._relative is None:
            changes = relative(self.lines, None)
            self._relative = changes, _Things(changes)
        tails = self._relative[1].find(relative(anchor[1:], indent(anchor[0])))
        return sorted({at - 1 for at in tails} & set(heads))

    def replace(self, first: int, last: int, new: list[str]) -> None:
        self.lines[first:last] = new
        self.plain.replaced(first, last, new)
        if self._bare is not None:
            self._bare[0][first:last] = bare(new)
            self._bare[1].replaced(first, last, bare(new))
        if self._relative is None:
            return
        # The solid line below the new ones has another one above it now.
        end = first + len(new)
        below = next((n for n in range(end, len(self.lines)) if self.lines[n].strip()), len(self.lines) - 1) + 1
        above = next((n for n in range(first - 1, -1, -1) if self.lines[n].strip()), None)
        changes = relative(self.lines[first:below], None if above is None else indent(self.lines[above]))
        self._relative[0][first : last + below - end] = changes
        self._relative[1].replaced(first, last + below - end, changes)


class Text:
    """Lines of a file without their `\\n`, as edits change them one after the other."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self._levels: dict[tuple[Key, ...], _Level] = {(): _Level(self.lines)}
        self._origin: list[int] | None = None  # of each line its index in the file before, -1 for a new one

    def level(self, keys: tuple[Key, ...]) -> _Level:
        """The lines by what the keys leave of them; the same object for keys that leave the same."""
        if keys not in self._levels:
            above = self.level(keys[:-1])
            lines = keys[-1](above.lines)
            self._levels[keys] = above if lines is above.lines else _Level(lines)
        return self._levels[keys]

    def places(self, anchor: Sequence[str], keys: tuple[Key, ...] = ()) -> list[int]:
        """Where the anchor, at least one line, stands by what the keys leave of lines."""
        return self.level(keys).plain.find(keyed(anchor, keys))

    def shifted(self, anchor: Sequence[str], keys: tuple[Key, ...]) -> list[int]:
        """Where the anchor, its first line solid, may stand shifted by a common indentation."""
        return self.level(keys).shifted(keyed(anchor, keys))

    def replace(self, first: int, last: int, new: Sequence[str]) -> None:
        """Put new lines in the place of the half-open range."""
        lines = list(new)
        done: dict[int, list[str]] = {}
        for keys in sorted(self._levels, key=len):
            level, kept = self._levels[keys], keyed(lines, keys)
            if id(level) not in done:
                level.replace(first, last, kept)
                done[id(level)] = kept
            elif kept != done[id(level)]:
                del self._levels[keys]  # the same until now; made anew when it is asked for
        if self._origin is None:
            self._origin = list(range(len(self.lines) - len(lines) + last - first))
        self._origin[first:last] = [-1] * len(lines)

    def before(self, first: int, last: int) -> tuple[int, int] | None:
        """The range of the file before that a range of the present lines is, or None where all of it is new."""
        if self._origin is None:
            return first, last
        own = [line for line in self._origin[first:last] if line >= 0]
        if own:
            return min(own), max(own) + 1
        if last > first:
            return None
        if first and self._origin[first - 1] >= 0:
            return self._origin[first - 1] + 1, self._origin[first - 1] + 1
        if first < len(self._origin):
            return (self._origin[first], self._origin[first]) if self._origin[first] >= 0 else None
        return None if first else (0, 0)
