import pytest

from miner.symbols.file_changes import file_changes

BOM = b"\xef\xbb\xbf"
TEXT = b"one\ntwo\nthree\nfour\nfive\n"
WINDOWS = TEXT.replace(b"\n", b"\r\n")


def said(before, after, modes=({}, {})):
    return [
        " ".join(filter(None, (change.kind.value, change.old_path, change.path, change.detail)))
        for change in file_changes(before, after, modes)
    ]


FILES = {
    "nothing": ({"a": TEXT}, {"a": TEXT}, []),
    "another text": ({"a": TEXT}, {"a": b"else\n"}, []),
    "added": ({}, {"a": TEXT}, ["added a"]),
    "added, as said by None": ({"a": None}, {"a": TEXT}, ["added a"]),
    "an empty file": ({}, {"a": b""}, ["added a"]),
    "deleted": ({"a": TEXT}, {"a": None}, ["deleted a"]),
    "renamed": ({"a": TEXT}, {"b": TEXT}, ["renamed a b"]),
    "renamed and changed": ({"a": TEXT}, {"b": TEXT.replace(b"two", b"2").replace(b"four", b"4")}, ["renamed a b"]),
    "less alike": ({"a": TEXT}, {"b": b"one\ntwo\n3\n4\n5\n"}, ["deleted a", "added b"]),
    "few lines": ({"a": b"one\ntwo\n"}, {"b": b"one\ntwo\nthree\n"}, ["deleted a", "added b"]),
    "few lines, the same": ({"a": b"one\n"}, {"b": b"one\n"}, ["renamed a b"]),
    "empty files": ({"a": b""}, {"b": b""}, ["deleted a", "added b"]),
    "no text": ({"a": b"\0\1"}, {"b": b"\0\1"}, ["renamed a b"]),
    "no text, and alike": ({"a": b"\0\n" + TEXT}, {"b": b"\0\n" + TEXT + b"six"}, ["deleted a", "added b"]),
    "the same before the alike": ({"a": TEXT}, {"b": TEXT + b"six\n", "c": TEXT}, ["added b", "renamed a c"]),
    "its name before the others": ({"x/a": TEXT}, {"b": TEXT, "y/a": TEXT}, ["added b", "renamed x/a y/a"]),
    "the most alike": ({"a": TEXT}, {"b": TEXT + b"6\n7\n", "c": TEXT + b"6\n"}, ["added b", "renamed a c"]),
    "copied": ({"a": TEXT}, {"a": TEXT, "b": TEXT}, ["added b"]),
    "swapped": ({"a": TEXT, "b": b"else\n"}, {"a": b"else\n", "b": TEXT}, []),
    "renamed, with other endings": ({"a": TEXT}, {"b": WINDOWS}, ["renamed a b", "line_endings b 5 lines"]),
    "all endings": ({"a": TEXT}, {"a": WINDOWS}, ["line_endings a 5 lines"]),
    "all endings, the other way": ({"a": WINDOWS}, {"a": TEXT}, ["line_endings a 5 lines"]),
    "one ending": ({"a": TEXT}, {"a": TEXT.replace(b"two\n", b"two\r\n")}, ["line_endings a 1 line"]),
    "endings around a change": (
        {"a": TEXT}, {"a": WINDOWS.replace(b"three", b"3")}, ["line_endings a 4 lines"],
    ),
    "a new line with another ending": ({"a": TEXT}, {"a": TEXT + b"six\r\n"}, []),
    "a changed line with another ending": ({"a": TEXT}, {"a": TEXT.replace(b"two\n", b"2\r\n")}, []),
    "a new line in a file with both": (
        {"a": b"one\r\n" + TEXT}, {"a": b"one\r\nzero\n" + TEXT}, [],
    ),
    "every line changed": ({"a": TEXT}, {"a": b"1\r\n2\r\n"}, []),
    "a return that ends no line": ({"a": b"a\rb\n"}, {"a": b"a\rc\n"}, []),
    "a byte order mark": ({"a": TEXT}, {"a": BOM + TEXT}, ["bom a"]),
    "a byte order mark less": ({"a": BOM + TEXT}, {"a": TEXT.replace(b"two", b"2")}, ["bom a"]),
    "a byte order mark, and endings": ({"a": TEXT}, {"a": BOM + WINDOWS}, ["line_endings a 5 lines", "bom a"]),
    "no final line break": ({"a": TEXT}, {"a": TEXT[:-1]}, ["final_newline a"]),
    "a final line break": ({"a": b"one"}, {"a": b"one\n"}, ["final_newline a"]),
    "a final line break, and a change above": ({"a": b"one\ntwo"}, {"a": b"1\ntwo\n"}, ["final_newline a"]),
    "a Windows final line break": ({"a": b"one\r\ntwo"}, {"a": b"one\r\ntwo\r\n"}, ["final_newline a"]),
    "another last line": ({"a": b"one\ntwo"}, {"a": b"one\n2\n"}, []),
    "a line added at the end": ({"a": b"one"}, {"a": b"one\ntwo\n"}, []),
    "a line added at an open end": ({"a": b"one\n"}, {"a": b"one\ntwo"}, []),
    "a blank line at the end": ({"a": TEXT}, {"a": TEXT + b"\n"}, []),
    "emptied": ({"a": b"\n"}, {"a": b""}, []),
    "of one letter less": ({"a": b"x\n"}, {"a": b""}, []),
    "bytes that are no text": ({"a": b"\0" + TEXT}, {"a": b"\0" + WINDOWS}, []),
    "bytes that are no UTF-8": ({"a": b"\xff\n" + TEXT}, {"a": b"\xff\r\n" + TEXT}, ["line_endings a 1 line"]),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), FILES.values(), ids=FILES)
def test_changes_of_files_are_named(before, after, expected):
    assert said(before, after) == expected


def test_modes_are_compared_where_both_sides_have_the_file():
    modes = ({"a": "100644", "b": "100644", "c": "100644"}, {"a": "100755", "b": "100644", "d": "100755"})
    before, after = {"a": TEXT, "b": TEXT, "c": b"c\n"}, {"a": TEXT, "b": TEXT, "d": b"c\n"}
    assert said(before, after, modes) == ["mode a 100644 -> 100755", "renamed c d", "mode d 100644 -> 100755"]


def test_long_files_with_other_endings_take_no_time():
    text = b"".join(b"line %d\n" % (number % 10) for number in range(50_000))
    changed = text.replace(b"\n", b"\r\n").replace(b"line 3\r\n", b"line\r\n", 1)
    assert said({"a": text}, {"a": changed}) == ["line_endings a 49999 lines"]
