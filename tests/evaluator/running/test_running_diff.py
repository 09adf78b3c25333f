"""Diffs to be read."""

import pytest

from evaluator.running.diff import tree_diff
from miner.symbols.files import Files

CASES: dict[str, tuple[Files, Files, str]] = {
    "modified": ({"a.py": b"x\ny\n"}, {"a.py": b"x\nz\n"}, "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n"),
    "added": ({"a.py": None}, {"a.py": b"x\n"}, "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,1 @@\n+x\n"),
    "deleted": ({"a.py": b"x\n"}, {"a.py": None}, "--- a/a.py\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n"),
    "equal": ({"a.py": b"x\n"}, {"a.py": b"x\n"}, ""),
    "a path that no diff can say": ({"a\nb": b"x\n"}, {"a\nb": b"y\n"}, "(no diff of 'a\\nb': "),
}


@pytest.mark.parametrize(("before", "after", "wanted"), CASES.values(), ids=CASES)
def test_what_differs_is_written_as_git_does(before: Files, after: Files, wanted: str) -> None:
    assert tree_diff(before, after).startswith(wanted)
    assert bool(wanted) is bool(tree_diff(before, after))
