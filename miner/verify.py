"""`miner verify`: a set is proved again, from its stored locks; what rotted is named, and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task, load_fixture
from miner.impossible import shows_withheld
from miner.nearest import meant
from miner.parallel import in_parallel
from miner.proof import Run, missing
from miner.proving import proving_environment
from miner.recipes.model import EnvironmentFailed, Result
from miner.record import Proof
from miner.symbols.files import SYMBOLS_VERSION, allowed_by
from miner.withholding import still_possible
from miner.workbench import Workbench, on_disk


@dataclass(frozen=True)
class Verdict:
    """One fixture proved again; `rotted` says why it no longer holds, empty where it does."""

    fixture: str
    rotted: str
    test_seconds: float


def verify(
    folder: FixtureFolder, fixtures: Sequence[str], repeats: int | None, workers: int,
    progress: Callable[[Verdict], None],
) -> list[Verdict]:  # fmt: skip
    """Prove these fixtures again, in parallel; `repeats` None: as often as each was proved at first."""
    done: dict[str, Verdict] = {}

    def again(fixture_id: str) -> Verdict:
        times: list[float] = []
        try:
            rotted = prove_again(folder.task(fixture_id), repeats, times)
        except (ToolError, EnvironmentFailed) as error:
            rotted = str(error)
        except Exception as error:  # one odd fixture must not hide the verdicts on all others
            rotted = f"a bug, please report it: {type(error).__name__}: {error}"
        return Verdict(fixture_id, rotted, sum(times))

    for verdict in in_parallel(again, fixtures, workers):
        done[verdict.fixture] = verdict
        progress(verdict)
    return [done[fixture_id] for fixture_id in fixtures]


def to_verify(folder: FixtureFolder, asked: Sequence[str] = ()) -> list[str]:
    """The fixtures asked for, else those that claim a proof or whose record cannot be read.

    Raises `ToolError` for one that the folder does not have.
    """
    if asked:
        return meant(asked, folder.ids(), "no such fixture", "`miner show` lists them.")
    return [fixture_id for fixture_id in folder.ids() if _claims_proof(folder, fixture_id)]


def _claims_proof(folder: FixtureFolder, fixture_id: str) -> bool:
    try:
        return load_fixture(folder.root / fixture_id).proof is not None
    except ToolError:
        return True


def prove_again(task: Task, repeats: int | None, times: list[float]) -> str:
    """Why the fixture no longer holds, empty where it does; raises `ToolError` or `EnvironmentFailed`."""
    proof = task.fixture.proof
    if proof is None:
        return "it was never proved (harvested with --no-prove)"
    if task.fixture.symbols_version == SYMBOLS_VERSION and allowed_by(task.before, task.after) != task.fixture.allowed:
        return "its allowed symbols are not those of its change"
    if task.fixture.impossible is not None:
        if told := next(shows_withheld(task), None):
            return f"{told} is shown and says what is withheld"
        return still_possible(task, proof, task.withheld, repeats or task.fixture.impossible.repeats, times)
    unsolved = task.store.patched(task.fixture.starting_tree, [task.tests_patch])
    if unsolved is None:
        return "tests.patch does not apply to the starting tree"
    recipe, ready = proving_environment(
        task.store, task.repository, task.fixture.starting_tree, task.fixture.date, proof.environment, task.lock
    )
    bench = Workbench(recipe, ready, proof.timeout_seconds, times)
    with on_disk(task.store, unsolved) as before, on_disk(task.store, task.solved_tree) as after:
        for _ in range(repeats or proof.repeats):
            if rotted := _solved(bench.run(after, proof.command), proof):
                return rotted
            if rotted := _unsolved(bench.run(before, proof.command), proof):
                return rotted
    return ""


def _solved(run: Run, proof: Proof) -> str:
    if run.timed_out:
        return f"with the change the tests ran out of time ({run.seconds:.0f} s)"
    failed = missing(run.found, proof.required)
    return f"with the change {_named(failed)} does not pass" if failed else ""


def _unsolved(run: Run, proof: Proof) -> str:
    if run.timed_out:
        return f"without the change the tests ran out of time ({run.seconds:.0f} s)"
    passed = [test for test in proof.fail_to_pass if run.found.get(test) is Result.PASSED]
    if passed:
        return f"without the change {_named(passed)} passes"
    broken = [test for test in proof.pass_to_pass if run.found.get(test) is Result.FAILED]
    return f"without the change {_named(broken)} fails" if broken else ""


def _named(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else f"{tests[0]} (and {len(tests) - 1} more)"
