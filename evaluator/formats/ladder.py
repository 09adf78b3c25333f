"""The ladder of tolerances that appliers of anchored formats share: where lines that are not quite the file's fit.

Each step compares lines by what is left of them once one more kind of difference is taken away. Steps add up in
the order below, those that are not admitted left out; the first at which the anchor fits anywhere decides, also
where it fits in several places.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.formats.model import Leniency, Tolerance

LINE_ENDINGS = Tolerance("line_endings", "`\\r` at the ends of lines is not compared; new lines end as the old")
TRAILING_SPACE = Tolerance("trailing_space", "white space at the ends of lines is not compared")
LOOKALIKES = Tolerance("lookalikes", "typographic quotes, dashes and blanks stand for the ASCII ones they look like")
BLANK_LINES = Tolerance("blank_lines", "blank lines at the start and end of an anchor need not be there")
INDENTATION = Tolerance("indentation", "an anchor shifted by one white space throughout; new lines shift alike")

_LOOKALIKES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b", "'") | dict.fromkeys("\u201c\u201d\u201e", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " ") | {"\u2026": "...", "\ufeff": ""}
)  # fmt: skip
_KEYS: dict[str, Callable[[str], str]] = {
    LINE_ENDINGS.name: lambda line: line.removesuffix("\r"),
    TRAILING_SPACE.name: str.rstrip,
    LOOKALIKES.name: lambda line: line.translate(_LOOKALIKES),
}
# The shared steps in their order; a format's own ladder may leave some out.
SHARED = (LINE_ENDINGS, TRAILING_SPACE, LOOKALIKES, BLANK_LINES, INDENTATION)


@dataclass(frozen=True)
class Fit:
    """Where an anchor fits: line indexes from 0 of its first line that is not skipped, all found at the same steps.

    `skipped` are how many of the anchor's lines at its start and end are blank and left out; `shift` gives, of a new
    line, the line as the file would indent it.
    """

    places: tuple[int, ...]
    steps: tuple[str, ...] = ()
    skipped: tuple[int, int] = (0, 0)
    shift: Callable[[str], str] = str


def fits(text: Sequence[str], anchor: Sequence[str], leniency: Leniency) -> Fit:
    """Where `anchor`, at least one line, stands in `text` at the mildest steps of those admitted; maybe nowhere.

    Both are lines without their `\\n`. Linear in both for each step, but for texts that repeat a line very often.
    """
    keys: list[Callable[[str], str]] = []
    steps: tuple[str, ...] = ()
    whole = Fit(_places(text, anchor))
    if whole.places:
        return whole
    for step in SHARED:
        if step.name not in leniency:
            continue
        steps = (*steps, step.name)
        if step.name in _KEYS:
            keys.append(_KEYS[step.name])
        found = _step(text, anchor, keys, steps)
        if found.places:
            return found
    return Fit(())


def _step(
    text: Sequence[str], anchor: Sequence[str], keys: Sequence[Callable[[str], str]], steps: tuple[str, ...]
) -> Fit:  # fmt: skip
    ours, theirs = ([_key(line, keys) for line in lines] for lines in (text, anchor))
    skipped = _blank_ends(theirs) if BLANK_LINES.name in steps else (0, 0)
    solid = theirs[skipped[0] : len(theirs) - skipped[1]]
    if not solid:
        return Fit(())
    if INDENTATION.name in steps:
        return _shifted(ours, solid, skipped, steps)
    return Fit(_places(ours, solid), steps, skipped)


def _key(line: str, keys: Sequence[Callable[[str], str]]) -> str:
    for key in keys:
        line = key(line)
    return line


def _blank_ends(lines: Sequence[str]) -> tuple[int, int]:
    above = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
    below = next((n for n, line in enumerate(reversed(lines)) if line.strip()), 0)
    return above, below


def _places(text: Sequence[str], anchor: Sequence[str]) -> tuple[int, ...]:
    first, size = anchor[0], len(anchor)
    wanted = list(anchor)
    found: list[int] = []
    at = -1
    lines = list(text)
    try:
        while True:
            at = lines.index(first, at + 1)
            if lines[at : at + size] == wanted:
                found.append(at)
    except ValueError:
        return tuple(found)


def _shifted(
    ours: Sequence[str], anchor: Sequence[str], skipped: tuple[int, int], steps: tuple[str, ...]
) -> Fit:  # fmt: skip
    """Where the anchor stands once the same indentation is added to, or taken from, all its solid lines."""
    bare = _places([line.strip() for line in ours], [line.strip() for line in anchor])
    pivot = next(n for n, line in enumerate(anchor) if line.strip())
    shifts: dict[tuple[str, str], list[int]] = {}
    for place in bare:
        there, here = _indent(ours[place + pivot]), _indent(anchor[pivot])
        change = (here.removesuffix(there), "") if here.endswith(there) else ("", there.removesuffix(here))
        if not (here.endswith(there) or there.endswith(here)):
            change = (here, there)
        if all(_moved(a, change) == t for a, t in zip(anchor, ours[place:], strict=False) if a.strip()):
            shifts.setdefault(change, []).append(place)
    if not shifts:
        return Fit(())
    change, places = next(iter(shifts.items()))
    if len(shifts) > 1:  # places that need different shifts are places all the same
        places = sorted(place for found in shifts.values() for place in found)
    return Fit(tuple(places), steps, skipped, lambda line: _moved(line, change) if line.strip() else line)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _moved(line: str, change: tuple[str, str]) -> str:
    removed, added = change
    return added + line.removeprefix(removed)


def dressed(new: Sequence[str], replaced: Sequence[str], around: Sequence[str]) -> list[str]:
    """New lines with the line ending of those they replace, or else of those around them."""
    model = [line for line in (replaced or around) if line]
    end = "\r" if model and sum(line.endswith("\r") for line in model) * 2 > len(model) else ""
    return [line.removesuffix("\r") + end for line in new]


def plain(line: str) -> str:
    """A line with ASCII characters for those that look like them."""
    return line.translate(_LOOKALIKES)
