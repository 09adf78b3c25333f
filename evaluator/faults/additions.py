"""Additions: code nobody asked for, and such as counts for nothing (docs/taxonomy.md, R6 to R8)."""

from collections.abc import Iterator
from functools import partial
from random import Random

from evaluator.faults.answer import Answer, Edit, parses
from evaluator.faults.made import Fixed
from evaluator.faults.model import RESOLVED, Label
from evaluator.faults.places import Place, allowed_functions, body_of, imports, neighbours, own_sources
from evaluator.faults.symbols import MODIFIED
from evaluator.taxonomy import Category, Detail
from miner.symbols.model import IMPORTS, Shape

ADDED = Label(Category.UNINTENDED_CHANGE, Detail.ADDED)
BROKEN = Label(Category.MISAPPLIED, Detail.BROKEN_SYNTAX)
NO_EFFECT = Label(Category.WRONG_CHANGE, Detail.NO_EFFECT)
NAME = "unasked"
_BRACED = "function NAME() {\n    return USE;\n}\n"
_FUNCTION = {  # by grammar
    "python": "def NAME():\n    return USE\n", "javascript": _BRACED, "typescript": _BRACED, "tsx": _BRACED,
    "go": "func NAME() int {\n\treturn USE\n}\n", "rust": "fn NAME() -> i32 {\n    USE\n}\n",
    "c": "static int NAME(void)\n{\n    return USE;\n}\n", "cpp": "static int NAME()\n{\n    return USE;\n}\n",
    "ruby": "def NAME\n  USE\nend\n", "kotlin": "fun NAME(): Int = USE\n",
    "swift": "func NAME() -> Int {\n    return USE\n}\n",
}  # fmt: skip
_IMPORT = {
    "python": "import colorsys as NAME\n", "java": "import java.util.zip.CRC32;\n",
    "go": 'import NAME "hash/crc32"\n', "kotlin": "import java.util.zip.CRC32\n",
}  # fmt: skip
_CALL = {"python": "NAME()\n", "javascript": "NAME();", "typescript": "NAME();", "tsx": "NAME();", "go": "NAME();"}


def function(use: str, answer: Answer, random: Random) -> Iterator[Answer]:
    """A function that nothing uses, below a neighbour; what it returns is `use`."""
    for place in neighbours(answer, random):
        code = _snippet(_FUNCTION, place, NAME, use)
        if code and _is_on_top(place) and NAME.encode() not in place.content:
            content = place.replaced(place.end, place.end, code + 2 * place.newline)
            if parses(place.path, content):
                yield answer.edited(place.path, content)


def _snippet(table: dict[str, str], place: Place, name: str, use: str = "0") -> bytes:
    """Code of a table in the language of a place, with its line endings; empty where the table has none."""
    text = table.get(place.language.grammar, "").replace("NAME", name).replace("USE", use)
    return text.encode().replace(b"\n", place.newline)


def _is_on_top(place: Place) -> bool:
    """Whether lines below it are at the level of the file."""
    text = place.content[place.start : place.end]
    alone = place.symbol.base == place.symbol.name.removesuffix(".<body>")
    return alone and not text[:1].isspace() and text[-1:] == b"\n"


def method(answer: Answer, random: Random) -> Iterator[Answer]:
    """A method that nothing uses, below one of a neighbour (Python)."""
    for place in neighbours(answer, random, Shape.FUNCTION):
        text = place.content[place.start : place.end]
        indent = text[: len(text) - len(text.lstrip(b" "))]
        is_method = place.language.grammar == "python" and indent and "." in place.symbol.name
        if is_method and NAME.encode() not in place.content:
            lines = indent + b"def unasked(self):" + place.newline + indent + b"    return self" + place.newline
            content = place.replaced(place.end, place.end, lines + place.newline)
            if text[-1:] == b"\n" and parses(place.path, content):
                yield answer.edited(place.path, content)


def import_(name: str, answer: Answer, random: Random) -> Iterator[Answer]:
    """An import below the last of a file that has some, that nothing uses; the block may not change."""
    for path in own_sources(answer, random):
        content, before = answer.at(path), answer.before(path)
        assert content is not None
        assert before is not None
        places = imports(path, content)
        if not places or not imports(path, before) or IMPORTS in answer.site.task.allowed.get(path, ()):
            continue
        last = places[-1]
        code = _snippet(_IMPORT, last, name)
        word = name if "NAME" in _IMPORT.get(last.language.grammar, "") else "CRC32"
        if code and word.encode() not in content and last.core < last.end:
            edited = last.replaced(last.core, last.core, last.newline + code.rstrip())
            if parses(path, edited):
                yield answer.edited(path, edited)


def file(content: bytes, path: str, answer: Answer, _random: Random) -> Iterator[Answer]:
    """A new file."""
    folder, _, name = path.rpartition("/")
    for number in range(2, 9):
        if path not in answer.site.tree.modes and path not in answer.site.tree.folders:
            yield answer.edited(path, content)
            return
        path = f"{folder}/{number}_{name}".lstrip("/")


def called(answer: Answer, random: Random) -> Iterator[Answer]:
    """An added function, defined above all others, and called by one that may change (R7)."""
    name = "asked_for"
    for place in allowed_functions(answer, random):
        call = _snippet(_CALL, place, name)
        code = _snippet(_FUNCTION, place, name)
        body = body_of(place) if place.path in answer.site.truth and not place.symbol.children else None
        if not call or not code or body is None or name.encode() in place.content:
            continue
        content = _with_first(place, body.start_byte, call)
        above = imports(place.path, place.content)
        at = above[-1].end if above else place.start
        is_indented = place.content[place.start : place.start + 1].isspace()
        if content is None or at > place.start or (is_indented and not above):
            continue
        content = content[:at] + code + 2 * place.newline + content[at:]
        if parses(place.path, content):
            yield answer.edited(place.path, content)


def _with_first(place: Place, at: int, statement: bytes) -> bytes | None:
    """The file with a statement more at the start of a body."""
    line = place.content.rfind(b"\n", 0, at) + 1
    if place.content[at : at + 1] == b"{":
        return place.replaced(at + 1, at + 1, b" " + statement.rstrip())
    indent = place.content[line:at]
    return place.replaced(at, at, statement + indent) if indent and not indent.strip() else None


FUNCTION: Edit = partial(function, "0")
NEW_FILE: Edit = partial(file, b"UNASKED = 1\n", f"{NAME}.py")
NEW_BROKEN: Edit = partial(file, b"def (:\n", f"{NAME}.py")
NEW_TEST: Edit = partial(file, b"def test_unasked():\n    assert True\n", "tests/test_unasked.py")
NEW_CONFIGURATION: Edit = partial(file, b"collect_ignore_glob = ['*']\n", "tests/unasked/conftest.py")
NEW_PAGE: Edit = partial(file, b"# Unasked\n", "UNASKED.md")

FAULTS = (
    Fixed("truth", RESOLVED),
    Fixed("added_function", ADDED, (FUNCTION,)),
    Fixed("added_recursive", ADDED, (partial(function, f"{NAME}()"),)),
    Fixed("added_method", ADDED, (method,)),
    Fixed("added_import", MODIFIED, (partial(import_, NAME),)),
    Fixed("added_file", ADDED, (NEW_FILE,)),
    Fixed("added_plain_file", ADDED, (partial(file, b"unasked = 1\n", f"{NAME}.cfg"),)),
    Fixed("added_helper_in_use", RESOLVED, (called,)),
    Fixed("new_test", RESOLVED, (NEW_TEST,)),
    Fixed("new_test_configuration", RESOLVED, (NEW_CONFIGURATION,)),
    Fixed("new_page", RESOLVED, (NEW_PAGE,)),
    Fixed("only_new_test", NO_EFFECT, (NEW_TEST,), from_nothing=True),
    Fixed("broken_new_file", BROKEN, (NEW_BROKEN,)),
)
