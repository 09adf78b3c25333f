"""The same things in another order: import statements, and neighbours."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from evaluator.faults.answer import Answer, parses
from evaluator.faults.made import Fixed
from evaluator.faults.model import Label
from evaluator.faults.places import Place, imports, kept, sources
from evaluator.taxonomy import Category, Detail
from miner.symbols.model import BODY, IMPORTS, MODULE, Shape

REORDERED = Label(Category.UNINTENDED_CHANGE, Detail.REORDERED)


def imports_swapped(answer: Answer, random: Random) -> Iterator[Answer]:
    """Two import statements on lines below each other that change places, in a block that is as before."""
    for path in sources(answer, random):
        before, now = answer.before(path), answer.at(path)
        assert before is not None
        assert now is not None
        places = imports(path, now)
        if IMPORTS in answer.site.task.allowed.get(path, ()) or _entries(imports(path, before)) != _entries(places):
            continue
        pairs = [p for p in pairwise(places) if p[0].end == p[1].start and _plain(p)]
        for first, second in random.sample(pairs, len(pairs)):
            yield from _swapped(answer, first, second)


def _entries(places: list[Place]) -> list[str]:
    return [entry for place in places for entry in place.symbol.entries]


def _plain(pair: tuple[Place, Place]) -> bool:
    """Whether both are one line each, and neither must come first."""
    lines = [place.content[place.start : place.core].rstrip(b"\r\n") for place in pair]
    return lines[0] != lines[1] and not any(b"\n" in line or b"__future__" in line for line in lines)


def neighbours_swapped(answer: Answer, random: Random) -> Iterator[Answer]:
    """Two functions or methods below each other that change places; their container may not change."""
    for path in sources(answer, random):
        allowed = answer.site.task.allowed.get(path, ())
        places = sorted((p for p in kept(answer, path) if p.symbol.shape is Shape.FUNCTION), key=lambda p: p.start)
        pairs = [
            (a, b) for a, b in pairwise(places)
            if a.end == b.start and _container(a) == _container(b) and _container(a) not in allowed
        ]  # fmt: skip
        for first, second in random.sample(pairs, len(pairs)):
            yield from _swapped(answer, first, second)


def _container(place: Place) -> str:
    scope = place.symbol.name.removesuffix(place.symbol.base)
    return f"{scope}{BODY}" if scope else MODULE


def _swapped(answer: Answer, first: Place, second: Place) -> Iterator[Answer]:
    """Two places changed about, the white space below each where it was."""
    content = first.content
    gaps = content[first.core : first.end], content[second.core : second.end]
    if not gaps[0] or not gaps[1]:
        return
    upper, lower = content[first.start : first.core], content[second.start : second.core]
    swapped = first.replaced(first.start, second.end, lower + gaps[0] + upper + gaps[1])
    if parses(first.path, swapped):
        yield answer.edited(first.path, swapped)


FAULTS = (
    Fixed("reordered_imports", REORDERED, (imports_swapped,)),
    Fixed("reordered_neighbours", REORDERED, (neighbours_swapped,)),
)
