"""Where a file mentions which names: the identifiers of its syntax tree, without comments and strings.

A name behind a dot (or `->`, `::`) is written with a dot before it: it means a member, or something of
another module.
"""

from bisect import bisect_right
from collections import defaultdict
from functools import lru_cache

from tree_sitter import Node

from miner.symbols.language import Language
from miner.symbols.model import Outline, Symbol, descendants, own_or_child
from miner.symbols.parse import parse

_NAMES = {"name", "constant", "variable_name", "word"}


@lru_cache(maxsize=256)
def identifiers(source: bytes, language: Language) -> tuple[tuple[int, str], ...]:
    """Every identifier with its byte offset, in order of position."""
    found: list[tuple[int, str]] = []
    root = parse(source if language.masked is None else language.masked(source), language)
    stack: list[Node] = [] if root is None else [root]
    while stack:
        node = stack.pop()
        if node.child_count:
            stack.extend(reversed(node.children))
        elif node.type.endswith("identifier") or node.type in _NAMES:
            at = node.start_byte
            dot = "." if source[max(at - 2, 0) : at].endswith((b".", b"->", b"::")) else ""
            found.append((at, dot + source[at : node.end_byte].decode("utf-8", "surrogateescape")))
    return tuple(found)


def mentioned_by(outline: Outline, language: Language) -> dict[Symbol, set[str]]:
    """The names that each symbol's own text mentions."""
    starts: list[int] = []
    owners: list[Symbol] = []
    for symbol in descendants(outline.root):
        for child, start, _ in own_or_child(symbol, symbol.end):
            if child is None:
                starts.append(start)
                owners.append(symbol)
    order = sorted(range(len(starts)), key=starts.__getitem__)
    sorted_starts = [starts[n] for n in order]
    found: dict[Symbol, set[str]] = defaultdict(set)
    for at, name in identifiers(outline.source, language):
        found[owners[order[bisect_right(sorted_starts, at) - 1]]].add(name)
    return found
