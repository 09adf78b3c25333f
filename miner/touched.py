"""Which tests a tests' patch touches: by symbol where their ids name one, else all of a file."""

from collections.abc import Callable

from miner.inside import changed_tests
from miner.symbols.files import Files, allowed_by, language_of
from miner.symbols.languages.python import PYTHON


def touched_tests(before: Files, after: Files, cwd: str) -> Callable[[str], bool]:
    """Tells by its id whether a test is added or altered between two states of test files.

    All of a file whose test ids name no symbols. `cwd` is the sub-project ("." for none), which ids are relative to.
    """
    prefix = prefix_of(cwd)
    names = {path: set(symbols) for path, symbols in allowed_by(before, after).items()}
    inside = [name for path in after for name in changed_tests(path, before.get(path), after[path])]
    endings = tuple(f"::{name.replace('.', '::')}" for name in inside)

    def touched(test_id: str) -> bool:
        path, symbol = f"{prefix}{file_of(test_id)}", symbol_of(test_id)
        # Only pytest's ids say which symbol a test is.
        return test_id.endswith(endings) or (path in names and (
            language_of(path) is not PYTHON or any(n == symbol or n.startswith(f"{symbol}.") for n in names[path])
        ))

    return touched


def prefix_of(cwd: str) -> str:
    """What the paths in test ids lack of those in the tree."""
    return "" if cwd == "." else f"{cwd.rstrip('/')}/"


def file_of(test_id: str) -> str:
    """The file that a test's id begins with."""
    return test_id.partition("::")[0]


def symbol_of(test_id: str) -> str:
    """The symbol that a pytest id names: `file::Class::name[parameters]` is `Class.name`."""
    return test_id.partition("::")[2].split("[", 1)[0].replace("::", ".")
