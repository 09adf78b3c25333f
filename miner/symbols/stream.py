"""What symbols say, apart from how it is laid out: the tokens and structure of each, read in one walk over the tree."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from tree_sitter import Node

from miner.symbols.frame import Frame, drop_trailing_comma, frame_of, is_atom, spelled
from miner.symbols.language import OPEN, Language
from miner.symbols.layout import HOLLOW, layout_of
from miner.symbols.model import Outline, Symbol
from miner.symbols.owners import Owners
from miner.symbols.parse import parse
from miner.symbols.spelling import comment_words

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


def streams(
    outline: Outline, language: Language, wanted: Collection[Symbol], known: Mapping[Symbol, object]
) -> dict[Symbol, Stream]:
    """The streams of the symbols `wanted`; `known` says what stands for a symbol inside one of them.

    An inner symbol that is not known is left out. Takes time in proportion to the file's size.
    """
    reader = _Reader(outline, language, wanted, known)
    if wanted and outline.source:
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
        self._owners = Owners(outline, self.found)
        self._inside = {s: [c for c in reversed(s.children) if c in known] for s in self.found}
        self._begun = {outline.root}
        self._frames = [Frame("", len(self._source), outline.root)]
        self._at = 0

    def run(self) -> None:
        """Walk the tree once, without recursion."""
        masked = self._language.masked
        root = parse(self._source if masked is None else masked(self._source), self._language)
        if root is None:  # the file is one symbol, whose text is not looked into
            for stream in self.found.values():
                stream.code.append(self._source)
            return
        cursor = root.walk()
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
        owner = self._owners.at(start)
        opens = self._language.rules.get(kind) is OPEN
        if top.kind in self._layout.columns and node.is_named and kind not in self._language.comments:
            self._align(node, owner, top)
        if not self._owners.wants(start, end) and not (opens and top.owner in self.found):
            self._begun.add(owner)
        elif kind in self._language.comments:
            self._comment(owner, start, end)
        elif node.child_count and not is_atom(node, self._layout):
            # A block starts where the first thing in it does, and is yet no part of that.
            self._open(node, top.owner if opens and owner not in self._begun else owner, top)
            return True
        else:
            self._leaf(node, field_name, owner, top)
        self._at = max(self._at, end)
        return False

    def _align(self, node: Node, owner: Symbol, top: Frame) -> None:
        """Note a statement that stands on a line of its own, and not below the first one of its block."""
        column, start = node.start_point.column, node.start_byte
        if top.column < 0:
            top.column = column
        elif column != top.column and not self._source[start - column : start].strip():
            self._begin(owner)
            if (stream := self.found.get(owner)) is not None:
                stream.code.append(("column", column - top.column))

    def _open(self, node: Node, owner: Symbol, top: Frame) -> None:
        self._begin(owner)
        frame = frame_of(node, owner, top, self._layout, self._chains)
        if len(self._frames) == 1:
            frame.hidden = True
        stream = self.found.get(owner)
        if stream is not None and not frame.hidden:
            self._pass(owner, stream, node.start_byte)
            frame.opened = len(stream.code)
            stream.code.append(self._layout.alike.get(frame.kind, frame.kind))
        self._frames.append(frame)

    def _leave(self) -> None:
        frame = self._frames[-1]
        self._gap(frame.end)
        self._frames.pop()
        if (stream := self.found.get(frame.owner)) is None or frame.opened < 0:
            return
        code = stream.code
        self._pass(frame.owner, stream, frame.end, closing=True)
        size = len(code) - frame.opened
        if (size == 1 and frame.kind in HOLLOW) or (size == 3 and frame.empty):
            del code[frame.opened :]
            return
        if code[frame.opened] == "tuple" and frame.comma == len(code) - 1 and code[-1] == b",":
            code.pop()  # of a tuple without brackets
        code.append(None)

    def _leaf(self, node: Node, field_name: str | None, owner: Symbol, top: Frame) -> None:
        text = self._source[node.start_byte : node.end_byte].replace(b"\r\n", b"\n")
        comma = text == b"," and not top.verbatim
        if comma and owner in self._begun:
            owner = top.owner  # it may stand on the last line of a symbol, and is yet no part of that
        self._begin(owner)
        stream = self.found.get(owner)
        if stream is None or (not text and not node.is_missing):
            return
        if not top.verbatim and text and not _CONTINUED.sub(b"", text).strip():
            return
        self._pass(owner, stream, node.start_byte, closing=comma)
        if not top.verbatim:
            drop_trailing_comma(stream.code, text, top, self._layout)
        said = spelled(text, node.type, field_name, top, self._layout) if text else ("missing", node.type)
        if said is None:
            return
        if comma:
            top.commas, top.comma = top.commas + 1, len(stream.code)
        stream.code.append(said)
        stream.words += _WORD.match(text) is not None

    def _comment(self, owner: Symbol, start: int, end: int) -> None:
        if (stream := self.found.get(owner)) is not None:
            self._pass(owner, stream, start)
            words = comment_words(self._source[start:end])
            stream.comments += [(stream.words, word) for word in words]

    def _gap(self, start: int) -> None:
        """What is between two leaves: white space, mostly; the contents of strings, and what was masked."""
        if start <= self._at:
            return
        text, at, self._at = self._source[self._at : start], self._at, start
        at += 0 if self._frames[-1].verbatim else len(text) - len(text.lstrip())
        text = text.replace(b"\r\n", b"\n")
        if not self._frames[-1].verbatim:
            text = _CONTINUED.sub(b"", text).strip()
        if text:
            self._begin(owner := self._owners.at(at))
            if (stream := self.found.get(owner)) is not None:
                stream.code += [text] if self._frames[-1].verbatim else text.split()

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
