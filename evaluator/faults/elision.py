"""Text left out, with a comment in its place: the tail of a file, the body of a function, what is in a bracket."""

from collections.abc import Iterator
from random import Random

from evaluator.faults.answer import Answer, is_broken, parses
from evaluator.faults.made import Fixed
from evaluator.faults.model import Label
from evaluator.faults.neighbours import is_comment
from evaluator.faults.places import Place, body_of, kept, neighbours, sources
from evaluator.taxonomy import Category, Detail
from miner.symbols.model import Shape

ELISION = Label(Category.UNINTENDED_CHANGE, Detail.ELISION)
BROKEN_ELISION = Label(Category.MISAPPLIED, Detail.ELISION)
_REST = (
    "... rest of the file unchanged ...", "... existing code ...", "rest of the code remains the same",
    "... other functions as before ...", "(remaining code omitted for brevity)", "Rest of file unchanged",
)  # fmt: skip
_BODY = ("... existing code ...", "... rest of the implementation unchanged ...", "existing code remains unchanged")


def tail(answer: Answer, random: Random) -> Iterator[Answer]:
    """The last symbols of a file, none of which may change, left out."""
    for path in sources(answer, random):
        places = _last(kept(answer, path))
        random.shuffle(places)
        for place in places:
            if _lines(place.content[place.start :]) < 2 or not place.content[: place.start].strip():
                continue
            content = place.replaced(place.start, len(place.content), _remark(place, random.choice(_REST)))
            if parses(path, content):
                yield answer.edited(path, content)


def _last(places: list[Place]) -> list[Place]:
    """Those at the level of the file that only such ones follow, down to its end."""
    found: list[Place] = []
    end = len(places[0].content) if places else 0
    for place in sorted(places, key=lambda p: (-p.end, p.start)):
        if place.end == end and not place.content[place.start : place.start + 1].isspace():
            found.append(place)
            end = place.start
    return found


def _remark(place: Place, words: str, indent: bytes = b"") -> bytes:
    return indent + f"{place.language.line_comment} {words}".encode() + place.newline


def _lines(text: bytes) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())


def body(answer: Answer, random: Random) -> Iterator[Answer]:
    """The body of a neighbour left out."""
    for place in neighbours(answer, random, Shape.FUNCTION):
        inner = body_of(place)
        if inner is None or place.symbol.children or _lines(place.content[inner.start_byte : inner.end_byte]) < 3:
            continue
        at, end = inner.start_byte, inner.end_byte
        line = place.content.rfind(b"\n", 0, at) + 1
        words = random.choice(_BODY)
        if place.content[at : at + 1] == b"{":
            margin = place.content[line : line + len(place.content[line:at]) - len(place.content[line:at].lstrip())]
            text = b"{" + place.newline + _remark(place, words, margin + b"    ") + margin + b"}"
        elif place.language.grammar == "python" and not place.content[line:at].strip():
            text = _remark(place, words) + place.content[line:at] + b"pass"
        else:
            continue
        content = place.replaced(at, end, text)
        if parses(place.path, content):
            yield answer.edited(place.path, content)


def bracket(answer: Answer, random: Random) -> Iterator[Answer]:
    """The rest of a file left out inside an open bracket."""
    for place in neighbours(answer, random, Shape.FUNCTION, Shape.VALUE):
        at, places = place.start, []
        for line in place.content[place.start : place.core].splitlines(keepends=True):
            at += len(line)
            if line.rstrip().endswith((b"(", b"[", b"{")) and _lines(place.content[at:]) > 2:
                places.append(at)
        for at in random.sample(places, len(places)):
            content = place.content[:at] + _remark(place, random.choice(_REST), b"    ")
            if is_broken(place.path, content) and is_comment(place, content, at + 4):
                yield answer.edited(place.path, content)
                break


FAULTS = (
    Fixed("elision_tail", ELISION, (tail,)),
    Fixed("elision_body", ELISION, (body,)),
    Fixed("elision_in_bracket", BROKEN_ELISION, (bracket,)),
)
