# ruff: noqa: E501
"""Hunks are read from what git itself writes, and each can be taken back alone."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from miner.frozen import apply_patches
from miner.git import Git
from miner.hunks import hunks

THIRTY = "".join(f"{n}\n" for n in range(1, 31))
Files = Mapping[str, bytes | str | None]


def changed(text: str, *lines: int) -> str:
    """The text with these lines altered."""
    rows = text.splitlines(keepends=True)
    return "".join(f"new {row}" if number in lines else row for number, row in enumerate(rows, 1))


def diff_of(repo, before: Files, after: Files) -> tuple[bytes, str]:
    """The patch between two states, as harvest writes patches, and the solved tree."""
    repo.commit("before", before)
    repo.commit("after", after)
    git = Git(repo.path / ".git")
    patch = git.run("diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "HEAD~1", "HEAD")
    return patch, repo.git("rev-parse", "HEAD^{tree}")


CASES: dict[str, tuple[Files, Files, list[str]]] = {
    "one": ({"a.py": THIRTY}, {"a.py": changed(THIRTY, 9)}, ["a.py:6"]),
    "two in one file": ({"a.py": THIRTY}, {"a.py": changed(THIRTY, 5, 25)}, ["a.py:2", "a.py:22"]),
    "close together are one": ({"a.py": THIRTY}, {"a.py": changed(THIRTY, 5, 8)}, ["a.py:2"]),
    "two files": ({"a.py": THIRTY, "b.py": THIRTY}, {"a.py": changed(THIRTY, 9), "b.py": changed(THIRTY, 1)}, ["a.py:6", "b.py:1"]),
    "line number is of the solved tree": (
        {"a.py": THIRTY}, {"a.py": "0\n0\n0\n" + changed(THIRTY, 20)}, ["a.py:1", "a.py:20"],
    ),
    "added": ({"b.py": "x\n"}, {"a.py": THIRTY}, ["a.py:1"]),
    "added and empty": ({"b.py": "x\n"}, {"a.py": ""}, ["a.py:1"]),
    "deleted": ({"a.py": THIRTY, "b.py": "x\n"}, {"a.py": None}, ["a.py:1"]),
    "emptied": ({"a.py": "x\n"}, {"a.py": ""}, ["a.py:0"]),
    "moved is deleted and added": ({"a.py": THIRTY}, {"a.py": None, "b.py": THIRTY}, ["a.py:1", "b.py:1"]),
    "binary": ({"a.bin": b"\0" * 300}, {"a.bin": bytes(range(256)) * 40}, ["a.bin:1"]),
    "binary added": ({"b.py": "x\n"}, {"a.bin": bytes(range(256)) * 40}, ["a.bin:1"]),
    "no newline at the end": ({"a.py": "x\ny"}, {"a.py": "x\nz"}, ["a.py:1"]),
    "newline at the end is added": ({"a.py": THIRTY + "y"}, {"a.py": changed(THIRTY, 2) + "y\n"}, ["a.py:1", "a.py:28"]),
    "name with spaces": ({"a b/c d.py": THIRTY}, {"a b/c d.py": changed(THIRTY, 9)}, ["a b/c d.py:6"]),
    "name that looks like two": ({"x b/y": THIRTY}, {"x b/y": changed(THIRTY, 9)}, ["x b/y:6"]),
    "name with a quote": ({'a"b.py': THIRTY}, {'a"b.py': changed(THIRTY, 9)}, ['a"b.py:6']),
    "name with a backslash": ({"a\\b.py": THIRTY}, {"a\\b.py": changed(THIRTY, 9)}, ["a\\b.py:6"]),
    "quoted name, added": ({"b.py": "x\n"}, {'a"b.py': "++ b/else\n"}, ['a"b.py:1']),
    "quoted name, deleted": ({'a"b.py': "x\n", "b.py": "x\n"}, {'a"b.py': None}, ['a"b.py:1']),
    "name with a tab and a newline": ({"a\tb\nc": THIRTY}, {"a\tb\nc": changed(THIRTY, 9)}, ["a\tb\nc:6"]),
    "name of several languages": ({"größe/日本.py": THIRTY}, {"größe/日本.py": changed(THIRTY, 9)}, ["größe/日本.py:6"]),
    "text like a header is added": (
        {"a.py": THIRTY}, {"a.py": THIRTY.replace("9\n", "diff --git a/x b/x\n@@ -1 +1 @@\n", 1)}, ["a.py:6"],
    ),
    "text like a header is context": (
        {"a.py": "diff --git a/x b/x\n@@ -1,3 +1,3 @@\n" + THIRTY}, {"a.py": "diff --git a/x b/x\n@@ -1,3 +1,3 @@\nx\n" + THIRTY},
        ["a.py:1"],
    ),
    "text like a name is added": ({"a.py": "x\n"}, {"a.py": "++ b/else.py\n"}, ["a.py:1"]),
    "text like a name is deleted": ({"a.py": "-- a/else.py\n-- b\n", "b": "1\n"}, {"a.py": None}, ["a.py:1"]),
    "text like a mode is changed": ({"a.py": THIRTY}, {"a.py": changed(THIRTY, 1, 20) + "new file mode 100644\n"}, ["a.py:1", "a.py:17", "a.py:28"]),
    "carriage returns": ({"a.py": THIRTY.replace("\n", "\r\n")}, {"a.py": changed(THIRTY, 9).replace("\n", "\r\n")}, ["a.py:6"]),
    "lone carriage return before a header": ({"a.py": "x\n"}, {"a.py": "y\rdiff --git a/q b/q\r@@ -1 +1 @@\n"}, ["a.py:1"]),
    "function shown after the place": (
        {"a.py": "def f():\n" + "    x\n" * 20}, {"a.py": "def f():\n" + "    x\n" * 15 + "    y\n" + "    x\n" * 5}, ["a.py:14"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "names"), CASES.values(), ids=CASES.keys())
def test_hunks_are_named_and_each_can_be_left_out(repo, before: Files, after: Files, names: list[str]) -> None:
    patch, solved = diff_of(repo, before, after)
    found = hunks(patch)
    assert [hunk.name for hunk in found] == names
    git = Git(repo.path / ".git")
    start = repo.git("rev-parse", "HEAD~1^{tree}")
    trees = [apply_patches(git, solved, [hunk.patch], reverse=True) for hunk in found]
    assert None not in trees
    assert solved not in trees
    assert (start in trees) is (len(found) == 1)
    assert apply_patches(git, solved, [hunk.patch for hunk in reversed(found)], reverse=True) == start


def test_change_of_mode_is_one_hunk_with_its_contents(repo) -> None:
    repo.commit("before", {"run.sh": THIRTY, "a.py": THIRTY})
    (repo.path / "run.sh").chmod(0o755)
    repo.commit("after", {"run.sh": changed(THIRTY, 2, 20), "a.py": changed(THIRTY, 2, 20)})
    git = Git(repo.path / ".git")
    found = hunks(git.run("diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "HEAD~1", "HEAD"))
    assert [hunk.name for hunk in found] == ["a.py:1", "a.py:17", "run.sh:1"]


def test_change_of_mode_alone_is_a_hunk(repo) -> None:
    repo.commit("before", {"run me.sh": THIRTY})
    (repo.path / "run me.sh").chmod(0o755)
    repo.commit("after")
    git = Git(repo.path / ".git")
    found = hunks(git.run("diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "HEAD~1", "HEAD"))
    assert [hunk.name for hunk in found] == ["run me.sh:1"]


def test_link_in_place_of_a_file_is_a_hunk_a_side(repo) -> None:
    repo.commit("before", {"a.py": THIRTY})
    (repo.path / "a.py").unlink()
    (repo.path / "a.py").symlink_to("b.py")
    repo.commit("after")
    git = Git(repo.path / ".git")
    found = hunks(git.run("diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames", "HEAD~1", "HEAD"))
    assert [hunk.name for hunk in found] == ["a.py:1", "a.py:1"]


@pytest.mark.parametrize("text", [b"", b"\n", b"no patch\n@@ -1 +1 @@\n-x\n+y\n"], ids=["empty", "blank", "no header"])
def test_text_without_a_file_has_no_hunk(text: bytes) -> None:
    assert hunks(text) == []


def test_every_hunk_of_the_checked_in_changes_is_found() -> None:
    root = Path(__file__).parents[2] / "fixtures"
    patches = [path.read_bytes() for path in sorted(root.glob("*/*/change.patch"))]
    assert patches
    for patch in patches:
        starts = sum(row.startswith(b"@@ -") for row in patch.split(b"\n"))
        assert len(hunks(patch)) == starts
