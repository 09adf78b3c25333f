"""Precedence: of all that is wrong with a reply, the first in the order of the taxonomy is its category."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from evaluator.formats import FORMATS
from evaluator.formats.model import STRICT, Leniency, Tree
from evaluator.scoring import Score, Tests, score_reply
from evaluator.taxonomy import Category, Detail, StopReason, is_retried
from miner.fixtures import Task
from miner.symbols.files import SYMBOLS_VERSION, Files

SOURCE = "a = 1\n\n\ndef f():\n    x = 0\n    return x\n\n\ndef g():\n    x = 0\n    return x\n"
FILES = {"m.py": SOURCE.encode(), "notes.txt": b"one\ntwo\nthree\n", "tests/test_m.py": b"def test(): pass\n",
         "tests/conftest.py": b"", "README.md": b"# M\n", "setup.cfg": b"[a]\n", "bad.py": b"def (:\n"}  # fmt: skip
ALLOWED = {"m.py": ["f"], "notes.txt": ["<lines 2-2>"]}

SR = "m.py\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
UD = "--- a/m.py\n+++ b/m.py\n@@ -{0},{1} +{0},{2} @@\n{3}"
AP = "*** Begin Patch\n*** Update File: m.py\n{}"
GOOD = {
    "whole_file": "m.py\n```python\n" + SOURCE.replace("x = 0\n    return x", "x = 0\n    return 1", 1) + "```\n",
    "unified_diff": UD.format(4, 4, 4, " def f():\n     x = 0\n-    return x\n+    return 1\n \n"),
    "search_replace": SR.format(
        "def f():\n    x = 0\n    return x", "def f():\n    x = 0\n    return 1"
    ),
    "str_replace": (
        '[{"path": "m.py", "old": "def f():\\n    x = 0\\n    return x", "new": "def f():\\n    x = 0\\n    return 1"}]'
    ),
    "udiff": "--- a/m.py\n+++ b/m.py\n@@ ... @@\n def f():\n     x = 0\n-    return x\n+    return 1\n",
    "apply_patch": AP.format("@@ def f():\n     x = 0\n-    return x\n+    return 1\n*** End Patch\n"),
}
OPEN = {
    "whole_file": "m.py\n```python\na = 1\n",
    "unified_diff": UD.format(4, 3, 3, " def f():\n     x = 0\n"),
    "search_replace": "m.py\n<<<<<<< SEARCH\ndef f():\n=======\n",
    "str_replace": '```json\n[{"path": "m.py", "old": "def f',
    "udiff": "```diff\n--- a/m.py\n+++ b/m.py\n@@ ... @@\n def f():\n",
    "apply_patch": AP.format("@@ def f():\n     x = 0\n-    return"),
}


STOP: dict[bool | None, StopReason | None] = {True: "length", False: "stop", None: None}


@pytest.fixture
def scored(checked_in: list[Task], tree_of: Callable[..., Tree]) -> Callable[..., Score]:
    def score(
        name: str, reply: str, tests: Callable[[Files], Tests] = lambda files: Tests.PASS,
        truncated: bool | None = False, allowed: Mapping[str, list[str]] = ALLOWED, leniency: Leniency = STRICT,
    ) -> Score:  # fmt: skip
        record = checked_in[0].fixture.model_copy(
            update={"allowed": allowed, "symbols_version": SYMBOLS_VERSION,
                    "test_files": ["tests/test_new.py"], "dropped_files": ["README.md"]}
        )  # fmt: skip
        others = [fmt for other, fmt in FORMATS.items() if other != name]
        task = replace(checked_in[0], fixture=record)
        return score_reply(reply, STOP[truncated], FORMATS[name], others, task, tree_of(FILES), tests, leniency)

    return score


def row(score: Score) -> tuple[Category | None, Detail | None]:
    return score.category, score.detail


def never(files: Files) -> Tests:
    pytest.fail("tests must not be run")


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_small_right_edit_is_resolved(scored: Callable[..., Score], name: str) -> None:
    found = scored(name, GOOD[name])
    assert row(found) == (None, None)
    assert (found.applied, found.valid, found.edits, found.edits_applied) == (True, True, 1, 1)


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("reply", ["good", "open", "prose", ""])
def test_a_reply_cut_at_the_cap_is_truncated_whatever_it_holds(
    scored: Callable[..., Score], name: str, reply: str
) -> None:
    text = {"good": GOOD[name], "open": OPEN[name]}.get(reply, reply)
    found = scored(name, text, never, truncated=True)
    assert row(found) == (Category.TRUNCATED, Detail.STOP_LENGTH if reply else Detail.IN_REASONING)
    assert not found.applied


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize(
    ("truncated", "expected"),
    [(None, (Category.TRUNCATED, Detail.UNTERMINATED)), (False, (Category.MALFORMED, Detail.BAD_BLOCK))],
    ids=["stop reason unknown", "normal stop"],
)
def test_an_open_end_is_truncation_only_where_no_stop_reason_is_known(
    scored: Callable[..., Score], name: str, truncated: bool | None, expected: tuple[Category, Detail]
) -> None:
    assert row(scored(name, OPEN[name], never, truncated)) == expected


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_whole_reply_without_stop_reason_is_scored_as_any(scored: Callable[..., Score], name: str) -> None:
    assert row(scored(name, GOOD[name], truncated=None)) == (None, None)
    assert row(scored(name, "prose", never, None)) == (Category.MALFORMED, Detail.NO_EDIT)


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("other", list(FORMATS))
def test_a_good_reply_in_another_format_is_malformed_and_said_to_be_that(
    scored: Callable[..., Score], name: str, other: str
) -> None:
    # Numbers are not looked at in udiff: what has them is read as well.
    if name != other and (name, other) != ("udiff", "unified_diff"):
        assert row(scored(name, GOOD[other], never)) == (Category.MALFORMED, Detail.OTHER_FORMAT)


NOT_APPLIED = {
    "search: not there": ("search_replace", SR.format("gone", "x"), Detail.ANCHOR_MISSING, 1, 0),
    "search: other white space": ("search_replace", SR.format("  x = 0", "y"), Detail.ANCHOR_MISSING, 1, 0),
    "search: part of a line": ("search_replace", SR.format("a =", "b ="), Detail.ANCHOR_MISSING, 1, 0),
    "search: twice": ("search_replace", SR.format("    x = 0", "y"), Detail.ANCHOR_AMBIGUOUS, 1, 0),
    "search: empty, file not": ("search_replace", SR.replace("{}\n", "").format(), Detail.HUNK_MISMATCH, 1, 0),
    "search: second does not fit": (
        "search_replace", GOOD["search_replace"] + SR.format("gone", "x"), Detail.ANCHOR_MISSING, 2, 1),
    "search: used up by the first": (
        "search_replace", SR.format("a = 1", "b = 1") * 2, Detail.ANCHOR_MISSING, 2, 1),
    "search: unknown": (
        "search_replace", SR.format("a", "b").replace("m.py", "n.py"), Detail.UNKNOWN_PATH, 1, 0),
    "hunk: other context": (
        "unified_diff", UD.format(1, 1, 1, "-a = 2\n+a = 3\n"), Detail.HUNK_MISMATCH, 1, 0),
    "hunk: second does not fit": (
        "unified_diff", UD.format(1, 2, 2, "-a = 1\n+a = 3\n \n@@ -4 +4 @@\n-gone\n+x\n"),
        Detail.HUNK_MISMATCH, 2, 1),
    "hunk: on the lines of the one above": (
        "unified_diff", UD.format(1, 2, 2, "-a = 1\n+a = 3\n \n@@ -2,2 +2,2 @@\n \n-\n+x\n"),
        Detail.HUNK_MISMATCH, 2, 1),
    "hunk: unknown": (
        "unified_diff", UD.format(1, 1, 1, "-a\n+b\n").replace("m.py", "n.py"), Detail.UNKNOWN_PATH, 1, 0),
    "hunk: leaves lines of a deleted file": (
        "unified_diff", UD.format(1, 1, 0, "-a = 1\n").replace("b/m.py", "/dev/null"),
        Detail.HUNK_MISMATCH, 1, 0),
    "patch: other context": ("apply_patch", AP.format("@@\n-gone\n*** End Patch"), Detail.HUNK_MISMATCH, 1, 0),
    "patch: second does not fit": (
        "apply_patch", AP.format("@@\n-a = 1\n@@\n-gone\n*** End Patch"), Detail.HUNK_MISMATCH, 2, 1),
    "patch: unknown": (
        "apply_patch", AP.format("@@\n-a\n*** End Patch").replace("m.py", "n.py"), Detail.UNKNOWN_PATH, 1, 0),
    "delete: unknown": ("whole_file", "DELETE FILE: n.py\n", Detail.UNKNOWN_PATH, 1, 0),
    "outside": ("whole_file", GOOD["whole_file"].replace("m.py", "../m.py"), Detail.FORBIDDEN_PATH, 1, 0),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "reply", "detail", "edits", "fitted"), NOT_APPLIED.values(), ids=NOT_APPLIED.keys()
)
def test_an_edit_that_does_not_fit_is_not_applied_and_counted(
    scored: Callable[..., Score], name: str, reply: str, detail: Detail, edits: int, fitted: int
) -> None:
    found = scored(name, reply, never)
    assert row(found) == (Category.NOT_APPLIED, detail)
    assert (found.applied, found.edits, found.edits_applied) == (False, edits, fitted)
    assert found.feedback, "a retry is told why"


HUNK_IN_BOTH = "     x = 0\n-    return x\n+    return 1\n"


def test_a_diff_that_lands_in_a_double_outside_is_misapplied_although_its_tests_pass(
    scored: Callable[..., Score],
) -> None:
    found = scored("unified_diff", UD.format(10, 2, 2, HUNK_IN_BOTH))
    assert row(found) == (Category.MISAPPLIED, Detail.WRONG_LOCATION)
    assert found.unintended == ("m.py::g",)
    there = scored("unified_diff", UD.format(5, 2, 2, HUNK_IN_BOTH), leniency=frozenset({"edge_context"}))
    assert row(there) == (None, None)


def test_an_edit_outside_without_a_double_inside_is_unintended(scored: Callable[..., Score]) -> None:
    found = scored("unified_diff", UD.format(10, 2, 2, HUNK_IN_BOTH), allowed={"m.py": ["a"]})
    assert row(found) == (Category.UNINTENDED_CHANGE, Detail.MODIFIED)


def test_broken_syntax_is_misapplied_before_anything_is_run(scored: Callable[..., Score]) -> None:
    found = scored("search_replace", SR.format("a = 1", "a = ("), never)
    assert row(found) == (Category.MISAPPLIED, Detail.BROKEN_SYNTAX)
    assert (found.applied, found.valid, found.parses, found.tests) == (True, False, False, None)
    assert "m.py::a" in found.unintended
    assert "m.py" in found.feedback


def test_broken_syntax_where_text_was_left_out_is_an_elision_and_retried_all_the_same(
    scored: Callable[..., Score],
) -> None:
    found = scored("whole_file", whole("a = 1\n\n\ndef f(:\n    # ... existing code ...\n"), never)
    assert row(found) == (Category.MISAPPLIED, Detail.ELISION)
    assert (found.applied, found.valid, found.parses, found.tests) == (True, False, False, None)
    assert is_retried(found.category, found.detail)


def test_an_edit_written_out_for_a_file_is_malformed(scored: Callable[..., Score]) -> None:
    found = scored("whole_file", "m.py\n```python\n" + GOOD["search_replace"].removeprefix("m.py\n") + "```\n", never)
    assert row(found) == (Category.MALFORMED, Detail.OTHER_FORMAT)
    assert not found.applied


def test_syntax_that_was_broken_before_is_not_the_replys(scored: Callable[..., Score]) -> None:
    found = scored("whole_file", "bad.py\n```\ndef (:\n# more\n```\n", allowed={"bad.py": ["<module>"]})
    assert found.category is not Category.MISAPPLIED


G_GONE = SOURCE[: SOURCE.index("\n\ndef g")]
F_DONE = GOOD["whole_file"].split("```python\n")[1].removesuffix("```\n")


def whole(text: str, path: str = "m.py") -> str:
    return f"{path}\n```\n{text}```\n"


def passes_with(*needed: str) -> Callable[[Files], Tests]:
    """Tests that pass where the module holds all these texts."""

    def tests(files: Files) -> Tests:
        text = (files.get("m.py") or SOURCE.encode()).decode()
        return Tests.PASS if all(piece in text for piece in needed) else Tests.FAIL

    return tests


def slow_without_g(files: Files) -> Tests:
    return Tests.PASS if b"def g" in (files["m.py"] or b"") else Tests.TIMEOUT


def always(result: Tests) -> Callable[[Files], Tests]:
    return lambda files: result


DONE_G_GONE = F_DONE[: F_DONE.index("\n\ndef g")]
VERDICTS = {
    "dropped, passes": (whole(DONE_G_GONE), always(Tests.PASS), Category.UNINTENDED_CHANGE, Detail.REMOVED,
                        Tests.PASS),
    "dropped, passes once put back": (whole(DONE_G_GONE), passes_with("return 1", "def g"),
                                      Category.UNINTENDED_CHANGE, Detail.REMOVED, Tests.FAIL),
    "dropped, times out, passes once put back": (whole(DONE_G_GONE), slow_without_g,
                                                 Category.UNINTENDED_CHANGE, Detail.REMOVED, Tests.TIMEOUT),
    "dropped, fails anyway": (whole(DONE_G_GONE), always(Tests.FAIL), Category.WRONG_CHANGE, Detail.TESTS_FAIL,
                              Tests.FAIL),
    "dropped, times out anyway": (whole(DONE_G_GONE), always(Tests.TIMEOUT), Category.WRONG_CHANGE,
                                  Detail.TESTS_TIMEOUT, Tests.TIMEOUT),
    "only dropped, put back is nothing": (whole(G_GONE), passes_with("return 1", "def g"), Category.WRONG_CHANGE,
                                          Detail.TESTS_FAIL, Tests.FAIL),
    "right place, wrong thing": (whole(F_DONE), always(Tests.FAIL), Category.WRONG_CHANGE, Detail.TESTS_FAIL,
                                 Tests.FAIL),
    "right place, too slow": (whole(F_DONE), always(Tests.TIMEOUT), Category.WRONG_CHANGE, Detail.TESTS_TIMEOUT,
                              Tests.TIMEOUT),
    "removed is graver than modified and added": (
        whole("b = 1\n" + DONE_G_GONE.replace("a = 1", "a = 2")), always(Tests.PASS), Category.UNINTENDED_CHANGE,
        Detail.REMOVED, Tests.PASS),
    "modified is graver than added": (
        whole(F_DONE.replace("a = 1", "a = 2") + "\n\nb = 1\n"), always(Tests.PASS), Category.UNINTENDED_CHANGE,
        Detail.MODIFIED, Tests.PASS),
    "byte order mark": (whole("\ufeff" + F_DONE), always(Tests.PASS), Category.UNINTENDED_CHANGE, Detail.BYTES,
                        Tests.PASS),
    "elided": (whole(F_DONE[: F_DONE.index("def g")] + "# ... rest of the file unchanged ...\n"), always(Tests.PASS),
               Category.UNINTENDED_CHANGE, Detail.ELISION, Tests.PASS),
    "elided, passes once put back": (
        whole(F_DONE[: F_DONE.index("def g")] + "# ... existing code ...\n"), passes_with("return 1", "def g"),
        Category.UNINTENDED_CHANGE, Detail.ELISION, Tests.FAIL),
    "elided in another file than the unintended change": (
        whole(DONE_G_GONE) + whole("one\n# ...\n", "notes.yaml"), always(Tests.PASS),
        Category.UNINTENDED_CHANGE, Detail.REMOVED, Tests.PASS),
    "a comment that only looks like it": (
        whole(DONE_G_GONE + "\n\n# the rest of the world\n"), always(Tests.PASS), Category.UNINTENDED_CHANGE,
        Detail.REMOVED, Tests.PASS),
    "lines of a text file": (whole("one\ntwo!\nthree\n", "notes.txt"), always(Tests.PASS), None, None, Tests.PASS),
    "other lines of a text file": (whole("one!\ntwo\nthree\n", "notes.txt"), always(Tests.PASS),
                                   Category.UNINTENDED_CHANGE, Detail.MODIFIED, Tests.PASS),
    "a new source file": (whole(F_DONE) + whole("b = 1\n", "n.py"), always(Tests.PASS), Category.UNINTENDED_CHANGE,
                          Detail.ADDED, Tests.PASS),
    "an empty new source file": (whole(F_DONE) + whole("", "n.py"), always(Tests.PASS), Category.UNINTENDED_CHANGE,
                                 Detail.ADDED, Tests.PASS),
    "a deleted source file": (whole(F_DONE) + "DELETE FILE: notes.txt\n", always(Tests.PASS),
                              Category.UNINTENDED_CHANGE, Detail.REMOVED, Tests.PASS),
}  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "tests", "category", "detail", "first_run"), VERDICTS.values(), ids=VERDICTS.keys()
)
def test_what_was_applied_is_judged_by_symbols_and_tests(
    scored: Callable[..., Score], reply: str, tests: Callable[[Files], Tests], category: Category | None,
    detail: Detail | None, first_run: Tests,
) -> None:  # fmt: skip
    found = scored("whole_file", reply, tests)
    assert row(found) == (category, detail)
    assert found.tests is first_run, "the verdict of the tests is that of the reply as it was"
    assert found.valid is (first_run is Tests.PASS)


BESIDE = {
    "new test": (whole("x = 1\n", "tests/test_other.py"), None),
    "test of the truth's own": (whole("x = 1\n", "tests/test_new.py"), None),
    "new document": (whole("text\n", "docs/x.md"), None),
    "document that the truth changes too": (whole("# N\n", "README.md"), None),
    "new conftest": (whole("x = 1\n", "tests/sub/conftest.py"), None),
    "existing test": (whole("def test(): assert 0\n", "tests/test_m.py"), "tests/test_m.py::test"),
    "existing test deleted": ("DELETE FILE: tests/test_m.py\n", "tests/test_m.py::test"),
    "existing conftest": (whole("x = 1\n", "tests/conftest.py"), "tests/conftest.py::x"),
    "existing conftest deleted": ("DELETE FILE: tests/conftest.py\n", "tests/conftest.py::<module>"),
    "test configuration": (whole("[b]\n", "setup.cfg"), "setup.cfg::<lines 1-1>"),
}


@pytest.mark.parametrize(("beside", "unintended"), BESIDE.values(), ids=BESIDE.keys())
def test_new_tests_and_the_truths_own_files_are_ignored_and_existing_ones_are_not(
    scored: Callable[..., Score], beside: str, unintended: str | None
) -> None:
    laid: list[Files] = []

    def tests(files: Files) -> Tests:
        laid.append(files)
        return Tests.PASS

    found = scored("whole_file", GOOD["whole_file"] + beside, tests)
    assert found.unintended == (() if unintended is None else (unintended,))
    assert found.category is (None if unintended is None else Category.UNINTENDED_CHANGE)
    if unintended is None:
        assert list(laid[0]) == ["m.py"], "what is ignored cannot help the reply either"


NOTHING = [whole(SOURCE), whole("x = 1\n", "tests/test_other.py"), whole(SOURCE) * 2]


@pytest.mark.parametrize("reply", NOTHING, ids=["same contents", "only a new test", "same contents twice"])
def test_a_reply_that_changes_nothing_that_counts_has_no_effect(scored: Callable[..., Score], reply: str) -> None:
    found = scored("whole_file", reply, never)
    assert row(found) == (Category.WRONG_CHANGE, Detail.NO_EFFECT)
    assert (found.applied, found.valid) == (True, False)


def test_only_signals_that_production_sees_are_retried() -> None:
    every = [(category, detail) for category in Category for detail in (*Detail, None)]
    retried = {found for found in every if is_retried(*found)}
    assert {category for category, _ in retried} == {
        Category.TRUNCATED, Category.MALFORMED, Category.NOT_APPLIED, Category.MISAPPLIED,
    }  # fmt: skip
    assert (Category.MISAPPLIED, Detail.WRONG_LOCATION) not in retried
    assert (Category.MISAPPLIED, None) not in retried
