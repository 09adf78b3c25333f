# ruff: noqa: E501
import pytest

from miner.symbols.compare import Kind
from miner.symbols.files import allowed_by, has_symbols, syntax_errors, text_of, unintended

PY = b"def f():\n    return 1\n\n\ndef g():\n    return 2\n"
PY2 = PY.replace(b"1", b"3")
TXT = b"a\nb\nc\n"

ROWS = {
    "nothing": ({"a.py": PY}, {"a.py": PY}, {}, []),
    "a symbol": ({"a.py": PY}, {"a.py": PY2}, {}, [("a.py::f", Kind.MODIFIED)]),
    "an allowed symbol": ({"a.py": PY}, {"a.py": PY2}, {"a.py": ["f"]}, []),
    "allowed in another file": ({"a.py": PY}, {"a.py": PY2}, {"b.py": ["f"]}, [("a.py::f", Kind.MODIFIED)]),
    "a line": ({"a.txt": TXT}, {"a.txt": b"a\nX\nc\n"}, {}, [("a.txt::<lines 2-2>", Kind.MODIFIED)]),
    "an allowed line": ({"a.txt": TXT}, {"a.txt": b"a\nX\nc\n"}, {"a.txt": ["<lines 1-2>"]}, []),
    "a file added": ({}, {"a.py": b"x = 1\n"}, {}, [("a.py::x", Kind.ADDED)]),
    "a file removed": ({"a.py": b"x = 1\n"}, {"a.py": None}, {}, [("a.py::x", Kind.REMOVED)]),
    "a text file removed": ({"a.txt": TXT}, {}, {}, [("a.txt::<lines 1-3>", Kind.REMOVED)]),
    "an empty file added": ({"a.py": None}, {"a.py": b""}, {}, [("a.py::<module>", Kind.ADDED)]),
    "an empty file removed": ({"a.txt": b""}, {"a.txt": None}, {}, [("a.txt::<lines after 0>", Kind.REMOVED)]),
    "an allowed empty file": ({}, {"a.py": b""}, {"a.py": []}, []),
    "a final newline": ({"a.txt": TXT}, {"a.txt": TXT[:-1]}, {}, [("a.txt::<final newline>", Kind.BYTES), ("a.txt::<lines 3-3>", Kind.MODIFIED)]),
    "a byte order mark": ({"a.py": PY}, {"a.py": b"\xef\xbb\xbf" + PY}, {}, None),
    "bytes that are no UTF-8": ({"a.py": b"# \xe9\nx = 1\n"}, {"a.py": b"# \xe8\nx = 1\n"}, {}, [("a.py::x", Kind.MODIFIED)]),
    "a stub": ({"a.pyi": b"x: int\n"}, {"a.pyi": b"x: str\n"}, {}, [("a.pyi::x", Kind.MODIFIED)]),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "allowed", "expected"), ROWS.values(), ids=ROWS.keys())
def test_unintended_changes_of_files_are_named(before, after, allowed, expected) -> None:
    found = [(str(change), change.kind) for change in unintended(before, after, allowed)]
    if expected is None:
        assert found != []
    else:
        assert found == expected


@pytest.mark.parametrize(("before", "after"), [row[:2] for row in ROWS.values()], ids=ROWS.keys())
def test_what_a_change_set_allows_covers_it(before, after) -> None:
    allowed = allowed_by(before, after)
    assert unintended(before, after, allowed) == []
    assert allowed.keys() == {p for p in {*before, *after} if before.get(p) != after.get(p)}


def test_changes_of_many_files_are_sorted_by_name() -> None:
    found = unintended({"b.py": PY, "a.txt": TXT}, {"b.py": b"", "a.txt": b""}, {})
    assert [str(change) for change in found] == ["a.txt::<lines 1-3>", "b.py::f", "b.py::g"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a.py", True), ("a/b.pyi", True), ("a.txt", False), ("py", False), ("a.PY", False)],
)
def test_files_with_symbols_are_known_by_name(path: str, expected: bool) -> None:
    assert has_symbols(path) is expected


@pytest.mark.parametrize("content", [b"", b"a\r\n", b"\xff\xfe", "größe".encode(), b"\x00"])
def test_text_of_any_bytes_gives_them_back(content: bytes) -> None:
    assert text_of(content).encode("utf-8", "surrogateescape") == content


@pytest.mark.parametrize(
    ("path", "content", "broken"),
    [("a.py", b"x = 1\n", False), ("a.py", b"def f(:\n", True), ("a.txt", b"def f(:\n", False), ("a.py", b"", False)],
)  # fmt: skip
def test_syntax_errors_are_counted_in_python_only(path: str, content: bytes, broken: bool) -> None:
    assert (syntax_errors(path, content) > 0) is broken
