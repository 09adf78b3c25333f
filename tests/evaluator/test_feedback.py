"""What a retry is told: of every failure that an agent sees, and nothing that it does not."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from evaluator.bench import TaskBench
from evaluator.faults import FILE_FAULTS, REPLY_FAULTS, inject
from evaluator.faults.model import Label, Site
from evaluator.feedback import retry_message, told
from evaluator.formats import FORMATS, others
from evaluator.formats.model import Sought, Tree
from evaluator.journal import Feedback
from evaluator.scoring import Score, score_reply
from evaluator.signals import Seen, with_seen
from evaluator.taxonomy import SHOWN_BY, Category, Detail, Signal
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
    reply: str
    score: Score


def retried(bench: TaskBench) -> list[Failed]:
    """Replies of one task with a signal: of every format and every fault that can give one."""
    site = Site(bench.task, bench.tree, bench.run_tests, lambda fmt: frozenset(step.name for step in fmt.tolerances))
    return [
        Failed(bench.task, bench.tree, injected.text, score)
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


def test_it_names_no_category_and_no_detail(failures: list[Failed]) -> None:
    names = {*Category, *(detail for detail in Detail if "_" in detail)}  # the others are plain words
    ours = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
    for failed in failures:
        for mode in MODES:
            words = told(mode, failed.score, failed.tree)
            for match in ours.finditer(words):
                assert match[0] in failed.reply or match[0] in all_text(failed), (match[0], words)


def test_it_holds_nothing_that_is_hidden(failures: list[Failed]) -> None:
    for failed in failures:
        edited = "\n".join((content or b"").decode("utf-8", "replace") for content in failed.score.files.values())
        plain = failed.reply.replace('\\"', '"')  # as JSON means it
        known = "\n".join([all_text(failed), failed.reply, plain, edited])
        secret = [line for line in hidden(failed.task) if line not in known]
        assert secret
        for mode in MODES:
            assert not [line for line in secret if line in told(mode, failed.score, failed.tree)]


def test_it_does_not_tell_what_may_change(failures: list[Failed]) -> None:
    for failed in failures:
        full = told("full", failed.score, failed.tree)
        assert not any(f"{path}::{name}" in full for path, names in failed.task.allowed.items() for name in names)


def hidden(task: Task) -> Iterator[str]:
    """Lines of the answer and its tests, and of what is withheld."""
    for patch in (task.tests_patch, task.change_patch):
        for row in patch.decode().split("\n"):
            if row[:1] == "+" and row[:3] != "+++" and len(row.strip()) > 12:
                yield row[1:].strip()
    for path in task.withheld:
        yield from (line.strip() for line in (task.before[path] or b"").decode().split("\n") if len(line.strip()) > 12)


def all_text(failed: Failed) -> str:
    """Everything that the starting tree holds, as the agent has it."""
    return starting_text(failed.task.id, failed.tree)


_TEXTS: dict[str, str] = {}


def starting_text(task_id: str, tree: Tree) -> str:
    if task_id not in _TEXTS:
        texts = (tree.read(path) or b"" for path in tree.modes)
        _TEXTS[task_id] = "\n".join([*tree.modes, *(text.decode("utf-8", "replace") for text in texts)])
    return _TEXTS[task_id]


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
