import pytest

from evaluator.formats.model import NO_NEWLINE, Unreadable
from evaluator.formats.whole_file import Rewrite, WholeFile, longer_fence

READ: dict[str, tuple[str, list[Rewrite]]] = {
    "one file": ("x.py\n```python\na\n```\n", [Rewrite("x.py", "a\n")]),
    "no language": ("x.py\n```\na\n```", [Rewrite("x.py", "a\n")]),
    "tildes": ("x.py\n~~~\na\n~~~\n", [Rewrite("x.py", "a\n")]),
    "a blank line between": ("x.py\n\n```\na\n```\n", [Rewrite("x.py", "a\n")]),
    "path in backticks": ("`x.py`\n```\na\n```\n", [Rewrite("x.py", "a\n")]),
    "leading ./": ("./p/x.py\n```\na\n```\n", [Rewrite("p/x.py", "a\n")]),
    "prose around": ("I did it.\n\nx.py\n```\na\n```\nThat is all.", [Rewrite("x.py", "a\n")]),
    "a fence of prose is skipped": (
        "Run this first\n```\npip\n```\nx.py\n```\na\n```\n", [Rewrite("x.py", "a\n")]),
    "empty file": ("x.py\n```\n```\n", [Rewrite("x.py", "")]),
    "blank line kept": ("x.py\n```\n\n```\n", [Rewrite("x.py", "\n")]),
    "no final newline": (f"x.py\n```\na\n{NO_NEWLINE}\n```\n", [Rewrite("x.py", "a")]),
    "shorter fences inside": ("x.md\n````\n```\nb\n```\n````\n", [Rewrite("x.md", "```\nb\n```\n")]),
    "indented fence inside": ("x.py\n```\n  ```\n```\n", [Rewrite("x.py", "  ```\n")]),
    "a longer fence closes": ("x.py\n```\na\n`````\n", [Rewrite("x.py", "a\n")]),
    "carriage returns kept": ("x.py\r\n```\r\na\r\n```\r\n", [Rewrite("x.py", "a\r\n")]),
    "two files": ("x.py\n```\na\n```\ny.py\n```\nb\n```\n", [Rewrite("x.py", "a\n"), Rewrite("y.py", "b\n")]),
    "deleted": ("DELETE FILE: ./x.py \n", [Rewrite("x.py", None)]),
    "a deletion inside a file is text": (
        "x.py\n```\nDELETE FILE: y.py\n```\n", [Rewrite("x.py", "DELETE FILE: y.py\n")]),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "edits"), READ.values(), ids=READ.keys())
def test_a_reply_is_read_as_its_files(reply: str, edits: list[Rewrite]) -> None:
    assert WholeFile().parse(reply) == edits


@pytest.mark.parametrize(
    ("reply", "unterminated"),
    [("", False), ("no path\n```\na\n```\n", False), ("x.py\n```\na\n``\n", True), ("x.py\n````\na\n```\n", True),
     ("x.py\n```\na\n```\ny.py\n```\nb", True), ("x.py\n```\na\n~~~\n", True)],
    ids=["empty", "only prose", "two backticks", "closed too short", "second open", "other kind of fence"],
)  # fmt: skip
def test_a_reply_without_whole_files_is_unreadable(reply: str, unterminated: bool) -> None:
    parsed = WholeFile().parse(reply)
    assert isinstance(parsed, Unreadable)
    assert parsed.unterminated is unterminated


@pytest.mark.parametrize(
    ("text", "fence"), [("", "```"), ("a ```` b", "```"), ("```", "````"), ("a\n`````\n", "``````"), ("`", "```")]
)
def test_a_fence_is_longer_than_any_run_that_starts_a_line(text: str, fence: str) -> None:
    assert longer_fence(text) == fence
