"""udiff: hunks without line numbers, found by what they quote."""

# ruff: noqa: E501

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.formats.model import NO_NEWLINE, STRICT, Applied, CannotExpress, Leniency, NotApplied, Tree, Unreadable
from evaluator.formats.udiff import UDiff
from evaluator.taxonomy import Detail

UDIFF = UDiff()
ALL: Leniency = frozenset(tolerance.name for tolerance in UDIFF.tolerances)
FILES = {
    "x.py": b"def f(x):\n    return x\n\n\ndef g(x):\n    return x\n", "crlf.txt": b"one\r\ntwo\r\n", "end": b"a\nb",
    "empty": b"", "p/deep.py": b"1\n2\n",
}  # fmt: skip
HEAD = "--- a/{0}\n+++ b/{0}\n"


def applied(reply: str, leniency: Leniency = STRICT) -> Applied | NotApplied | Unreadable:
    edits = UDIFF.parse(reply, leniency)
    if isinstance(edits, Unreadable):
        return edits
    return UDIFF.apply(edits, Tree(dict.fromkeys(FILES, "100644"), FILES.__getitem__), leniency)


def on(path: str, *hunks: str) -> str:
    return HEAD.format(path) + "".join(f"@@ ... @@\n{hunk}" for hunk in hunks)


F = " def f(x):\n-    return x\n+    return 1\n"
ONE = FILES["x.py"].replace(b"return x", b"return 1", 1)
APPLIES = {
    "a hunk": (on("x.py", F), {"x.py": ONE}),
    "in a fence, with prose around": (f"Here:\n\n```diff\n{on('x.py', F)}```\n\n- that is all\n", {"x.py": ONE}),
    "in a fence with more than a language": (f"```diff -u title=x.py\n{on('x.py', F)}```\n", {"x.py": ONE}),
    "below a fence with more than a language": (
        f"Test it:\n\n```sh title=\"run\"\npytest\n```\n\n{on('x.py', F)}", {"x.py": ONE}),
    "plain paths": ("--- x.py\n+++ x.py\n@@ @@\n" + F, {"x.py": ONE}),
    "numbers are not looked at": (HEAD.format("x.py") + "@@ -90,2 +70,9 @@\n" + F, {"x.py": ONE}),
    "two hunks, the lower first": (
        on("x.py", " def g(x):\n-    return x\n+    return 2\n", F), {"x.py": ONE.replace(b"return x", b"return 2")}),
    "a hunk on the result of another": (on("x.py", F, "-    return 1\n+    return 3\n"), {"x.py": ONE.replace(b"1", b"3")}),
    "two files": (on("x.py", F) + on("p/deep.py", "-1\n"), {"x.py": ONE, "p/deep.py": b"2\n"}),
    "a new file": ("--- /dev/null\n+++ b/new.py\n@@ ... @@\n+1\n", {"new.py": b"1\n"}),
    "a new empty file": ("--- /dev/null\n+++ b/new.py\n", {"new.py": b""}),
    "into an empty file": (on("empty", "+1\n"), {"empty": b"1\n"}),
    "a deleted file": ("--- a/x.py\n+++ /dev/null\n", {"x.py": None}),
    "a final newline comes": (on("end", f" a\n-b\n{NO_NEWLINE}\n+b\n"), {"end": b"a\nb\n"}),
    "a final newline stays away": (on("end", f"-a\n+A\n b\n{NO_NEWLINE}\n"), {"end": b"A\nb"}),
    "nothing changes": (on("x.py", " def f(x):\n"), {"x.py": FILES["x.py"]}),
    "CRLF as it is in the file": (on("crlf.txt", "-one\r\n+1\r\n"), {"crlf.txt": b"1\r\ntwo\r\n"}),
    "removed and added lines that look like a header": (
        on("p/deep.py", "-1\n+-- a\n") + on("p/deep.py", "--- a\n+++ b\n 2\n"), {"p/deep.py": b"++ b\n2\n"}),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "files"), APPLIES.values(), ids=APPLIES.keys())
def test_a_reply_gives_these_files_to_the_letter(reply: str, files: dict[str, bytes | None]) -> None:
    for leniency in (STRICT, ALL):
        outcome = applied(reply, leniency)
        assert isinstance(outcome, Applied), outcome
        assert outcome.files == files
        assert not any(outcome.steps)


REFUSED = {
    "old lines that are not there": (on("x.py", "-gone\n"), Detail.ANCHOR_MISSING),
    "old lines twice": (on("x.py", "-    return x\n+    return 1\n"), Detail.ANCHOR_AMBIGUOUS),
    "only new lines": (on("x.py", "+1\n"), Detail.HUNK_MISMATCH),
    "a new file that is there": ("--- /dev/null\n+++ b/x.py\n@@ @@\n+1\n", Detail.HUNK_MISMATCH),
    "no such file": (on("y.py", F), Detail.UNKNOWN_PATH),
    "outside": (on("../x.py", F), Detail.FORBIDDEN_PATH),
    "already made": (on("x.py", F, F), Detail.ANCHOR_MISSING),
    "a second hunk does not fit": (on("x.py", F, "-gone\n"), Detail.ANCHOR_MISSING),
    "renamed": ("--- a/x.py\n+++ b/y.py\n@@ @@\n" + F, Detail.BAD_BLOCK),
    "no hunk": (HEAD.format("x.py"), Detail.BAD_BLOCK),
    "a hunk without lines": (on("x.py", ""), Detail.BAD_BLOCK),
    "a new file with old lines": ("--- /dev/null\n+++ b/n.py\n@@ @@\n-1\n+2\n", Detail.BAD_BLOCK),
    "an open fence": ("```diff\n" + on("x.py", F), Detail.BAD_BLOCK),
    "an open fence with more than a language": ("```diff -u\n" + on("x.py", F), Detail.BAD_BLOCK),
    "an open fence below a diff": (on("x.py", F) + "\n```sh\npytest\n", Detail.BAD_BLOCK),
    "prose": ("I would change f.", Detail.NO_EDIT),
    "prose and code in an open fence": ("Here it is:\n\n```python\ndef f(x):\n    return 1\n", Detail.NO_EDIT),
    "no diff in a fence": ("It was removed.\n\n```diff -u --git-raw=1940 \n+----+\n  Mode: rw\n```\n", Detail.NO_EDIT),
    "+++ without ---": ("+++ b/x.py\n@@ @@\n" + F, Detail.NO_EDIT),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "detail"), REFUSED.values(), ids=REFUSED.keys())
def test_a_reply_is_refused_because(reply: str, detail: Detail) -> None:
    outcome = applied(reply)
    assert not isinstance(outcome, Applied)
    assert outcome.detail is detail
    assert outcome.message
    assert "SEARCH" not in outcome.message


def test_only_a_reply_that_ends_in_a_fence_or_before_a_hunks_first_line_is_unterminated() -> None:
    outcomes = {name: applied(reply) for name, (reply, _) in REFUSED.items()}
    unterminated = [name for name, o in outcomes.items() if isinstance(o, Unreadable) and o.unterminated]
    assert unterminated == [
        "no hunk", "a hunk without lines", "an open fence", "an open fence with more than a language",
        "an open fence below a diff",
    ]  # fmt: skip


def test_a_header_with_prose_below_is_not_unterminated() -> None:
    outcome = applied(HEAD.format("x.py") + "\nThat is all.\n")
    assert isinstance(outcome, Unreadable)
    assert (outcome.detail, outcome.unterminated) == (Detail.BAD_BLOCK, False)


STEPS = {
    "an empty line for an empty line of context": (on("x.py", "-    return x\n+    return 1\n\n \n def g(x):\n"), {"blank_context"}),
    "stacked @@": (on("x.py", "@@ def f @@\n" + F), {"marker_noise"}),
    "+++ without ---": ("Change:\n+++ b/x.py\n@@ @@\n" + F, {"missing_sentinel"}),
    "two files without ---": ("+++ x.py\n@@ @@\n" + F + "\n+++ p/deep.py\n@@ @@\n-1\n", {"missing_sentinel"}),
    "trailing blanks": (on("x.py", " def f(x):  \n-    return x\n+    return 1\n"), {"trailing_space"}),
    "LF against CRLF": (on("crlf.txt", "-one\n+1\n"), {"line_endings"}),
    "a bare name": (on("deep.py", "-1\n"), {"path_recovery"}),
    "indentation": (on("x.py", "     def f(x):\n-        return x\n+        return 1\n"), {"indentation"}),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "steps"), STEPS.values(), ids=STEPS.keys())
def test_a_tolerance_applies_what_the_letter_does_not(reply: str, steps: set[str]) -> None:
    assert not isinstance(applied(reply), Applied)
    outcome = applied(reply, ALL)
    assert isinstance(outcome, Applied), outcome
    assert {step for edit in outcome.steps for step in edit} == steps
    named = applied(reply, frozenset(steps))
    assert isinstance(named, Applied)
    assert named.files == outcome.files


def test_an_added_line_like_a_header_is_no_header() -> None:
    outcome = applied(on("x.py", " def f(x):\n+++ b/y.py\n", "-    return x\n    \n \n def g(x):\n"), ALL)
    edits = UDIFF.parse(on("x.py", " def f(x):\n+++ b/y.py\n", " def g(x):\n"), ALL)
    assert not isinstance(edits, Unreadable)
    assert {edit.path for edit in edits} == {"x.py"}
    assert not isinstance(outcome, Unreadable)


LINE = st.sampled_from(["", "a", " a", "a\r", "-- x", "++ y", "@@", "--- a/x", "+++ b/x", "```", NO_NEWLINE, "\t}", "}"])
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(LINE, max_size=8), st.sampled_from(["", "\n"]))


@given(TEXT, TEXT)
@settings(max_examples=300, deadline=None)
def test_any_change_comes_out_as_it_went_in_or_cannot_be_said(before: str, after: str) -> None:
    old, new = {"d/f": before.encode()}, {"d/f": after.encode()}
    reply = UDIFF.encode(old, new)
    if isinstance(reply, CannotExpress) or before == after:
        return
    edits = UDIFF.parse(reply)
    assert not isinstance(edits, Unreadable), edits
    outcome = UDIFF.apply(edits, Tree({"d/f": "100644"}, lambda path: old[path]))
    assert isinstance(outcome, Applied), outcome
    assert outcome.files == new
