import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.formats import FORMATS
from evaluator.formats.model import STRICT, Applied, Leniency, NotApplied, Tree, Unreadable
from evaluator.taxonomy import Detail

LINES = st.lists(
    st.sampled_from(
        ["a", "b", "", "  x", "=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "```", "````py", "--- a/x", "+++ b/x",
         "@@ -1 +1 @@", "c\r", "\ttab  ", "DELETE FILE: x", "\f", "é", "-", "+"]
    ),
    max_size=12,
)  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    return ("\n".join(draw(LINES)) + draw(st.sampled_from(["\n", ""]))).encode()


def tree_of(files: dict[str, bytes | None], **modes: str) -> Tree:
    known = {path: "100644" for path, content in files.items() if content is not None} | modes
    return Tree(known, lambda path: files[path] or b"")


def applied(
    name: str, reply: str, files: dict[str, bytes | None], leniency: Leniency = STRICT
) -> Applied | NotApplied:  # fmt: skip
    parsed = FORMATS[name].parse(reply, leniency)
    assert not isinstance(parsed, Unreadable), parsed
    return FORMATS[name].apply(parsed, tree_of(files), leniency)


@pytest.mark.parametrize("name", list(FORMATS))
@settings(max_examples=150, deadline=None)
@given(before=st.none() | texts(), after=st.none() | texts())
def test_encoding_then_applying_gives_the_file_byte_for_byte(
    name: str, before: bytes | None, after: bytes | None
) -> None:
    if before == after:
        return
    outcome = applied(name, FORMATS[name].encode({"p/x.py": before}, {"p/x.py": after}), {"p/x.py": before})
    assert isinstance(outcome, Applied)
    assert outcome.files == {"p/x.py": after}


@pytest.mark.parametrize("name", list(FORMATS))
@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200) | LINES.map("\n".join))
def test_any_text_at_all_is_read_or_refused(name: str, text: str) -> None:
    parsed = FORMATS[name].parse(text)
    assert isinstance(parsed, Unreadable) or len(parsed) > 0


BLOCK = "x.py\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
DIFF = "--- a/x.py\n+++ b/x.py\n{}"
FILE = {"x.py": b"one\ntwo\none\n"}
REFUSED = {
    "search/replace: not there": ("search_replace", BLOCK.format("three", "3"), Detail.ANCHOR_MISSING),
    "search/replace: twice there": ("search_replace", BLOCK.format("one", "1"), Detail.ANCHOR_AMBIGUOUS),
    "search/replace: no such file": (
        "search_replace", BLOCK.format("one", "1").replace("x.py", "y.py"), Detail.UNKNOWN_PATH),
    "diff: other context": ("unified_diff", DIFF.format("@@ -1,2 +1,2 @@\n zero\n-two\n+2\n"), Detail.HUNK_MISMATCH),
    "diff: no such file": (
        "unified_diff", DIFF.format("@@ -1 +1 @@\n-one\n+1\n").replace("x.py", "y.py"), Detail.UNKNOWN_PATH),
    "diff: new but there": ("unified_diff", "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+1\n", Detail.HUNK_MISMATCH),
    "whole file: nothing to delete": ("whole_file", "DELETE FILE: y.py\n", Detail.UNKNOWN_PATH),
}  # fmt: skip


@pytest.mark.parametrize(("name", "reply", "detail"), REFUSED.values(), ids=REFUSED.keys())
def test_an_edit_that_does_not_fit_is_refused_with_its_reason(name: str, reply: str, detail: Detail) -> None:
    outcome = applied(name, reply, dict(FILE))
    assert isinstance(outcome, NotApplied)
    assert outcome.detail is detail
    assert outcome.message


FORBIDDEN = ["/etc/x", "../x", "a/../x", ".git/hooks/x", "C:/x", "a/./b", "x.py/y", "dir", "link", "link/x",
             "a\x01b", "n" * 300]  # fmt: skip


@pytest.mark.parametrize("path", FORBIDDEN)
def test_a_path_out_of_the_tree_is_forbidden_in_every_format(path: str) -> None:
    tree = tree_of({"x.py": b"1\n", "dir/y": b"2\n"}, link="120000")
    for fmt in FORMATS.values():
        parsed = fmt.parse(fmt.encode({path: None}, {path: b"new\n"}))
        if isinstance(parsed, Unreadable):
            continue  # the format's own grammar cannot spell it, which is as safe
        outcome = fmt.apply(parsed, tree)
        assert isinstance(outcome, NotApplied), fmt.name
        assert outcome.detail is Detail.FORBIDDEN_PATH


UNREADABLE = {
    "whole file: prose": ("whole_file", "I would change x.py.", Detail.NO_EDIT, False),
    "whole file: open fence": ("whole_file", "x.py\n```python\na = 1\n", Detail.BAD_BLOCK, True),
    "diff: prose": ("unified_diff", "no diff here", Detail.NO_EDIT, False),
    "diff: wrong counts": ("unified_diff", DIFF.format("@@ -1,5 +1,5 @@\n one\n-two\n+2\n\nDone.\n"), Detail.BAD_BLOCK,
                           False),
    "diff: ends inside a hunk": ("unified_diff", DIFF.format("@@ -1,3 +1,3 @@\n one\n-two"), Detail.BAD_BLOCK, True),
    "search/replace: prose": ("search_replace", "x", Detail.NO_EDIT, False),
    "search/replace: no end": ("search_replace", "x.py\n<<<<<<< SEARCH\na\n=======\nb\n", Detail.BAD_BLOCK, True),
    "search/replace: no path": ("search_replace", BLOCK.format("a", "b")[5:], Detail.BAD_BLOCK, False),
}  # fmt: skip


@pytest.mark.parametrize(("name", "reply", "detail", "open_end"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_reply_without_a_readable_edit_says_what_is_wrong(
    name: str, reply: str, detail: Detail, open_end: bool
) -> None:
    parsed = FORMATS[name].parse(reply)
    assert isinstance(parsed, Unreadable)
    assert (parsed.detail, parsed.unterminated) == (detail, open_end)


def test_a_hunk_goes_to_the_nearest_place_and_names_the_others() -> None:
    hunk = "@@ -5,3 +5,3 @@\n a\n-x\n+y\n b\n"
    outcome = applied("unified_diff", DIFF.format(hunk), {"x.py": b"a\nx\nb\n" * 3})
    assert isinstance(outcome, Applied)
    assert outcome.files == {"x.py": b"a\nx\nb\na\ny\nb\na\nx\nb\n"}
    assert outcome.placements[0].chosen == (4, 5)
    assert outcome.placements[0].others == ((1, 2), (7, 8))


UNCLOSED = {
    "no end": "x.py\n<<<<<<< SEARCH\na\n=======\nb\n\ny.py\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n",
    "no divider": "x.py\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n" + BLOCK.format("c", "d"),
}


@pytest.mark.parametrize("reply", UNCLOSED.values(), ids=UNCLOSED.keys())
def test_an_unclosed_block_does_not_swallow_the_next(reply: str) -> None:
    parsed = FORMATS["search_replace"].parse(reply)
    assert isinstance(parsed, Unreadable)
    assert parsed.detail is Detail.BAD_BLOCK


@pytest.mark.parametrize("dressed", ["x.py", "`x.py`", "**x.py**", "x.py:", "`x.py`:", "**`x.py`**", "./x.py"])
def test_a_dressed_path_is_read_plain(dressed: str) -> None:
    for name, reply in (("whole_file", f"{dressed}\n```\n1\n```\n"),
                        ("search_replace", BLOCK.format("one\ntwo", "1").replace("x.py", dressed))):  # fmt: skip
        admitted = frozenset(tolerance.name for tolerance in FORMATS[name].tolerances)
        outcome = applied(name, reply, dict(FILE), admitted)
        assert isinstance(outcome, Applied), name
        assert list(outcome.files) == ["x.py"]


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("path", ["p/x y.py", "setup", "LICENSE-MIT", "conf/REPLACE"])
def test_any_plain_path_can_be_written_and_read_again(name: str, path: str) -> None:
    outcome = applied(name, FORMATS[name].encode({path: b"1\n"}, {path: b"2\n"}), {path: b"1\n"})
    assert isinstance(outcome, Applied)
    assert outcome.files == {path: b"2\n"}


def test_a_word_above_a_fence_is_prose() -> None:
    for word in ("Example:", "Done."):
        parsed = FORMATS["whole_file"].parse(f"{word}\n```\npip install\n```\n")
        assert isinstance(parsed, Unreadable)
        assert parsed.detail is Detail.NO_EDIT


def test_a_character_that_is_no_text_does_not_break_applying() -> None:
    outcome = applied("whole_file", "x.py\n```\n\ud800\udcff\n```\n", dict(FILE))
    assert isinstance(outcome, Applied)
    assert outcome.files == {"x.py": "\ufffd".encode() + b"\xff\n"}


def test_all_of_a_reply_applies_or_none_of_it() -> None:
    reply = BLOCK.format("two", "2") + BLOCK.format("gone", "x")
    outcome = applied("search_replace", reply, dict(FILE))
    assert isinstance(outcome, NotApplied)
    assert outcome.fitted == 1


def test_a_path_cannot_be_a_file_and_a_folder_in_one_reply() -> None:
    from evaluator.formats.paths import clash

    assert clash({"a": b"", "a/b": b""}, 2) is not None
    assert clash({"a": None, "a/b": b"", "ab": b""}, 2) is None
