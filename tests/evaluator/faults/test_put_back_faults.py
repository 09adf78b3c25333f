"""What faults do beside a right answer can be put back, and the truth has nothing to put back."""

from collections.abc import Callable
from random import Random

from evaluator.bench import TaskBench
from evaluator.faults import FILE_FAULTS
from evaluator.faults.model import Site
from evaluator.formats.model import STRICT
from evaluator.put_back import put_back
from evaluator.scoring import Tests
from miner.fixtures import Task
from miner.symbols import files as symbols

Bench = Callable[[Task], TaskBench]


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
