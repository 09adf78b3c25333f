"""Neighbours that go: functions, classes, constants and imports nobody asked to remove, and renamed functions."""

import re
from collections.abc import Iterator
from functools import partial
from random import Random

from evaluator.faults.answer import Answer, Edit, parses
from evaluator.faults.made import Beside, Fixed
from evaluator.faults.model import Label
from evaluator.faults.places import NEIGHBOURS, Place, imports, kept, neighbours, own_sources, sources
from evaluator.taxonomy import Category, Detail
from miner.symbols.model import IMPORTS, Shape

REMOVED = Label(Category.UNINTENDED_CHANGE, Detail.REMOVED)
MODIFIED = Label(Category.UNINTENDED_CHANGE, Detail.MODIFIED)
_NEW_NAME = "renamed_unasked"


def without(shapes: tuple[Shape, ...], answer: Answer, random: Random) -> Iterator[Answer]:
    """A neighbour of one of these shapes deleted."""
    for place in neighbours(answer, random, *shapes):
        yield from _deleted(answer, place)


def _deleted(answer: Answer, place: Place) -> Iterator[Answer]:
    content = place.replaced(place.start, place.end, b"")
    if content.strip() and parses(place.path, content):
        yield answer.edited(place.path, content)


def without_unmentioned(answer: Answer, random: Random) -> Iterator[Answer]:
    """A function deleted that its file mentions nowhere else, in a file of the ground truth."""
    for path in own_sources(answer, random):
        places = [p for p in kept(answer, path) if p.symbol.shape is Shape.FUNCTION and _mentions(p) == 1]
        for place in random.sample(places, len(places)):
            yield from _deleted(answer, place)


def _word(place: Place) -> bytes:
    return place.symbol.base.rpartition(".")[2].encode()


def _mentions(place: Place) -> int:
    return len(re.findall(rb"(?<![\w$])%s(?![\w$])" % re.escape(_word(place)), place.content))


def without_import(answer: Answer, random: Random) -> Iterator[Answer]:
    """One of three or more import statements deleted, none of whose entries may change (R8)."""
    for path in sources(answer, random):
        before, now = answer.before(path), answer.at(path)
        assert before is not None
        assert now is not None
        allowed = answer.site.task.allowed.get(path, ())
        known = {p.content[p.start : p.core] for p in imports(path, before)}
        places = imports(path, now)
        if len(places) < 3 or IMPORTS in allowed:
            continue
        for place in random.sample(places, len(places)):
            statement = place.content[place.start : place.core]
            others = {entry for p in places if p is not place for entry in p.symbol.entries}
            own = {*place.symbol.entries}
            if statement in known and b"\n" not in statement.strip() and not own & {*allowed, *others}:
                content = place.replaced(place.start, place.core, b"")
                if parses(path, content):
                    yield answer.edited(path, content.removeprefix(b"\n") if place.start == 0 else content)


def renamed(answer: Answer, random: Random) -> Iterator[Answer]:
    """A function renamed in all of its file; none that an allowed symbol mentions, or it would fail put back."""
    for place in neighbours(answer, random, Shape.FUNCTION):
        word = _word(place)
        if not re.fullmatch(rb"[A-Za-z]\w*", word) or "." in place.symbol.name or _is_known_elsewhere(answer, place):
            continue
        content = re.sub(rb"(?<![\w$.])%s(?![\w$])" % re.escape(word), _NEW_NAME.encode(), place.content)
        if _NEW_NAME.encode() not in place.content and parses(place.path, content):
            yield answer.edited(place.path, content)


def _is_known_elsewhere(answer: Answer, place: Place) -> bool:
    """Whether more of the file mentions the function than what is as before and may not change."""
    mention = re.compile(rb"(?<![\w$])%s(?![\w$])" % re.escape(_word(place)))
    tops = _tops(kept(answer, place.path))
    return sum(len(mention.findall(p.content, p.start, p.end)) for p in tops) != _mentions(place)


def _tops(places: list[Place]) -> list[Place]:
    """Those that are inside no other."""
    return [p for p in places if not any(o.start <= p.start and p.end <= o.end and o is not p for o in places)]


FUNCTION: Edit = partial(without, (Shape.FUNCTION,))
CLASS: Edit = partial(without, (Shape.CLASS,))
CONSTANT: Edit = partial(without, (Shape.VALUE,))
ANY: Edit = partial(without, NEIGHBOURS)

FAULTS = (
    Fixed("removed_function", REMOVED, (FUNCTION,)),
    Fixed("removed_unmentioned", REMOVED, (without_unmentioned,)),
    Fixed("removed_class", REMOVED, (CLASS,)),
    Fixed("removed_constant", REMOVED, (CONSTANT,)),
    Fixed("removed_two", REMOVED, (ANY, ANY)),
    Fixed("removed_import", MODIFIED, (without_import,)),
    Fixed("renamed_function", REMOVED, (renamed,)),
    Beside("removed_and_missed", REMOVED, FUNCTION),
)
