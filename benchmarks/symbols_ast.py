"""Which function or class every line of a Python file is in, as the standard `ast` module says."""

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator

from benchmarks.symbol_alignment import Side
from miner.symbols.files import outline_of
from miner.symbols.model import Shape, Symbol

_LONE_RETURN = re.compile(rb"\r(?!\n)|\f")  # `ast` counts lines by these too


def misplaced_lines(source: bytes) -> Iterator[tuple[int, tuple[str, str]]]:
    """Line numbers with the function or class that `ast` and the partition say; nothing if `ast` cannot read it.

    Blank lines and comments are no part of `ast`'s tree: they may belong to a definition inside or beside
    the one whose lines they stand among, as a comment above a definition does, and are not compared.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        comments = _comments(source)
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        return
    if _LONE_RETURN.search(source):
        return
    side = Side(outline_of("a.py", source))
    scopes = dict.fromkeys(range(1, len(side.lines) + 1), "")
    scopes.update(_scopes(tree, ""))
    for number, line in enumerate(side.lines, 1):
        if line.strip() and number not in comments:
            ours = {_scope(side, symbol) for symbol in side.owners[number - 1]}
            if ours != {scopes[number]}:
                yield number, (f"ast:{scopes[number] or '<module>'}", f"ours:{'/'.join(sorted(ours)) or '<module>'}")


def _scopes(node: ast.AST, around: str) -> Iterator[tuple[int, str]]:
    """Per line of a definition its qualified name; what is inside comes later, and so wins."""
    for child in ast.iter_child_nodes(node):
        name = around
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{around}.{child.name}" if around else child.name
            first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
            for line in range(first, (child.end_lineno or first) + 1):
                yield line, name
        yield from _scopes(child, name)


def _scope(side: Side, symbol: Symbol) -> str:
    """The qualified name of the innermost function or class that a symbol is or is in."""
    for one in (symbol, *side.ancestors(symbol)):
        if one.shape in (Shape.FUNCTION, Shape.CLASS) and one is not side.outline.root:
            return ".".join(reversed(side.path(one)[:-1]))
    return ""


def _comments(source: bytes) -> set[int]:
    """The numbers of the lines that hold nothing but a comment."""
    tokens = tokenize.tokenize(io.BytesIO(source).readline)
    return {t.start[0] for t in tokens if t.type == tokenize.COMMENT and not t.line[: t.start[1]].strip()}
