"""What a retry is told: of every failure that an agent sees, and nothing that it does not."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from evaluator.bench import TaskBench
from evaluator.faults import FILE_FAULTS, REPLY_FAULTS, inject
from evaluator.faults.model import Label, Site
from evaluator.feedback import retry_message, told
from evaluator.formats import FORMATS, others
from evaluator.formats.model import STRICT, Sought, Tree, Unreadable
from evaluator.journal import Feedback
from evaluator.scoring import Score, score_reply
from evaluator.signals import Seen, with_seen
from evaluator.taxonomy import SHOWN_BY, Category, Detail, Signal, StopReason
from miner.fixtures import Task
from miner.symbols.files import Files

ALL = (*FILE_FAULTS, *REPLY_FAULTS)
QUIET = [fault for fault in ALL if not fault.needs_tests and not getattr(fault, "slow", False)]
MODES: tuple[Feedback, ...] = ("none", "error", "full")


@dataclass(frozen=True)
class Failed:
    """A reply that an agent in production would retry."""

    task: Task
    tree: Tree
    secret: list[str]  # lines that the agent has not seen
    reply: str
    score: Score


def retried(bench: TaskBench) -> list[Failed]:
    """Replies of one task with a signal: of every format and every fault that can give one."""
    site = Site(bench.task, bench.tree, bench.run_tests, lambda fmt: frozenset(step.name for step in fmt.tolerances))
    secret = secrets(bench.task, bench.tree)
    return [
        Failed(bench.task, bench.tree, secret, injected.text, score)
        for fault in QUIET if any(shown(label) for label in fault.labels)
        for fmt in FORMATS.values()
        for injected in inject(fault, site, fmt, "1")
        if (score := score_reply(
            injected.text, injected.stop, fmt, others(fmt), bench.task, bench.tree, bench.run_tests, site.leniency(fmt)
        )).signal is not None
    ]  # fmt: skip


def shown(label: Label) -> bool:
    """Whether an agent sees a failure of the label without running a test."""
    return label.category is not None and bool(
        SHOWN_BY.get((label.category, label.detail)) or SHOWN_BY.get((label.category, None))
    )


@pytest.fixture(scope="module")
def failures(
    checked_in: list[Task], impossible_ones: list[Task], truth_bench: Callable[[Task], TaskBench]
) -> list[Failed]:  # fmt: skip
    tasks = [checked_in[0], max(checked_in, key=lambda task: len(task.before)), impossible_ones[0]]
    return [found for task in tasks for found in retried(truth_bench(task))]


def test_every_failure_that_an_agent_sees_is_there_and_has_words(failures: list[Failed]) -> None:
    wanted = {label for fault in QUIET for label in fault.labels if shown(label)}
    assert {Label(f.score.category, f.score.detail) for f in failures} == wanted
    for failed in failures:
        error, full = (told(mode, failed.score, failed.tree) for mode in ("error", "full"))
        assert error == failed.score.feedback != ""
        assert full.startswith(error)
        assert told("none", failed.score, failed.tree) == ""


def test_it_names_no_category_and_no_detail(failures: list[Failed], own_text: Callable[[Failed], str]) -> None:
    names = {*Category, *(detail for detail in Detail if "_" in detail)}  # the others are plain words
    ours = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
    for failed in failures:
        for match in ours.finditer(told("full", failed.score, failed.tree)):
            assert match[0] in own_text(failed), match[0]


def test_it_holds_nothing_that_is_hidden(failures: list[Failed], own_text: Callable[[Failed], str]) -> None:
    for failed in failures:
        full = told("full", failed.score, failed.tree)
        assert not [line for line in failed.secret if line in full and line not in own_text(failed)]
    assert all(failed.secret for failed in failures)


def test_it_does_not_tell_what_may_change(failures: list[Failed]) -> None:
    for failed in failures:
        full = told("full", failed.score, failed.tree)
        assert not any(f"{path}::{name}" in full for path, names in failed.task.allowed.items() for name in names)


@pytest.fixture(scope="module")
def own_text() -> Callable[[Failed], str]:
    """What the model wrote itself: its reply, as it stands and as JSON means it, and what that made of files."""

    def text(failed: Failed) -> str:
        edited = [(content or b"").decode("utf-8", "replace") for content in failed.score.files.values()]
        return "\n".join([failed.reply, failed.reply.replace('\\"', '"'), *edited, *failed.tree.modes])

    return text


def secrets(task: Task, tree: Tree) -> list[str]:
    """Lines of the answer, its tests, and of what is withheld, that the starting tree does not hold."""
    there = "\n".join((tree.read(path) or b"").decode("utf-8", "replace") for path in tree.modes)
    rows = [row for patch in (task.tests_patch, task.change_patch) for row in patch.decode().split("\n")]
    lines = [row[1:] for row in rows if row[:1] == "+" and row[:3] != "+++"]
    lines += [line for path in task.withheld for line in (task.before[path] or b"").decode().split("\n")]
    return [line.strip() for line in lines if len(line.strip()) > 12 and line.strip() not in there]


LINES = [f"line {n}" for n in range(1, 61)]
FILES: Files = {"src/a.py": ("\n".join(LINES) + "\n").encode(), "src/money.py": b"x = 1\n" * 3}


def failed(detail: Detail, *sought: Sought, feedback: str = "No.") -> Score:
    return Score(Category.NOT_APPLIED, detail, feedback=feedback, signal=Signal.APPLIER, sought=sought)

WRONG = Score(Category.WRONG_CHANGE, Detail.TESTS_FAIL)
FULL: dict[str, tuple[Score, tuple[str, ...], tuple[str, ...]]] = {
    "around the nearest lines": (
        failed(Detail.ANCHOR_MISSING, Sought("src/a.py", ("line 30", "line 31 or so", "line 32"))),
        ("Lines 22 to 40 of src/a.py are:\n22| line 22\n", "\n30| line 30\n", "\n40| line 40"),
        ("line 21\n", "line 41"),
    ),
    "every place of an anchor that stands in several": (
        failed(Detail.ANCHOR_AMBIGUOUS, Sought("src/money.py", ("x = 1",))), ("1| x = 1\n", "3| x = 1"), (),
    ),
    "nothing of a file that the tree has not": (
        failed(Detail.ANCHOR_MISSING, Sought("src/b.py", ("line 30",))), ("No.",), ("line",)),
    "nothing where nothing is like it": (
        failed(Detail.HUNK_MISMATCH, Sought("src/a.py", ("other",))), ("No.",), ("line",)),
    "names like the one that is not there": (
        failed(Detail.UNKNOWN_PATH, feedback="There is no file 'src/monney.py'."), ("src/money.py",), ("src/a.py",)),
    "where a file does not parse": (
        Score(Category.MISAPPLIED, Detail.BROKEN_SYNTAX, signal=Signal.SYNTAX, feedback="Broken.",
              files={"src/money.py": b"x = 1\ny = (\n"}),
        ("src/money.py, line 2, column 5: '(' was never closed\n1| x = 1\n2| y = (",), ("Lines",)),
    "in another language, too": (
        Score(Category.MISAPPLIED, Detail.BROKEN_SYNTAX, signal=Signal.SYNTAX, feedback="Broken.",
              files={"a.js": b"let a = 1;\nfunction f( {\n"}),
        ("a.js, line 2, column ", "2| function f( {"), ()),
    "what visible tests wrote": (
        with_seen(WRONG, Seen(("t.py::test_a",), output="E  assert 1 == 2\n")),
        ("After the edit these tests fail: t.py::test_a.\nThe end of what they wrote:\nE  assert 1 == 2",), ()),
    "their names alone where it is not known whose output it is": (
        with_seen(WRONG, Seen(("t.py::test_a",))), ("t.py::test_a.",), ("wrote",)),
}  # fmt: skip


@pytest.mark.parametrize(("score", "there", "absent"), FULL.values(), ids=FULL)
def test_full_says_more(
    tree_of: Callable[..., Tree], score: Score, there: tuple[str, ...], absent: tuple[str, ...]
) -> None:  # fmt: skip
    words = told("full", score, tree_of(FILES))
    assert [text for text in there if text not in words] == []
    assert [text for text in absent if text in words] == []
    assert told("error", score, tree_of(FILES)) == score.feedback


def test_a_broken_file_that_was_broken_before_shows_what_is_new(tree_of: Callable[..., Tree]) -> None:
    tree = tree_of({"a.js": b"let a = ;\nlet b = 1;\n"})
    score = Score(Category.MISAPPLIED, Detail.BROKEN_SYNTAX, signal=Signal.SYNTAX, feedback="Broken.",
                  files={"a.js": b"let a = ;\nlet b = 1);\n", "gone.js": None})  # fmt: skip
    assert "a.js, line 2" in told("full", score, tree)
    assert "a.js, line 1" not in told("full", score, tree)


def test_bytes_and_long_lines_of_a_file_stay_within_bounds(tree_of: Callable[..., Tree]) -> None:
    tree = tree_of({"a.py": b"one\xff\r\n" + b"x" * 5000 + b"\n" + b"row\n" * 500})
    words = told("full", failed(Detail.ANCHOR_MISSING, Sought("a.py", ("one\ufffd", *["row"] * 400))), tree)
    assert len(words) < 2000
    assert "\r" not in words
    words.encode()


def test_many_long_places_stay_within_bounds(tree_of: Callable[..., Tree]) -> None:
    tree = tree_of({"a.py": (b"y" * 400 + b"\n") * 300})
    words = told("full", failed(Detail.ANCHOR_AMBIGUOUS, *[Sought("a.py", ("y" * 400,) * 40)] * 3), tree)
    assert 10_000 < len(words) < 13_000
    assert words.endswith("\n...")


def test_nothing_is_told_of_what_is_not_retried(tree_of: Callable[..., Tree]) -> None:
    score = Score(Category.UNINTENDED_CHANGE, Detail.REMOVED, feedback="src/a.py::f was removed")
    assert [told(mode, score, tree_of(FILES)) for mode in MODES] == ["", "", ""]


def test_the_retry_says_why_and_that_nothing_was_changed() -> None:
    assert retry_message("There is no file 'x'.").content == (
        "Your answer could not be used. There is no file 'x'.\nNothing was changed. Answer again, whole.\n"
    )
    bare = retry_message()
    assert bare.content == "Your answer could not be used. Nothing was changed. Answer again, whole.\n"
    assert (bare.role, bare.shared) == ("user", 0)


SHAPES = {
    "whole_file": "its path, then its contents in a fence",
    "unified_diff": "`--- a/path` and `+++ b/path` lines with a hunk",
    "search_replace": "path, below it `<<<<<<< SEARCH`",
    "udiff": "`---` and `+++` lines with hunks",
    "apply_patch": "`*** Begin Patch`, then `*** Update File: path`",
    "str_replace": '`[{"path": ..., "old": ..., "new": ...}]`',
}


@pytest.mark.parametrize("name", list(FORMATS))
def test_of_a_reply_without_an_edit_every_format_says_what_one_looks_like(name: str) -> None:
    for leniency in (STRICT, frozenset(step.name for step in FORMATS[name].tolerances)):
        found = FORMATS[name].parse("I would use + there.\n", leniency)
        assert isinstance(found, Unreadable)
        assert SHAPES[name] in found.message


def test_what_was_cut_off_is_to_be_briefer_in_every_format_alike(
    checked_in: list[Task], truth_bench: Callable[[Task], TaskBench]
) -> None:  # fmt: skip
    bench = truth_bench(checked_in[0])
    stops: tuple[StopReason, ...] = ("length", "timeout")
    for stop in stops:
        said = {
            score_reply("x", stop, fmt, others(fmt), bench.task, bench.tree, bench.run_tests, STRICT).feedback
            for fmt in FORMATS.values()
        }
        assert len(said) == 1
        assert "answer more briefly" in said.pop()
