"""Whether a task cannot be done without some files: its tests fail without them, whatever else is right."""

from collections.abc import Sequence

from miner.fixtures import Task
from miner.proof import Run, missing
from miner.proving import proving_environment
from miner.recipes.model import Result
from miner.record import Proof
from miner.trees import write_files
from miner.workbench import Workbench, on_disk


def still_possible(task: Task, proof: Proof, withheld: Sequence[str], repeats: int, times: list[float]) -> str:
    """Why the runs do not show that the task is impossible, empty where they do; `times` gets seconds of each run.

    First the tests must pass once with everything in its place, since in an environment that is broken they fail
    whatever is withheld. Then every test that the change set turns must fail without these files, on the solved tree
    and on the starting tree with the tests. Raises `ToolError` or `EnvironmentFailed` where nothing can be run.
    """
    unsolved = task.store.patched(task.fixture.starting_tree, [task.tests_patch])
    if unsolved is None:
        return "tests.patch does not apply to the starting tree"
    recipe, ready = proving_environment(
        task.store, task.repository, task.fixture.starting_tree, task.fixture.date, proof.environment, task.lock
    )
    bench = Workbench(recipe, ready, proof.timeout_seconds, times)
    with on_disk(task.store, unsolved) as before, on_disk(task.store, task.solved_tree) as after:
        if failed := missing(bench.run(after, proof.command).found, proof.required):
            return f"with nothing withheld {failed[0]} does not pass"
        for folder in (before, after):
            write_files(folder, dict.fromkeys(withheld))
        for _ in range(repeats):
            for folder, what in ((after, "with the rest of the change"), (before, "with nothing of the change")):
                if why := _passes(bench.run(folder, proof.command), proof):
                    return f"without the withheld files, {what}, {why}"
    return ""


def _passes(run: Run, proof: Proof) -> str:
    """What of a run shows that a right answer may be possible, or nothing at all."""
    if run.timed_out:
        return f"the tests ran out of time ({run.seconds:.0f} s)"
    passed = [test for test in proof.fail_to_pass if run.found.get(test) is Result.PASSED]
    return f"{passed[0]} passes ({len(passed)} of {len(proof.fail_to_pass)})" if passed else ""
