"""Which tests an agent sees. Where it is in doubt, none."""

from collections.abc import Sequence

import pytest

from evaluator.visible import shown, unaltered, visible
from miner.fixtures import Task
from miner.symbols.files import Files

BEFORE = b"""import shop

RATE = 2


def price():
    return RATE


def test_old():
    assert price() == 2


class TestCart:
    def test_empty(self):
        assert shop.cart() == []
"""
NEW = b"\n\ndef test_new():\n    assert shop.new()\n"
PASS = ["tests/test_a.py::test_old", "tests/test_a.py::TestCart::test_empty", "tests/test_b.py::test_b[1]"]


def found_of(like: Task, before: Files, after: Files, cwd: str = ".", passing: Sequence[str] = PASS) -> set[str]:
    """What is visible where the tests' patch makes `after` of `before`; the rest of the tree is as above."""
    assert like.fixture.proof is not None
    lists = {"fail_to_pass": ["tests/test_a.py::test_new"], "pass_to_pass": list(passing), "collected_after": []}
    proof = like.fixture.proof.model_copy(update=lists)
    prefix = "" if cwd == "." else f"{cwd}/"
    tree: Files = {"tests/test_a.py": BEFORE, "tests/test_b.py": b"", "test/b.js": b"", **before}
    there = {prefix + path: content for path, content in tree.items() if content is not None}
    return unaltered(proof, there, {path: there.get(path) for path in after}, after, cwd)


A, CART, B = PASS
CASES: dict[str, tuple[Files, Files, set[str]]] = {
    "a test is added": ({}, {"tests/test_a.py": BEFORE + NEW}, {A, CART, B}),
    "a test is altered": ({}, {"tests/test_a.py": BEFORE.replace(b"== 2", b"== 3")}, {CART, B}),
    "a method of a class is altered": ({}, {"tests/test_a.py": BEFORE.replace(b"== []", b"== ()")}, {A, B}),
    "a helper is altered, on which any may stand": (
        {}, {"tests/test_a.py": BEFORE.replace(b"return RATE", b"return 2")}, {B}),
    "a constant is altered": ({}, {"tests/test_a.py": BEFORE.replace(b"RATE = 2", b"RATE = 3")}, {B}),
    "a helper is added": ({}, {"tests/test_a.py": BEFORE + b"\n\ndef helper():\n    pass\n"}, {A, CART, B}),
    "an import is added": ({}, {"tests/test_a.py": b"import os\n" + BEFORE}, {A, CART, B}),
    "the file is new": ({}, {"tests/test_c.py": NEW}, {A, CART, B}),
    "the file with them is new": ({"tests/test_a.py": None}, {"tests/test_a.py": BEFORE}, {B}),
    "conftest.py is altered, for all": (
        {"conftest.py": b"def rate():\n    return 2\n"}, {"conftest.py": b"def rate():\n    return 3\n"}, set()),
    "a file of data is altered": ({"tests/a.json": b"1\n"}, {"tests/a.json": b"2\n"}, set()),
    "a file of data is new": ({}, {"tests/a.json": b"2\n"}, {A, CART, B}),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "found"), CASES.values(), ids=CASES)
def test_tests_of_the_starting_tree_as_they_are_run(
    checked_in: list[Task], before: Files, after: Files, found: set[str]
) -> None:
    assert found_of(checked_in[0], before, after) == found


def test_ids_are_relative_to_the_sub_project(checked_in: list[Task]) -> None:
    after = {"sub/tests/test_a.py": BEFORE.replace(b"== 2", b"== 3")}
    assert found_of(checked_in[0], {}, after, cwd="sub") == {CART, B}


def test_files_whose_ids_name_no_symbols_are_hidden_whole(checked_in: list[Task]) -> None:
    before, after = {"test/a.js": b"it('works')\n"}, {"test/a.js": b"it('works')\nit('more')\n"}
    ids = ["test/a.js::works", "test/b.js::works", "::of no file"]
    assert found_of(checked_in[0], before, after, passing=ids) == {"test/b.js::works"}


def test_what_the_prompt_shows_is_visible_and_no_more(checked_in: list[Task]) -> None:
    task = checked_in[0]
    assert task.fixture.proof is not None
    path = task.fixture.test_files[0]
    lists = {"collected_after": [f"{path}::test_c", "tests/test_else.py::test_d"], "flaky": [f"{path}::test_f"]}
    proof = task.fixture.proof.model_copy(update=lists)
    assert shown(task, proof) == {*proof.fail_to_pass, *proof.pass_to_pass, f"{path}::test_c"}


def test_nothing_that_turns_is_visible_unless_shown(checked_in: list[Task]) -> None:
    for task in checked_in:
        proof = task.fixture.proof
        assert proof is not None
        assert not visible(task, show_tests=False) & {*proof.fail_to_pass, *proof.collected_after}
        assert visible(task, show_tests=False) <= set(proof.pass_to_pass)
        assert set(proof.fail_to_pass) <= visible(task, show_tests=True)
    assert any(visible(task, show_tests=False) for task in checked_in)


def test_none_of_an_impossible_task(impossible_ones: list[Task]) -> None:
    assert [visible(task, shown) for task in impossible_ones for shown in (False, True)] == [frozenset()] * 6
