"""Unintended changes are told with how far they reach and what became of the symbol."""

import pytest

from miner.symbols.describe import described
from miner.symbols.files import Files, unintended

F = b"def f(x):\n    y = x + 1\n    z = y * 2\n    return z\n"
ROWS: dict[str, tuple[Files, Files, list[str]]] = {
    "code": ({"a.py": F}, {"a.py": F.replace(b"1", b"2")}, ["a.py::f modified (code)"]),
    "a comment": ({"a.py": F}, {"a.py": F.replace(b"1\n", b"1  # why\n")}, ["a.py::f modified (comment)"]),
    "layout": ({"a.py": F}, {"a.py": F.replace(b"x + 1", b"(x  +  1)")}, ["a.py::f modified (formatting)"]),
    "a rename": ({"a.py": F}, {"a.py": F.replace(b"def f", b"def g")},
                 ["a.py::f removed (renamed to g)", "a.py::g added (renamed from f)"]),
    "a move": ({"a.py": F, "b.py": b"import os\n"}, {"a.py": b"", "b.py": b"import os\n" + F},
               ["a.py::f removed (moved to b.py::f)", "b.py::f added (moved from a.py::f)"]),
    "a class renamed": (
        {"a.py": b"class A:\n    x = 1\n\n    def m(self):\n        return 1\n"},
        {"a.py": b"class B:\n    x = 1\n\n    def m(self):\n        return 1\n"},
        ["a.py::A.<body> removed (renamed to B)", "a.py::A.m removed", "a.py::A.x removed",
         "a.py::B.<body> added (renamed from A)", "a.py::B.m added", "a.py::B.x added"]),
    "order": ({"a.py": F + b"\n\ndef g():\n    pass\n"}, {"a.py": b"def g():\n    pass\n\n\n" + F},
              ["a.py::<module> reordered"]),
    "line endings": ({"a.txt": b"a\nb\n"}, {"a.txt": b"a\r\nb\r\n"},
                     ["a.txt::<line endings> bytes", "a.txt::<lines 1-2> modified"]),
    "text": ({"a.txt": b"a\n"}, {"a.txt": b"b\n"}, ["a.txt::<lines 1-1> modified"]),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), ROWS.values(), ids=ROWS.keys())
def test_changes_are_told_in_words(before: Files, after: Files, expected: list[str]) -> None:
    changes = unintended(before, after, {})
    told = described(before, after, changes)
    assert [f"{change} {words}" for change, words in zip(changes, told, strict=True)] == expected
