"""Neighbours that change: a literal, an operator, a comment, a docstring, white space (docs/taxonomy.md, R9)."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from evaluator.faults.answer import Answer, Edit, parses
from evaluator.faults.made import Beside, Fixed
from evaluator.faults.places import Place, neighbours, tokens
from evaluator.faults.stray import stray_edit
from evaluator.faults.symbols import MODIFIED
from miner.symbols.model import Shape

REMARK = b"nobody asked for this"
_LEAVES = (Shape.FUNCTION, Shape.VALUE)
_OPPOSITE = {
    b"==": b"!=", b"!=": b"==", b"<": b">=", b">": b"<=", b"<=": b">", b">=": b"<", b"+": b"-", b"-": b"+",
    b"and": b"or", b"or": b"and", b"&&": b"||", b"||": b"&&", b"True": b"False", b"False": b"True",
    b"true": b"false", b"false": b"true", b"===": b"!==", b"!==": b"===",
}  # fmt: skip

Change = Callable[[Place, Random], Iterator[bytes]]  # contents of the file with a change inside the place


def literal(place: Place, random: Random) -> Iterator[bytes]:
    """A whole number counted up by one."""
    numbers = [t for t in tokens(place) if re.fullmatch(rb"\d{1,9}", place.content[t[0] : t[1]])]
    for start, end, _ in random.sample(numbers, len(numbers)):
        yield place.replaced(start, end, b"%d" % (int(place.content[start:end]) + 1))


def logic(place: Place, random: Random) -> Iterator[bytes]:
    """An operator or truth value turned into its opposite."""
    found = [t for t in tokens(place) if place.content[t[0] : t[1]] in _OPPOSITE]
    for start, end, _ in random.sample(found, len(found)):
        yield place.replaced(start, end, _OPPOSITE[place.content[start:end]])


def comment(place: Place, random: Random) -> Iterator[bytes]:
    """A comment of its own line inside a function."""
    mark = place.language.line_comment.encode()
    for at, line in shuffled_lines(place, random):
        indent = line[: len(line) - len(line.lstrip())]
        content = place.replaced(at, at, indent + mark + b" " + REMARK + place.newline)
        if is_comment(place, content, at + len(indent)):
            yield content


def is_comment(place: Place, content: bytes, at: int) -> bool:
    """Whether a comment begins at a byte of the changed file."""
    node = place.language.parser().parse(content).root_node.descendant_for_byte_range(at, at + 1)
    return node is not None and "comment" in node.type and node.start_byte == at


def docstring(place: Place, _random: Random) -> Iterator[bytes]:
    """Another first word of a docstring (Python)."""
    found = re.compile(rb'"""(\w+)').search(place.content, place.start, place.core)
    if found and place.language.grammar == "python" and place.symbol.shape is Shape.FUNCTION:
        yield place.replaced(found.start(1), found.end(1), b"Otherwise")


def formatting(place: Place, random: Random) -> Iterator[bytes]:
    """A second blank behind a comma."""
    commas = [t for t in tokens(place) if place.content[t[0] : t[0] + 2] == b", "]
    for _, end, _ in random.sample(commas, len(commas)):
        yield place.replaced(end, end, b" ")


def trailing_space(place: Place, random: Random) -> Iterator[bytes]:
    """Blanks at the end of a line."""
    for at, _ in shuffled_lines(place, random):
        end = at - len(place.newline)
        if end > place.start and not place.content[end - 1 : end].isspace():
            yield place.replaced(end, end, b"  ")


def blank_line(place: Place, random: Random) -> Iterator[bytes]:
    """A blank line inside a function."""
    for at, _ in shuffled_lines(place, random):
        yield place.replaced(at, at, place.newline)


def shuffled_lines(place: Place, random: Random) -> list[tuple[int, bytes]]:
    """The lines of a symbol below its first, that are not blank: where each begins, and its text."""
    lines, at = [], place.start
    for line in place.content[place.start : place.core].splitlines(keepends=True):
        if at > place.start and line.strip():
            lines.append((at, line))
        at += len(line)
    return random.sample(lines, len(lines))


def changed(change: Change, shapes: tuple[Shape, ...], answer: Answer, random: Random) -> Iterator[Answer]:
    """A neighbour with a change in it. None with symbols inside: what changes is then this very one."""
    for place in neighbours(answer, random, *shapes):
        if place.symbol.children:
            continue
        for content in change(place, random):
            if parses(place.path, content):
                yield answer.edited(place.path, content)
                break


def stray(answer: Answer, _random: Random) -> Iterator[Answer]:
    """The comment or blank line of the selftest."""
    site = answer.site
    found = stray_edit(site.task.before, {**site.task.before, **answer.now}, site.task.allowed)
    if found is not None:
        yield Answer(site, found.after)


LITERAL: Edit = partial(changed, literal, _LEAVES)
LOGIC: Edit = partial(changed, logic, _LEAVES)
COMMENT: Edit = partial(changed, comment, (Shape.FUNCTION,))

FAULTS = (
    Fixed("modified_literal", MODIFIED, (LITERAL,)),
    Fixed("modified_logic", MODIFIED, (LOGIC,)),
    Fixed("modified_comment", MODIFIED, (COMMENT,)),
    Fixed("stray_edit", MODIFIED, (stray,)),
    Fixed("modified_docstring", MODIFIED, (partial(changed, docstring, (Shape.FUNCTION,)),)),
    Fixed("modified_formatting", MODIFIED, (partial(changed, formatting, _LEAVES),)),
    Fixed("modified_trailing_space", MODIFIED, (partial(changed, trailing_space, (Shape.FUNCTION,)),)),
    Fixed("modified_blank_line", MODIFIED, (partial(changed, blank_line, (Shape.FUNCTION,)),)),
    Beside("modified_and_noticed", MODIFIED, LOGIC),
)
