"""What each tolerance of the unified diff's ladder admits, and that it admits nothing without its name."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evaluator.formats.model import STRICT, Applied, Leniency, NotApplied, Tree, Unreadable
from evaluator.formats.unified_diff import UnifiedDiff
from evaluator.formats.unified_diff.git_rule import by_git, only_places
from evaluator.taxonomy import Detail
from miner.git import git_environment
from miner.text import split_lines

HEAD = "--- a/x\n+++ b/x\n"
FILE = b"".join(b"%d\n" % n for n in range(1, 10))
FIVE = FILE.replace(b"5\n", b"five\n")
CRLF = FILE.replace(b"\n", b"\r\n")
HUNK = "@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n"
BODY = HUNK.split("\n", 1)[1]
NEXT = "@@ -7,2 +7,3 @@\n 7\n+more\n 8\n"
BOTH = FIVE.replace(b"7\n", b"7\nmore\n")
NOTE = "\\ No newline at end of file\n"
GIT = "diff --git a/x b/x\n"
UNIFIED = UnifiedDiff()
STANDARD: Leniency = frozenset(tolerance.name for tolerance in UNIFIED.tolerances)


def result(tree: Tree, reply: str, leniency: Leniency) -> Applied | NotApplied | Unreadable:
    parsed = UNIFIED.parse(reply, leniency)
    return parsed if isinstance(parsed, Unreadable) else UNIFIED.apply(parsed, tree, leniency)


# step(s), reply, file before, file after
STEPS: dict[str, tuple[str, str, bytes, bytes]] = {
    "no final newline": ("reply_end", (HEAD + HUNK)[:-1], FILE, FIVE),
    "git's header against the others": ("git_header", GIT + "new file mode 100644\n" + HEAD + HUNK + "\n", FILE, FIVE),
    "only +++": ("missing_sentinel", "+++ b/x\n" + HUNK, FILE, FIVE),
    "only ---": ("missing_sentinel", "--- a/x\n" + HUNK, FILE, FIVE),
    "only +++, after git's header": ("missing_sentinel", GIT + "index 1..2\n+++ b/x\n" + HUNK, FILE, FIVE),
    "indented": ("marker_noise", "".join(f"    {line}\n" for line in (HEAD + HUNK).splitlines()), FILE, FIVE),
    "stacked": ("marker_noise", HEAD + "@@ class A:\n" + HUNK, FILE, FIVE),
    "stacked, numbers above": ("marker_noise", HEAD + HUNK.replace("@@\n", "@@\n@@ def f():\n"), FILE, FIVE),
    "no closing @@": ("marker_noise", HEAD + HUNK.replace(" @@\n", "\n"), FILE, FIVE),
    "two fences": ("fence_noise", f"```diff\n{HEAD}{HUNK}```\nand\n```diff\n{NEXT}```\n", FILE, BOTH),
    "prose between": ("fence_noise", HEAD + HUNK + "And then:\n" + NEXT, FILE, BOTH),
    "unmarked context": ("unmarked_context", HEAD + HUNK.replace("\n 4\n", "\n4\n"), FILE, FIVE),
    "counts too large": ("hunk_counts", f"```diff\n{HEAD}{HUNK.replace('4,3', '4,7')}```\n", FILE, FIVE),
    "counts too small, and another hunk": ("hunk_counts", HEAD + HUNK.replace("4,3", "4,2") + NEXT, FILE, BOTH),
    "counts, unmarked context": (
        "unmarked_context+hunk_counts",
        f"```diff\n{HEAD}{HUNK.replace('4,3', '4,7').replace(' 4', '4')}```\n", FILE, FIVE),
    "counts and a blank line below": ("hunk_counts", HEAD + HUNK.replace("4,3", "4,9") + "\nDone.\n", FILE, FIVE),
    "@@ ... @@": ("hunk_numbers", f"```diff\n{HEAD}@@ ... @@\n{BODY}```\n", FILE, FIVE),
    "@@": ("hunk_numbers", f"{HEAD}@@\n{BODY}", FILE, FIVE),
    "@@ def f(): @@": ("hunk_numbers", f"{HEAD}@@ def f(): @@\n{BODY}Done.\n", FILE, FIVE),
    "no trailing context, no numbers": ("hunk_numbers", f"{HEAD}@@ @@\n 4\n-5\n+five\n```\n", FILE, FIVE),
    "backticks": ("path_decoration", HEAD.replace("a/x", "`a/x`").replace("b/x", "`b/x`") + HUNK, FILE, FIVE),
    "colon": ("path_decoration", HEAD.replace("/x", "/x:") + HUNK, FILE, FIVE),
    "blanks": ("path_decoration", HEAD.replace("/x", "/x ") + HUNK, FILE, FIVE),
    "CRLF in the diff": ("line_endings", (HEAD + HUNK).replace("\n", "\r\n"), FILE, FIVE),
    "CRLF in the file": ("line_endings", HEAD + HUNK, CRLF, FIVE.replace(b"\n", b"\r\n")),
    "CRLF in the diff, bare blanks": (
        "line_endings", (HEAD + "@@ -1,3 +1,3 @@\n 1\n\n-3\n+three\n").replace("\n", "\r\n"), b"1\n\n3\n",
        b"1\n\nthree\n"),
    "trailing blanks in the diff": ("trailing_space", HEAD + HUNK.replace(" 4\n", " 4  \n"), FILE, FIVE),
    "trailing blanks in the file": (
        "trailing_space", HEAD + HUNK, FILE.replace(b"4\n", b"4 \t\n"), FIVE.replace(b"4\n", b"4 \t\n")),
    "newline at the end not denied": (
        "file_end", HEAD + "@@ -8,2 +8,2 @@\n 8\n-9\n+nine\n", FILE[:-1], FILE.replace(b"9\n", b"nine")),
    "newline at the end denied": (
        "file_end", HEAD + f"@@ -7,3 +7,3 @@\n 7\n-8\n+eight\n 9\n{NOTE}", FILE, FILE.replace(b"8\n", b"eight\n")),
    "newline within the file denied": ("file_end", HEAD + HUNK + NOTE, FILE, FIVE),
    "nothing below": ("edge_context", HEAD + "@@ -4,2 +4,2 @@\n 4\n-5\n+five\n", FILE, FIVE),
    "nothing around": ("edge_context", HEAD + "@@ -5 +5 @@\n-5\n+five\n", FILE, FIVE),
    "inserted after a line": ("edge_context", HEAD + "@@ -3,0 +4 @@\n+new\n", FILE, FILE.replace(b"3\n", b"3\nnew\n")),
    "inserted at the top": ("edge_context", HEAD + "@@ -0,0 +1 @@\n+new\n", FILE, b"new\n" + FILE),
    "says line 1, is elsewhere": ("edge_context", HEAD + HUNK.replace("4,3", "1,3"), FILE, FIVE),
    "first and last context wrong": (
        "context_fuzz", HEAD + "@@ -3,5 +3,5 @@\n three\n 4\n-5\n+five\n 6\n seven\n", FILE, FIVE),
    "two at either end wrong": (
        "context_fuzz", HEAD + "@@ -2,7 +2,7 @@\n x\n y\n 4\n-5\n+five\n 6\n y\n x\n", FILE, FIVE),
    "fuzz, in CRLF": (
        "line_endings+context_fuzz", HEAD + "@@ -3,5 +3,5 @@\n three\n 4\n-5\n+five\n 6\n seven\n", CRLF,
        FIVE.replace(b"\n", b"\r\n")),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "reply", "before", "after"), STEPS.values(), ids=STEPS.keys())
def test_a_step_admits_what_it_names_and_is_recorded(
    tree_of: Callable[..., Tree], steps: str, reply: str, before: bytes, after: bytes
) -> None:
    tree, named = tree_of({"x": before, "y/z": b"1\n"}), tuple(steps.split("+"))
    for leniency in (STANDARD, frozenset(named)):
        found = result(tree, reply, leniency)
        assert isinstance(found, Applied), found
        assert found.files == {"x": after}
        assert found.steps == (named,)
    assert not isinstance(result(tree, reply, STRICT), Applied)
    for step in named:
        assert not isinstance(result(tree, reply, frozenset(named) - {step}), Applied)


def test_a_bare_name_and_a_name_with_more_in_front_are_the_one_file_that_ends_so(tree_of: Callable[..., Tree]) -> None:
    tree = tree_of({"src/p/x.py": FILE, "src/q/y.py": FILE, "src/r/y.py": FILE})
    for name in ("x.py", "p/x.py", "repo/src/p/x.py"):
        found = result(tree, f"--- a/{name}\n+++ b/{name}\n{HUNK}", STANDARD)
        assert isinstance(found, Applied)
        assert found.files == {"src/p/x.py": FIVE}
        assert found.steps == (("path_recovery",),)
    for name in ("y.py", "z.py"):
        found = result(tree, f"--- a/{name}\n+++ b/{name}\n{HUNK}", STANDARD)
        assert isinstance(found, NotApplied)
        assert found.detail is Detail.UNKNOWN_PATH


def test_a_folder_that_is_called_a_is_found(tree_of: Callable[..., Tree]) -> None:
    found = result(tree_of({"a/x.py": FILE}), f"--- a/x.py\n+++ a/x.py\n{HUNK}", STANDARD)
    assert isinstance(found, Applied)
    assert found.files == {"a/x.py": FIVE}


# Refused whatever is admitted; the second column: the reply ends inside an edit (None: it can be read).
NEVER: dict[str, tuple[str, bool | None]] = {
    "cut within a hunk": (HEAD + HUNK[:-5], True),
    "cut within a hunk in a fence": ("```diff\n" + HEAD + HUNK.replace("4,3", "4,4"), True),
    "cut within a hunk without numbers": (f"```diff\n{HEAD}@@ ... @@\n{BODY}", True),
    "cut after a header": (HEAD + HUNK + "--- a/y\n+++ b/y\n", True),
    "cut in a hunk header": (HEAD + "@@ -4,3 +", True),
    "no file at all": (HUNK, False),
    "no change": (HEAD + "@@ -4,3 +4,3 @@\n 4\n 5\n 6\n", False),
    "removed line altered": (HEAD + HUNK.replace("-5", "-V"), None),
    "three lines of context wrong": (HEAD + "@@ -2,5 +2,5 @@\n x\n y\n z\n-5\n+five\n 6\n", None),
    "already applied": (HEAD + HUNK.replace("-5", "-five").replace("+five", "+5"), None),
    "no numbers, no lines to find": (f"{HEAD}@@ ... @@\n+new\n```\n", None),
    "HTML": (HEAD + "@@ -4,3 +4,3 @@\n 4\n-5 &lt; 6\n+five\n 6\n", None),
    "a no-break space": (HEAD + HUNK.replace("-5", "-\u00a05"), None),
    "JSON": ('{"diff": "--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-1\\n+one\\n"}', False),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "open_end"), NEVER.values(), ids=NEVER.keys())
def test_the_whole_ladder_does_not_admit(tree_of: Callable[..., Tree], reply: str, open_end: bool | None) -> None:
    for leniency in (STRICT, STANDARD):
        found = result(tree_of({"x": FILE}), reply, leniency)
        assert not isinstance(found, Applied)
        if open_end is not None and leniency:
            assert isinstance(found, Unreadable)
            assert found.unterminated is open_end
        if open_end is None and leniency:
            assert isinstance(found, NotApplied)


def test_a_hunk_without_numbers_must_fit_in_one_place(tree_of: Callable[..., Tree]) -> None:
    found = result(tree_of({"x": b"a\nb\na\nc\n"}), HEAD + "@@ ... @@\n-a\n+A\n```\n", STANDARD)
    assert isinstance(found, NotApplied)
    assert found.detail is Detail.ANCHOR_AMBIGUOUS
    assert "2 places (lines 1, 3)" in found.message


def test_what_applies_to_the_letter_is_the_same_with_the_whole_ladder(tree_of: Callable[..., Tree]) -> None:
    reply = HEAD + HUNK + "+more\n- and a list\n"
    strict, standard = (result(tree_of({"x": FILE}), reply, leniency) for leniency in (STRICT, STANDARD))
    assert strict == standard
    assert isinstance(strict, Applied)


def patched(folder: Path, diff: str, before: bytes) -> bytes | None:
    """The file after GNU patch, or None where it refuses."""
    (folder / "x").write_bytes(before)
    command = ["patch", "-p1", "-f", "-s", "--no-backup-if-mismatch", "-r-"]
    done = subprocess.run(command, cwd=folder, input=diff.encode(), capture_output=True)
    return (folder / "x").read_bytes() if done.returncode == 0 else None


LETTERS = st.lists(st.sampled_from("abc"), min_size=1, max_size=12)


@st.composite
def near_misses(draw: st.DrawFn) -> tuple[str, bytes]:
    """A diff of one or two hunks over a file that repeats itself, and the file; it may fit or not."""
    before = draw(LETTERS)
    hunks = []
    for _ in range(draw(st.integers(1, 2))):
        start, size = draw(st.integers(0, len(before))), draw(st.integers(0, 5))
        old = before[start : start + size]
        lead = draw(st.integers(0, 2))
        marks = [" " if n < lead or n >= len(old) - draw(st.integers(0, 2)) else "-" for n in range(len(old))]
        body = [mark + draw(st.sampled_from([line] * 6 + ["z"])) for mark, line in zip(marks, old, strict=True)]
        body.insert(draw(st.integers(0, len(body))), "+new")
        line = max(start + bool(old) + draw(st.sampled_from([0, 0, 0, 1, -1, 4])), 0)
        hunks.append(f"@@ -{line},{len(old)} +{line},{sum(b[0] != '-' for b in body)} @@\n" + "\n".join(body) + "\n")
    return HEAD + "".join(hunks), "".join(f"{line}\n" for line in before).encode()


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=near_misses())
@example(case=(
    "--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n c\n+new\n c\n@@ -1,3 +1,3 @@\n c\n c\n+new\n-c\n", b"c\nc\nc\n",
))  # fmt: skip
def test_the_fuzz_step_is_gnu_patchs(
    tree_of: Callable[..., Tree], tmp_path: Path, case: tuple[str, bytes]
) -> None:
    diff, before = case
    found = result(tree_of({"x": before}), diff, frozenset({"context_fuzz"}))
    if isinstance(found, Applied) and "context_fuzz" not in found.steps[0]:
        return  # git's rule came first
    assert (found.files["x"] if isinstance(found, Applied) else None) == patched(tmp_path, diff, before)


@pytest.mark.parametrize("leniency", [STRICT, STANDARD], ids=["strict", "standard"])
@pytest.mark.parametrize("kind", ["apart", "same", "junk", "misfits"])
def test_time_is_linear(tree_of: Callable[..., Tree], kind: str, leniency: Leniency) -> None:
    """A megabyte of diff and a file of 50,000 lines: well under a few seconds, however much repeats."""
    distinct = kind in ("apart", "misfits")
    lines = [f"line {n if distinct else 7}\n" for n in range(50_000)]
    numbers = range(2, 49_990, 3) if distinct else [2] * 16_000
    body = " {0}-{1}+new\n {2}" if kind != "misfits" else " {0}-{1}+new\n other {2}"
    hunks = [f"@@ -{n + 1},3 +{n + 1},3 @@\n" + body.format(*lines[n : n + 3]) for n in numbers]
    reply = HEAD + ("".join(hunks) if kind != "junk" else "@@ -1,3 +1,3 @@\n" + " line 7\n" * 100_000)
    started = time.monotonic()
    result(tree_of({"x": "".join(lines).encode()}), reply, leniency)
    assert time.monotonic() - started < 20


def git_applied(folder: Path, diff: str, before: bytes) -> bytes | None:
    """The file after `git apply`, or None where it refuses."""
    (folder / "x").write_bytes(before)
    environment = git_environment() | {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    done = subprocess.run(["git", "apply", "-"], cwd=folder, input=diff.encode(), env=environment, capture_output=True)
    return (folder / "x").read_bytes() if done.returncode == 0 else None


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=near_misses())
def test_to_the_letter_it_is_gits(tree_of: Callable[..., Tree], tmp_path: Path, case: tuple[str, bytes]) -> None:
    diff, before = case
    found, gits = result(tree_of({"x": before}), diff, STRICT), git_applied(tmp_path, diff, before)
    if isinstance(found, Applied):
        assert found.files["x"] == gits
    elif gits is not None:  # the one exception: git looks at the end of the file only, however near another place is
        assert isinstance(found, NotApplied)
        assert any(hunk.trail == 0 for edit in UNIFIED.parse(diff) for hunk in edit.hunks)  # type: ignore


@settings(max_examples=300, deadline=None)
@given(case=near_misses(), noted=st.booleans())
def test_the_quick_search_gives_what_gits_rule_gives(case: tuple[str, bytes], noted: bool) -> None:
    diff, before = case
    parsed = UNIFIED.parse(diff + NOTE * noted, STRICT)
    if isinstance(parsed, Unreadable):
        return
    hunks, text = parsed[0].hunks, before.decode()  # type: ignore[attr-defined]
    quick = only_places(hunks, text)
    assert quick is None or quick == by_git(hunks, split_lines(text), ())
