"""The proof: a fixture's tests fail on the starting tree with tests, and pass on the solved tree, repeatedly."""

import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from miner import environment, sandbox
from miner.environment import Ready
from miner.junit import Result, read_results
from miner.recipes.model import Recipe
from miner.rejection import Rejection
from miner.trees import TreeStore

Results = Mapping[str, Result]


@dataclass(frozen=True)
class Run:
    """One run of a test command: results per test (None: it wrote none), whether it timed out, its time."""

    results: Results | None
    timed_out: bool
    seconds: float
    output: str


@dataclass(frozen=True)
class Proved:
    """Tests that went from failing to passing every time, and the command that runs just those."""

    command: list[str]
    fail_to_pass: list[str]
    seconds: float


@dataclass(frozen=True)
class Disproved:
    """Why there is no proof."""

    rejection: Rejection
    detail: str


def fail_to_pass(before: Results, after: Results) -> list[str]:
    """Tests that pass after and fail before; one that is missing before failed to be collected there."""
    return sorted(
        test for test, result in after.items()
        if result is Result.PASSED and before.get(test, Result.FAILED) is Result.FAILED
    )  # fmt: skip


def first_judgement(before: Run, after: Run) -> list[str] | Disproved:
    """The tests that the first pair of runs lets one hope for, or why there are none."""
    for run, name in ((after, "with the change"), (before, "without the change")):
        if run.timed_out:
            return Disproved(Rejection.TIMED_OUT, f"{name}, after {run.seconds:.0f} s")
    if not after.results:
        return Disproved(Rejection.NO_TESTS_RUN, _excerpt(after.output))
    hopeful = fail_to_pass(before.results or {}, after.results)
    if hopeful:
        return hopeful
    if any(result is Result.PASSED for result in after.results.values()):
        return Disproved(Rejection.PASSES_BEFORE, f"{len(after.results)} tests, none fails without the change")
    if all(result is Result.SKIPPED for result in after.results.values()):
        return Disproved(Rejection.NO_TESTS_RUN, f"all {len(after.results)} tests are skipped")
    failed = sum(result is Result.FAILED for result in after.results.values())
    return Disproved(Rejection.FAILS_AFTER, f"{failed} of {len(after.results)} tests fail with the change")


def stable(hopeful: Collection[str], before: Sequence[Results], after: Sequence[Results]) -> list[str]:
    """Those of the tests that failed in every run before and passed in every run after."""
    return sorted(
        test for test in hopeful
        if all(results.get(test, Result.FAILED) is Result.FAILED for results in before)
        and all(results.get(test) is Result.PASSED for results in after)
    )  # fmt: skip


@dataclass(frozen=True)
class Bench:
    """Runs a recipe's test commands on trees of a store in a ready environment."""

    store: TreeStore
    ready: Ready
    recipe: Recipe
    timeout: float

    def run(self, tree: str, command: Sequence[str], prepare: Callable[[Path], None] | None = None) -> Run:
        """Write the tree to disk, run the command on it in the sandbox, read its results.

        `prepare` may change the written tree before the command runs.
        """
        with tempfile.TemporaryDirectory(prefix="trial-") as scratch:
            folder, results = Path(scratch, "tree"), Path(scratch, "results")
            folder.mkdir()
            self.store.checkout(tree, folder)
            if prepare is not None:
                prepare(folder)
            whole = [*command, *self.recipe.results_option("{results}/report.xml")]
            done = sandbox.run(environment.test_job(self.ready, folder, results, whole, self.timeout))
            found = None if done.timed_out else read_results(results / "report.xml")
            return Run(found, done.timed_out, done.seconds, done.output)


def prove(bench: Bench, test_files: Collection[str], unsolved: str, solved: str, repeats: int) -> Proved | Disproved:
    """Run the change's tests on both trees, narrow to those that turned, and repeat those."""
    targets = bench.recipe.runnable(test_files)
    if not targets:
        return Disproved(Rejection.NO_TESTS_RUN, "the changed test files hold no tests")
    command = bench.recipe.command(targets)
    after = bench.run(solved, command)
    if after.results is None and not after.timed_out:
        # The project's own options may name plugins that its requirements do not.
        command = bench.recipe.command(targets, plain=True)
        after = bench.run(solved, command)
    plain = command == bench.recipe.command(targets, plain=True)
    hopeful = first_judgement(bench.run(unsolved, command), after)
    if isinstance(hopeful, Disproved):
        return hopeful
    narrowed = bench.recipe.command(bench.recipe.targets(hopeful), plain)
    befores, afters = [], []
    for _ in range(max(repeats - 1, 1)):
        befores.append(bench.run(unsolved, narrowed))
        afters.append(bench.run(solved, narrowed))
    if late := next((run for run in (*befores, *afters) if run.timed_out), None):
        return Disproved(Rejection.TIMED_OUT, f"in a repeat, after {late.seconds:.0f} s")
    kept = stable(hopeful, [run.results or {} for run in befores], [run.results or {} for run in afters])
    if not kept:
        return Disproved(Rejection.FLAKY, f"none of {len(hopeful)} tests kept failing before and passing after")
    return Proved(narrowed, kept, round(max(run.seconds for run in afters), 2))


def _excerpt(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return " | ".join(lines[-4:])[-400:] or "the test command wrote nothing"


def scratch_tree(store: TreeStore, tree: str) -> Path:
    """A tree written to a new temporary folder, which the caller removes."""
    folder = Path(tempfile.mkdtemp(prefix="build-"))
    try:
        store.checkout(tree, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder
