"""What an impossible task shows in the place of what it withholds."""

import pytest

from miner.shown import is_copy, stand_ins

LINES = b"".join(b"line %d of it\n" % n for n in range(20))
OTHER = LINES.replace(b"line", b"row")


def chosen(withheld: dict[str, bytes], others: dict[str, bytes]) -> list[str]:
    files = withheld | others
    return stand_ins(withheld, files, files.__getitem__)


CASES: dict[str, tuple[list[str], list[str], list[str]]] = {
    "the same folder first": (["a/x.py"], ["a/y.py", "b/y.py", "y.py"], ["a/y.py"]),
    "then the nearest": (["a/b/x.py"], ["a/y.py", "c/y.py", "y.py"], ["a/y.py"]),
    "the suffix before the folder": (["a/x.py"], ["a/y.js", "b/c/y.py"], ["b/c/y.py"]),
    "another suffix where there is none": (["a/x.py"], ["a/y.js"], ["a/y.js"]),
    "as many as are withheld": (["a/x.py", "b/x.py"], ["a/1.py", "a/2.py", "b/3.py"], ["a/1.py", "a/2.py"]),
    "fewer where there are no more": (["a/x.py", "b/x.py"], ["a/1.py"], ["a/1.py"]),
    "of equal ones by name": (["x.py"], ["b.py", "a.py"], ["a.py"]),
    "no tests": (["x.py"], ["tests/y.py", "test_x.py", "conftest.py"], []),
    "nothing that configures tests": (["x.js"], ["vite.config.js", "jest.config.js", "package.json"], []),
    "no documentation": (["x.py"], ["docs/y.py", "README.md"], []),
}


@pytest.mark.parametrize(("withheld", "others", "shown"), CASES.values(), ids=CASES)
def test_nearest_source_files_are_shown(withheld: list[str], others: list[str], shown: list[str]) -> None:
    assert chosen(dict.fromkeys(withheld, LINES), dict.fromkeys(others, OTHER)) == shown


UNFIT = {
    "empty": b"", "blank": b" \n\n", "no text": b"\xff\xfe\n", "with NUL": b"a\0b\n", "the same": LINES,
    "an older version": LINES.replace(b"line 3 ", b"line three "),
    "far longer": b"".join(b"%d rows\n" % n for n in range(3000)),
}  # fmt: skip


@pytest.mark.parametrize("content", UNFIT.values(), ids=UNFIT)
def test_what_says_nothing_or_too_much_is_not_shown(content: bytes) -> None:
    assert chosen({"x.py": LINES}, {"a.py": content, "b/c/d.py": OTHER}) == ["b/c/d.py"]
    assert chosen({"x.py": LINES}, {"a.py": content}) == []


def test_in_a_folder_those_of_about_the_same_size_come_first() -> None:
    assert chosen({"x.py": LINES}, {"a.py": OTHER * 8, "b.py": OTHER, "c.py": b"row\n"}) == ["b.py"]


def test_what_is_shown_may_be_as_long_as_twice_what_is_withheld() -> None:
    long = b"".join(b"%d lines\n" % n for n in range(2000))
    rows = long.replace(b"lines", b"rows")
    assert chosen({"x.py": long}, {"a.py": rows}) == ["a.py"]
    assert chosen({"x.py": long}, {"a.py": rows * 3}) == []


def test_files_are_read_folder_by_folder() -> None:
    files = {"a/x.py": LINES, "a/y.py": OTHER, "b/y.py": OTHER, "c/d/y.py": OTHER}
    read: list[str] = []
    assert stand_ins({"a/x.py": LINES}, files, lambda path: read.append(path) or files[path]) == ["a/y.py"]
    assert "c/d/y.py" not in read


COPIES = [
    (LINES, LINES, True), (LINES + OTHER, LINES, True), (OTHER, LINES, False), (b"", b"", True), (LINES, b"", False),
    (LINES[: len(LINES) // 2], LINES, False), (b"    " + LINES.replace(b"\n", b"\r\n    "), LINES, True),
]  # fmt: skip


@pytest.mark.parametrize(("content", "withheld", "copied"), COPIES)
def test_a_copy_has_most_of_the_lines(content: bytes, withheld: bytes, copied: bool) -> None:
    assert is_copy(content, withheld) is copied
