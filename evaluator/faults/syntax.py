"""Files that no longer parse: a bracket, quote, keyword or colon gone, a line indented wrongly."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from random import Random

from evaluator.faults.additions import BROKEN
from evaluator.faults.answer import Answer, Edit, is_broken
from evaluator.faults.made import Fixed
from evaluator.faults.neighbours import shuffled_lines
from evaluator.faults.places import Place, allowed_functions, neighbours, tokens
from miner.symbols.model import Shape

_TRIED = 5  # ways to break one function
_KEYWORDS = {b"def", b"function", b"func", b"fn", b"class", b"if", b"for", b"return", b"in", b"import", b"else"}
_QUOTES = (b'"', b"'", b"`")


def bracket(place: Place, random: Random) -> Iterator[bytes]:
    """A bracket gone."""
    yield from _dropped(place, random, lambda text: text in b"()[]{}")


def keyword(place: Place, random: Random) -> Iterator[bytes]:
    """A keyword gone."""
    yield from _dropped(place, random, lambda text: text in _KEYWORDS)


def colon(place: Place, random: Random) -> Iterator[bytes]:
    """A colon gone."""
    yield from _dropped(place, random, lambda text: text == b":")


def quote(place: Place, random: Random) -> Iterator[bytes]:
    """The last quote of a string gone."""
    found = [end for start, end, _ in tokens(place) if place.content[end - 1 : end] in _QUOTES and end - start > 1]
    for end in random.sample(found, len(found)):
        yield place.replaced(end - 1, end, b"")


def indentation(place: Place, random: Random) -> Iterator[bytes]:
    """A line with a blank more in front of it, or without any, where that matters."""
    for at, line in shuffled_lines(place, random) if place.language.indented else ():
        indent = len(line) - len(line.lstrip(b" "))
        yield place.replaced(at, at + indent, b"" if random.random() < 0.5 else b" " * (indent + 1))


def _dropped(place: Place, random: Random, is_one: Callable[[bytes], bool]) -> Iterator[bytes]:
    found = [t for t in tokens(place) if t[1] > t[0] and is_one(place.content[t[0] : t[1]])]
    for start, end, _ in random.sample(found, len(found)):
        yield place.replaced(start, end, b"")


def broken(breaks: Callable[[Place, Random], Iterator[bytes]], answer: Answer, random: Random) -> Iterator[Answer]:
    """A function, wherever it is, that certainly does not parse."""
    inside, outside = allowed_functions(answer, random), neighbours(answer, random, Shape.FUNCTION)
    for place in chain(inside, outside) if random.random() < 0.5 else chain(outside, inside):
        for content in islice(breaks(place, random), _TRIED):
            if is_broken(place.path, content):
                yield answer.edited(place.path, content)
                break


BRACKET: Edit = partial(broken, bracket)

FAULTS = (
    Fixed("broken_bracket", BROKEN, (BRACKET,)),
    Fixed("broken_quote", BROKEN, (partial(broken, quote),)),
    Fixed("broken_keyword", BROKEN, (partial(broken, keyword),)),
    Fixed("broken_colon", BROKEN, (partial(broken, colon),)),
    Fixed("broken_indentation", BROKEN, (partial(broken, indentation),)),
    Fixed("broken_untouched", BROKEN, (BRACKET,), from_nothing=True),
)
