"""Whether a file parses: its grammar's errors, and indentation that Python rejects and its grammar does not."""

from dataclasses import dataclass

from miner import python_ast
from miner.remembered import remembered
from miner.symbols.files import language_of, syntax_errors, text_of
from miner.symbols.parse import parse

_FIRST = 20  # places that are told of one file


@dataclass(frozen=True)
class ErrorPlace:
    """Where a file does not parse: line and column from 1 (columns in bytes), what is wrong, the line's text."""

    line: int
    column: int
    what: str
    text: str


def errors(path: str, content: bytes) -> int:
    """The number of syntax errors of a file; 0 in a language without symbols."""
    return syntax_errors(path, content) + (path.endswith((".py", ".pyi")) and _is_indented_wrongly(content))


def error_places(path: str, content: bytes) -> list[ErrorPlace]:
    """The first places of a file that do not parse, from the top, one a line; none in a language without symbols.

    Of Python, where its own parser stops, in its words: grammars only say that something is odd.
    """
    if path.endswith((".py", ".pyi")) and (stopped := _where_python_stops(content)) is not None:
        return [stopped]
    language = language_of(path)
    root = None if language is None else parse(content, language)
    if root is None or not root.has_error:
        return []
    found: dict[int, ErrorPlace] = {}
    lines = content.split(b"\n")
    stack = [root]
    while stack and len(found) < _FIRST:
        node = stack.pop()
        if node.is_error or node.is_missing:
            row, column = node.start_point
            what = f"{node.type!r} is missing" if node.is_missing else "syntax error"
            text = text_of(lines[row]) if row < len(lines) else ""
            found.setdefault(row, ErrorPlace(row + 1, column + 1, what, text))
        else:  # what is inside an error is odd because of it
            stack.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)
    return [found[row] for row in sorted(found)]


def _where_python_stops(content: bytes) -> ErrorPlace | None:
    """Where Python's parser stops, or None where it does not, or does not say."""
    try:
        python_ast.parse(content)
    except SyntaxError as error:
        lines = content.split(b"\n")
        row = error.lineno or 0
        if 0 < row <= len(lines):
            return ErrorPlace(row, max(error.offset or 1, 1), error.msg, text_of(lines[row - 1]))
        return None
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


# The files of the starting tree and of the ground truth are asked for with every reply.
@remembered(8 << 20, lambda content: len(content) + 1000)
def _is_indented_wrongly(content: bytes) -> bool:
    """Whether Python rejects the indentation (a missing block as well); that is the same in all its versions."""
    try:
        python_ast.check(content)
    except IndentationError:
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # else: what another version may accept
        return False
    return False
