"""What the partition must know about a language: one frozen row of tables and small functions."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import tree_sitter_language_pack
from tree_sitter import Node, Parser

from miner.symbols.model import Shape

Name = Callable[[Node], str | None]  # None: it has no name, and is no symbol
Apart = Callable[[Node, Node], str]  # (definition, its outermost wrapper) -> what tells it from its namesakes
Nested = bytes | re.Pattern[bytes] | Callable[[bytes], Iterable[int]]
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

    `member`: inside a function or expression it is no symbol, though what it contains may be. `pick`
    gives the rule that a very node goes by, or None where it is plain text, in place of the rest.
    """

    shape: Shape
    name: Name = _NAMED
    apart: Apart = _alike
    entries: Entries = _none
    value: str | None = None
    member: bool = False
    pick: Callable[[Node], "Rule | None"] | None = None


OPEN = Rule(Shape.OPEN)
WRAP = Rule(Shape.WRAP)


def picked(pick: Callable[[Node], Rule | None]) -> Rule:
    """A type of node that is not always the same thing: `pick` says what each is."""
    return Rule(Shape.OPEN, pick=pick)


@dataclass(frozen=True, eq=False)
class Language:
    """One language: `grammar` is the name of its tree-sitter grammar; what is no rule is plain text of what is around.

    Where definitions are looked for inside functions and expressions: only around one of the `nested` texts
    (of a pattern, where its match ends; or where a function says). `functions` and `classes` are the node
    types of values that define like a function or class, `literals` those that define like a function if
    they hold one, and `through` node types that stand around a value, with the number of the named child to
    look at in their place.

    What belongs to the definition right below: `comments` and `attributes`, also across blank lines where
    a comment starts like one of `documents`; never where it starts like one of `inner`. What belongs to the
    one right above: a comment on its last line, `tails`, and where `indented` a comment below that is
    indented more deeply. `spills` are the node types into which the grammar draws the comments below.

    `masked` gives the text to parse instead, as long, with what the grammar cannot read blank. `by_import`: a
    file knows what another one defines only where it imports it. `binds` gives the name by which a file
    knows an import entry, None where the entry does not say; `reached_by_dot`: also behind a dot (an extension
    function); `silent_imports`: an import can matter without being mentioned (a trait). `tests` says from the
    bytes of a symbol, its lead included, whether it is a test inside a source file.
    """

    grammar: str
    suffixes: tuple[str, ...]
    rules: Mapping[str, Rule]
    comments: frozenset[str] = frozenset({"comment"})
    attributes: frozenset[str] = frozenset()
    nested: tuple[Nested, ...] = ()
    functions: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    literals: frozenset[str] = frozenset()
    through: Mapping[str, int] = field(default_factory=dict)
    documents: tuple[bytes, ...] = ()
    inner: tuple[bytes, ...] = ()
    tails: frozenset[str] = frozenset()
    spills: frozenset[str] = frozenset()
    indented: bool = False
    line_comment: str = "//"
    masked: Callable[[bytes], bytes] | None = None
    by_import: bool = False
    reached_by_dot: bool = False
    silent_imports: bool = False
    binds: Callable[[str], str | None] = _unknown
    tests: Callable[[bytes], bool] | None = None

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
        """A parser of this language, this thread's own: two threads in one parser end the process (SIGSEGV)."""
        parsers: dict[str, Parser] = _of_thread.__dict__
        if self.grammar not in parsers:
            parsers[self.grammar] = tree_sitter_language_pack.get_parser(self.grammar)  # type: ignore[arg-type]
        return parsers[self.grammar]


_of_thread = threading.local()
