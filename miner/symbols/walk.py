"""One pass over a syntax tree: everywhere at the level of statements and members, and elsewhere only
towards places where the text says that something may be defined."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from miner.symbols.language import Language, Rule
from miner.symbols.model import IMPORTS, Shape

_INDENT = 256  # what stands behind more columns than this starts where it stands, not where its line starts
_REST_OF_LINE = re.compile(rb"[ \t\x0b\x0c\r]*(?:\n|\Z)")
_BLANK_LINES = re.compile(rb"(?:[ \t\x0b\x0c\r]*\n)*(?:[ \t\x0b\x0c\r]*\Z)?")
_BLANKS = re.compile(rb"[ \t]+")
_SEMICOLON = re.compile(rb"[ \t]*;")
_INDENTED_COMMENT = re.compile(rb"([ \t]*)#[^\n]*")
_DEFINES = (Shape.FUNCTION, Shape.CLASS)


class Found(NamedTuple):
    """The extent of one symbol or import statement, as byte offsets."""

    start: int
    end: int
    base: str
    apart: str
    shape: Shape
    entries: tuple[str, ...] = ()


class _Span(NamedTuple):
    """Where a definition begins (its lead or its wrapper), where it ends, and what stands after it."""

    first: Node
    outer: Node
    following: Node | None


def walk(root: Node, source: bytes, language: Language) -> Iterator[Found]:
    """Every symbol and import statement of a tree, in no particular order."""
    return _Walk(source, language).run(root)


class _Walk:
    def __init__(self, source: bytes, language: Language) -> None:
        self._source = source
        self._language = language
        self._leading = language.comments | language.attributes
        self._hits = sorted(_places(source, language.nested))
        self._work: list[tuple[Node, bool, _Span | None, list[Node]]] = []

    def run(self, root: Node) -> Iterator[Found]:
        self._work.append((root, True, None, []))
        while self._work:
            yield from self._children(*self._work.pop())

    def _children(self, parent: Node, level: bool, wrapped: _Span | None, lead: list[Node]) -> Iterator[Found]:
        """What the children of `parent` define; `level`: they are statements or members, no expressions."""
        rules, leading = self._language.rules, self._leading
        children = parent.named_children
        for index, child in enumerate(children):
            kind = child.type
            rule = rules.get(kind)
            if rule is not None:
                following = children[index + 1] if index + 1 < len(children) else None
                span = wrapped or _Span(self._first(lead, child) if lead else child, child, following)
                found = self._visit(child, rule, level, span, lead)
                if found is not None:
                    yield found
            elif kind in leading:
                if lead and not _adjacent(lead[-1], child):
                    lead = []
                if lead or kind in self._language.attributes or self._on_own_line(child):
                    lead = [*lead, child]
                continue
            elif kind == "ERROR" and level:
                self._work.append((child, True, None, []))
            elif self._may_define(child):
                self._work.append((child, False, None, []))
            if lead:
                lead = []

    def _visit(self, node: Node, rule: Rule, level: bool, span: _Span, lead: list[Node]) -> Found | None:
        """The symbol that a node with a rule is, if it is one; what may define more goes on the list."""
        shape = rule.shape
        if shape is Shape.WRAP:
            # What wraps a single thing belongs to it; otherwise each of them stands for itself.
            self._work.append((node, level, span if self._wraps_one(node) else None, []))
            return None
        if shape is Shape.OPEN:
            if level or self._may_define(node):
                # Python's grammar has a comment above the first statement of a block outside the block.
                self._work.append((node, level, None, lead))
            return None
        if shape is Shape.IMPORT:
            return Found(*self._extent(span), IMPORTS, "", shape, tuple(rule.entries(node))) if level else None
        value = node.child_by_field_name(rule.value) if rule.value else None
        if value is not None:
            shape = self._language.valued(value) or shape
        base = rule.name(node) if level or shape in _DEFINES else None
        inner = value if value is not None else node
        if base is not None and shape is Shape.CLASS:
            self._work.append((inner, True, None, []))
        elif self._may_define(inner):
            self._work.append((inner, False, None, []))
        if base is None:
            return None
        return Found(*self._extent(span), base, rule.apart(node, span.outer), shape)

    def _on_own_line(self, node: Node) -> bool:
        return node.start_point.column == 0 or _line_start(node, self._source) < node.start_byte

    def _wraps_one(self, node: Node) -> bool:
        return sum(child.type in self._language.rules for child in node.named_children) == 1

    def _may_define(self, node: Node) -> bool:
        hits = self._hits
        at = bisect_left(hits, node.start_byte)
        return at < len(hits) and hits[at] < node.end_byte

    def _first(self, lead: list[Node], child: Node) -> Node:
        """The topmost of the comments and attributes that belong to `child`, or itself."""
        if not lead or not _adjacent(lead[-1], child):
            return child
        if not self._language.indented:
            return lead[0]
        column, first = child.start_point.column, child
        for node in reversed(lead):  # a comment indented otherwise belongs to another block
            if node.start_point.column != column:
                break
            first = node
        return first

    def _extent(self, span: _Span) -> tuple[int, int]:
        """From where the line of the definition starts to the next line that is not blank."""
        source, end = self._source, span.outer.end_byte
        if (semicolon := _SEMICOLON.match(source, end)) is not None:
            end = semicolon.end()
        comment = span.following
        if comment is not None and comment.type in self._language.comments and not _on_lines(span.outer, comment):
            end = comment.end_byte
        start_of_line = source[end - 1 : end] == b"\n"
        if start_of_line or _REST_OF_LINE.match(source, end):
            end = self._blank(end)
            if self._language.indented:
                end = self._indented_comments(end, span.outer.start_point.column)
        elif (blanks := _BLANKS.match(source, end)) is not None:
            end = blanks.end()
        return _line_start(span.first, source), end

    def _indented_comments(self, end: int, column: int) -> int:
        while (comment := _INDENTED_COMMENT.match(self._source, end)) and len(comment[1]) > column:
            end = self._blank(comment.end())
        return end

    def _blank(self, at: int) -> int:
        blank = _BLANK_LINES.match(self._source, at)
        return at if blank is None else blank.end()


def _places(source: bytes, words: tuple[bytes, ...]) -> Iterator[int]:
    for word in words:
        at = source.find(word)
        while at >= 0:
            yield at
            at = source.find(word, at + 1)


def _line_start(node: Node, source: bytes) -> int:
    """Where the node's line starts, if only white space stands before it, else the node's own start."""
    column, at = node.start_point.column, node.start_byte
    if not 0 < column <= _INDENT:
        return at
    return at if source[at - column : at].strip() else at - column


def _last_row(node: Node) -> int:
    """The row of the node's last character: some comments end with their line break."""
    end = node.end_point
    return end.row - 1 if end.column == 0 and end.row > node.start_point.row else end.row


def _on_lines(above: Node, below: Node) -> bool:
    """Whether two nodes stand on lines of their own."""
    return below.start_point.row > _last_row(above)


def _adjacent(above: Node, below: Node) -> bool:
    """Whether `below` starts on the last line of `above` or the one after."""
    return below.start_point.row - _last_row(above) <= 1
