"""A task made ready to score replies against: its tree, its environment, its tests."""

import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evaluator.formats.model import Tree
from evaluator.models.model import NoEvidence
from evaluator.scoring import Tests
from evaluator.taxonomy import Discard
from miner import environment, recipes
from miner.environment import EnvironmentFailed, Workshop
from miner.errors import ToolError
from miner.fixtures import Task
from miner.junit import Result
from miner.proof import Bench, scratch_tree
from miner.recipes.model import Recipe
from miner.record import Proof
from miner.symbols.files import Files
from miner.trees import write_files


@dataclass(frozen=True)
class TaskBench:
    """One task: reads its starting tree, runs its tests on edited ones. Safe to share between threads."""

    task: Task
    lock: threading.Lock

    @cached_property
    def tree(self) -> Tree:
        """The starting tree, as appliers see it."""
        blobs = self.task.store.blobs(self.task.fixture.starting_tree)

        def read(path: str) -> bytes:
            content = self.task.store.objects.read(blobs[path][1])
            if content is None:
                raise NoEvidence(Discard.HARNESS_ERROR, f"{path} is missing from the trees")
            return content

        return Tree({path: mode for path, (mode, _) in blobs.items()}, read)

    @property
    def proof(self) -> Proof:
        """The fixture's proof."""
        if self.task.fixture.proof is None:
            raise ToolError("the fixture is not proved", self.task.folder, "Harvest without --no-prove.")
        return self.task.fixture.proof

    def run_tests(self, changed: Files) -> Tests:
        """The fixture's tests on the starting tree with these files changed; its own tests laid over them."""
        with self.lock:  # built once, however many attempts wait for it
            bench, unsolved = self._bench, self._unsolved

        def prepare(folder: Path) -> None:
            write_files(folder, changed)
            write_files(folder, self.task.tests)

        run = bench.run(unsolved, self.proof.command, prepare)
        if run.timed_out:
            return Tests.TIMEOUT
        results = run.results or {}
        passed = all(results.get(test) is Result.PASSED for test in self.proof.fail_to_pass)
        return Tests.PASS if passed else Tests.FAIL

    @cached_property
    def _unsolved(self) -> str:
        """The starting tree with the fixture's tests."""
        tree = self.task.store.patched(self.task.fixture.starting_tree, [self.task.tests_patch])
        if tree is None:
            raise NoEvidence(Discard.HARNESS_ERROR, "tests.patch does not apply")
        return tree

    @cached_property
    def _bench(self) -> Bench:
        recipe = recipes.by_name(self.task.repository.recipe)
        if recipe is None:
            raise NoEvidence(Discard.HARNESS_ERROR, f"unknown recipe {self.task.repository.recipe}")
        return Bench(self.task.store, self._environment(recipe), recipe, self.proof.timeout_seconds)

    def _environment(self, recipe: Recipe) -> environment.Ready:
        record, fixture = self.proof.environment, self.task.fixture
        workshop_tree = scratch_tree(self.task.store, fixture.starting_tree)
        try:
            interpreter = environment.interpreter_for(record)
            name = self.task.repository.name
            workshop = Workshop(workshop_tree, name, fixture.date, interpreter, record.pretend_version)
            source_folder = recipe.needs(self.tree.modes, self.tree.read).source_folder
            return environment.build(workshop, record, self.task.lock, source_folder)
        except EnvironmentFailed as error:
            raise NoEvidence(Discard.HARNESS_ERROR, f"environment: {error}") from None
        finally:
            shutil.rmtree(workshop_tree, ignore_errors=True)


def benches(tasks: Sequence[Task]) -> dict[str, TaskBench]:
    """A bench per task id."""
    return {task.id: TaskBench(task, threading.Lock()) for task in tasks}
