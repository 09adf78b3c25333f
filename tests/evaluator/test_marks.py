"""Which lines of a diff belong to what: allowed, excused, unintended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.marks import Mark, MarkKind, dumped, loaded, marks
from evaluator.running.diff import tree_diff
from evaluator.unintended import unintended_changes

BEFORE = b"""import os


class Till:
    def open(self):
        return 1

    def shut(self):
        return 2


def total(rows):
    return sum(rows)
"""


def kinds(path: str, before: bytes | None, after: bytes | None, unintended: list[str], excused: list[str] | None = None
          ) -> dict[str, str]:  # fmt: skip
    """Changed line (with its sign) -> its kind."""
    old, new = {path: before}, {path: after}
    lines = tree_diff(old, new).split("\n")
    found = marks(old, new, unintended, excused or [])
    return {lines[n - 1]: m.kind.value for m in found for n in range(m.first, m.last + 1)}


def test_each_line_is_its_symbols() -> None:
    after = BEFORE.replace(b"return 1", b"return 11").replace(b"return 2", b"return 22").replace(
        b"def total", b"def helper():\n    return 3\n\n\ndef total")  # fmt: skip
    unintended = ["a.py::Till.shut", "a.py::helper"]
    assert kinds("a.py", BEFORE, after, unintended, ["a.py::helper"]) == {
        "-        return 1": "allowed", "+        return 11": "allowed",
        "-        return 2": "unintended", "+        return 22": "unintended",
        "+def helper():": "excused", "+    return 3": "excused", "+": "excused",
    }  # fmt: skip


def test_a_removed_symbol_an_import_and_the_module() -> None:
    after = b"import re\nLIMIT = 3\n" + BEFORE.replace(b"\n    def shut(self):\n        return 2\n", b"")[10:]
    found = kinds("a.py", BEFORE, after, ["a.py::Till.shut", "a.py::<module imports>"])
    assert found["-    def shut(self):"] == found["-        return 2"] == "unintended"
    assert found["-import os"] == found["+import re"] == "unintended"
    assert found["+LIMIT = 3"] == "allowed"


def test_what_was_put_into_another_order_is_its_containers() -> None:
    methods = [b"    def open(self):\n        return 1\n", b"    def shut(self):\n        return 2\n"]
    after = BEFORE.replace(b"\n".join(methods), b"\n".join(reversed(methods)))
    before, changed = {"a.py": BEFORE}, {"a.py": after}
    names = [str(change) for change in unintended_changes(before, changed, {})]
    assert names == ["a.py::Till.<body>"]
    assert set(kinds("a.py", BEFORE, after, names).values()) == {"unintended"}


@pytest.mark.parametrize(
    ("before", "after", "unintended", "expected"),
    [
        (b"a\nb\nc\n", b"a\nB\nC\n", ["t.txt::<lines 3-3>"], {"-b": "allowed", "+B": "allowed", "-c": "unintended",
                                                               "+C": "unintended"}),
        (b"a\nb\n", b"a\nnew\nb\n", ["t.txt::<lines after 1>"], {"+new": "unintended"}),
        (b"a\nb\n", b"new\na\nb\n", ["t.txt::<lines after 1>"], {"+new": "allowed"}),
        (b"", b"new\n", ["t.txt::<lines after 0>"], {"+new": "unintended"}),
        (None, b"new\n", ["t.txt::<lines after 0>"], {"+new": "unintended"}),
        (b"a\nb", b"", ["t.txt::<lines 1-2>"], {"-a": "unintended", "-b": "unintended"}),
        (b"a\n--- b\n", b"a\n+++ b\n", ["t.txt::<lines 2-2>"], {"---- b": "unintended", "++++ b": "unintended"}),
        (b"a\nb", b"a\nc", ["t.txt::<lines 2-2>"], {"-b": "unintended", "+c": "unintended"}),
    ],
)  # fmt: skip
def test_lines_of_a_file_without_symbols(
    before: bytes | None, after: bytes | None, unintended: list[str], expected: dict[str, str]
) -> None:
    assert kinds("t.txt", before, after, unintended) == expected


def test_several_files_are_numbered_through() -> None:
    before, after = {"a.py": BEFORE, "b.txt": b"x\n"}, {"a.py": BEFORE.replace(b"1", b"7"), "b.txt": b"y\n"}
    found = marks(before, after, ["b.txt::<lines 1-1>"], [])
    lines = tree_diff(before, after).split("\n")
    assert [(m.kind, [lines[n - 1] for n in range(m.first, m.last + 1)]) for m in found] == [
        (MarkKind.ALLOWED, ["-        return 1", "+        return 7"]), (MarkKind.UNINTENDED, ["-x", "+y"]),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["{", "[1]", "[[1, 2, 'x', 'y']]", '[[1, 2, "other", "y"]]', "3"])
def test_what_is_no_dump_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        loaded(text)


def test_marks_come_back_as_they_were() -> None:
    found = [Mark(1, 2, MarkKind.EXCUSED, "a\udc80.py::f"), Mark(4, 4, MarkKind.ALLOWED, "b::<module>")]
    assert loaded(dumped(found)) == found
    assert dumped([]) == ""
    assert loaded("") == []


TEXTS = st.lists(st.sampled_from([
    b"def f():\n", b"    return 1\n", b"class A:\n", b"x = 1\n", b"\n", b"\r\n", b"import a\n", b"    def m(self):\n",
    b"        pass\n", b"\x80\x0c\n",
])).map(b"".join)  # fmt: skip


@given(before=TEXTS, after=TEXTS, path=st.sampled_from(["a.py", "a.txt"]))
def test_every_changed_line_has_one_mark_(
    before: bytes, after: bytes, path: str
) -> None:
    old, new = {path: before}, {path: after}
    names = [str(change) for change in unintended_changes(old, new, {})]
    found = marks(old, new, names, [])
    lines = tree_diff(old, new).split("\n")
    inside = {n for n, line in enumerate(lines, 1) if n > 2 and line[:1] in ("+", "-")}
    marked = [n for m in found for n in range(m.first, m.last + 1)]
    assert sorted(marked) == sorted(inside)
    assert all((m.kind is MarkKind.UNINTENDED) == (m.symbol in names) for m in found)
