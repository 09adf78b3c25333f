from collections.abc import Callable

import pytest

from evaluator.formats.model import NO_NEWLINE, Applied, Tree, Unreadable
from evaluator.formats.search_replace import Block, Lines, SearchReplace

BLOCK = "x\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n"
GIVES: dict[str, tuple[bytes | None, str, bytes | None]] = {
    "one line": (b"a\nb\n", BLOCK.format("a\n", "c\n"), b"c\nb\n"),
    "dropped": (b"a\nb\n", BLOCK.format("a\n", ""), b"b\n"),
    "all dropped": (b"a\n", BLOCK.format("a\n", ""), b""),
    "grown": (b"a\nb\n", BLOCK.format("a\n", "a\nnew\n"), b"a\nnew\nb\n"),
    "created": (None, BLOCK.format("", "a\n"), b"a\n"),
    "created empty": (None, BLOCK.format("", ""), b""),
    "an empty file filled": (b"", BLOCK.format("", "a\n"), b"a\n"),
    "deleted": (b"a\n", "DELETE FILE: x\n", None),
    "blank line quoted": (b"a\n\nb\n", BLOCK.format("\n", "c\n"), b"a\nc\nb\n"),
    "made unique by what follows": (b"a\nb\na\nc\n", BLOCK.format("a\nc\n", "d\n"), b"a\nb\nd\n"),
    "blocks see those before": (b"a\n", BLOCK.format("a\n", "b\n") + BLOCK.format("b\n", "c\n"), b"c\n"),
    "no path: the file before": (
        b"a\nb\n", BLOCK.format("a\n", "c\n") + BLOCK.format("b\n", "d\n").removeprefix("x\n"), b"c\nd\n"),
    "bare end stays bare": (b"a\nb", BLOCK.format("b\n", "c\n"), b"a\nc"),
    "bare end gets a newline": (b"a\nb", BLOCK.format(f"b\n{NO_NEWLINE}\n", "b\n"), b"a\nb\n"),
    "newline at the end goes": (b"a\nb\n", BLOCK.format("b\n", f"b\n{NO_NEWLINE}\n"), b"a\nb"),
    "only the last line is bare": (b"b\nb", BLOCK.format(f"b\n{NO_NEWLINE}\n", "c\n"), b"b\nc\n"),
    "fenced": (b"a\n", "x\n```python\n" + BLOCK.format("a\n", "b\n").removeprefix("x\n") + "```\n", b"b\n"),
    "longer markers": (
        b"=======\n", "x\n<<<<<<<<< SEARCH\n=======\n=========\n>>>>>>> REPLACE\n>>>>>>>>> REPLACE\n",
        b">>>>>>> REPLACE\n"),
    "carriage returns kept": (b"a\r\nb\r\n", BLOCK.format("a\r\n", "c\r\n"), b"c\r\nb\r\n"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "reply", "after"), GIVES.values(), ids=GIVES.keys())
def test_blocks_replace_whole_lines(
    tree_of: Callable[..., Tree], before: bytes | None, reply: str, after: bytes | None
) -> None:
    parsed = SearchReplace().parse(reply)
    assert not isinstance(parsed, Unreadable), parsed
    found = SearchReplace().apply(parsed, tree_of({"x": before}))
    assert isinstance(found, Applied), found
    assert found.files == {"x": after}


@pytest.mark.parametrize("written", ["x.py", "`x.py`", "**x.py**", "x.py:", "./x.py", "  x.py"])
def test_the_path_above_may_be_dressed(written: str) -> None:
    reply = BLOCK.replace("x\n", f"{written}\n", 1).format("a\n", "b\n")
    assert SearchReplace().parse(reply) == [Block("x.py", Lines(("a",)), Lines(("b",)))]


@pytest.mark.parametrize(
    ("reply", "unterminated"),
    [("", False), ("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", False), ("x\n<<<<<<< SEARCH\na\n", True),
     ("x\n<<<<<<< SEARCH\na\n=======\nb\n", True), ("x\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>>> REPLACE\n", True),
     ("x\n<<<<<< SEARCH\na\n======\nb\n>>>>>> REPLACE\n", False)],
    ids=["empty", "no path", "ends in search", "ends in replace", "unequal markers", "markers too short"],
)  # fmt: skip
def test_a_reply_without_whole_blocks_is_unreadable(reply: str, unterminated: bool) -> None:
    parsed = SearchReplace().parse(reply)
    assert isinstance(parsed, Unreadable)
    assert parsed.unterminated is unterminated


@pytest.mark.parametrize("text", ["", "a", "a\n", "\n", "\n\n", "a\n\nb", "a\r\n"])
def test_lines_are_the_text(text: str) -> None:
    assert Lines.of(text).text() == text
