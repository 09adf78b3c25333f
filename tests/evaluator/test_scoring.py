"""Every row of the taxonomy, on a small task over a real bundle; the tests of the task are a rule on its text."""

import subprocess
from pathlib import Path

import pytest

from evaluator.bench import benches
from evaluator.formats import FORMATS
from evaluator.formats.model import STRICT, Leniency, Tree
from evaluator.scoring import Score, Tests, score_reply
from evaluator.taxonomy import Category, Detail, Signal, StopReason
from miner.asked import Options
from miner.fixtures import FixtureFolder, Task
from miner.harvest import harvest
from miner.symbols.files import Files

BEFORE = '''"""Sums."""

import os
import sys


def add(a, b):
    return a - b


def helper(a):
    value = a
    return value


def other(a):
    value = a
    return value
'''
AFTER = BEFORE.replace("return a - b", "return a + b")


def git(repo: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgSign=false"]
    subprocess.run(["git", "-C", str(repo), *identity, *arguments], check=True, capture_output=True)


STOP: dict[bool | None, StopReason | None] = {True: "length", False: "stop", None: None}


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    repo, out = tmp_path_factory.mktemp("repo"), tmp_path_factory.mktemp("out")
    git(repo, "init", "-q")
    for folder in ("src", "tests"):
        (repo / folder).mkdir()
    (repo / "src/sums.py").write_text(BEFORE)
    (repo / "tests/test_old.py").write_text("def test_old(): pass\n")
    (repo / "tests/conftest.py").write_text("")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "start")
    (repo / "src/sums.py").write_text(AFTER)
    (repo / "tests/test_sums.py").write_text("def test_add(): pass\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Add (#1)")
    harvest(Options(repo=repo, out=out, name="sums", prove=False), lambda line: None)
    folder = FixtureFolder(out)
    return folder.task(folder.records()[0].id)


def run_tests(changed: Files) -> Tests:
    text = (changed.get("src/sums.py") or BEFORE.encode()).decode()
    if "while True" in text:
        return Tests.TIMEOUT
    return Tests.PASS if "return a + b" in text and "def helper" in text else Tests.FAIL


def scored(
    task: Task, name: str, reply: str, truncated: bool | None = False, leniency: Leniency = STRICT
) -> Score:  # fmt: skip
    tree: Tree = benches([task])[task.id].tree
    others = [fmt for other, fmt in FORMATS.items() if other != name]
    return score_reply(reply, STOP[truncated], FORMATS[name], others, task, tree, run_tests, leniency)


def whole(text: str, path: str = "src/sums.py") -> str:
    return f"{path}\n```python\n{text}```\n"


WRONG_PLACE = "--- a/src/sums.py\n+++ b/src/sums.py\n@@ -{} +{} @@\n-    return value\n+    return value + 0\n"
S = "src/sums.py::"
ROWS = {
    "resolved": (whole(AFTER), False, None, None, ()),
    "cut at the cap": (whole(AFTER), True, Category.TRUNCATED, Detail.STOP_LENGTH, ()),
    "no stop reason, open end": (whole(AFTER)[:-4], None, Category.TRUNCATED, Detail.UNTERMINATED, ()),
    "normal stop, open end": (whole(AFTER)[:-4], False, Category.MALFORMED, Detail.BAD_BLOCK, ()),
    "prose": ("I cannot.", False, Category.MALFORMED, Detail.NO_EDIT, ()),
    "another format": ("--- a/src/sums.py\n+++ b/src/sums.py\n@@ -1 +1 @@\n-x\n+y\n", False, Category.MALFORMED,
                       Detail.OTHER_FORMAT, ()),
    "outside the tree": (whole("x\n", "../x.py"), False, Category.NOT_APPLIED, Detail.FORBIDDEN_PATH, ()),
    "file and folder": (whole("x\n", "new.py/y.py") + whole("x\n", "new.py"), False, Category.NOT_APPLIED,
                        Detail.FORBIDDEN_PATH, ()),
    "syntax broken": (whole(AFTER + "def (:\n"), False, Category.MISAPPLIED, Detail.BROKEN_SYNTAX, None),
    "indented as Python does not allow": (whole(AFTER + "\n\ndef more():\n        x = 1\n    return x\n"), False,
                                          Category.MISAPPLIED, Detail.BROKEN_SYNTAX, None),
    "a function without a body": (whole(AFTER + "\n\ndef more():\n    # to do\n"), False,
                                  Category.MISAPPLIED, Detail.BROKEN_SYNTAX, None),
    "line endings, and something added": (
        whole(AFTER.replace("\n", "\r\n") + "X = 1\n"), False, Category.UNINTENDED_CHANGE, Detail.ADDED, None),
    "tabs for blanks": (whole(AFTER.replace("    ", "\t")), False, Category.UNINTENDED_CHANGE, Detail.BYTES, None),
    "dropped, tests pass": (whole(AFTER[: AFTER.index("def other")]), False, Category.UNINTENDED_CHANGE,
                            Detail.REMOVED, (S + "other",)),
    "dropped, tests fail, pass when put back": (
        whole(AFTER.replace(AFTER[AFTER.index("def helper"): AFTER.index("def other")], "")), False,
        Category.UNINTENDED_CHANGE, Detail.REMOVED, (S + "helper",)),
    "reordered": (whole(AFTER.replace("import os\nimport sys", "import sys\nimport os")), False,
                 Category.UNINTENDED_CHANGE, Detail.REORDERED, (S + "<module imports>",)),
    "added": (whole(AFTER + "\n\nX = 1\n"), False, Category.UNINTENDED_CHANGE, Detail.ADDED, (S + "X",)),
    "line endings": (whole(AFTER.replace("\n", "\r\n")), False, Category.UNINTENDED_CHANGE, Detail.BYTES, None),
    "tests fail": (whole(AFTER.replace("a + b", "a * b")), False, Category.WRONG_CHANGE, Detail.TESTS_FAIL, ()),
    "tests fail also when put back": (
        whole(BEFORE.replace("a - b", "a * b") + "\n\nX = 1\n"), False, Category.WRONG_CHANGE, Detail.TESTS_FAIL,
        (S + "X",)),
    "tests time out": (whole(AFTER.replace("a + b", "0\n    while True: pass")), False, Category.WRONG_CHANGE,
                       Detail.TESTS_TIMEOUT, ()),
    "nothing changed": (whole(BEFORE), False, Category.WRONG_CHANGE, Detail.NO_EFFECT, ()),
    "only a new conftest": (whole("x = 1\n", "conftest.py"), False, Category.WRONG_CHANGE, Detail.NO_EFFECT, ()),
    "new test beside": (whole(AFTER) + whole("x = 1\n", "tests/test_more.py"), False, None, None, ()),
    "existing test edited": (whole(AFTER) + whole("x = 1\n", "tests/test_old.py"), False,
                             Category.UNINTENDED_CHANGE, Detail.REMOVED, None),
    "existing conftest edited": (whole(AFTER) + whole("x = 1\n", "tests/conftest.py"), False,
                                 Category.UNINTENDED_CHANGE, Detail.ADDED, ("tests/conftest.py::x",)),
    "existing test deleted": (whole(AFTER) + "DELETE FILE: tests/test_old.py\n", False,
                              Category.UNINTENDED_CHANGE, Detail.REMOVED, ("tests/test_old.py::test_old",)),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "truncated", "category", "detail", "unintended"), ROWS.values(), ids=ROWS.keys())
def test_a_whole_file_reply_is_put_in_its_row(
    task: Task, reply: str, truncated: bool | None, category: Category | None, detail: Detail | None,
    unintended: tuple[str, ...] | None,
) -> None:  # fmt: skip
    found = scored(task, "whole_file", reply, truncated)
    assert (found.category, found.detail) == (category, detail)
    if unintended is not None:
        assert found.unintended == unintended
    assert found.valid == (found.tests is Tests.PASS)


@pytest.mark.parametrize("error", [ValueError("odd"), SystemExit(0)])
def test_a_format_that_fails_over_anothers_reply_costs_that_no_evidence(task: Task, error: BaseException) -> None:
    class Fails:
        def parse(self, reply: str, leniency: Leniency = STRICT) -> None:
            raise error

    def found(others: list[object]) -> Score:
        bench = benches([task])[task.id]
        return score_reply("prose", "stop", FORMATS["udiff"], others, task, bench.tree, lambda files: Tests.PASS)  # type: ignore[arg-type]

    assert found([Fails()]) == found([])
    assert found([Fails()]).detail is Detail.NO_EDIT


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("BLOCKED: why\n\nAnswer with one JSON list of edits.\n", True),  # a small model's, on an impossible task
        ("BLOCKED:\n", True),
        ("I cannot.", False),
        ("It is BLOCKED: why, nobody knows", False),
    ],
)
@pytest.mark.parametrize("name", list(FORMATS))
def test_a_way_out_without_a_reason_is_no_answer_and_a_retry_is_told_so(
    task: Task, name: str, reply: str, told: bool
) -> None:  # fmt: skip
    found = scored(task, name, reply)
    assert (found.category, found.detail, found.signal) == (Category.MALFORMED, Detail.NO_EDIT, Signal.PARSER)
    assert ("has to say why" in found.feedback) == told


def test_a_hunk_in_a_lookalike_outside_the_allowed_symbols_is_misapplied(task: Task) -> None:
    from dataclasses import replace

    allowed = {"src/sums.py": ["helper"]}
    aimed = replace(task, fixture=task.fixture.model_copy(update={"allowed": allowed}))
    found = scored(aimed, "unified_diff", WRONG_PLACE.format(18, 18))
    assert (found.category, found.detail) == (Category.MISAPPLIED, Detail.WRONG_LOCATION)
    inside = scored(aimed, "unified_diff", WRONG_PLACE.format(13, 13), leniency=frozenset({"edge_context"}))
    assert inside.category is Category.WRONG_CHANGE


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_truth_is_resolved_in_every_format(task: Task, name: str) -> None:
    found = scored(task, name, FORMATS[name].encode(task.before, task.after))
    assert (found.category, found.valid, found.unintended) == (None, True, ())
