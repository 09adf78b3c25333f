"""Where `git apply` puts hunks (git 2.39, `apply.c`).

A hunk is tried where its new side is said to stand in the file as the hunks before it left it, then ever farther
away, of two equally far lines the later first. It may not touch lines of an earlier hunk, their context included. One
that says line 1 must begin the file, one without context below its changes must end it. There is no fuzz. git looks
for the latter at the end only; here it must also be the nearest place, or git's choice is not taken for its meaning.
"""

from collections.abc import Sequence

from evaluator.formats.line_index import SEALED, Letters, around, most_others, nearest
from evaluator.formats.unified_diff.hunks import Hunk
from evaluator.formats.unified_diff.placed import EDGE_CONTEXT, Misfit, Placed, key_of, rebuilt

_SEARCHED = 8_000_000  # characters, all hunks together; with more, looking lines up is quicker


def by_git(hunks: Sequence[Hunk], lines: list[str], steps: tuple[str, ...]) -> Placed | Misfit:
    """The hunks placed, compared as `steps` say; one without numbers goes where it fits, which must be one place."""
    letters = Letters(lines, key_of(steps))
    before = letters.text
    after, origin = list(lines), list(range(len(lines)))
    places: list[int | None] = []
    others: list[tuple[int, ...]] = []
    most = most_others(len(hunks))
    for number, hunk in enumerate(hunks):
        word = letters.word(hunk.old)
        many: list[int] = []
        at: int | None = None
        if word is not None and hunk.line is None:
            many = letters.places(word) if word else []
            at = many[0] if len(many) == 1 else None
        elif word is not None:
            at = _place(hunk, letters.text, word, anchored=EDGE_CONTEXT.name not in steps)
        if at is None or word is None:
            return Misfit(number, tuple(origin[n] for n in many))
        size = len(word)
        place = _place_before(origin, at, len(lines))
        places.append(place)
        others.append(() if place is None else tuple(around(before, word, place, most)))
        new = hunk.new
        if steps:
            nearby = after[max(at - 1, 0) : at + 1]
            new = tuple(rebuilt(hunk, after[at : at + size], nearby, at + size == len(after), steps))
        after[at : at + size] = new
        origin[at : at + size] = [-1] * len(new)
        letters.replace(at, size, SEALED * len(new))
    return Placed("".join(after), tuple(places), tuple(others), steps)


def _place(hunk: Hunk, text: str, word: str, anchored: bool) -> int | None:
    begins = hunk.line == 0 or (hunk.line == 1 and anchored)
    ends = anchored and not hunk.trail
    stated = min(max((hunk.new_line or 0) - bool(hunk.new), 0), len(text))
    nearby = nearest(text, word, stated) if word else stated
    last = len(text) - len(word)
    if begins:
        return 0 if text.startswith(word) and (not last or not ends) else None
    # Here git goes on to the end of the file, however well the hunk fits where it says: a wrong place at best.
    return nearby if not ends or nearby == last else None


def _place_before(origin: Sequence[int], at: int, size: int) -> int | None:
    """The line of the file before that stands at a place of the file so far."""
    if at < len(origin):
        return origin[at] if origin[at] >= 0 else None
    return size if not origin or origin[-1] >= 0 else None


def only_places(hunks: Sequence[Hunk], text: str) -> Placed | None:
    """What `by_git` gives to the letter where every hunk fits in one place only, in order; else None.

    One search of the text for each hunk, and no line of it is looked at.
    """
    if len(hunks) * len(text) > _SEARCHED:
        return None
    parts: list[str] = []
    places: list[int] = []
    at = counted = line = 0
    for number, hunk in enumerate(hunks, 1):
        if not hunk.old or hunk.line is None:
            return None
        word = "".join(hunk.old)
        first = text.find(word, at)
        end = first + len(word)
        if first < 0 or text.find(word, first + 1) >= 0 or (at and text.find(word, 0, at) >= 0):
            return None
        if word.count("\n") != len(hunk.old) or (first and text[first - 1] != "\n"):
            return None  # its last line, or what stands above it, is a part of a line
        if (hunk.line <= 1 and first) or (not hunk.trail and end != len(text)):
            return None
        if not hunk.new and number < len(hunks):
            return None  # what stood apart is now adjacent
        line += text.count("\n", counted, first)
        places.append(line)
        parts += text[at:first], *hunk.new
        at, counted = end, first
    parts.append(text[at:])
    return Placed("".join(parts), tuple(places), ((),) * len(places))
