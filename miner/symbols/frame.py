"""What a node of a syntax tree, and a leaf inside it, counts for once its layout is set aside."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from miner.symbols import spelling
from miner.symbols.layout import CHAINED, Layout
from miner.symbols.model import Symbol

_BRACKETS = frozenset({b"(", b")"})
_OPERATORS = frozenset({b"|", b"&"})
_CLOSING = frozenset({b")", b"]", b"}", b">"})
_AFTER_NOTHING = frozenset({b",", b"(", b"[", b"{"})


@dataclass(slots=True)
class Frame:
    """A node that a walk is inside of, on the way from the root.

    `hidden`: it counts for nothing. `drop`: leaves that it may go without. `clause`: its semicolons count.
    `empty`: it may be left out if it is `()`. `verbatim`: white space inside it counts. `raw`: backslashes
    inside it escape nothing. `column` is where its first member stands in its line, `opened` and `comma` where
    it and its last comma stand in the code of its owner; -1 where they do not.
    """

    kind: str
    end: int
    owner: Symbol
    hidden: bool = True
    drop: frozenset[bytes] = frozenset()
    clause: bool = False
    empty: bool = False
    verbatim: bool = False
    raw: bool = False
    column: int = -1
    opened: int = -1
    commas: int = 0
    comma: int = -1


def frame_of(node: Node, owner: Symbol, around: Frame, layout: Layout, chains: Sequence[int]) -> Frame:
    """The frame of a node with children; `chains` are the positions of `?.` in the file."""
    kind = node.type
    frame = Frame(kind, node.end_byte, owner, kind in layout.hidden)
    frame.verbatim = kind != "template_substitution" and (around.verbatim or node.is_error or spelling.verbatim(kind))
    if frame.verbatim:
        return frame
    grouping = kind in layout.groups and not _matters(node, around, chains)
    if grouping or (around.kind, kind) in layout.parameters:
        frame.hidden, frame.drop = True, _BRACKETS
    elif kind in layout.bare:
        frame.hidden, frame.drop = kind == "tuple_pattern" and _holds_one(node), _BRACKETS
    elif kind in layout.leading and node.child_count == 2:
        frame.hidden, frame.drop = True, _OPERATORS
    frame.clause = kind in layout.clauses or (kind == "empty_statement" and around.kind in layout.clauses)
    frame.empty = (around.kind, kind) in layout.empty
    return frame


def _matters(group: Node, around: Frame, chains: Sequence[int]) -> bool:
    """Whether parentheses end an optional chain, or keep a string from being a directive."""
    if around.kind in CHAINED:
        at = bisect_right(chains, group.start_byte)
        return at < len(chains) and chains[at] < group.end_byte
    inner = group.child(1) if around.kind == "expression_statement" else None
    return inner is not None and inner.type == "string"


def _holds_one(node: Node) -> bool:
    """Whether there is one thing in the brackets, and no comma."""
    return node.named_child_count == 1 and node.child_count == 3


def is_atom(node: Node, layout: Layout) -> bool:
    """Whether a node with children is read as one leaf: a string without code in it."""
    if not layout.quotes:
        return False
    if node.type == "string":
        first = node.child(0)
        return first is not None and not first.is_named
    return node.type == "string_content"


def spelled(text: bytes, kind: str, field_name: str | None, around: Frame, layout: Layout) -> object:
    """What stands for a leaf, or None if it may be left out."""
    if layout.quotes and kind.startswith("string"):
        return _string(text, kind, field_name, around, layout)
    if around.verbatim:
        return text
    if text in around.drop or _is_separator(text, around, layout):
        return None
    if spelling.is_number(kind):
        return spelling.number(text, layout.fractions)
    if kind == "jsx_text":
        return spelling.markup(text)
    if kind == "preproc_arg":
        return spelling.macro(text)
    return b"".join(text.split()) if text.startswith(b"#") else text  # `#  define`


def _string(text: bytes, kind: str, field_name: str | None, around: Frame, layout: Layout) -> bytes:
    if kind == "string":
        key = field_name in ("key", "name", "property") and around.kind in layout.keys
        return spelling.string(text, key, escapes=around.kind != "jsx_attribute")
    if kind == "string_start":
        around.raw = b"r" in text.lower()
        return spelling.opening(text)
    if kind == "string_end":
        return text.replace(b"'", b'"')
    return spelling.unescaped(text) if kind == "string_content" and not around.raw else text


def _is_separator(text: bytes, around: Frame, layout: Layout) -> bool:
    if around.kind in layout.separators:
        return text in (b";", b",")
    return text == b";" and layout.semicolons and not around.clause


def drop_trailing_comma(code: list[object], text: bytes, around: Frame, layout: Layout) -> None:
    """Take the last comma back where the bracket `text` that closes the frame follows it."""
    last = len(code) - 1
    if text not in _CLOSING or last < 1 or around.comma != last or code[last - 1] in _AFTER_NOTHING:
        return
    if code[last] == b"," and (around.commas > 1 or around.kind not in layout.single):
        code.pop()
