"""Every damage has one known label: applied over every checked-in fixture, scoring finds that label."""

from collections.abc import Callable

import pytest

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS
from evaluator.formats.model import EditFormat
from evaluator.models import faults
from evaluator.put_back import put_back
from evaluator.scoring import Score, Tests, score_reply
from evaluator.taxonomy import Category, Detail
from miner.fixtures import Task
from miner.symbols import files as symbols

Bench = Callable[[Task], TaskBench]


def scored(bench: TaskBench, fmt: EditFormat, reply: str) -> Score:
    others = [other for other in FORMATS.values() if other is not fmt]
    return score_reply(reply, "stop", fmt, others, bench.task, bench.tree, bench.run_tests)


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_stray_change_is_unintended_and_silent(checked_in: list[Task], truth_bench: Bench, name: str) -> None:
    for task in checked_in:
        damaged = faults.with_stray_change(task)
        found = scored(truth_bench(task), FORMATS[name], FORMATS[name].encode(task.before, damaged))
        assert (found.category, found.valid) == (Category.UNINTENDED_CHANGE, True), task.id
        assert found.unintended, task.id


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_wrong_change_fails_its_tests_and_is_the_models_fault(
    checked_in: list[Task], truth_bench: Bench, name: str
) -> None:
    for task in checked_in:
        damaged = faults.with_wrong_change(task)
        found = scored(truth_bench(task), FORMATS[name], FORMATS[name].encode(task.before, damaged))
        assert (found.category, found.detail) == (Category.WRONG_CHANGE, Detail.TESTS_FAIL), task.id


STALE = {
    "unified_diff": {Detail.HUNK_MISMATCH, Detail.UNKNOWN_PATH},
    "search_replace": {Detail.ANCHOR_MISSING, Detail.UNKNOWN_PATH},
}


@pytest.mark.parametrize("name", list(STALE))
def test_stale_anchors_do_not_apply(checked_in: list[Task], truth_bench: Bench, name: str) -> None:
    for task in checked_in:
        found = scored(truth_bench(task), FORMATS[name], faults.with_stale_anchors(task, FORMATS[name]))
        assert found.category is Category.NOT_APPLIED, task.id
        assert found.detail in STALE[name], task.id


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_path_outside_is_forbidden(checked_in: list[Task], truth_bench: Bench, name: str) -> None:
    for task in checked_in:
        found = scored(truth_bench(task), FORMATS[name], faults.with_forbidden_path(task, FORMATS[name]))
        assert (found.category, found.detail) == (Category.NOT_APPLIED, Detail.FORBIDDEN_PATH), task.id


def test_a_stray_change_put_back_leaves_the_right_answer(checked_in: list[Task], truth_bench: Bench) -> None:
    for task in checked_in:
        damaged = faults.with_stray_change(task)
        before = {path: task.before.get(path) for path in damaged}
        if any(before[path] is None and damaged[path] != task.after.get(path) for path in damaged):
            continue  # the stray one is in a file that the change set adds
        restored = put_back(before, damaged, task.allowed)
        assert symbols.unintended(before, restored, task.allowed) == [], task.id
        assert truth_bench(task).run_tests(restored) is Tests.PASS, task.id


def test_the_truth_has_nothing_to_put_back(checked_in: list[Task]) -> None:
    for task in checked_in:
        assert put_back(task.before, task.after, task.allowed) == task.after, task.id
