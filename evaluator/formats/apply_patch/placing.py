"""Where a hunk goes: at the first place after the last hunk, and below its scopes, where its lines stand."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evaluator.formats.apply_patch.body import Body, Key, Part, is_shift
from evaluator.formats.apply_patch.patch import END_IGNORED, SCOPE_IGNORED, Hunk
from evaluator.formats.ladder import BLANK_LINES, LINE_ENDINGS, dressed
from evaluator.formats.model import Leniency

Shift = tuple[str, str]  # what is taken from the front of a line, and put there


@dataclass(frozen=True)
class Spot:
    """A place for a hunk: the index of its first line, how many lines of the file it takes up, what it took.

    `shift` is how new lines are indented; `others` are all further places at the same steps, below its scopes.
    """

    line: int
    size: int
    steps: tuple[str, ...] = ()
    shift: Shift = ("", "")
    others: tuple[int, ...] = ()


def spot(hunk: Hunk, body: Body, position: int, leniency: Leniency, most: int = 1) -> Spot | None:
    """The place of a hunk at or after `position`, at the mildest steps admitted, with at `most` so many others."""
    below = _below(hunk.scopes, body, position)
    found = _from(hunk, body, below[0], below[1], leniency, most) if below is not None else None
    if found is not None and below is not None:
        return _with_steps(found, below[2])
    if hunk.scopes and SCOPE_IGNORED.name in leniency:
        found = _from(hunk, body, position, 0, leniency, most)
        return None if found is None else _with_steps(found, (SCOPE_IGNORED.name,))
    return None


def _with_steps(found: Spot, more: Sequence[str]) -> Spot:
    return Spot(found.line, found.size, tuple(dict.fromkeys((*more, *found.steps))), found.shift, found.others)


def _below(scopes: Sequence[str], body: Body, position: int) -> tuple[int, int, tuple[str, ...]] | None:
    """Where to look on, the first line below the scopes, and the steps it took.

    A scope already passed is one the hunk is inside of: where to look on stays as it is.

    Each scope narrows down the one before it: it stands below that one's line.
    """
    floor, taken = 0, tuple[str, ...]()
    for scope in scopes:
        for steps, key in body.ladder:
            if is_shift(steps):
                continue
            lines = body.coded(steps, key)
            if (above := lines.last_place(scope, floor, position)) is not None:
                floor = above + 1
            elif (line := next(lines.places([scope], position, body.end), None)) is not None:
                floor = position = line + 1
            else:
                continue
            taken = (*taken, *steps)
            break
        else:
            return None
    return position, floor, taken


def _from(hunk: Hunk, body: Body, start: int, floor: int, leniency: Leniency, most: int) -> Spot | None:
    if not hunk.old:
        place = max(start, body.end) if hunk.at_end else start
        return Spot(place, 0)
    if hunk.at_end:
        found = _anchored(hunk, body, start, floor, leniency, most, at_end=True)
        if found is not None:
            return found
        if END_IGNORED.name not in leniency:
            return None
    found = _anchored(hunk, body, start, floor, leniency, most, at_end=False)
    return _with_steps(found, (END_IGNORED.name,)) if found is not None and hunk.at_end else found


def _anchored(
    hunk: Hunk, body: Body, start: int, floor: int, leniency: Leniency, most: int, at_end: bool
) -> Spot | None:  # fmt: skip
    """A place for the lines of the hunk, also without an empty context line at its end where that is admitted."""
    anchors: list[tuple[list[str], tuple[str, ...]]] = [(hunk.old, ())]
    blank = hunk.lines[-1][0] == " " and not hunk.lines[-1].strip()
    if blank and len(hunk.old) > 1 and BLANK_LINES.name in leniency:
        anchors.append((hunk.old[:-1], (BLANK_LINES.name,)))
    for anchor, cut in anchors:
        for steps, key in body.ladder:
            found = next(_spots(anchor, body, start, steps, key, at_end), None)
            if found is None:
                continue
            line, shift = found
            others: tuple[int, ...] = ()
            if not at_end:
                everywhere = (place for place, _ in _spots(anchor, body, floor, steps, key, at_end))
                others = tuple(n for n in itertools.islice(everywhere, most + 1) if n != line)
            return Spot(line, len(anchor), (*steps, *cut), shift, others)
    return None


def _spots(
    anchor: list[str], body: Body, start: int, steps: tuple[str, ...], key: Key, at_end: bool
) -> Iterator[tuple[int, Shift]]:  # fmt: skip
    lines = body.coded(steps, key)
    if at_end:
        # The end is after the last line, or after the empty text that follows a final newline.
        windows = {end - len(anchor): end for end in (body.end, len(body.lines)) if end - len(anchor) >= start}
    else:
        windows = {start: body.end}
    for first, last in windows.items():
        for place in lines.places(anchor, first, last):
            if not is_shift(steps):
                yield place, ("", "")
            elif (shift := _shift(anchor, body.lines[place : place + len(anchor)], key)) is not None:
                yield place, shift


def _shift(anchor: Sequence[str], there: Sequence[str], key: Callable[[str], str]) -> Shift | None:
    """The one change of indentation that makes the anchor's lines those that stand there."""
    solid = [(ours, its) for ours, its in zip(anchor, there, strict=True) if ours.strip()]
    if not solid:
        return None
    here, its = (_indent(line) for line in solid[0])
    if its.endswith(here):
        change = ("", its.removesuffix(here))
    elif here.endswith(its):
        change = (here.removesuffix(its), "")
    else:
        change = (here, its)
    fits = all(ours.startswith(change[0]) and key(shifted(ours, change)) == key(line) for ours, line in solid)
    return change if fits else None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def shifted(line: str, shift: Shift) -> str:
    """A line indented otherwise; blank ones stay."""
    return shift[1] + line.removeprefix(shift[0]) if line.strip() else line


def result(hunk: Hunk, spot: Spot, body: Body, leniency: Leniency) -> tuple[Part, tuple[str, ...]]:
    """What stands in the hunk's place afterwards: the file's own lines where they are context, and new ones.

    New lines end as those around them where line endings were passed over; that step is added where it took it.
    """
    added = [line[1:] for line in hunk.lines if line[0] == "+"]
    steps = spot.steps
    last = spot.line + spot.size
    if LINE_ENDINGS.name in steps or (not spot.size and LINE_ENDINGS.name in leniency):
        there = [line for line in body.lines[spot.line : last] if line]
        as_there = dressed(added, there or body.lines[: body.end], ())
        if as_there != added:
            added, steps = as_there, tuple(dict.fromkeys((*steps, LINE_ENDINGS.name)))
    new = iter(added)
    at, part = spot.line, Part(spot.line, last, [], [])
    for line in hunk.lines:
        if line[0] == "+":
            part.lines.append(shifted(next(new), spot.shift))
            part.origins.append(-1)
        elif at < last:
            if line[0] == " ":
                part.lines.append(body.lines[at])
                part.origins.append(body.origins[at])
            at += 1
    return part, steps
