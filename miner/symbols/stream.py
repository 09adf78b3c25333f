"""What symbols say, apart from how it is laid out: the tokens and structure of each, read in one walk over the tree."""

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from miner.symbols import spelling
from miner.symbols.language import Language
from miner.symbols.layout import CHAINED, HOLLOW, layout_of
from miner.symbols.model import Outline, Shape, Symbol, pieces

_BRACKETS = frozenset({b"(", b")"})
_OPERATORS = frozenset({b"|", b"&"})
_AFTER_NOTHING = frozenset({b",", b"(", b"[", b"{"})
_CLOSING = frozenset({b")", b"]", b"}", b">"})
_WORD = re.compile(rb"[\w$\"'`\x80-\xff]")
_CONTINUED = re.compile(rb"\\\r?\n|\A\xef\xbb\xbf")  # a line that goes on, or a byte order mark


@dataclass
class Stream:
    """One symbol's code, and the words of its comments, each with the number of code words before it.

    Code is a list of leaf texts (bytes), of node types where a node opens (str) and None where one closes, and
    of what stands for an inner symbol. It starts with the types of the nodes between the symbol and the one it
    stands in.
    """

    code: list[object] = field(default_factory=list)
    comments: list[tuple[int, bytes]] = field(default_factory=list)
    words: int = 0


@dataclass(slots=True)
class _Frame:
    """A node that the walk is inside of. `opened`: where it stands in its owner's code. `drop`: leaves that it may
    go without. `comma`: where its last comma stands."""

    kind: str
    end: int
    owner: Symbol
    hidden: bool = True
    verbatim: bool = False
    drop: frozenset[bytes] = frozenset()
    empty: bool = False
    opened: int = -1
    commas: int = 0
    comma: int = -1
    raw: bool = False


def streams(
    outline: Outline, language: Language, wanted: Collection[Symbol], known: Mapping[Symbol, object]
) -> dict[Symbol, Stream]:
    """The streams of the symbols `wanted`; `known` says what stands for a symbol inside one of them.

    An inner symbol that is not known is left out. Takes time in proportion to the file's size.
    """
    reader = _Reader(outline, language, wanted, known)
    if wanted:
        reader.run()
    return reader.found


class _Reader:
    def __init__(
        self, outline: Outline, language: Language, wanted: Collection[Symbol], known: Mapping[Symbol, object]
    ) -> None:
        self._source, self._language, self._known = outline.source, language, known
        self._layout = layout_of(language.grammar)
        self._chains = [match.start() for match in re.finditer(rb"\?\.", self._source)]
        self.found = {symbol: Stream() for symbol in wanted}
        self._pieces = list(pieces(outline.root))
        self._starts = [start for _, start, _ in self._pieces]
        mine = [(start, end) for symbol, start, end in self._pieces if symbol in self.found]
        self._mine_starts, self._mine_ends = [start for start, _ in mine], [end for _, end in mine]
        self._inside = {s: [c for c in reversed(s.children) if c in known] for s in self.found}
        self._begun = {outline.root}
        self._frames = [_Frame("", len(self._source), outline.root)]
        self._at = 0

    def run(self) -> None:
        """Walk the tree once, without recursion."""
        cursor = self._language.parser().parse(self._source).walk()
        while True:
            node = cursor.node
            if node is not None and self._enter(node, cursor.field_name) and cursor.goto_first_child():
                continue
            while not cursor.goto_next_sibling():
                self._leave()
                if not cursor.goto_parent():
                    for symbol, stream in self.found.items():
                        self._pass(symbol, stream, len(self._source) + 1)
                    return

    def _enter(self, node: Node, field_name: str | None) -> bool:
        """Take a node in; whether its children are to follow."""
        kind, start, end, top = node.type, node.start_byte, node.end_byte, self._frames[-1]
        self._gap(start)
        owner = self._owner(start)
        opens = (rule := self._language.rules.get(kind)) is not None and rule.shape is Shape.OPEN
        if not self._has_mine(start, end) and not (opens and top.owner in self.found):
            self._begun.add(owner)
        elif kind in self._language.comments:
            self._comment(owner, start, end)
        elif node.child_count and not self._is_atom(node, kind):
            # A block starts where the first thing in it does, and is yet no part of that.
            self._open(node, kind, top.owner if opens and owner not in self._begun else owner, top)
            return True
        else:
            self._leaf(node, kind, field_name, owner, top)
        self._at = max(self._at, end)
        return False

    def _is_atom(self, node: Node, kind: str) -> bool:
        if not self._layout.quotes:
            return False
        if kind == "string":
            first = node.child(0)
            return first is not None and not first.is_named
        return kind == "string_content"

    def _open(self, node: Node, kind: str, owner: Symbol, top: _Frame) -> None:
        layout = self._layout
        self._begin(owner)
        frame = _Frame(kind, node.end_byte, owner)
        frame.verbatim = kind != "template_substitution" and (top.verbatim or node.is_error or spelling.verbatim(kind))
        frame.hidden = len(self._frames) == 1 or kind in layout.hidden
        if not frame.verbatim:
            self._leave_out(node, frame, top)
        stream = self.found.get(owner)
        if stream is not None and not frame.hidden:
            self._pass(owner, stream, node.start_byte)
            frame.opened = len(stream.code)
            stream.code.append(layout.alike.get(kind, kind))
        self._frames.append(frame)

    def _leave_out(self, node: Node, frame: _Frame, top: _Frame) -> None:
        """What of a node, or that it, means nothing."""
        layout, kind = self._layout, frame.kind
        if kind in layout.groups and not self._matters(node, top):
            frame.hidden, frame.drop = True, _BRACKETS
        elif (top.kind, kind) in layout.parameters:
            frame.hidden, frame.drop = True, _BRACKETS
        elif kind in layout.bare:
            frame.drop = _BRACKETS
            frame.hidden = kind == "tuple_pattern" and node.named_child_count == 1 and node.child_count == 3
        elif kind in layout.leading and node.child_count == 2:
            frame.hidden, frame.drop = True, _OPERATORS
        frame.empty = (top.kind, kind) in layout.empty

    def _matters(self, node: Node, top: _Frame) -> bool:
        """Whether parentheses end an optional chain, or keep a string from being a directive."""
        if top.kind in CHAINED:
            at = bisect_right(self._chains, node.start_byte)
            return at < len(self._chains) and self._chains[at] < node.end_byte
        inner = node.child(1) if top.kind == "expression_statement" else None
        return inner is not None and inner.type == "string"

    def _leave(self) -> None:
        frame = self._frames[-1]
        self._gap(frame.end)
        self._frames.pop()
        stream = self.found.get(frame.owner)
        if stream is None or frame.hidden or frame.opened < 0:
            return
        code = stream.code
        self._pass(frame.owner, stream, frame.end, closing=True)
        if len(code) == frame.opened + 1 and frame.kind in HOLLOW or frame.empty and len(code) == frame.opened + 3:
            del code[frame.opened :]
            return
        if self._layout.alike.get(frame.kind, frame.kind) == "tuple" and frame.comma == len(code) - 1:
            code.pop()
        code.append(None)

    def _leaf(self, node: Node, kind: str, field_name: str | None, owner: Symbol, top: _Frame) -> None:
        text = self._source[node.start_byte : node.end_byte].replace(b"\r\n", b"\n")
        if (comma := text == b",") and owner in self._begun:
            owner = top.owner  # it may stand on the last line of a symbol, and is yet no part of that
        self._begin(owner)
        stream = self.found.get(owner)
        if stream is None or (not text and not node.is_missing):
            return
        self._pass(owner, stream, node.start_byte, closing=comma)
        said: object = text or ("missing", kind)
        if self._layout.quotes and kind.startswith("string"):
            said = self._string(text, kind, field_name, top)
        elif not top.verbatim and text:
            if self._optional(text, top) or not _CONTINUED.sub(b"", text).strip():
                return
            if comma:
                top.commas, top.comma = top.commas + 1, len(stream.code)
            elif text in _CLOSING:
                self._trailing(stream.code, top)
            if text in top.drop:
                return
            if spelling.is_number(kind):
                said = spelling.number(text, self._layout.fractions)
            elif kind == "jsx_text":
                said = spelling.markup(text)
        stream.code.append(said)
        stream.words += _WORD.match(text) is not None

    def _string(self, text: bytes, kind: str, field_name: str | None, top: _Frame) -> bytes:
        if kind == "string":
            key = field_name in ("key", "name", "property") and top.kind in self._layout.keys
            return spelling.string(text, key, escapes=top.kind != "jsx_attribute")
        if kind == "string_start":
            top.raw = b"r" in text.lower()
            return spelling.opening(text)
        if kind == "string_end":
            return text.replace(b"'", b'"')
        return spelling.unescaped(text) if kind == "string_content" and not top.raw else text

    def _optional(self, text: bytes, top: _Frame) -> bool:
        """Whether a leaf is a separator that may be left out."""
        if text in (b";", b",") and top.kind in self._layout.separators:
            return True
        if text != b";" or not self._layout.semicolons:
            return False
        clauses = self._layout.clauses
        return not (top.kind in clauses or top.kind == "empty_statement" and self._frames[-2].kind in clauses)

    def _trailing(self, code: list[object], top: _Frame) -> None:
        """Take back a comma before a closing bracket."""
        last = len(code) - 1
        if last < 1 or top.comma != last or code[last] != b"," or code[last - 1] in _AFTER_NOTHING:
            return
        if top.commas > 1 or top.kind not in self._layout.single:
            code.pop()

    def _comment(self, owner: Symbol, start: int, end: int) -> None:
        if (stream := self.found.get(owner)) is not None:
            self._pass(owner, stream, start)
            words = spelling.comment_words(self._source[start:end])
            stream.comments += [(stream.words, word) for word in words]

    def _gap(self, start: int) -> None:
        """What is between two leaves: white space, mostly; in some grammars the contents of strings."""
        if start <= self._at:
            return
        text, at, self._at = self._source[self._at : start].replace(b"\r\n", b"\n"), self._at, start
        if not self._frames[-1].verbatim:
            text = _CONTINUED.sub(b"", text).strip()
        if text:
            self._begin(owner := self._owner(at))
            if (stream := self.found.get(owner)) is not None:
                stream.code.append(text)

    def _begin(self, owner: Symbol) -> None:
        """Start a symbol's code with where it stands in the one around it."""
        if owner in self._begun:
            return
        self._begun.add(owner)
        if (stream := self.found.get(owner)) is not None:
            around = self._frames[-1].owner
            kinds = [f.kind for f in self._frames if f.owner is around and not f.hidden]
            stream.code.append(("in", *kinds))

    def _pass(self, symbol: Symbol, stream: Stream, at: int, closing: bool = False) -> None:
        """Put down the inner symbols that stand before `at`; where a node closes, those that start before."""
        inside = self._inside[symbol]
        while inside and (inside[-1].start < at if closing else inside[-1].end <= at):
            stream.code.append(self._known[inside.pop()])
            stream.words += 1

    def _owner(self, at: int) -> Symbol:
        return self._pieces[bisect_right(self._starts, at) - 1][0]

    def _has_mine(self, start: int, end: int) -> bool:
        at = bisect_right(self._mine_ends, start)
        return at < len(self._mine_starts) and self._mine_starts[at] < max(end, start + 1)
