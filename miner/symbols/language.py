"""What the partition must know about a language: one frozen row of tables and small functions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import tree_sitter_language_pack
from tree_sitter import Node, Parser

from miner.symbols.model import Shape

Name = Callable[[Node], str | None]  # None: it has no name, and is no symbol
Apart = Callable[[Node, Node], str]  # (definition, its outermost wrapper) -> what tells it from its namesakes
Entries = Callable[[Node], Iterable[str]]


def text(node: Node | None) -> str:
    """The source text of a node; empty for None."""
    return "" if node is None or node.text is None else node.text.decode("utf-8", "surrogateescape")


def flat(node: Node | None) -> str:
    """The text of a node on one line, with single blanks."""
    return " ".join(text(node).split())


def by_field(name: str) -> Name:
    """The name that stands in the field `name`."""

    def named(node: Node) -> str | None:
        return flat(node.child_by_field_name(name)) or None

    return named


def _alike(_definition: Node, _outer: Node) -> str:
    return ""


def _none(_node: Node) -> Iterable[str]:
    return ()


def _unknown(_entry: str) -> str | None:
    return None


_NAMED = by_field("name")


@dataclass(frozen=True)
class Rule:
    """How one type of node is treated. `value` is the field whose value may be a function or class."""

    shape: Shape
    name: Name = _NAMED
    apart: Apart = _alike
    entries: Entries = _none
    value: str | None = None


OPEN = Rule(Shape.OPEN)
WRAP = Rule(Shape.WRAP)


@dataclass(frozen=True, eq=False)
class Language:
    """One language.

    `grammar` names the tree-sitter grammar; `rules` say what its node types are, and everything else
    is plain text of the symbol around it. `lead` are the node types that belong to the definition right
    below them (comments and attributes). `nested` are texts of which a definition inside a function or an
    expression holds at least one: only places with one of them are searched. `functions` and `classes`
    are the node types of values that define like a function or class. `indented`: a comment below a
    definition that is indented more deeply than it belongs to it. `by_import`: a file knows what another
    one defines only where it imports it. `binds` gives the name by which a file
    knows an import entry, None where the entry does not say.
    """

    grammar: str
    suffixes: tuple[str, ...]
    rules: Mapping[str, Rule]
    comments: frozenset[str] = frozenset({"comment"})
    attributes: frozenset[str] = frozenset()
    nested: tuple[bytes, ...] = ()
    functions: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    indented: bool = False
    line_comment: str = "//"
    by_import: bool = False
    binds: Callable[[str], str | None] = _unknown

    def valued(self, value: Node) -> Shape | None:
        """The shape that a constant or field gets from its value, or None."""
        kind = value.type
        return Shape.FUNCTION if kind in self.functions else Shape.CLASS if kind in self.classes else None

    def parser(self) -> Parser:
        """A parser of this language."""
        return _parser(self.grammar)


@cache
def _parser(grammar: str) -> Parser:
    return tree_sitter_language_pack.get_parser(grammar)  # type: ignore[arg-type]
