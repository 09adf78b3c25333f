# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols import outline as outlines
from miner.symbols.languages.python import PYTHON
from miner.symbols.model import Outline
from tests.miner.symbol_cases import check_partition

SAMPLE = '''"""A sample."""
# a remark

from __future__ import annotations
import os, sys as system
from typing import (
    Any,  # why
    TYPE_CHECKING,
)

if TYPE_CHECKING:
    from a.b import C
else:
    C = None

LIMIT: int = 3
x, y = 1, 2
LIMIT += 1

# above f
@decorated
def f(a, b=1):
    """Inner."""
    import json
    def nested(): return 1
    return json

class A(Base):
    """Doc."""
    field: int = 1
    other = 2

    # about m
    @property
    def m(self):
        return self._m

    @m.setter
    def m(self, value):
        self._m = value

    async def n(self): await x

    class Inner:
        def deep(self):
            pass

try:
    import fast
except ImportError:
    fast = None

print("größe 🦜")
if __name__ == "__main__":
    f(1)
'''


def outline(text: str) -> Outline:
    return outlines.outline(text.encode("utf-8", "surrogateescape"), PYTHON)


def names(of: Outline) -> list[str]:
    return [segment.name for segment in of.segments]


TABLE = {
    "nothing": ("", []),
    "a statement": ("print(1)\n", ["<module>"]),
    "a function": ("def f():\n    pass\n", ["f"]),
    "an async function": ("async def f():\n    pass\n", ["f"]),
    "a nested function": ("def f():\n    def g():\n        pass\n", ["f", "f.g"]),
    "a function goes on below a nested one": ("def f():\n    def g():\n        pass\n    return g\n", ["f", "f.g", "f"]),
    "a decorated function": ("@d\n@e(1)\ndef f():\n    pass\n", ["f"]),
    "a class": ("class A:\n    def m(self):\n        pass\n", ["A.<body>", "A.m"]),
    "a class on one line": ("class A: pass\n", ["A.<body>"]),
    "a nested class": ("class A:\n    class B:\n        x = 1\n", ["A.<body>", "A.B.<body>", "A.B.x"]),
    "fields": ("class A:\n    x: int = 1\n    y: str\n    z = 2\n", ["A.<body>", "A.x", "A.y", "A.z"]),
    "accessors of a property": ("class A:\n    @p\n    def m(self): pass\n    @m.setter\n    def m(self, v): pass\n",
                                ["A.<body>", "A.m", "A.m(setter)"]),
    "a constant": ("X = 1\nY: int = 2\nX += 1\n", ["X", "Y", "X#2"]),
    "a type alias": ("type X = int\n", ["X"]),
    "an unpacking": ("a, b = 1, 2\n", ["<module>"]),
    "an attribute": ("a.b = 1\n", ["<module>"]),
    "imports": ("import a\nfrom b import c\n", ["<module imports>", "<module imports>"]),
    "an import inside a function": ("def f():\n    import a\n", ["f"]),
    "a conditional import": ("if T:\n    import a\n", ["<module>", "<module imports>"]),
    "a conditional definition": ("if T:\n    def f(): pass\nelse:\n    def f(): pass\n", ["<module>", "f", "<module>", "f#2"]),
    "try and except": ("try:\n    import a\nexcept E:\n    a = None\n", ["<module>", "<module imports>", "<module>", "a"]),
    "a comment above": ("# one\n# two\ndef f():\n    pass\n", ["f"]),
    "a comment apart": ("# one\n\ndef f():\n    pass\n", ["<module>", "f"]),
    "a comment at the end": ("def f():\n    pass\n# end\n", ["f", "<module>"]),
    "a docstring": ('"""Doc."""\nx = 1\n', ["<module>", "x"]),
    "CRLF": ("def f():\r\n    pass\r\n\r\ndef g():\r\n    pass\r\n", ["f", "g"]),
    "tabs": ("class A:\n\tdef m(self):\n\t\tpass\n", ["A.<body>", "A.m"]),
    "no final newline": ("def f():\n    pass\n\nx = 1", ["f", "x"]),
    "a name that is not ASCII": ("def größe():\n    pass\n", ["größe"]),
    "two statements on a line": ("x = 1; y = 2\n", ["x", "y"]),
}  # fmt: skip

ENTRIES = [
    ("import a", ["import a"]),
    ("import a.b as c, d", ["import a.b as c", "import d"]),
    ("from a import b, c as d", ["from a import b", "from a import c as d"]),
    ("from a import (\n    b,\n    c,\n)", ["from a import b", "from a import c"]),
    ("from . import b", ["from . import b"]),
    ("from ..a.b import c", ["from ..a.b import c"]),
    ("from a import *", ["from a import *"]),
    ("from __future__ import annotations", ["from __future__ import annotations"]),
    ("import  a   as  b", ["import a as b"]),
]


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert names(outline(text)) == expected


@pytest.mark.parametrize(("text", "expected"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_import_statement_is_read_as_single_bindings(text: str, expected: list[str]) -> None:
    (segment,) = outline(text + "\n").segments
    assert list(segment.entries) == expected


def test_sample_has_the_symbols_a_reader_sees() -> None:
    assert set(outline(SAMPLE).names()) == {
        "<module>", "<module imports>", "C", "LIMIT", "f", "A.<body>", "A.field", "A.other", "A.m", "A.m(setter)",
        "A.n", "LIMIT#2", "f.nested", "A.Inner.<body>", "A.Inner.deep", "fast",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "errors"),
    [("x = 1\n", 0), ("def f(:\n    pass\n", 1), ("x = (1\n", 1), ("", 0)],
    ids=["good", "bad parameters", "open parenthesis", "empty"],
)
def test_syntax_errors_are_noticed(text: str, errors: int) -> None:
    assert (outline(text).errors > 0) is (errors > 0)


def test_core_leaves_out_blank_lines_below_but_no_blanks_at_a_line_end() -> None:
    first, second = outline("def f():\n    pass  \n\n\nx = 1\n").segments
    assert (first.core, second.core) == ("def f():\n    pass  ", "x = 1")


PIECES = st.sampled_from(
    ["", " ", "\n", "\t", "\r\n", "\x0c", "(", ")", '"""', "'", ":", "#", "\\", "def g():\n", "class B:\n", "@d\n", "if 1:\n",
     "import q\n", "from q import (", "else:\n", "    ", "é", "🦜", "\udcff", ";", "x = 1", "async ", "\x00", "try:\n"]
)  # fmt: skip


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=120, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(outline(text[:other] + more + text[other:]))


@given(st.text(max_size=80))
@settings(max_examples=80, deadline=None)
def test_segments_partition_any_text(text: str) -> None:
    # Only what bytes can decode to: surrogateescape never gives other lone surrogates.
    check_partition(outline(text.encode("utf-8", "replace").decode("utf-8")))


@pytest.mark.parametrize("text", [row[0] for row in TABLE.values()], ids=TABLE.keys())
def test_segments_partition_every_text_of_the_table(text: str) -> None:
    check_partition(outline(text))
