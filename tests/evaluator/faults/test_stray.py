"""A stray edit is in the one symbol it names, outside what is allowed, and changes no behaviour."""

import ast

import pytest

from evaluator.faults.stray import as_text, stray_edit
from miner.fixtures import Task
from miner.symbols import files as symbols
from miner.symbols.files import Files, allowed_by

TWO = "import os\n\nLIMIT = 1\n\n\ndef first():\n    return os.sep\n\n\n@deco\ndef second():\n    return LIMIT\n"
TASK = TWO.replace("return os.sep", "return os.curdir")
CLASS = "class C:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
LINES = "".join(f"line {n}\n" for n in range(9))


def change(path: str, before: str | None, after: str | None) -> tuple[Files, Files]:
    return ({path: None if before is None else before.encode()}, {path: None if after is None else after.encode()})


OTHERS = [("lib/other.cfg", "package other\n\nfunc A() {}\n")]
CASES: dict[str, tuple[tuple[Files, Files], list[tuple[str, str]], str | None]] = {
    "a function": (change("x.py", TWO, TASK), [], "x.py::second"),
    "CRLF": (change("x.py", TWO.replace("\n", "\r\n"), TASK.replace("\n", "\r\n")), [], "x.py::second"),
    "a constant, where no function is left": (
        change("x.py", "A = 1\n\n\ndef f():\n    return 1\n", "A = 1\n\n\ndef f():\n    return 2\n"), [], "x.py::A"),
    "a method": (change("x.py", CLASS, CLASS.replace("return 2", "return 3")), [], "x.py::C.f"),
    "the module, where all symbols change": (
        change("x.py", "def f(a):\n    return 1\n", "def f(a, b):\n    return 1\n"), [], "x.py::<module>"),
    "none, where the last line changes as well": (change("x.py", "A = 1\n", "A = 2\n"), [], None),
    "no symbols": (change("x.cfg", LINES, LINES.replace("line 3", "line three")), [], "x.cfg::<lines after 9>"),
    "no symbols, the end changes too": (change("x.cfg", LINES, LINES + "more\n"), [], None),
    "another file of the tree": (change("x.cfg", LINES, LINES + "more\n"), OTHERS, "lib/other.cfg::<lines after 3>"),
    "a new file and nothing else": (change("x.py", None, TWO), [], None),
    "a new file and others": (change("x.py", None, TWO), OTHERS, "lib/other.cfg::<lines after 3>"),
    "a deleted file": (change("x.py", TWO, None), [], None),
    "a text that is quoted twice": (change("x.cfg", "a\n" * 9, "b\n" + "a\n" * 8), [], None),
    "no final newline": (change("x.cfg", LINES + "x", LINES.replace("3", "three") + "x"), [], None),
    "no text": (change("x.py", "A = 1\n\0", "A = 2\n\0"), [], None),
    "a file that does not parse": (change("x.py", TWO + "def (:\n", TASK + "def (:\n"), [], None),
}  # fmt: skip


@pytest.mark.parametrize(("files", "others", "symbol"), CASES.values(), ids=CASES.keys())
def test_where_the_stray_edit_goes(
    files: tuple[Files, Files], others: list[tuple[str, str]], symbol: str | None
) -> None:
    before, after = files
    allowed = allowed_by(before, after)
    stray = stray_edit(before, after, allowed, others)
    assert (stray and stray.symbol) == symbol
    if stray is not None:
        assert [str(c) for c in symbols.unintended(stray.before, stray.after, allowed)] == [symbol]


def test_the_stray_edit_of_every_fixture_is_named_alone_and_runs_alike(checked_in: list[Task]) -> None:
    placed = 0
    for task in checked_in:
        allowed = allowed_by(task.before, task.after)
        stray = stray_edit(task.before, task.after, allowed)
        if stray is None:
            continue
        placed += 1
        assert [str(c) for c in symbols.unintended(stray.before, stray.after, allowed)] == [stray.symbol], task.id
        path = stray.symbol.split("::")[0]
        assert stray.after[path] != task.after[path]
        assert ast.dump(ast.parse(stray.after[path] or b"")) == ast.dump(ast.parse(task.after[path] or b""))
    assert placed > len(checked_in) * 0.8


@pytest.mark.parametrize(
    ("content", "text"), [(b"a\n", "a\n"), (None, None), (b"\xff", None), (b"a\0", None)], ids=repr
)
def test_only_text_can_be_quoted(content: bytes | None, text: str | None) -> None:
    assert as_text(content) == text
