"""Parsing within bounds: some texts take a grammar's scanner quadratic time, and are refused."""

import ctypes
import re
import sys
from importlib.metadata import version

from tree_sitter import Node, Point

from miner.remembered import remembered
from miner.symbols.language import Language

_LARGE = 1_000_000  # bytes; below it no known text takes long but for runs of comments
_RUN = 4000  # comment lines
_COMMENTS = re.compile(rb"(?:[ \t]*#[^\n]*\n|[ \t\r]*\n){%d}" % _RUN)
_CHUNK = 4096
_READS = 40  # how often each chunk may be read; a plain parse reads it about once
_KEEPS = version("tree-sitter").startswith("0.26.")  # a reference to each chunk, for ever: 5 MB of a file of 3 MB


# One reply's files are read for symbols, extents and names: at most eight, since a tree takes some 30 times its file.
@remembered(1 << 20, lambda source, _: len(source) + (1 << 17))
def parse(source: bytes, language: Language) -> Node | None:
    """The root of a text's syntax tree; None for one that cannot be parsed in time linear in its size."""
    many = language.indented and source.count(b"#") > _RUN
    doubtful = len(source) > _LARGE or (many and _COMMENTS.search(source) is not None)
    if doubtful and not _is_linear(source, language):
        return None
    return language.parser().parse(source).root_node


def _is_linear(source: bytes, language: Language) -> bool:
    """Whether a parse that counts what it reads comes to an end."""
    left, chunks = _READS * (len(source) // _CHUNK + 4), list[bytes]()

    def read(offset: int, _point: Point) -> bytes:
        nonlocal left
        left -= 1
        chunks.append(source[offset : offset + _CHUNK] if left > 0 else b"")
        return chunks[-1]

    language.parser().parse(read)
    if _KEEPS:
        _let_go(chunks)
    return left > 0


def _let_go(chunks: list[bytes]) -> None:
    """Give back what the parser read: the one reference too many that its binding has kept of each chunk."""
    while chunks:
        chunk = chunks.pop()
        if len(chunk) > 1 and sys.getrefcount(chunk) == 3:  # the name, the argument, and the one that is kept
            ctypes.pythonapi.Py_DecRef(ctypes.py_object(chunk))
