"""A unified diff to the letter: what `git apply` makes of it, case by case and asked itself."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.formats.model import STRICT, Applied, NotApplied, Tree, Unreadable
from evaluator.formats.unified_diff import UnifiedDiff
from evaluator.taxonomy import Detail
from miner.git import git_environment
from miner.symbols.files import Files

HEAD = "--- a/x\n+++ b/x\n"
FILE = b"".join(b"%d\n" % n for n in range(1, 10))  # the lines 1 to 9
FIVE = FILE.replace(b"5\n", b"five\n")
HUNK = "@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n"
NOTE = "\\ No newline at end of file\n"
Outcome = Callable[..., Applied | NotApplied]


@pytest.fixture
def outcome(tree_of: Callable[..., Tree]) -> Outcome:
    def apply(reply: str, files: Files | None = None) -> Applied | NotApplied:
        parsed = UnifiedDiff().parse(reply, STRICT)
        assert not isinstance(parsed, Unreadable), parsed
        return UnifiedDiff().apply(parsed, tree_of({"x": FILE} if files is None else files), STRICT)

    return apply


def git_apply(folder: Path, diff: str, files: Files) -> dict[str, bytes] | None:
    """The files after `git apply`, or None where it refuses."""
    subprocess.run(["git", "init", "-q", str(folder)], check=True, env=git_environment())
    for path, content in files.items():
        if content is not None:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
    done = subprocess.run(["git", "apply", "-"], cwd=folder, input=diff.encode(), capture_output=True)
    if done.returncode:
        return None
    found = [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


# The hunks, and what becomes of the file; None: refused.
HUNKS: dict[str, tuple[str, bytes | None]] = {
    "in place": (HUNK, FIVE),
    "text after the header": (HUNK.replace("@@\n", "@@ def f():\n"), FIVE),
    "wrong line": (HUNK.replace("4,3", "7,3"), FIVE),
    "line far past the end": (HUNK.replace("4,3", "999,3"), FIVE),
    "says line 1, is elsewhere": (HUNK.replace("4,3", "1,3"), None),
    "begins the file": ("@@ -1,2 +1,2 @@\n-1\n+one\n 2\n", FILE.replace(b"1\n", b"one\n")),
    "ends the file": ("@@ -8,2 +8,2 @@\n 8\n-9\n+nine\n", FILE.replace(b"9\n", b"nine\n")),
    "no context below, within the file": ("@@ -4,2 +4,2 @@\n 4\n-5\n+five\n", None),
    "no context above, within the file": ("@@ -5,2 +5,2 @@\n-5\n+five\n 6\n", FIVE),
    "no context": ("@@ -5 +5 @@\n-5\n+five\n", None),
    "insertion without context at the end": ("@@ -9,0 +10 @@\n+ten\n", FILE + b"ten\n"),
    "pure insertion": ("@@ -4,2 +4,3 @@\n 4\n+new\n 5\n", FILE.replace(b"4\n", b"4\nnew\n")),
    "pure removal": ("@@ -4,3 +4,2 @@\n 4\n-5\n 6\n", FILE.replace(b"5\n", b"")),
    "the last line dropped": ("@@ -8,2 +8 @@\n 8\n-9\n", FILE.replace(b"9\n", b"")),
    "all lines dropped": ("@@ -1,9 +0,0 @@\n" + "".join(f"-{n}\n" for n in range(1, 10)), b""),
    "two hunks, the second moved": (
        "@@ -1,2 +1,3 @@\n-1\n+one\n+more\n 2\n@@ -8,2 +9,2 @@\n 8\n-9\n+nine\n",
        FILE.replace(b"1\n", b"one\nmore\n").replace(b"9\n", b"nine\n")),
    "out of order": ("@@ -7,3 +7,3 @@\n 7\n-8\n+eight\n 9\n" + HUNK, FIVE.replace(b"8\n", b"eight\n")),
    "overlapping": (HUNK + "@@ -6,3 +6,3 @@\n 6\n-7\n+seven\n 8\n", None),
    "the same twice": (HUNK + HUNK, None),
    "already applied": ("@@ -4,3 +4,3 @@\n 4\n-five\n+5\n 6\n", None),
    "nothing changes": ("@@ -4,3 +4,3 @@\n 4\n-5\n+5\n 6\n", FILE),
    "lines not adjacent": ("@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 7\n", None),
    "white space": ("@@ -4,3 +4,3 @@\n 4 \n-5\n+five\n 6\n", None),
    "the newline at the end goes": (f"@@ -8,2 +8,2 @@\n 8\n-9\n+9\n{NOTE}", FILE.removesuffix(b"\n")),
    "newline denied": (f"@@ -8,2 +8,2 @@\n 8\n-9\n{NOTE}+nine\n", None),
    "longer than its counts say": (HUNK + "+more\n", FIVE),
    "a list right below": (HUNK + "- I changed line 5\n- and nothing else\n", FIVE),
    "a fence right below": (HUNK + "```\nDone.\n", FIVE),
}  # fmt: skip


@pytest.mark.parametrize(("hunks", "after"), HUNKS.values(), ids=HUNKS.keys())
def test_hunks_apply_as_git_applies_them(
    outcome: Outcome, tmp_path: Path, hunks: str, after: bytes | None
) -> None:
    found = outcome(HEAD + hunks)
    assert (found.files if isinstance(found, Applied) else None) == (None if after is None else {"x": after})
    assert git_apply(tmp_path, HEAD + hunks, {"x": FILE}) == (None if after is None else {"x": after})
    if isinstance(found, NotApplied):
        assert found.detail is Detail.HUNK_MISMATCH
        assert found.message.startswith("x: hunk ")
    else:
        assert found.steps == ((),)


GIT = "diff --git a/{0} b/{1}\n"
FILES: dict[str, tuple[str, Files, Files | None]] = {
    "without prefixes": ("--- x\n+++ x\n" + HUNK, {"x": FILE}, {"x": FIVE}),
    "time stamps": ("--- a/x\t2026-01-01 10:00:00 +0000\n+++ b/x\t2026-01-02 10:00:00 +0000\n" + HUNK, {"x": FILE},
                    {"x": FIVE}),
    "time stamps after blanks": ("--- a/x 2026-01-01 10:00:00\n+++ b/x 2026-01-02 10:00:00\n" + HUNK, {"x": FILE},
                                 {"x": FIVE}),
    "git's header": (GIT.format("x", "x") + "index 1..2 100644\n" + HEAD + HUNK, {"x": FILE}, {"x": FIVE}),
    "a quoted name": ('--- "a/\\303\\251 x"\n+++ "b/\\303\\251 x"\n' + HUNK, {"é x": FILE}, {"é x": FIVE}),
    "a name with blanks": ("--- a/a b\t\n+++ b/a b\t\n" + HUNK, {"a b": FILE}, {"a b": FIVE}),
    "x.orig and x": ("--- a/x.orig\n+++ b/x\n" + HUNK, {"x": FILE}, {"x": FIVE}),
    "x and x.new": ("--- a/x\n+++ b/x.new\n" + HUNK, {"x": FILE}, {"x": FIVE}),
    "prose and fences around": (f"Here:\n\n```diff\n{HEAD}{HUNK}```\nDone.\n", {"x": FILE}, {"x": FIVE}),
    "prose between": (f"{HEAD}{HUNK}Then y:\n\n{HEAD.replace('/x', '/y')}{HUNK}", {"x": FILE, "y": FILE},
                      {"x": FIVE, "y": FIVE}),
    "one file twice": (HEAD + HUNK + HEAD + "@@ -7,3 +7,3 @@\n 7\n-8\n+eight\n 9\n", {"x": FILE},
                       {"x": FIVE.replace(b"8\n", b"eight\n")}),
    "one file twice, the second on the first": (HEAD + HUNK + HEAD + HUNK.replace("+five", "+V").replace("-5", "-five"),
                                                {"x": FILE}, {"x": FILE.replace(b"5\n", b"V\n")}),
    "created": ("--- /dev/null\n+++ b/p/y\n@@ -0,0 +1 @@\n+new\n", {}, {"p/y": b"new\n"}),
    "created without newline": ("--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+new\n" + NOTE, {}, {"y": b"new"}),
    "created by git": (GIT.format("y", "y") + "new file mode 100644\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+new\n",
                       {}, {"y": b"new\n"}),
    "created without /dev/null": ("--- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+new\n", {}, {"y": b"new\n"}),
    "created as of the epoch": (
        "--- a/y\t1970-01-01 00:00:00 +0000\n+++ b/y\t2026-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+new\n", {},
        {"y": b"new\n"}),
    "created empty": (GIT.format("y", "y") + "new file mode 100644\nindex 0000000..e69de29\n", {}, {"y": b""}),
    "created over a file": ("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+new\n", {"x": FILE}, None),
    "created over an empty file": ("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+new\n", {"x": b""}, None),
    "filled": ("--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+new\n", {"x": b""}, {"x": b"new\n"}),
    "created twice": ("--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+1\n" * 2, {}, {"y": b"1\n"}),
    "deleted": ("--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n", {"x": b"1\n2\n"}, {}),
    "deleted, but not all": ("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n", {"x": b"1\n2\n"}, None),
    "deleted empty": (GIT.format("x", "x") + "deleted file mode 100644\nindex e69de29..0000000\n", {"x": b""}, {}),
    "deleted, then created": (
        "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+new\n", {"x": b"1\n"},
        {"x": b"new\n"}),
    "deleted, then changed": ("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n",
                              {"x": b"1\n"}, None),
    "renamed": (GIT.format("x", "y") + "similarity index 100%\nrename from x\nrename to y\n", {"x": FILE}, {"y": FILE}),
    "renamed and changed": (
        GIT.format("x", "y") + "similarity index 90%\nrename from x\nrename to y\nindex 1..2 100644\n"
        "--- a/x\n+++ b/y\n" + HUNK, {"x": FILE}, {"y": FIVE}),
    "renamed onto itself": (GIT.format("x", "x") + "rename from x\nrename to x\n" + HEAD + HUNK, {"x": FILE},
                            {"x": FIVE}),
    "renamed onto a file": (GIT.format("x", "y") + "rename from x\nrename to y\n", {"x": FILE, "y": b""}, None),
    "renamed from nowhere": (GIT.format("z", "y") + "rename from z\nrename to y\n", {"x": FILE}, None),
    "swapped": (GIT.format("x", "y") + "rename from x\nrename to y\n" + GIT.format("y", "x")
                + "rename from y\nrename to x\n", {"x": b"1\n", "y": b"2\n"}, {"x": b"2\n", "y": b"1\n"}),
    "copied": (GIT.format("x", "y") + "copy from x\ncopy to y\n--- a/x\n+++ b/y\n" + HUNK, {"x": FILE},
               {"x": FILE, "y": FIVE}),
    "another mode": (GIT.format("x", "x") + "old mode 100644\nnew mode 100755\n", {"x": FILE}, {"x": FILE}),
    "another mode and line": (GIT.format("x", "x") + "old mode 100644\nnew mode 100755\n" + HEAD + HUNK, {"x": FILE},
                              {"x": FIVE}),
    "no such file": (HEAD.replace("/x", "/y") + HUNK, {"x": FILE}, None),
    "CRLF in both": ((HEAD + HUNK).replace("\n", "\r\n"), {"x": FILE.replace(b"\n", b"\r\n")},
                     {"x": FIVE.replace(b"\n", b"\r\n")}),
    "CRLF in the file only": (HEAD + HUNK, {"x": FILE.replace(b"\n", b"\r\n")}, None),
    "CRLF in the diff only": ((HEAD + HUNK).replace("\n", "\r\n"), {"x": FILE}, None),
    "bytes elsewhere": (HEAD + HUNK, {"x": b"\xef\xbb\xbf\xff\r\n" + FILE + b"\x0c\t \n\0"},
                        {"x": b"\xef\xbb\xbf\xff\r\n" + FIVE + b"\x0c\t \n\0"}),
    "an empty line of context": (HEAD + "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", {"x": b"a\n\nb\n"}, {"x": b"a\n\nc\n"}),
}  # fmt: skip


@pytest.mark.parametrize(("diff", "before", "after"), FILES.values(), ids=FILES.keys())
def test_files_come_out_as_git_leaves_them(
    outcome: Outcome, tmp_path: Path, diff: str, before: Files, after: Files | None
) -> None:
    assert git_apply(tmp_path, diff, before) == after
    found = outcome(diff, before)
    if isinstance(found, NotApplied):
        assert after is None
        return
    left = {path: content for path, content in {**before, **found.files}.items() if content is not None}
    assert left == after


# Unreadable for git as well; the second column: the reply ends inside an edit.
DAMAGED: dict[str, tuple[str, bool]] = {
    "no diff": ("Nothing to do.\n", False),
    "fewer lines than said, at the end": (HEAD + "@@ -1,3 +1,3 @@\n-1\n+one\n", True),
    "fewer lines than said, then a fence": (HEAD + "@@ -1,3 +1,3 @@\n-1\n+one\n```\nDone.\n", False),
    "fewer lines than said, then a header": (HEAD + "@@ -1,3 +1,3 @@\n-1\n+one\n" + HEAD + HUNK, False),
    "more lines than said, then a hunk": (HEAD + HUNK + " 7\n@@ -8,2 +8,2 @@\n 8\n-9\n+nine\n", False),
    "both sides /dev/null": ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-1\n+1\n", False),
    "no header": (HUNK, False),
    "only +++": ("+++ b/x\n" + HUNK, False),
    "no numbers": (HEAD + HUNK.replace("-4,3 +4,3", "..."), False),
    "stacked": (HEAD + "@@ -1,9 +1,9 @@\n" + HUNK, False),
    "nothing changes": (HEAD + "@@ -4,3 +4,3 @@\n 4\n 5\n 6\n", False),
    "unmarked context": (HEAD + HUNK.replace("\n 4\n", "\n4\n"), False),
    "no final newline": ((HEAD + HUNK)[:-1], False),
    "indented": ("".join(f"    {line}\n" for line in (HEAD + HUNK).splitlines()), False),
    "a new file with old lines": ("--- /dev/null\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n", False),
    "a deleted file with new lines": ("--- a/x\n+++ /dev/null\n@@ -1 +1 @@\n-1\n+2\n", False),
    "git's header without a mode": (GIT.format("y", "y") + "--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+new\n", False),
    "git's header alone": (GIT.format("x", "x") + "index 1..2 100644\n", True),
    "new and deleted": (GIT.format("x", "x") + "new file mode 100644\ndeleted file mode 100644\n", True),
    "no such mode": (GIT.format("x", "x") + "old mode rw\nnew mode 100755\n", True),
    "a binary file": (GIT.format("x", "x") + "index 1..2 100644\nGIT binary patch\nliteral 1\n", False),
}  # fmt: skip


@pytest.mark.parametrize(("diff", "open_end"), DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_diff_is_unreadable_as_it_is_for_git(tmp_path: Path, diff: str, open_end: bool) -> None:
    parsed = UnifiedDiff().parse(diff, STRICT)
    assert isinstance(parsed, Unreadable)
    assert parsed.unterminated is open_end
    assert git_apply(tmp_path, diff, {"x": FILE}) is None


# Where git applies and we, on purpose, do not: docs/formats.md says why.
REFUSED: dict[str, str] = {
    "an unended context line within the file": HEAD + HUNK + NOTE,
    "an insertion without context": HEAD + "@@ -3,0 +4 @@\n+new\n",
    "it fits where it says, and at the end": HEAD + "@@ -2,2 +2,2 @@\n 8\n-9\n+nine\n",
    "cut in git's header": GIT.format("y", "y") + "new file mode 100644\n--- /dev/n",
    "cut after a header": HEAD + HUNK + HEAD,
    "a link": GIT.format("y", "y") + "new file mode 120000\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+x\n",
}


@pytest.mark.parametrize("diff", REFUSED.values(), ids=REFUSED.keys())
def test_what_git_would_apply_wrongly_is_refused(
    tree_of: Callable[..., Tree], tmp_path: Path, diff: str
) -> None:
    before = {"x": b"1\n8\n9\n" + FILE}
    assert git_apply(tmp_path, diff, before) is not None
    parsed = UnifiedDiff().parse(diff, STRICT)
    assert isinstance(parsed, Unreadable) or isinstance(UnifiedDiff().apply(parsed, tree_of(before)), NotApplied)


TOLD = {
    "the likeliest place": ("@@ -4,3 +4,3 @@\n 4\n-five\n+V\n 6\n", "the file has '5' on line 5, the hunk 'five'"),
    "already there": ("@@ -4,3 +4,3 @@\n 4\n-five\n+5\n 6\n", "are there already, on line 4"),
    "no context below": ("@@ -4,2 +4,2 @@\n 4\n-5\n+five\n", "without context below its changes ends the file"),
    "the wrong file": ("@@ -1,2 +1,2 @@\n-a\n+b\n c\n", "the file has '1' on line 1, the hunk 'a'"),
    "past the end": ("@@ -9,2 +9,2 @@\n 9\n-10\n+ten\n", "the file ends on line 10, the hunk '10'"),
}


@pytest.mark.parametrize(("hunk", "told"), TOLD.values(), ids=TOLD.keys())
def test_a_refusal_tells_what_stands_there(outcome: Outcome, hunk: str, told: str) -> None:
    found = outcome(HEAD + hunk)
    assert isinstance(found, NotApplied)
    assert told in found.message


def test_an_empty_file_among_others_is_encoded_so_that_git_reads_each(tmp_path: Path) -> None:
    before: Files = {"a": b"", "b": None, "c": None, "d": FILE}
    after: Files = {"a": None, "b": b"", "c": b"new\n", "d": FIVE}
    reply = UnifiedDiff().encode(before, after)
    assert isinstance(reply, str)
    assert git_apply(tmp_path, reply, before) == {"b": b"", "c": b"new\n", "d": FIVE}
