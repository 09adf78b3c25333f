from collections.abc import Callable

import pytest

from evaluator.formats.model import Applied, NotApplied, Tree, Unreadable
from evaluator.formats.unified_diff import UnifiedDiff
from evaluator.taxonomy import Detail

HEAD = "--- a/x\n+++ b/x\n"
FILE = b"".join(b"%d\n" % n for n in range(1, 10))  # the lines 1 to 9
GIVES: dict[str, tuple[str, bytes | None]] = {
    "one line": ("@@ -2 +2 @@\n-2\n+two\n", FILE.replace(b"2\n", b"two\n")),
    "text after the header": ("@@ -2 +2 @@ def f():\n-2\n+two\n", FILE.replace(b"2\n", b"two\n")),
    "wrong line, right context": ("@@ -7,2 +7,2 @@\n 1\n-2\n+two\n", FILE.replace(b"2\n", b"two\n")),
    "line far past the end": ("@@ -999 +999 @@\n-2\n+two\n", FILE.replace(b"2\n", b"two\n")),
    "inserted after a line": ("@@ -3,0 +4 @@\n+new\n", FILE.replace(b"3\n", b"3\nnew\n")),
    "inserted at the top": ("@@ -0,0 +1 @@\n+new\n", b"new\n" + FILE),
    "dropped": ("@@ -9 +8,0 @@\n-9\n", FILE.replace(b"9\n", b"")),
    "two hunks, the second moved": (
        "@@ -1 +1,2 @@\n-1\n+one\n+more\n@@ -9 +10 @@\n-9\n+nine\n",
        FILE.replace(b"1\n", b"one\nmore\n").replace(b"9\n", b"nine\n")),
    "the newline at the end goes": (
        "@@ -9 +9 @@\n-9\n+9\n\\ No newline at end of file\n", FILE.removesuffix(b"\n")),
}  # fmt: skip


def outcome(tree_of: Callable[..., Tree], reply: str, content: bytes | None = FILE) -> Applied | NotApplied:
    parsed = UnifiedDiff().parse(reply)
    assert not isinstance(parsed, Unreadable), parsed
    return UnifiedDiff().apply(parsed, tree_of({"x": content}))


@pytest.mark.parametrize("fenced", [False, True], ids=["bare", "fenced"])
@pytest.mark.parametrize(("hunks", "after"), GIVES.values(), ids=GIVES.keys())
def test_hunks_apply_as_patch_applies_them(
    tree_of: Callable[..., Tree], hunks: str, after: bytes, fenced: bool
) -> None:
    reply = f"Here:\n```diff\n{HEAD}{hunks}```\nDone.\n" if fenced else HEAD + hunks
    found = outcome(tree_of, reply)
    assert isinstance(found, Applied)
    assert found.files == {"x": after}


@pytest.mark.parametrize(
    "header", ["--- x\n+++ x\n", "--- a/x\t2026-01-01\n+++ b/x\t2026-01-02\n", "--- ./x\n+++ ./x\n",
               "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"],
)  # fmt: skip
def test_headers_may_be_written_as_tools_write_them(tree_of: Callable[..., Tree], header: str) -> None:
    found = outcome(tree_of, header + "@@ -1 +1 @@\n-1\n+one\n")
    assert isinstance(found, Applied)
    assert list(found.files) == ["x"]


def test_an_empty_line_is_an_empty_line_of_context(tree_of: Callable[..., Tree]) -> None:
    found = outcome(tree_of, HEAD + "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", b"a\n\nb\n")
    assert isinstance(found, Applied)
    assert found.files == {"x": b"a\n\nc\n"}


@pytest.mark.parametrize(
    "hunks", ["@@ -2,2 +2,2 @@\n 2\n-4\n+four\n", "@@ -2 +2 @@\n-2 \n+two\n", "@@ -9 +9 @@\n-9\n\\ No newline\n+x\n"],
    ids=["lines not adjacent", "white space", "newline denied"],
)  # fmt: skip
def test_there_is_no_fuzz(tree_of: Callable[..., Tree], hunks: str) -> None:
    found = outcome(tree_of, HEAD + hunks)
    assert isinstance(found, NotApplied)
    assert found.detail is Detail.HUNK_MISMATCH


@pytest.mark.parametrize(
    ("reply", "unterminated"),
    [
        (HEAD + "@@ -1,2 +1,2 @@\n-1\n+one\n 2\n+more\n", False), (HEAD + "@@ -1,3 +1,3 @@\n-1\n+one\n", True),
        (HEAD + "@@ -1,3 +1,3 @@\n-1\n+one\n```\nDone.\n", False), (HEAD, False),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-1\n+1\n", False), ("@@ -1 +1 @@\n-1\n+one\n", False),
    ],
    ids=["more lines than said", "ends early", "fewer than said", "no hunk", "no file", "no header"],
)  # fmt: skip
def test_a_diff_that_contradicts_itself_is_unreadable(reply: str, unterminated: bool) -> None:
    parsed = UnifiedDiff().parse(reply)
    assert isinstance(parsed, Unreadable)
    assert parsed.unterminated is unterminated
