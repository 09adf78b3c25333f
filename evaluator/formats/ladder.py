"""The ladder of tolerances that appliers of anchored formats share: where lines that are not quite the file's fit.

Each step compares lines by what is left of them once one more kind of difference is taken away. Steps add up in
the order of `SHARED`, those that are not admitted left out; the first at which the anchor fits anywhere decides,
also where it fits in several places. Of the steps that were allowed for by then, those are recorded that the
anchor at that place cannot do without.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.formats.index import Key, Text, indent, keyed
from evaluator.formats.model import Leniency, Tolerance

LINE_ENDINGS = Tolerance(
    "line_endings", "`\\r` at the ends of lines is not compared; new lines end as the old (editors' agents, which read "
    "CRLF files as LF)"
)  # fmt: skip
TRAILING_SPACE = Tolerance("trailing_space", "white space at the ends of lines is not compared (codex apply_patch)")
LOOKALIKES = Tolerance(
    "lookalikes", "typographic quotes, dashes and blanks stand for the ASCII ones they look like (codex apply_patch, "
    "Roo Code)"
)  # fmt: skip
BLANK_LINES = Tolerance(
    "blank_lines", "blank lines at the start and end of an anchor need not be there (Aider: one at the start)"
)
INDENTATION = Tolerance(
    "indentation", "an anchor shifted by one white space throughout; new lines shift alike (Aider, Roo Code)"
)
INDENT_UNITS = Tolerance(
    "indent_units", "an anchor indented by 2, 3, 4 or 8 blanks where the file has a tab, or the reverse, shifted or "
    "not; new lines alike (Roo Code, Gemini CLI)"
)  # fmt: skip

_LOOKALIKES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b", "'") | dict.fromkeys("\u201c\u201d\u201e", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " ") | {"\u2026": "...", "\ufeff": ""}
)  # fmt: skip


def _no_returns(lines: list[str]) -> list[str]:
    if "\r" not in "".join(lines):
        return lines
    return [line.removesuffix("\r") for line in lines]


def _no_blanks(lines: list[str]) -> list[str]:
    if "\r" in "".join(lines):  # which is for another step to take away
        kept = [line.rstrip() + "\r" if line.endswith("\r") else line.rstrip() for line in lines]
    else:
        kept = list(map(str.rstrip, lines))
    return lines if kept == lines else kept


def _plain(lines: list[str]) -> list[str]:
    if "".join(lines).isascii():
        return lines
    return [line if line.isascii() else line.translate(_LOOKALIKES) for line in lines]


_KEYS: dict[str, Key] = {
    LINE_ENDINGS.name: _no_returns,
    TRAILING_SPACE.name: _no_blanks,
    LOOKALIKES.name: _plain,
}
_UNITS = (4, 2, 8, 3)  # the likeliest first
# The shared steps in their order; a format's own ladder may leave some out.
SHARED = (LINE_ENDINGS, TRAILING_SPACE, LOOKALIKES, BLANK_LINES, INDENTATION, INDENT_UNITS)


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


def fits(text: Sequence[str] | Text, anchor: Sequence[str], leniency: Leniency) -> Fit:
    """Where `anchor`, at least one line, stands in `text` at the mildest steps of those admitted; maybe nowhere.

    Both are lines without their `\\n`. Linear in both for each step; where many anchors are looked for in one file, a
    `Text` is searched in about no time once it was for the first.
    """
    text = text if isinstance(text, Text) else Text(text)
    if places := text.places(anchor):
        return Fit(tuple(places))
    keys: tuple[Key, ...] = ()
    steps: tuple[str, ...] = ()
    skipped = (0, 0)
    tried = text.level(()), list(anchor)
    for step in SHARED:
        if step.name not in leniency:
            continue
        steps = (*steps, step.name)
        if step is BLANK_LINES:
            skipped = _blank_ends(anchor, keys)
        keys = (*keys, _KEYS[step.name]) if step.name in _KEYS else keys
        solid = anchor[skipped[0] : len(anchor) - skipped[1]]
        if not solid:
            continue
        now = text.level(keys), keyed(solid, keys)
        if step not in (INDENTATION, INDENT_UNITS) and now == tried:
            continue  # there is no such difference in either
        tried = now
        found = _step(text, solid, keys, step)
        if found.places:
            return Fit(found.places, _needed(text, solid, found, steps, skipped), skipped, found.shift)
    return Fit(())


def dressed(new: Sequence[str], replaced: Sequence[str], around: Sequence[str]) -> list[str]:
    """New lines with the line ending of those they replace, or else of those around them."""
    model = [line for line in (replaced or around) if line]
    end = "\r" if model and sum(line.endswith("\r") for line in model) * 2 > len(model) else ""
    return [line.removesuffix("\r") + end for line in new]


def _step(text: Text, solid: Sequence[str], keys: tuple[Key, ...], step: Tolerance) -> Fit:
    if step is INDENTATION:
        return _shifted(text, solid, keys, str)
    if step is INDENT_UNITS:
        return next((fit for turn in _turns(solid) if (fit := _shifted(text, solid, keys, turn)).places), Fit(()))
    return Fit(tuple(text.places(solid, keys)))


def _turns(solid: Sequence[str]) -> list[Callable[[str], str]]:
    """The ways to write the anchor's indentation in the other unit."""
    indents = [indent(line) for line in solid if line.strip()]
    if any("\t" in here for here in indents):
        return [_turn("\t", " " * unit) for unit in _UNITS]
    return [_turn(" " * unit, "\t") for unit in _UNITS if any(" " * unit in here for here in indents)]


def _turn(unit: str, other: str) -> Callable[[str], str]:
    def turn(line: str) -> str:
        here = indent(line)
        return here.replace(unit, other) + line[len(here) :]

    return turn


def _shifted(text: Text, solid: Sequence[str], keys: tuple[Key, ...], turn: Callable[[str], str]) -> Fit:
    """Where the anchor stands once the same indentation is added to, or taken from, all its solid lines."""
    pivot = next((n for n, line in enumerate(solid) if line.strip()), None)
    if pivot is None:
        return Fit(())
    lines = [turn(line) for line in solid]
    # Blank lines that an anchor begins with are no lines to tell a shift by; they must be there all the same.
    places = [at - pivot for at in text.shifted(lines[pivot:], keys) if at >= pivot]
    places = [at for at in places if not any(line.strip() for line in text.lines[at : at + pivot])]
    shifts: dict[tuple[str, str], bool] = {}
    found = []
    for place in places:
        change = _change(indent(lines[pivot]), indent(text.lines[place + pivot]))
        if change not in shifts:  # what one shift does to the anchor is the same everywhere
            there = text.lines[place : place + len(lines)]
            shifts[change] = _agrees(there, [_moved(line, change) for line in lines], keys)
        if shifts[change]:
            found.append(place)
    if not found:
        return Fit(())
    change = next(change for change, agrees in shifts.items() if agrees)
    # Places that need another shift than the first are places all the same.
    return Fit(tuple(found), shift=lambda line: _moved(turn(line), change) if line.strip() else line)


def _change(here: str, there: str) -> tuple[str, str]:
    """What is taken from the front of an indentation, and what is put there, to make it the other one."""
    if here.endswith(there):
        return here.removesuffix(there), ""
    return ("", there.removesuffix(here)) if there.endswith(here) else (here, there)


def _agrees(there: Sequence[str], lines: Sequence[str], keys: tuple[Key, ...]) -> bool:
    """Whether two lists of lines are the same by what the keys leave; blank ones are the same whatever they hold."""
    theirs, ours = keyed(there, keys), keyed(lines, keys)
    return len(theirs) == len(ours) and all(
        a == b or not (a.strip() or b.strip()) for a, b in zip(theirs, ours, strict=True)
    )


def _moved(line: str, change: tuple[str, str]) -> str:
    removed, added = change
    return added + line.removeprefix(removed)


def _blank_ends(lines: Sequence[str], keys: tuple[Key, ...]) -> tuple[int, int]:
    lines = keyed(lines, keys)
    above = next((n for n, line in enumerate(lines) if line.strip()), len(lines))
    below = next((n for n, line in enumerate(reversed(lines)) if line.strip()), 0)
    return above, below


def _needed(
    text: Text, solid: Sequence[str], found: Fit, steps: tuple[str, ...], skipped: tuple[int, int]
) -> tuple[str, ...]:  # fmt: skip
    """The steps without which the anchor would not fit where it does: at the first place, one left out at a time."""
    there = text.lines[found.places[0] : found.places[0] + len(solid)]
    moved = [found.shift(line) for line in solid]
    needed = []
    indented = steps[-1] in (INDENTATION.name, INDENT_UNITS.name)
    kept = [step for step in steps if step in _KEYS]
    for step in steps:
        if step in _KEYS:
            rest = tuple(_KEYS[other] for other in kept if other != step)
            if _agrees(there, moved, rest) if indented else keyed(moved, rest) == keyed(there, rest):
                kept.remove(step)
                continue
        elif step == BLANK_LINES.name:
            if skipped == (0, 0):
                continue
        elif step != steps[-1]:
            continue  # only the last step can be one of indentation that found it
        needed.append(step)
    return tuple(needed)


def plain(line: str) -> str:
    """A line with ASCII characters for those that look like them."""
    return line.translate(_LOOKALIKES)
