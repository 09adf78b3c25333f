"""Replies that do not apply say so; what faults do beside a right answer can be put back."""

from collections.abc import Callable
from random import Random

import pytest

from evaluator.bench import TaskBench
from evaluator.faults import FILE_FAULTS
from evaluator.faults.model import Site
from evaluator.formats import FORMATS
from evaluator.formats.model import STRICT, EditFormat
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


def test_a_removed_neighbour_put_back_leaves_the_right_answer(checked_in: list[Task], truth_bench: Bench) -> None:
    removed = next(fault for fault in FILE_FAULTS if fault.name == "removed_function")
    for task in checked_in:
        bench = truth_bench(task)
        damaged = next(iter(removed.damages(Site(task, bench.tree, bench.run_tests, lambda _: STRICT), Random(1))))
        assert symbols.unintended(damaged.before, damaged.after, task.allowed), task.id
        restored = put_back(damaged.before, damaged.after, task.allowed)
        assert symbols.unintended(damaged.before, restored, task.allowed) == [], task.id
        assert bench.run_tests(restored) is Tests.PASS, task.id


def test_the_truth_has_nothing_to_put_back(checked_in: list[Task]) -> None:
    for task in checked_in:
        assert put_back(task.before, task.after, task.allowed) == task.after, task.id
