from collections.abc import Iterable

import pytest

from miner.prompt import slug
from miner.prompt.make import LeakPolicy, make_prompt
from miner.prompt.removal import Removal
from miner.prompt.shown_tests import shown_tests
from miner.prompt.thin import is_thin
from miner.sources.model import ClosedIssue, MergedChange
from tests.miner.test_prompt_leaks import patch

TITLES = [
    ("Retry posts on 503", "retry-posts-on-503"),
    ("Fix: `a.b` (again) (#12)", "fix-a-b-again"),
    ("Größe und Änderung", "gre-und-nderung"),
    ("修复", "change"),
    ("", "change"),
    ("../../etc/passwd", "etc-passwd"),
    ("A\nB\tC", "a-b-c"),
    ("x" * 60, "x" * 48),
    ("respect the day in ledger trial balance whenever asked", "respect-the-day-in-ledger-trial-balance"),
]
THIN = [
    ("# Fix bug\n", True),
    ("# Update utils.py\n", True),
    ("# Fix #12\n\nFixes #12, closes #13.\n", True),
    ("# Version 11.0.1\n", True),
    ("# Add dft and idft\n", True),
    ("# Improve code and docs\n\n[code removed: it is part of the answer]\n", True),
    ("# Raise for negative sizes in sliced()\n", False),
    ("# Allow `limit=None` in `take`\n", False),
    ("# Fix bug\n\nAn empty list of names is taken for a missing one.\n", False),
]
CODE = "for attempt in range(limit):\n    post(url, body, attempt)\n    sleep(delay * 2)"


def change(title: str, body: str = "", closes: Iterable[ClosedIssue] = ()) -> MergedChange:
    return MergedChange(
        number="7", title=title, body=body, author="", email="", branch="", date="", base="", merged="", tip="",
        files=(), closes=tuple(closes),
    )  # fmt: skip


@pytest.mark.parametrize(("title", "expected"), TITLES)
def test_slug_is_short_lower_case_ascii(title: str, expected: str) -> None:
    assert slug(title) == expected
    assert len(slug(title)) <= 48


@pytest.mark.parametrize(("prompt", "thin"), THIN)
def test_prompt_is_thin_where_it_has_too_few_words_that_say_something(prompt: str, thin: bool) -> None:
    assert is_thin(prompt) is thin


def test_prompt_is_the_title_as_heading_above_the_body() -> None:
    assert make_prompt(change("Add  a thing (#7)", "Because.\n"), b"", list).text == "# Add a thing\n\nBecause.\n"


def test_prompt_without_body_is_the_heading_alone() -> None:
    assert make_prompt(change("Add a thing"), b"", list).text == "# Add a thing\n"


def test_closed_issues_follow_the_body_cleaned_too() -> None:
    issue = ClosedIssue("12", "It fails for @ann", "It fails.\n\n### Checklist\n\n- [x] searched\n")
    made = make_prompt(change("Fix it", "See below.", [issue]), b"", list)
    assert made.text == "# Fix it\n\nSee below.\n\n## Issue 12: It fails for someone\n\nIt fails.\n"
    assert made.note.cleaned == [Removal.SECTION, Removal.CHECKLIST, Removal.MENTION]


@pytest.mark.parametrize(
    ("policy", "cut", "answers"),
    [(LeakPolicy.CUT, True, False), (LeakPolicy.KEEP, False, True), (LeakPolicy.REJECT, False, True)],
)
def test_what_becomes_of_a_prompt_that_holds_the_answer(policy: LeakPolicy, cut: bool, answers: bool) -> None:
    made = make_prompt(change("Retry", f"Like this:\n\n```\n{CODE}\n```"), patch(CODE), list, policy)
    assert ("sleep" in made.text) is not cut
    assert (made.note.cut, made.answers) == (int(cut), answers)
    assert (made.note.leak, made.note.longest) == (1.0, 22)


def test_files_of_before_are_asked_for_only_where_something_seems_to_leak() -> None:
    asked: list[str] = []

    def before() -> list[str]:
        asked.append("once")
        return [CODE]

    make_prompt(change("Retry", "Do retry."), patch(CODE), before)
    assert asked == []
    assert make_prompt(change("Retry", f"```\n{CODE}\n```"), patch(CODE), before).note.leak == 0
    assert asked == ["once"]


def test_shown_tests_are_the_new_side_of_each_hunk_in_blocks_without_signs_of_a_diff() -> None:
    diff = (
        b"diff --git a/t.py b/t.py\nindex 0000000..1111111 100644\n--- a/t.py\n+++ b/t.py\n"
        b"@@ -1,2 +1,3 @@ class TestA:\n def test_a():\n-    assert 1\n+    assert 2\n+    x = '```'\n"
        b"@@ -9 +10,0 @@\n-gone\n"
    )
    assert shown_tests(diff) == (
        "t.py, lines 1-3, in `class TestA:`:\n````\ndef test_a():\n    assert 2\n    x = '```'\n````\n"
    )
