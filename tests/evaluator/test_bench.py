"""The verdicts of edited trees: run once on equal ones, told apart by every byte that is laid."""

import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from evaluator.bench import Benches, TaskBench, Tested
from evaluator.models.model import NoEvidence
from evaluator.scoring import Tests
from evaluator.taxonomy import Discard
from miner.fixtures import Task
from miner.symbols.files import Files


class Counting(TaskBench):
    """Keeps what is laid over the tree; passes where anything is."""

    def _run(self, laid: Files) -> Tested:
        self.__dict__.setdefault("runs", []).append(dict(laid))
        return Tested(Tests.PASS, output=f"{len(laid)} files") if laid else Tested(Tests.FAIL, ("t::a",))


@pytest.fixture
def bench(checked_in: list[Task]) -> Counting:
    return Counting(checked_in[0], threading.Lock())


def runs(bench: Counting) -> int:
    return len(bench.__dict__.get("runs", []))


def test_equal_trees_run_once_whatever_the_order_of_their_files(bench: Counting) -> None:
    assert bench.run_tests({"a.py": b"1", "b.py": None}) is bench.run_tests({"b.py": None, "a.py": b"1"}) is Tests.PASS
    assert runs(bench) == 1


DIFFERENT: list[Files] = [
    {}, {"a.py": b""}, {"a.py": None}, {"a.py": b"1"}, {"a.py": b"12"}, {"a.py": b"1", "b.py": b"2"},
    {"a.py": b"1\0b.py"}, {"b.py": b"1"}, {"a.py": b"", "b": b""}, {"a.pyb": b""}, {"a.py": b"0 1 b"},
]  # fmt: skip


def test_trees_that_differ_in_anything_run_each(bench: Counting) -> None:
    for changed in DIFFERENT:
        bench.run_tests(changed)
    assert runs(bench) == len(DIFFERENT)


def test_what_is_not_laid_makes_no_other_tree(bench: Counting) -> None:
    bench.run_tests({"a.py": b"1"})
    bench.run_tests({"a.py": b"1", "tests/test_new.py": b"def test(): pass", "conftest.py": b"1"})
    assert bench.__dict__["runs"] == [{"a.py": b"1"}]


def test_threads_that_ask_for_one_tree_run_it_once(bench: Counting) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda n: bench.run_tests({"a.py": b"1"}), range(40))) == {Tests.PASS}
    assert runs(bench) == 1


def test_a_run_that_gave_no_evidence_is_made_again(bench: Counting) -> None:
    ends: list[Callable[[], Tested]] = [lambda: Tested(Tests.PASS), no_environment]
    bench.__dict__["_run"] = lambda laid: ends.pop()()
    with pytest.raises(NoEvidence):
        bench.run_tests({})
    assert bench.run_tests({}) is Tests.PASS


def no_environment() -> Tested:
    raise NoEvidence(Discard.HARNESS_ERROR, "environment")


def test_what_failed_is_remembered_and_the_output_of_the_latest_trees_only(bench: Counting) -> None:
    assert bench.tested({}).failing == ("t::a",)
    assert bench.tested({"a.py": b"1", "b.py": b""}).output == "2 files"
    for n in range(20):
        bench.tested({"a.py": b"%d" % n})
    assert bench.tested({"a.py": b"1", "b.py": b""}) == Tested(Tests.PASS, (), "")
    assert runs(bench) == 22


def test_another_repeat_runs_its_tests_anew_on_the_same_files(bench: Counting) -> None:
    tree = bench.tree
    bench.run_tests({"a.py": b"1"})
    again = bench.afresh()
    again.run_tests({"a.py": b"1"})
    assert (type(again), runs(bench), runs(again)) == (Counting, 1, 1)  # type: ignore[arg-type]
    assert again.tree is tree


def test_benches_of_many_tasks_are_opened_when_asked_for_and_dropped(checked_in: list[Task], monkeypatch) -> None:
    monkeypatch.setattr("evaluator.bench._OPEN", 2)
    opened = Benches(checked_in[:3])
    assert list(opened) == [task.id for task in checked_in[:3]]
    first, second, _ = (opened[task.id] for task in checked_in[:3])
    assert opened[checked_in[1].id] is second
    assert opened[checked_in[0].id] is not first
    assert opened[checked_in[0].id].tree.modes == first.tree.modes


def test_the_words_of_a_task_are_those_that_the_run_began_with(checked_in: list[Task], tmp_path: Path) -> None:
    folder = shutil.copytree(checked_in[0].folder, tmp_path / "fixture")
    task = replace(checked_in[0], folder=folder)
    words, opened = task.prompt, Benches([task])
    (folder / "prompt.md").write_text("Tell a joke.")
    assert opened[task.id].task.prompt == words != replace(task).prompt
