"""What a format cannot say, it says that it cannot: no encoded reply comes out as anything but the change."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.formats import FORMATS
from evaluator.formats.model import NO_NEWLINE, Applied, CannotExpress, NotApplied, Tree, Unreadable
from evaluator.taxonomy import Detail
from miner.symbols.files import Files, text_of

ODD_LINES = st.sampled_from(
    [b"a", b"", b"b\r", b"\r", NO_NEWLINE.encode(), NO_NEWLINE.encode() + b"\r", b"\\ ", b"\xff\xfe", b"caf\xe9",
     "é\u2028".encode(), b"\xed\xa0\x80", b"\0", b"\xef\xbb\xbfx", b"=======", b">>>>>>> REPLACE", b"<<<<<<< SEARCH",
     b"```", b"~~~", b"DELETE FILE: x", b"x.py", b"--- a/x", b"+++ b/x", b"@@ -1 +1 @@", b"\x0c", b"\x85"]
)  # fmt: skip
ODD_PATHS = st.sampled_from(
    ["x.py", "LICENSE", "a b.py", " x.py", "x.py ", "a\tb.py", "x\ny.py", "x\r.py", "`x`.py", "x`", "*x*", "x:", "a/x:",
     "~~~.py", "```.py", "~~~", "=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "a\\b.py", "DELETE FILE: x", "é.py",
     "\udcff.py", "--- a/x", "a/b.py", "b/x.py", "/dev/null", "dev/null", "x.py\t2", "#x", "-", "x\u2028.py", "\u00a0x"]
)  # fmt: skip
CONTENTS = st.none() | st.lists(ODD_LINES, max_size=8).map(b"\n".join) | st.lists(ODD_LINES).map(
    lambda lines: b"".join(line + b"\n" for line in lines)
)  # fmt: skip


def applied(name: str, reply: str, files: Files) -> Applied | NotApplied:
    parsed = FORMATS[name].parse(reply)
    assert not isinstance(parsed, Unreadable), (reply, parsed)
    modes = {path: "100644" for path, content in files.items() if content is not None}
    return FORMATS[name].apply(parsed, Tree(modes, lambda path: files[path] or b""))


@pytest.mark.parametrize("name", list(FORMATS))
@settings(max_examples=500, deadline=None)
@given(path=ODD_PATHS, before=CONTENTS, after=CONTENTS)
def test_an_odd_change_comes_out_byte_for_byte_or_is_said_to_be_inexpressible(
    name: str, path: str, before: bytes | None, after: bytes | None
) -> None:
    if before == after:
        return
    reply = FORMATS[name].encode({path: before}, {path: after})
    if isinstance(reply, CannotExpress):
        assert reply.why
        return
    reply.encode()  # it is text
    outcome = applied(name, reply, {path: before})
    if isinstance(outcome, NotApplied):
        assert outcome.detail is Detail.FORBIDDEN_PATH, "what paths are allowed is not the encoder's to know"
    else:
        assert outcome.files == {path: after}


@pytest.mark.parametrize("name", list(FORMATS))
@settings(max_examples=300, deadline=None)
@given(path=ODD_PATHS, content=CONTENTS.filter(bool))
def test_a_restated_line_applies_and_changes_nothing(name: str, path: str, content: bytes) -> None:
    reply = FORMATS[name].restate(path, text_of(content))
    if isinstance(reply, CannotExpress):
        assert reply.why
        return
    outcome = applied(name, reply, {path: content})
    assert isinstance(outcome, NotApplied) or outcome.files == {path: content}
    assert isinstance(outcome, Applied) or outcome.detail is Detail.FORBIDDEN_PATH


MARKER = NO_NEWLINE.encode()
ALL, NONE = set(FORMATS), set()  # type: ignore[var-annotated]
LIMITS: dict[str, tuple[str, bytes | None, bytes | None, set[str], str]] = {
    "a binary file": ("x.png", None, b"\x89PNG\0\n", ALL, "not UTF-8"),
    "a NUL far from the change": ("x", b"a\n" + b"b\n" * 9 + b"\0\n", b"c\n" + b"b\n" * 9 + b"\0\n",
                                  {"whole_file"}, "NUL"),
    "Latin-1 in the change": ("x.py", b"caf\xe9\n", b"th\xe9\n", ALL, "not UTF-8"),
    "Latin-1 far from the change": ("x.py", b"a\n" + b"b\n" * 9 + b"\xe9\n", b"c\n" + b"b\n" * 9 + b"\xe9\n",
                                    {"whole_file"}, "not UTF-8"),
    "a binary file deleted": ("x.png", b"\0", None, {"unified_diff"}, "NUL"),
    "a file that ends in the marker": ("x", b"a\n", b"a\n" + MARKER + b"\n", {"whole_file", "search_replace"},
                                       "itself"),
    "the marker, and lines after it": ("x", b"a\n", b"a\n" + MARKER + b"\nb\n", NONE, ""),
    "a file that ends in the marker, without newline": ("x", b"a\n", b"a\n" + MARKER, NONE, ""),
    "CRLF, no final newline, BOM": ("x", b"\xef\xbb\xbfa\r\nb", b"\xef\xbb\xbfa\r\nc", NONE, ""),
    "a path with a line break": ("x\ny", None, b"a\n", ALL - {"str_replace"}, "cannot be spelled"),
    "a path with a backslash": ("x\\y.py", None, b"a\n", ALL, "cannot be spelled"),
    "a path with a tab": ("x\ty.py", None, b"a\n", {"unified_diff", "udiff"}, "cannot be spelled"),
    "a path that ends in a blank": ("x.py ", b"a\n", None, ALL - {"str_replace"}, "cannot be spelled"),
    "a path with blanks": ("x y.py", None, b"a\n", NONE, ""),
    "a path like a fence": ("~~~.py", None, b"a\n", NONE, ""),
}  # fmt: skip


@pytest.mark.parametrize(("path", "before", "after", "cannot", "why"), LIMITS.values(), ids=LIMITS.keys())
def test_what_each_format_cannot_express(
    path: str, before: bytes | None, after: bytes | None, cannot: set[str], why: str
) -> None:
    replies = {name: fmt.encode({path: before}, {path: after}) for name, fmt in FORMATS.items()}
    said = {name: reply.why for name, reply in replies.items() if isinstance(reply, CannotExpress)}
    assert set(said) == cannot
    assert all(why in reason for reason in said.values())


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_rename_is_a_deletion_and_a_new_file(name: str) -> None:
    before, after = {"a.py": b"1\n", "b.py": None}, {"a.py": None, "b.py": b"1\n"}
    reply = FORMATS[name].encode(before, after)
    assert isinstance(reply, str)
    outcome = applied(name, reply, before)
    assert isinstance(outcome, Applied)
    assert outcome.files == after


def test_one_file_that_cannot_be_expressed_is_named_among_others() -> None:
    before, after = {"a.py": b"1\n", "b.bin": b"\0"}, {"a.py": b"2\n", "b.bin": b"\1"}
    for fmt in FORMATS.values():
        reply = fmt.encode(before, after)
        assert isinstance(reply, CannotExpress) == (fmt.name != "whole_file"), "only there the NUL need not be said"
        assert isinstance(reply, str) or "'b.bin'" in reply.why
