"""Where an answer can be damaged: symbols outside the allowed ones, or inside, and the tokens of their code."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from tree_sitter import Node

from evaluator.faults.answer import Answer, is_readable, parses
from miner.roles import Role, governs_tests, role_of
from miner.symbols.files import language_of, outline_of
from miner.symbols.language import Language
from miner.symbols.model import IMPORTS, Outline, Shape, Symbol, core_end, descendants

_OTHERS = 12  # files of the tree beside the answer's own that are looked at
_LARGEST = 400_000  # bytes
NEIGHBOURS = (Shape.FUNCTION, Shape.CLASS, Shape.VALUE)


@dataclass(frozen=True)
class Place:
    """A symbol of a file as the answer leaves it; `start` and `end` are bytes of whole lines."""

    path: str
    content: bytes
    symbol: Symbol
    start: int
    end: int

    @property
    def language(self) -> Language:
        """The file's language."""
        language = language_of(self.path)
        assert language is not None
        return language

    @property
    def core(self) -> int:
        """Where the symbol ends without the line break and blank lines below it."""
        return core_end(self.content, self.start, self.end)

    def replaced(self, start: int, end: int, text: bytes) -> bytes:
        """The file with other bytes from `start` to `end`."""
        return self.content[:start] + text + self.content[end:]

    @property
    def newline(self) -> bytes:
        """How the file's lines end."""
        return b"\r\n" if b"\r\n" in self.content else b"\n"


def is_source(path: str) -> bool:
    """Whether a file is source, and has no say in how tests are run."""
    return role_of(path) is Role.SOURCE and not governs_tests(path)


def sources(answer: Answer, random: Random) -> Iterator[str]:
    """The source files with symbols that are there before and now and parse: the answer's own, then some others."""
    yield from own_sources(answer, random)
    yield from other_sources(answer, random)


def own_sources(answer: Answer, random: Random) -> Iterator[str]:
    """Those of them that the task changes."""
    own = sorted(answer.site.task.before)
    yield from (path for path in random.sample(own, len(own)) if _is_sound(answer, path))


def other_sources(answer: Answer, random: Random) -> Iterator[str]:
    """Some source files with symbols that the task does not change and that parse."""
    known = answer.site.task.before
    others = sorted(p for p in answer.site.tree.modes if p not in known and language_of(p) and is_source(p))
    for path in random.sample(others, min(len(others), _OTHERS)):
        if _is_sound(answer, path):
            yield path


def _is_sound(answer: Answer, path: str) -> bool:
    before, now = answer.before(path), answer.at(path)
    return (
        is_source(path) and language_of(path) is not None and is_readable(before) and is_readable(now)
        and before is not None and now is not None and max(len(before), len(now)) < _LARGEST
        and parses(path, before) and parses(path, now)
    )  # fmt: skip


def neighbours(answer: Answer, random: Random, *shapes: Shape) -> Iterator[Place]:
    """Symbols of these shapes (all: none given) that are as before and may not change, in random order by file."""
    for path in sources(answer, random):
        places = kept(answer, path)
        random.shuffle(places)
        yield from (place for place in places if not shapes or place.symbol.shape in shapes)


def kept(answer: Answer, path: str) -> list[Place]:
    """The symbols of a file that are as before, each alone of its name, and may not change, nor anything inside."""
    before, now = answer.before(path), answer.at(path)
    assert before is not None
    assert now is not None
    old, new = outline_of(path, before), outline_of(path, now)
    there = {s.name: s for s in _single(old)}
    allowed = set(answer.site.task.allowed.get(path, ()))
    places = []
    for symbol in _single(new):
        place = place_of(path, now, symbol)
        twin = there.get(symbol.name)
        names = {s.name for s in descendants(symbol)}
        if place is None or twin is None or names & allowed or any(s.entries for s in descendants(symbol)):
            continue
        if _core(before, twin) == _core(now, symbol) and not _is_test(place):
            places.append(place)
    return places


def allowed_functions(answer: Answer, random: Random) -> Iterator[Place]:
    """The functions that the task may change, as they are now, in random order by file."""
    for path in sources(answer, random):
        allowed = set(answer.site.task.allowed.get(path, ()))
        content = answer.at(path)
        assert content is not None
        found = [place_of(path, content, s) for s in _single(outline_of(path, content)) if s.name in allowed]
        places = [p for p in found if p is not None and p.symbol.shape is Shape.FUNCTION and not _is_test(p)]
        random.shuffle(places)
        yield from places


def place_of(path: str, content: bytes, symbol: Symbol) -> Place | None:
    """A symbol that stands on lines of its own."""
    start = content.rfind(b"\n", 0, symbol.start) + 1
    end = symbol.end
    if content[start : symbol.start].strip() or not (end == len(content) or content[end - 1 : end] == b"\n"):
        return None
    return Place(path, content, symbol, start, end)


def imports(path: str, content: bytes) -> list[Place]:
    """The import statements of a file that stand alone on lines without indentation, in order."""
    found = [place_of(path, content, s) for s in outline_of(path, content).root.children if s.shape is Shape.IMPORT]
    return [p for p in found if p is not None and p.symbol.entries and not content[p.start : p.start + 1].isspace()]


def _single(outline: Outline) -> Iterator[Symbol]:
    """The symbols outside functions whose names nothing else in the file has."""
    often = Counter(s.name for s in descendants(outline.root))
    waiting = list(reversed(outline.root.children))
    while waiting:
        symbol = waiting.pop()
        if symbol.shape is Shape.CLASS:
            waiting.extend(reversed(symbol.children))
        if symbol.name != IMPORTS and often[symbol.name] == 1 and symbol.label == symbol.base:
            yield symbol


def _core(content: bytes, symbol: Symbol) -> bytes:
    return content[symbol.start : core_end(content, symbol.start, symbol.end)]


def _is_test(place: Place) -> bool:
    """Whether a test stands in this source file (Rust): such files are left alone."""
    tests = place.language.tests
    return tests is not None and tests(place.content)


def body_of(place: Place) -> Node | None:
    """The body of the function that a place is, where the grammar has such a field."""
    waiting = [place.language.parser().parse(place.content).root_node]
    while waiting:
        node = waiting.pop(0)
        if node.end_byte <= place.start or node.start_byte >= place.core:
            continue
        body = node.child_by_field_name("body")
        if body is not None and place.start <= node.start_byte and node.end_byte <= place.end:
            return body
        waiting.extend(node.children)
    return None


def tokens(place: Place) -> list[tuple[int, int, str]]:
    """The leaves of the syntax tree inside a symbol: first and last byte, and type. Strings and comments are one."""
    return [leaf for leaf in _leaves(place.path, place.content) if place.start <= leaf[0] and leaf[1] <= place.end]


@lru_cache(maxsize=64)
def _leaves(path: str, content: bytes) -> tuple[tuple[int, int, str], ...]:
    language = language_of(path)
    assert language is not None
    return tuple(_walk(language.parser().parse(content).root_node))


def _walk(root: Node) -> Iterator[tuple[int, int, str]]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        opaque = "comment" in node.type or "string" in node.type or "regex" in node.type or "char" in node.type
        if node.children and not opaque:
            waiting.extend(reversed(node.children))
        else:
            yield node.start_byte, node.end_byte, node.type
