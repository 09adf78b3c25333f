"""From text to symbols: what a language's rules find in a syntax tree, as a tree of named extents."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tree_sitter import Node

from miner.symbols.language import Language
from miner.symbols.model import BODY, IMPORTS, MODULE, Outline, Shape, Symbol, labelled
from miner.symbols.walk import Found, walk

_DEPTH = 64  # symbols nested more deeply belong to the one at this depth, or names would grow without end


@lru_cache(maxsize=1024)
def outline(source: bytes, language: Language) -> Outline:
    """The symbols of a file's bytes; a file that does not parse cleanly is partitioned all the same."""
    readable = source if language.masked is None else language.masked(source)
    root = language.parser().parse(readable).root_node
    found = sorted(walk(root, source, language), key=lambda f: (f.start, -f.end))
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


@dataclass(slots=True)
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
    children = tuple(_children(draft, ""))
    return Symbol(MODULE, MODULE, "", MODULE, "", Shape.CLASS, draft.start, draft.end, (), children)


def _children(parent: _Draft, scope: str) -> Iterator[Symbol]:
    """The symbols inside a draft, namesakes told apart by `apart` and then by number."""
    namesakes = Counter(draft.found.base for draft in parent.inside)
    taken: Counter[str] = Counter()
    for draft in parent.inside:
        one = draft.found
        if one.shape is Shape.IMPORT:
            yield Symbol(IMPORTS, IMPORTS, "", IMPORTS, "", one.shape, draft.start, draft.end, one.entries, ())
            continue
        label = labelled(one.base, one.apart) if namesakes[one.base] > 1 else one.base
        taken[label] += 1
        if taken[label] > 1:
            label = f"{label}#{taken[label]}"
        name = scope + label
        inner = f"{name}."
        yield Symbol(
            one.base, label, one.apart, inner + BODY if one.shape is Shape.CLASS else name, inner, one.shape,
            draft.start, draft.end, (), tuple(_children(draft, inner)) if draft.inside else (),
        )  # fmt: skip
