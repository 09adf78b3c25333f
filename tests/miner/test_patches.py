"""Patches as git writes them, read file by file, and applied to the byte or not at all."""

import re
from pathlib import Path

import pytest

from miner.git import Git
from miner.patches import ABSENT, file_patches, rebuilt

TEN = b"".join(b"%d\n" % n for n in range(10))


PATCH = ("-r", "-p", "--full-index", "--no-renames")


def parts_of(repo, *options: str):
    git = Git(repo.path / ".git")
    return list(file_patches(git.run("diff-tree", *PATCH, *options, "HEAD~1", "HEAD")))


CONTENTS: dict[str, tuple[bytes | None, bytes | None]] = {
    "a line": (TEN, TEN.replace(b"5", b"five")),
    "first and last line": (TEN, b"zero" + TEN[1:-2] + b"nine\n"),
    "a line more at either end": (TEN, b"before\n" + TEN + b"after\n"),
    "a line less at either end": (TEN, TEN[2:-2]),
    "no newline at the end stays": (b"1\n2", b"1\n3"),
    "newline at the end comes": (b"1\n2", b"1\n2\n"),
    "newline at the end goes": (b"1\n2\n", b"1\n2"),
    "newline at the end goes and a line more": (b"1\n2", b"1\n2\n3"),
    "only a newline": (b"", b"\n"),
    "blank lines": (b"\n\n\n", b"\n\n"),
    "carriage returns": (b"1\r\n2\r\n", b"1\r\n3\r\n"),
    "carriage returns go": (b"1\r\n2\r\n", b"1\n2\n"),
    "lone carriage returns": (b"1\r2\n", b"1\r3\n"),
    "other line ends": (b"1\x0c2\x0b3\x85\n", b"1\x0c2\x0b4\x85\n"),
    "no UTF-8": (b"\xe9\n", b"\xff\xe8\n"),
    "becomes empty": (TEN, b""),
    "was empty": (b"", TEN),
    "new": (None, TEN),
    "new and empty": (None, b""),
    "deleted": (TEN, None),
    "empty and deleted": (b"", None),
    "text like a header": (b"-- a\n++ b\n@@ -1 +1 @@\n", b"-- a\n+++ b\ndiff --git a/x b/x\n@@ -1 +1 @@\n"),
    "text like the mark for no newline": (b"\\ No newline at end of file\n", b"\\ No newline at end of file\nx"),
}


@pytest.mark.parametrize("context", [3, 0])
@pytest.mark.parametrize(("old", "new"), CONTENTS.values(), ids=CONTENTS.keys())
def test_what_git_writes_rebuilds_the_bytes(repo, old: bytes | None, new: bytes | None, context: int) -> None:
    repo.commit("before", {"other": "x\n"} | ({} if old is None else {"a b.py": old}))
    repo.commit("after", {"a b.py": new})
    (part,) = parts_of(repo, f"-U{context}")
    assert part.path == "a b.py"
    assert not part.is_binary
    assert part.modes == tuple(ABSENT if side is None else "100644" for side in (old, new))
    assert rebuilt(old or b"", part.hunks) == (new or b"")


@pytest.mark.parametrize("mode", [0o755, 0o644])
def test_modes_of_a_file_that_changes_and_of_one_that_does_not(repo, mode: int) -> None:
    repo.commit("before", {"a.py": TEN, "b.py": TEN})
    (repo.path / "a.py").chmod(mode)
    repo.commit("after", {"b.py": TEN[2:]})
    found = {part.path: part for part in parts_of(repo)}
    assert found["b.py"].modes == ("100644", "100644")
    if mode == 0o755:
        assert found["a.py"].modes == ("100644", "100755")
        assert rebuilt(TEN, found["a.py"].hunks) == TEN


def test_parts_are_the_patch_whatever_the_files_are_called(repo) -> None:
    names = ["a b.py", 'q"uote.py', "größe.py", "x b/y b/z", "t\tab", "back\\slash", "a\nb"]
    repo.commit("before", dict.fromkeys(names, TEN))
    repo.commit("after", dict.fromkeys(names, TEN[2:]))
    parts = parts_of(repo)
    assert {part.path for part in parts} == set(names)
    whole = Git(repo.path / ".git").run("diff-tree", *PATCH, "HEAD~1", "HEAD")
    assert b"".join(part.text for part in parts) == whole


def test_name_that_is_no_utf8_is_read_as_every_path_is(repo) -> None:
    name = b"\xe9.py".decode("utf-8", "surrogateescape")
    repo.commit("before", {name: TEN})
    repo.commit("after", {name: TEN[2:]})
    assert [part.path for part in parts_of(repo)] == [name]


def test_lines_are_counted_as_git_counts_them(repo) -> None:
    repo.commit("before", {"a.py": TEN, "b.bin": b"\0", "c.py": "-- x\n", "gone.py": TEN})
    files = {"a.py": b"++ 0\n" + TEN[4:], "b.bin": b"\0\1", "c.py": "++ x", "gone.py": None}
    repo.commit("after", files)
    counted = {part.path: part.lines for part in parts_of(repo)}
    rows = repo.git("diff", "--numstat", "--no-renames", "HEAD~1", "HEAD").replace("-\t", "0\t").splitlines()
    assert counted == {name: (int(added), int(deleted)) for added, deleted, name in (row.split("\t") for row in rows)}
    assert counted["a.py"] == (1, 2)


@pytest.mark.parametrize("options", [(), ("--binary",)])
def test_binary_file_is_told(repo, options: tuple[str, ...]) -> None:
    repo.commit("before", {"a.bin": bytes(300), "b.txt": "GIT binary patch\nBinary files differ\n"})
    repo.commit("after", {"a.bin": bytes(range(256)), "b.txt": "GIT binary patch\nBinary files a and b differ\n"})
    assert {part.path: part.is_binary for part in parts_of(repo, *options)} == {"a.bin": True, "b.txt": False}


MISFITS = {
    "another line": (b"x\n", b"@@ -1 +1 @@\n-y\n+z\n"),
    "another context": (b"x\ny\n", b"@@ -1,2 +1,2 @@\n w\n-y\n+z\n"),
    "white space differs": (b"x \n", b"@@ -1 +1 @@\n-x\n+y\n"),
    "line end differs": (b"x\r\n", b"@@ -1 +1 @@\n-x\n+y\n"),
    "another place": (b"a\nx\n", b"@@ -1 +1 @@\n-x\n+y\n"),
    "beyond the end": (b"x\n", b"@@ -2 +2 @@\n-x\n+y\n"),
    "newline that is not there": (b"x", b"@@ -1 +1 @@\n-x\n+y\n"),
    "newline that should not be there": (b"x\n", b"@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n"),
    "fewer lines than said": (b"x\ny\n", b"@@ -1,2 +1 @@\n-x\n+z\n"),
    "more lines than said": (b"x\n", b"@@ -1 +1 @@\n-x\n+y\n+z\n"),
    "a line of no kind": (b"x\n", b"@@ -1 +1 @@\n-x\n*y\n"),
    "out of order": (b"x\ny\n", b"@@ -2 +2 @@\n-y\n+z\n@@ -1 +1 @@\n-x\n+z\n"),
    "no place": (b"x\n", b"@@ x @@\n-x\n+y\n"),
}


@pytest.mark.parametrize(("old", "patch"), MISFITS.values(), ids=MISFITS.keys())
def test_hunk_that_does_not_fit_exactly_gives_nothing(old: bytes, patch: bytes) -> None:
    assert rebuilt(old, tuple(filter(None, re.split(rb"^(?=@@ )", patch, flags=re.MULTILINE)))) is None


def test_patches_of_the_checked_in_fixtures_are_their_parts() -> None:
    patches = [path.read_bytes() for path in (Path(__file__).parents[2] / "fixtures").glob("*/*/*.patch")]
    assert patches
    for patch in patches:
        assert b"".join(part.text for part in file_patches(patch)) == patch
