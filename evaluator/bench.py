"""A task made ready to score replies against: its tree, its environment, its tests."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from evaluator.formats.model import Tree
from evaluator.memo import Memo
from evaluator.models.model import NoEvidence
from evaluator.scoring import Tests
from evaluator.taxonomy import Discard
from evaluator.visible import visible
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
_OUTPUTS = 16  # of which the output is remembered too: formats of a block often write equal trees at about one time
_TAIL = 8_000  # characters of a test run's output that are kept
_OPEN = 300  # tasks whose files are kept in memory


@dataclass(frozen=True)
class Tested:
    """What the tests said of an edited tree: the required tests that did not pass, and the end of the output."""

    __test__ = False  # not a test class, whatever its name

    verdict: Tests
    failing: tuple[str, ...] = ()
    output: str = ""


def _verdicts() -> Memo[bytes, Tested]:
    return Memo(_VERDICTS)


def _outputs() -> Memo[bytes, str]:
    return Memo(_OUTPUTS)


def _drawn() -> Memo[tuple[object, ...], tuple[str, str]]:
    return Memo(_OUTPUTS)


@dataclass(frozen=True)
class TaskBench:
    """One task: reads its starting tree, runs its tests on edited ones. Safe to share between threads.

    Within a process its tests run once on equal trees, whoever asks: formats that change the same lines get the same
    verdict, and a test that wavers cannot tell them apart. It still counts, once, for all of them; what was seen to
    waver when the fixture was proved is in no verdict at all. Nothing is kept for another process, nor for another
    repeat (`afresh`).
    """

    task: Task
    lock: threading.Lock
    verdicts: Memo[bytes, Tested] = field(default_factory=_verdicts, repr=False, compare=False)
    outputs: Memo[bytes, str] = field(default_factory=_outputs, repr=False, compare=False)
    seen_by_agents: dict[bool, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)
    drawn: Memo[tuple[object, ...], tuple[str, str]] = field(default_factory=_drawn, repr=False, compare=False)

    def afresh(self) -> "TaskBench":
        """The same bench with no test run yet, for another repeat."""
        other = replace(self, verdicts=_verdicts(), outputs=_outputs())
        other.__dict__["tree"] = self.tree  # read once for all repeats
        return other

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

    def visible(self, show_tests: bool) -> frozenset[str]:
        """The required tests that an agent can see, worked out once."""
        if show_tests not in self.seen_by_agents:
            self.seen_by_agents[show_tests] = visible(self.task, show_tests)
        return self.seen_by_agents[show_tests]

    def run_tests(self, changed: Files) -> Tests:
        """The verdict of the fixture's tests on the starting tree with these files changed (see `tested`)."""
        return self._tested(*self._laid(changed)).verdict

    def tested(self, changed: Files) -> Tested:
        """The fixture's tests on the starting tree with these files changed, without what the task withholds.

        What a reply does to tests and to what configures them is not laid over the tree, and the run
        itself cannot change them. The output is kept of the latest few trees only, and empty for others.
        """
        laid, digest = self._laid(changed)
        known = self._tested(laid, digest)
        output = self.outputs.known(digest)
        return replace(known, output=output) if output else known

    def _laid(self, changed: Files) -> tuple[Files, bytes]:
        """What of a reply's files is laid over the starting tree, and its name."""
        laid = {path: self._with_tests(path, content) for path, content in changed.items() if not governs_tests(path)}
        return laid, digest_of(laid)

    def _tested(self, laid: Files, digest: bytes) -> Tested:
        """What the tests say, but for their output."""

        def run() -> Tested:
            found = self._run(laid)
            self.outputs.get(digest, lambda: found.output)
            return replace(found, output="")

        return self.verdicts.get(digest, run)

    def _run(self, laid: Files) -> Tested:
        """What the tests say of the starting tree with these files laid over it."""
        with self.lock:  # built once, however many attempts wait for it
            bench, unsolved = self._bench, self._unsolved
        with on_disk(self.task.store, unsolved) as folder:
            write_files(folder, dict.fromkeys(self.task.withheld))
            write_files(folder, laid)
            write_files(folder, self.task.tests)
            run = bench.run(folder, self.proof.command, self._protected(folder))
        output = run.output[-_TAIL:]
        failing = tuple(missing(run.found, self.proof.required))
        if run.timed_out:
            return Tested(Tests.TIMEOUT, failing, output)
        return Tested(Tests.FAIL if failing else Tests.PASS, failing, output)

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


def digest_of(laid: Files) -> bytes:
    """A name of the edited tree: of the paths and contents that are laid over the starting tree."""
    made = hashlib.sha256()
    for path, content in sorted(laid.items()):
        named = path.encode("utf-8", "surrogateescape")
        made.update(b"%d %d " % (len(named), -1 if content is None else len(content)) + named + (content or b""))
    return made.digest()


def benches(tasks: Sequence[Task]) -> dict[str, TaskBench]:
    """A bench per task id."""
    return {task.id: TaskBench(task, threading.Lock()) for task in tasks}


class Benches(Mapping[str, TaskBench]):
    """A bench per task id, for runs over many tasks: the files of those asked for longest ago are dropped.

    Asked by one thread only. A bench that somebody still holds stays whole.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._locks = {task.id: threading.Lock() for task in tasks}
        self._open: OrderedDict[str, TaskBench] = OrderedDict()

    def __getitem__(self, fixture: str) -> TaskBench:
        bench = self._open.get(fixture)
        if bench is None:
            # A copy of the task, so that the files that it reads go when the bench does.
            task = replace(self._tasks[fixture])
            # Its words are those that the run began with: an edit meanwhile would be some trials' alone.
            task.__dict__["prompt"] = self._tasks[fixture].prompt
            bench = TaskBench(task, self._locks[fixture])
            self._open[fixture] = bench
        self._open.move_to_end(fixture)
        while len(self._open) > _OPEN:
            self._open.popitem(last=False)
        return bench

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)
