"""A task made ready to score replies against: its tree, its environment, its tests."""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from evaluator.formats.model import Tree
from evaluator.memo import Memo
from evaluator.models.model import NoEvidence
from evaluator.scoring import Tests
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.fixtures import Task
from miner.inside import lay_tests
from miner.proof import missing
from miner.proving import proving_environment
from miner.recipes.model import EnvironmentFailed
from miner.record import Proof
from miner.roles import Role, governs_tests, role_of
from miner.symbols.files import Files
from miner.trees import write_files
from miner.workbench import Workbench, on_disk

_VERDICTS = 1_000  # of a task's edited trees that are remembered; each is a few dozen bytes


def _verdicts() -> Memo[bytes, Tests]:
    return Memo(_VERDICTS)


@dataclass(frozen=True)
class TaskBench:
    """One task: reads its starting tree, runs its tests on edited ones. Safe to share between threads.

    Within a process its tests run once on equal trees, whoever asks: formats that change the same lines get the same
    verdict, and a test that wavers cannot tell them apart. It still counts, once, for all of them; what was seen to
    waver when the fixture was proved is in no verdict at all. Nothing is kept for another process.
    """

    task: Task
    lock: threading.Lock
    verdicts: Memo[bytes, Tests] = field(default_factory=_verdicts, repr=False, compare=False)

    @cached_property
    def tree(self) -> Tree:
        """The starting tree, as appliers see it: without what an impossible task withholds."""
        blobs = self.task.store.blobs(self.task.fixture.starting_tree)

        def read(path: str) -> bytes:
            content = self.task.store.objects.read(blobs[path][1])
            if content is None:
                raise NoEvidence(Discard.HARNESS_ERROR, f"{path} is missing from the trees")
            return content

        return Tree({path: mode for path, (mode, _) in blobs.items() if path not in self.task.withheld}, read)

    @property
    def proof(self) -> Proof:
        """The fixture's proof."""
        if self.task.fixture.proof is None:
            raise ToolError("the fixture is not proved", self.task.folder, "Harvest without --no-prove.")
        return self.task.fixture.proof

    def run_tests(self, changed: Files) -> Tests:
        """The fixture's tests on the starting tree with these files changed, without what the task withholds.

        What a reply does to tests and to what configures them is not laid over the tree, and the run
        itself cannot change them.
        """
        laid = {path: self._with_tests(path, content) for path, content in changed.items() if not governs_tests(path)}
        return self.verdicts.get(_digest(laid), lambda: self._run(laid))

    def _run(self, laid: Files) -> Tests:
        """The verdict of the tests on the starting tree with these files laid over it."""
        with self.lock:  # built once, however many attempts wait for it
            bench, unsolved = self._bench, self._unsolved
        with on_disk(self.task.store, unsolved) as folder:
            write_files(folder, dict.fromkeys(self.task.withheld))
            write_files(folder, laid)
            write_files(folder, self.task.tests)
            run = bench.run(folder, self.proof.command, self._protected(folder))
        if run.timed_out:
            return Tests.TIMEOUT
        return Tests.FAIL if missing(run.found, self.proof.required) else Tests.PASS

    def _with_tests(self, path: str, content: bytes | None) -> bytes | None:
        """A reply's file with the fixture's tests, where those stand inside it."""
        solved = self.task.after.get(path) if path in self.task.fixture.tests_inside else None
        if content is None or solved is None:
            return content
        return lay_tests(path, content, solved) or content

    def _protected(self, folder: Path) -> list[str]:
        """The fixture's tests and all test configuration, as far as they are plain files."""
        own = {*self.task.fixture.test_files, *self.task.fixture.tests_inside}
        named = (path for path in self.tree.modes if governs_tests(path) and role_of(path) is not Role.TEST)
        configuration = (path for path in self.tree.modes if PurePosixPath(path).name == "conftest.py")
        paths = {*own, *named, *configuration}
        return sorted(p for p in paths if (folder / p).is_file() and not (folder / p).is_symlink())

    @cached_property
    def _unsolved(self) -> str:
        """The starting tree with the fixture's tests."""
        tree = self.task.store.patched(self.task.fixture.starting_tree, [self.task.tests_patch])
        if tree is None:
            raise NoEvidence(Discard.HARNESS_ERROR, "tests.patch does not apply")
        return tree

    @cached_property
    def _bench(self) -> Workbench:
        record, fixture = self.proof.environment, self.task.fixture
        try:
            recipe, ready = proving_environment(
                self.task.store, self.task.repository, fixture.starting_tree, fixture.date, record, self.task.lock
            )
        except EnvironmentFailed as error:
            raise NoEvidence(Discard.HARNESS_ERROR, f"environment: {error}") from None
        return Workbench(recipe, ready, self.proof.timeout_seconds)


def _digest(laid: Files) -> bytes:
    """A name of the edited tree: of the paths and contents that are laid over the starting tree."""
    made = hashlib.sha256()
    for path, content in sorted(laid.items()):
        named = path.encode("utf-8", "surrogateescape")
        made.update(b"%d %d " % (len(named), -1 if content is None else len(content)) + named + (content or b""))
    return made.digest()


def benches(tasks: Sequence[Task]) -> dict[str, TaskBench]:
    """A bench per task id."""
    return {task.id: TaskBench(task, threading.Lock()) for task in tasks}
