"""Python's symbols, over tree-sitter: functions, methods, classes, constants, class fields, imports.

Compound statements (`if TYPE_CHECKING:`, `try:`) are looked into, so that a conditional import is an
import and a conditional definition a definition. What is inside a function belongs to the function.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import tree_sitter_language_pack
from tree_sitter import Node, Parser

from miner.symbols.model import BODY, IMPORTS, MODULE, Outline, Segment

_IMPORTS = {"import_statement", "import_from_statement", "future_import_statement"}
_COMPOUND = {"if_statement", "try_statement", "with_statement", "for_statement", "while_statement"}
_CLAUSES = {"elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause"}


def _parser() -> Parser:
    return tree_sitter_language_pack.get_parser("python")


@dataclass
class _Marks:
    """Where each segment starts, and whose it is; everything up to the next mark belongs to it."""

    starts: list[tuple[int, str, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    guard: tuple[str, ...] = ()  # the compound statements and clauses around what is being marked

    def add(self, start: int, name: str, entries: tuple[str, ...] = ()) -> None:
        self.starts.append((start, name, entries, self.guard))


@lru_cache(maxsize=512)
def outline(text: str) -> Outline:
    """The partition of a Python text into symbols; text that does not parse cleanly still partitions."""
    source = text.encode("utf-8", "surrogateescape")
    root = _parser().parse(source).root_node
    marks = _Marks()
    try:
        _walk(root.children, "", source, marks)
    except RecursionError:  # hundreds of nested statements: whatever is edited, the module changed
        marks = _Marks()
    starts = [(0, MODULE, (), ()), *marks.starts] if not marks.starts or marks.starts[0][0] else marks.starts
    ends = [start for start, *_ in starts[1:]] + [len(source)]
    segments = tuple(
        Segment(name, start, end, source[start:end].decode("utf-8", "surrogateescape"), entries, guard)
        for (start, name, entries, guard), end in zip(starts, ends, strict=True)
        if end > start
    )
    return Outline(segments, _count_errors(root))


def _count_errors(root: Node) -> int:
    if not root.has_error:
        return 0
    found, stack = 0, [root]
    while stack:
        node = stack.pop()
        found += node.is_error or node.is_missing
        stack.extend(child for child in node.children if child.has_error or child.is_missing)
    return found


def _walk(children: Iterable[Node], scope: str, source: bytes, marks: _Marks) -> None:
    """Mark the statements of a module or suite, in order of position.

    Comment lines right above a statement belong to it; other comments to what is left of the scope.
    """
    lead: list[Node] = []
    for child in children:
        if child.type == "comment":
            if _own_line(child, source):
                if lead and not _adjacent(lead[-1], child):
                    marks.add(_line_start(lead[0], source), _rest(scope))
                    lead = []
                lead.append(child)
            continue
        if not child.is_named:
            continue
        first = child
        if lead and _adjacent(lead[-1], child):
            first = lead[0]
        elif lead:
            marks.add(_line_start(lead[0], source), _rest(scope))
        lead = []
        _mark(child, _line_start(first, source), scope, source, marks)
    if lead:
        marks.add(_line_start(lead[0], source), _rest(scope))


def _mark(node: Node, start: int, scope: str, source: bytes, marks: _Marks) -> None:
    definition = node.child_by_field_name("definition") if node.type == "decorated_definition" else None
    definition = definition or node
    kind = definition.type
    if kind in _IMPORTS and not scope:
        marks.add(start, IMPORTS, tuple(_entries(node, source)))
    elif kind == "class_definition":
        inner = scope + _text(definition.child_by_field_name("name"), source) + "."
        marks.add(start, inner + BODY)
        _walk(_suite(definition), inner, source, marks)
    elif kind == "function_definition":
        marks.add(start, scope + _text(definition.child_by_field_name("name"), source))
    elif kind in _COMPOUND:
        marks.add(start, _rest(scope))
        _walk_compound(node, scope, source, marks)
    elif (target := _assigned(node, source)) is not None:
        marks.add(start, scope + target)
    else:
        marks.add(start, _rest(scope))


def _walk_compound(node: Node, scope: str, source: bytes, marks: _Marks) -> None:
    """Mark what stands in the suites of a compound statement and of its clauses."""
    outer = marks.guard
    marks.guard = (*outer, node.type)
    _walk(_suite(node), scope, source, marks)
    for clause in node.children:
        if clause.type in _CLAUSES:
            marks.add(_line_start(clause, source), _rest(scope))
            _walk_compound(clause, scope, source, marks)
    marks.guard = outer


def _suite(node: Node) -> list[Node]:
    """The statements and comments of the suite of `node`, where it stands on lines of its own."""
    block = next((child for child in node.children if child.type == "block"), None)
    if block is None or block.start_point.row == node.start_point.row:
        return []
    # A comment above the first statement is parsed as the compound statement's child, not the block's.
    above = [c for c in node.children if c.type == "comment" and c.end_byte <= block.start_byte]
    return above + block.children


def _rest(scope: str) -> str:
    return scope + BODY if scope else MODULE


def _assigned(node: Node, source: bytes) -> str | None:
    """The name that a constant or field statement binds, or None."""
    if node.type == "expression_statement" and node.named_child_count == 1:
        node = node.named_children[0]
    if node.type not in ("assignment", "augmented_assignment", "type_alias_statement"):
        return None
    left = node.child_by_field_name("left")
    if left is None or left.type not in ("identifier", "type"):
        return None
    return _text(left, source)


def _entries(node: Node, source: bytes) -> Iterator[str]:
    """The bindings of an import statement, each as the statement that would bind it alone."""
    module = node.child_by_field_name("module_name")
    if node.type == "import_statement":
        prefix = "import "
    elif node.type == "future_import_statement":
        prefix = "from __future__ import "
    else:
        prefix = f"from {_text(module, source)} import "
    for child in node.children:
        if child == module or child.type not in ("dotted_name", "aliased_import", "wildcard_import"):
            continue
        yield prefix + " ".join(_text(child, source).split())


def _text(node: Node | None, source: bytes) -> str:
    return "" if node is None else source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")


def _line_start(node: Node, source: bytes) -> int:
    """Where the node's line starts, if only white space stands before it, else the node's own start."""
    start = source.rfind(b"\n", 0, node.start_byte) + 1
    return start if not source[start : node.start_byte].strip() else node.start_byte


def _own_line(node: Node, source: bytes) -> bool:
    return _line_start(node, source) != node.start_byte or node.start_point.column == 0


def _adjacent(above: Node, below: Node) -> bool:
    """Whether `below` starts on the line right after the comment `above`."""
    return below.start_point.row - above.end_point.row == 1
