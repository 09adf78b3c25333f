"""What the partition must know about a language: one frozen row of tables and small functions."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
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
_LITERALS = 4  # literals within literals are searched for a function this deep, or each would be by all around it


@dataclass(frozen=True)
class Rule:
    """How one type of node is treated. `value` is the field whose value may be a function or class.

    `pick`: of a node that can be several things, the rule for this one, where it is a statement or member.
    """

    shape: Shape
    name: Name = _NAMED
    apart: Apart = _alike
    entries: Entries = _none
    value: str | None = None
    pick: Callable[[Node], "Rule"] | None = None


OPEN = Rule(Shape.OPEN)
WRAP = Rule(Shape.WRAP)


@dataclass(frozen=True, eq=False)
class Language:
    """One language.

    `grammar` names the tree-sitter grammar; `rules` say what its node types are, and everything else
    is plain text of the symbol around it. `lead` are the node types that belong to the definition right
    below them (comments and attributes). `nested` are texts of which a definition inside a function or an
    expression holds at least one: only places with one of them are searched (of a pattern, where its match
    ends). `functions` and `classes` are the node types of values that define like a function or class,
    `literals` those that define like a function if they hold one. `through`: node types that stand around
    a value, with the number of the named child that is looked at in their place. `indented`: a comment
    below a definition that is indented more deeply than it belongs to it. Comments that start like one of
    `documents` belong to the definition below them also across blank lines, but not at the top of a file.
    """

    grammar: str
    suffixes: tuple[str, ...]
    rules: Mapping[str, Rule]
    comments: frozenset[str] = frozenset({"comment"})
    attributes: frozenset[str] = frozenset()
    nested: tuple[bytes | re.Pattern[bytes], ...] = ()
    functions: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    literals: frozenset[str] = frozenset()
    through: Mapping[str, int] = field(default_factory=dict)
    indented: bool = False
    documents: tuple[bytes, ...] = ()
    binds: Callable[[str], str | None] = _unknown

    def value(self, node: Node, rule: Rule) -> Node | None:
        """The value that a constant or field is given, without what stands around it, or None."""
        value = node.child_by_field_name(rule.value) if rule.value else None
        while value is not None and (index := self.through.get(value.type)) is not None:
            value = value.named_child(index)
        return value

    def valued(self, value: Node, depth: int = _LITERALS) -> Shape | None:
        """The shape that a constant or field gets from its value, or None."""
        kind = value.type
        if kind in self.functions or (kind in self.literals and depth > 0 and self._holds_function(value, depth - 1)):
            return Shape.FUNCTION
        return Shape.CLASS if kind in self.classes else None

    def _holds_function(self, literal: Node, depth: int) -> bool:
        for member in literal.named_children:
            rule = self.rules.get(member.type)
            if rule is not None:
                value = self.value(member, rule)
                if rule.shape is Shape.FUNCTION or (value is not None and self.valued(value, depth)):
                    return True
        return False

    def parser(self) -> Parser:
        """A parser of this language."""
        return _parser(self.grammar)


@cache
def _parser(grammar: str) -> Parser:
    return tree_sitter_language_pack.get_parser(grammar)  # type: ignore[arg-type]
