"""Python's own parser, one thread at a time."""

import ast
import symtable
import threading

# Up to Python 3.12 trees that are built at the same time share a count of their depth, and the build fails (CPython
# issue 106905): a mistake of the interpreter that would be held against a change or a reply.
_ONE_AT_A_TIME = threading.Lock()


def parse(source: str | bytes) -> ast.Module:
    """The syntax tree of a Python file; raises as `ast.parse` does."""
    with _ONE_AT_A_TIME:
        return ast.parse(source)


def check(source: str | bytes) -> None:
    """Raise as `parse` does where a file's tokens, indentation or grammar are wrong; costs less: it builds no objects.

    Besides, a name that is declared wrongly (`global` after its use) raises `SyntaxError`.
    """
    symtable.symtable(source, "<unknown>", "exec")  # type: ignore[arg-type]  # takes bytes as `compile` does
