"""Where a definition begins and ends: its lead above, what closes it, and the blank lines below."""

import re
from typing import NamedTuple

from tree_sitter import Node

from miner.symbols.language import Language

_INDENT = 256  # what stands behind more columns than this starts where it stands, not where its line starts
_REST_OF_LINE = re.compile(rb"[ \t\x0b\x0c\r]*(?:\n|\Z)")
_BLANK_LINES = re.compile(rb"(?:[ \t\x0b\x0c\r]*\n)*(?:[ \t\x0b\x0c\r]*\Z)?")
_BLANKS = re.compile(rb"[ \t]+")
_SEPARATOR = re.compile(rb"[ \t]*[;,]")
_INDENTED_COMMENT = re.compile(rb"([ \t]*)#[^\n]*")


class Span(NamedTuple):
    """Where a definition begins (its lead or its wrapper), where it ends, and what stands after it."""

    first: Node
    outer: Node
    following: Node | None


class Spans:
    """The extents of definitions in one file; `readable` is what was parsed in its place."""

    def __init__(self, source: bytes, readable: bytes, language: Language) -> None:
        self._source, self._readable, self._language = source, readable, language

    def extent(self, span: Span) -> tuple[int, int]:
        """From where the line of the definition starts to the next line that is not blank."""
        source, end = self._source, span.outer.end_byte
        if source[end : end + 1] != b"\n":
            if (separator := _SEPARATOR.match(source, end)) is not None:
                end = separator.end()
            following = span.following
            if following is not None and self._is_tail(span.outer, following):
                end = following.end_byte
        elif self._language.tails and span.following is not None and self._is_tail(span.outer, span.following):
            end = span.following.end_byte
        if source[end - 1 : end] == b"\n" or _REST_OF_LINE.match(source, end):
            end = self._blank(end)
            if self._language.indented:
                end = self._indented_comments(end, span.outer.start_point.column)
        elif (blanks := _BLANKS.match(source, end)) is not None:
            end = blanks.end()
        return self._start(span.first), end

    def first(self, lead: list[Node], child: Node) -> Node:
        """The topmost of the comments and attributes that belong to `child`, or itself."""
        if not lead or not (self.touches(lead[-1], child) or self._documents(lead[-1])):
            return child
        if not self._language.indented:
            return lead[0]
        column, first = child.start_point.column, child
        for node in reversed(lead):  # a comment indented otherwise belongs to another block
            if node.start_point.column != column:
                break
            first = node
        return first

    def touches(self, above: Node, below: Node) -> bool:
        """Whether a comment stands right above `below`; an attribute belongs to it also from further up."""
        return above.type in self._language.attributes or below.start_point.row - _last_row(above) <= 1

    def on_own_line(self, node: Node) -> bool:
        """Whether only white space stands before a node."""
        return node.start_point.column == 0 or _line_start(node, self._source) < node.start_byte

    def following(self, children: list[Node], index: int) -> Node | None:
        """What stands right after a child: the last of its tails, else the next child."""
        last = children[index + 1] if index + 1 < len(children) else None
        tails = self._language.tails
        for child in children[index + 1 :] if tails else ():
            if child.type in tails:
                last = child
            elif child.type not in self._language.comments:
                break
        return last

    def _documents(self, comment: Node) -> bool:
        start = comment.start_byte
        return start > 0 and self._source.startswith(self._language.documents, start)

    def _start(self, node: Node) -> int:
        """Where the line of a node starts, or the lines above it that were blank to the parser only."""
        source, readable = self._source, self._readable
        start = _line_start(node, readable)
        while readable is not source and start > 0 and source[start - 1 : start] == b"\n":
            above = source.rfind(b"\n", 0, start - 1) + 1
            if readable[above:start].strip() or not source[above:start].strip():
                break
            start = above
        return start

    def _is_tail(self, outer: Node, following: Node) -> bool:
        """Whether what follows belongs to a definition: by its type, or as a comment on its last line."""
        if following.type in self._language.tails:
            return True
        return following.type in self._language.comments and following.start_point.row <= _last_row(outer)

    def _indented_comments(self, end: int, column: int) -> int:
        if self._source[end : end + 1] not in (b" ", b"\t"):
            return end
        while (comment := _INDENTED_COMMENT.match(self._source, end)) and len(comment[1]) > column:
            end = self._blank(comment.end())
        return end

    def _blank(self, at: int) -> int:
        blank = _BLANK_LINES.match(self._source, at)
        return at if blank is None else blank.end()


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
