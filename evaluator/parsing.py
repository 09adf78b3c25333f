"""Whether a file parses: its grammar's errors, and indentation that Python rejects and its grammar does not."""


from functools import lru_cache

from miner import python_ast
from miner.symbols.files import syntax_errors


def errors(path: str, content: bytes) -> int:
    """The number of syntax errors of a file; 0 in a language without symbols."""
    return syntax_errors(path, content) + (path.endswith((".py", ".pyi")) and _is_indented_wrongly(content))


@lru_cache(maxsize=256)  # the files of the starting tree and of the ground truth are asked for with every reply
def _is_indented_wrongly(content: bytes) -> bool:
    """Whether Python rejects the indentation (a missing block as well); that is the same in all its versions."""
    try:
        python_ast.parse(content)
    except IndentationError:
        return True
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # else: what another version may accept
        return False
    return False
