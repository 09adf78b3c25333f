"""Which of a task's tests an agent in production sees: those of the starting tree, and what its prompt showed.

Hidden tests never cause a retry, so where it is in doubt a test is hidden.
"""

from collections.abc import Collection

from miner.fixtures import Task
from miner.record import Proof
from miner.symbols.files import Files, allowed_by, has_symbols, outline_of
from miner.symbols.model import MODULE, descendants
from miner.touched import file_of, prefix_of, touched_tests


def visible(task: Task, show_tests: bool) -> frozenset[str]:
    """The ids of the task's required tests that an agent can see; work it out once a task.

    Those that passed before the change and are in the starting tree as they are run: `tests.patch` touches neither them
    nor what they may stand on. With `show_tests` also what turns, and the tests of every file that the patch touches.
    None of an impossible task, on which no test is run.
    """
    proof = task.fixture.proof
    if proof is None or task.impossible:
        return frozenset()
    tree, cwd = task.fixture.starting_tree, task.repository.cwd
    there = task.store.blobs(tree).keys() - {*task.fixture.tests_inside}
    found = unaltered(proof, there, task.store.read(tree, task.tests), task.tests, cwd)
    return frozenset(found | (shown(task, proof) if show_tests else set()))


def shown(task: Task, proof: Proof) -> set[str]:
    """What turns, and the required tests of every file that the tests' patch touches."""
    prefix, files = prefix_of(task.repository.cwd), {*task.fixture.test_files, *task.fixture.tests_inside}
    return {*proof.fail_to_pass, *(test for test in proof.required if prefix + file_of(test) in files)}


def unaltered(proof: Proof, there: Collection[str], before: Files, after: Files, cwd: str) -> set[str]:
    """The tests that passed before, in the files that are `there`, and that the tests' patch leaves as they were.

    `before` and `after` are the files that it touches. Ids are relative to `cwd`, paths to the tree.
    """
    prefix = prefix_of(cwd)
    altered = {path for path in before if _alters_more_than_tests(path, before, after)}
    if altered - {prefix + file_of(test) for test in (*proof.required, *proof.flaky)}:
        return set()  # a conftest.py, say, which any test may stand on
    touched = touched_tests(before, after, cwd)
    return {
        test for test in proof.pass_to_pass
        if (path := prefix + file_of(test)) in there and path not in altered and not touched(test)
    }  # fmt: skip


def _alters_more_than_tests(path: str, before: Files, after: Files) -> bool:
    """Whether something other than a test, which was there before, differs: a helper, a constant, a file of data."""
    old = before[path]
    if old is None or old == after[path]:
        return False
    if not has_symbols(path):
        return True
    there = {MODULE, *(symbol.name for symbol in descendants(outline_of(path, old).root))}
    changed = allowed_by({path: old}, {path: after[path]})[path]
    return any(name in there and not _is_test(name) for name in changed)


def _is_test(name: str) -> bool:
    """Whether a symbol is named as pytest and unittest name tests."""
    return name.rpartition(".")[2].startswith("test")
