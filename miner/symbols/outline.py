"""From text to symbols: what a language's rules find in a syntax tree, as a tree of named extents."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field

from tree_sitter import Node

from miner.remembered import remembered
from miner.symbols.language import Language
from miner.symbols.model import BODY, IMPORTS, MODULE, Outline, Shape, Symbol, labelled
from miner.symbols.parse import parse
from miner.symbols.walk import Found, walk

_DEPTH = 64  # symbols nested more deeply belong to the one at this depth, or names would grow without end


_ROOM = 8 << 20  # bytes of files: an outline takes about five times its file
_LARGE = 1 << 20  # bytes of a file whose syntax tree fills the memory: threads wait for one another
_one_large = threading.Lock()


@remembered(_ROOM, lambda source, _: len(source) + 1000)
def outline(source: bytes, language: Language) -> Outline:
    """The symbols of a file's bytes; a file that does not parse cleanly is partitioned all the same.

    One that cannot be parsed in linear time is a single symbol, its module.
    """
    with _one_large if len(source) > _LARGE else nullcontext():
        readable = source if language.masked is None else language.masked(source)
        root = parse(readable, language)
        if root is None:
            return Outline(source, _module(_nest([], len(source))), 0)
        found = sorted(walk(root, source, readable, language), key=lambda f: (f.start, -f.end))
        return Outline(source, _module(_nest(found, len(source))), _count_errors(root))


def _count_errors(root: Node) -> int:
    if not root.has_error:
        return 0
    found, stack = 0, [root]
    while stack:
        node = stack.pop()
        found += node.is_error or node.is_missing
        stack.extend(child for child in node.children if child.has_error or child.is_missing)
    return found


@dataclass(slots=True, eq=False)
class _Draft:
    found: Found
    start: int
    end: int
    inside: list["_Draft"] = field(default_factory=list)


def _nest(found: list[Found], size: int) -> _Draft:
    """Found extents by containment; where two overlap, the later one gives way."""
    module = _Draft(Found(0, size, MODULE, "", Shape.CLASS), 0, size)
    stack = [module]
    for one in found:
        while len(stack) > 1 and stack[-1].end <= one.start:
            stack.pop()
        if len(stack) > _DEPTH:
            continue
        siblings = stack[-1].inside
        start = max(one.start, siblings[-1].end if siblings else 0)
        draft = _Draft(one, start, min(one.end, stack[-1].end))
        if draft.start < draft.end:
            siblings.append(draft)
            stack.append(draft)
    return module


def _module(draft: _Draft) -> Symbol:
    children = tuple(_Names(draft).children(draft, "", ""))
    return Symbol(MODULE, MODULE, "", MODULE, "", Shape.CLASS, draft.start, draft.end, (), children)


class _Names:
    """The names of one file's symbols, no two alike: namesakes are told apart by `apart` and then by number.

    Namesakes need not stand side by side: a class written in two parts, a method inside its class and outside.
    """

    def __init__(self, module: _Draft) -> None:
        self._namesakes = Counter(_paths(module, ""))
        self._taken: Counter[str] = Counter()

    def children(self, parent: _Draft, scope: str, path: str) -> Iterator[Symbol]:
        """The symbols inside a draft: `scope` is what their names begin with, `path` that without numbers."""
        pieces = _pieces(parent)
        for draft in parent.inside:
            one = draft.found
            if one.shape is Shape.IMPORT:
                yield Symbol(IMPORTS, IMPORTS, "", IMPORTS, "", one.shape, draft.start, draft.end, one.entries, ())
                continue
            label = labelled(one.base, one.apart) if self._namesakes[path + one.base] > 1 else one.base
            self._taken[scope + label] += 1
            if (number := self._taken[scope + label]) > 1:
                label = f"{label}#{number}"
            name = scope + label
            inner = f"{name}."
            yield Symbol(
                one.base, label, one.apart, inner + BODY if one.shape is Shape.CLASS else name, inner, one.shape,
                draft.start, draft.end, (),
                tuple(self.children(draft, inner, f"{path}{pieces[draft]}.")) if draft.inside else (),
            )  # fmt: skip


def _paths(parent: _Draft, path: str) -> Iterator[str]:
    pieces = _pieces(parent)
    for draft in parent.inside:
        yield path + draft.found.base
        if draft.inside:
            yield from _paths(draft, f"{path}{pieces[draft]}.")


def _pieces(parent: _Draft) -> dict[_Draft, str]:
    """What the paths of the symbols inside each draft begin with: its name, told apart from that of its siblings."""
    inner = [draft for draft in parent.inside if draft.inside]
    if len({draft.found.base for draft in inner}) == len(inner):
        return {draft: draft.found.base for draft in inner}
    often = Counter(draft.found.base for draft in inner)
    return {
        draft: labelled(draft.found.base, draft.found.apart) if often[draft.found.base] > 1 else draft.found.base
        for draft in inner
    }
