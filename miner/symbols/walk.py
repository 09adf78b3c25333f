"""One pass over a syntax tree: everywhere at the level of statements and members, and elsewhere only
towards places where the text says that something may be defined."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from miner.symbols.language import Language, Nested, Rule
from miner.symbols.model import IMPORTS, Shape
from miner.symbols.siblings import siblings, solid
from miner.symbols.spans import Span, Spans

_DEFINES = (Shape.FUNCTION, Shape.CLASS)


class Found(NamedTuple):
    """The extent of one symbol or import statement, as byte offsets."""

    start: int
    end: int
    base: str
    apart: str
    shape: Shape
    entries: tuple[str, ...] = ()


class _Work(NamedTuple):
    """A node whose children are to be looked at: at the level of statements or members, or in an expression.

    `wrapped` is the span of the only definition inside, `lead` what stands right above the first child.
    """

    node: Node
    level: bool
    wrapped: Span | None = None
    lead: tuple[Node, ...] = ()


def walk(root: Node, source: bytes, readable: bytes, language: Language) -> Iterator[Found]:
    """Every symbol and import statement of the tree that `readable` was parsed to, in no particular order."""
    return _Walk(source, readable, language).run(root)


class _Walk:
    def __init__(self, source: bytes, readable: bytes, language: Language) -> None:
        self._source = source
        self._language = language
        self._spans = Spans(source, readable, language)
        self._leading = language.comments | language.attributes
        self._hits = sorted(_places(source, language.nested))
        self._work: list[_Work] = []

    def run(self, root: Node) -> Iterator[Found]:
        self._work.append(_Work(root, True))
        while self._work:
            yield from self._children(*self._work.pop())

    def _children(
        self, parent: Node, level: bool, wrapped: Span | None, above: tuple[Node, ...]
    ) -> Iterator[Found]:  # fmt: skip
        """What the children of `parent` define."""
        language, leading, spans, rules = self._language, self._leading, self._spans, self._language.rules
        lead = list(above)
        children = siblings(parent, language) if language.spills else parent.named_children
        for index, child in enumerate(children):
            kind = child.type
            rule = rules.get(kind)
            if rule is not None and rule.pick is not None:
                rule = rule.pick(child)
            if rule is not None:
                if not level and rule.shape is Shape.VALUE and not self._may_define(child):
                    if lead:
                        lead = []
                    continue
                span = wrapped
                if span is None:
                    outer = solid(child, language) if language.spills else child
                    first = spans.first(lead, child) if lead else child
                    if language.tails:
                        following = spans.following(children, index)
                    else:
                        following = children[index + 1] if index + 1 < len(children) else None
                    span = Span(first, outer, following)
                found = self._visit(child, rule, level, span, lead)
                if found is not None:
                    yield found
            elif kind in leading:
                if lead and not spans.touches(lead[-1], child):
                    lead = []
                if language.inner and self._source.startswith(language.inner, child.start_byte):
                    lead = []
                elif lead or kind in language.attributes or spans.on_own_line(child):
                    lead.append(child)
                continue
            elif kind == "ERROR" and level:
                self._work.append(_Work(child, True))
            elif self._may_define(child):
                self._work.append(_Work(child, False))
            if lead:
                lead = []

    def _visit(self, node: Node, rule: Rule, level: bool, span: Span, lead: list[Node]) -> Found | None:
        """The symbol that a node with a rule is, if it is one; what may define more goes on the list."""
        shape = rule.shape
        if shape is Shape.WRAP or shape is Shape.OPEN or (shape is Shape.IMPORT and not level):
            if level or self._may_define(node):
                self._look_into(node, shape, level, span, lead)
            return None
        if shape is Shape.IMPORT:
            return Found(*self._spans.extent(span), IMPORTS, "", shape, tuple(rule.entries(node)))
        value = self._language.value(node, rule) if rule.value else None
        if value is not None and (value.type not in self._language.literals or self._matters(value, level)):
            shape = self._language.valued(value) or shape
        base = rule.name(node) if level or (shape in _DEFINES and not rule.member) else None
        inner = value if value is not None else node
        if shape is Shape.FUNCTION:  # a definition in its parameters is rare, and its own text
            inner = inner.child_by_field_name("body") or inner
        if base is not None and shape is Shape.CLASS:
            self._work.append(_Work(inner, True))
        elif self._may_define(inner):
            self._work.append(_Work(inner, False))
        if base is None:
            return None
        return Found(*self._spans.extent(span), base, rule.apart(node, span.outer), shape)

    def _look_into(self, node: Node, shape: Shape, level: bool, span: Span, lead: list[Node]) -> None:
        if shape is Shape.WRAP and self._wraps_one(node):
            # What wraps a single thing belongs to it; otherwise each of them stands for itself.
            self._work.append(_Work(node, level, span))
            return
        # Some grammars have a comment above the first statement of a block outside the block.
        first = next(iter(node.named_children), None) if lead else None
        starts_so = first is not None and first.start_byte == node.start_byte
        self._work.append(_Work(node, level, None, tuple(lead) if starts_so else ()))

    def _rule(self, node: Node, kind: str) -> Rule | None:
        rule = self._language.rules.get(kind)
        return rule if rule is None or rule.pick is None else rule.pick(node)

    def _wraps_one(self, node: Node) -> bool:
        return sum(self._rule(child, child.type) is not None for child in node.named_children) == 1

    def _may_define(self, node: Node) -> bool:
        hits = self._hits
        at = bisect_left(hits, node.start_byte)
        return at < len(hits) and hits[at] < node.end_byte

    def _matters(self, literal: Node, level: bool) -> bool:
        """Whether it must be known if a literal holds a function: a constant or field is a symbol in any case."""
        return not level and self._may_define(literal)


def _places(source: bytes, words: tuple[Nested, ...]) -> Iterator[int]:
    for word in words:
        if isinstance(word, re.Pattern):
            yield from (match.end() - 1 for match in word.finditer(source))
        elif not isinstance(word, bytes):
            yield from word(source)
        else:
            at = source.find(word)
            while at >= 0:
                yield at
                at = source.find(word, at + 1)
