"""The proof: a fixture's tests fail on the starting tree with tests, and pass on the solved tree, every time."""

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from miner.recipes.model import Result, Results
from miner.rejection import Rejection

_LONGEST_COMMAND = 100_000  # characters of targets; beyond it whole files are named
NOTHING: Results = {}


@dataclass(frozen=True)
class Run:
    """One run of a test command: results per test (None: it left none), whether it timed out, its time."""

    results: Results | None
    timed_out: bool
    seconds: float
    output: str

    @property
    def found(self) -> Results:
        """The results, empty where there are none."""
        return self.results or NOTHING


@dataclass(frozen=True)
class Proved:
    """What the runs showed; the lists are sorted and have no test in common (see `record.Proof`)."""

    command: list[str]
    plain: bool  # without the project's own options
    fail_to_pass: list[str]
    pass_to_pass: list[str]
    collected_after: list[str]
    collects_only_after: bool
    flaky: list[str]
    seconds: float


@dataclass(frozen=True)
class Disproved:
    """Why there is no proof; `elsewhere`: another toolchain may tell otherwise."""

    rejection: Rejection
    detail: str
    elsewhere: bool = False


@dataclass(frozen=True)
class Sides:
    """The runs of both sides so far: without the change, and with it."""

    before: list[Run] = field(default_factory=list)
    after: list[Run] = field(default_factory=list)

    @property
    def late(self) -> Run | None:
        """A run that ran out of time, if any did."""
        return next((run for run in (*self.after, *self.before) if run.timed_out), None)


RunCommand = Callable[[Sequence[str]], Run]  # a whole command -> what it did


@dataclass(frozen=True)
class Bench:
    """What a proof needs to run: both trees, and how the repository's recipe names and orders tests."""

    unsolved: RunCommand
    solved: RunCommand
    command: Callable[[Sequence[str], bool], list[str]]  # targets, plain -> command
    targets: Callable[[Sequence[str], Collection[str]], list[str]]  # ids wanted, ids known -> targets

    def both(self, before: Sequence[str], after: Sequence[str], sides: Sides) -> None:
        """Run a command on each side."""
        sides.after.append(self.solved(after))
        sides.before.append(self.unsolved(before))


def fail_to_pass(before: Results, after: Results) -> set[str]:
    """Tests that pass after and fail before; one that is missing before failed to be collected there."""
    return {
        test for test, result in after.items()
        if result is Result.PASSED and before.get(test, Result.FAILED) is Result.FAILED
    }  # fmt: skip


def missing(results: Results, required: Sequence[str]) -> list[str]:
    """The required tests that did not pass."""
    return [test for test in required if results.get(test) is not Result.PASSED]


def prove(
    bench: Bench, files: Sequence[str], touched: Callable[[str], bool], repeats: int, seed: str
) -> Proved | Disproved:
    """Run the tests of `files` on both sides, `repeats` times, in other orders, lastly by the final command.

    `files` empty means the whole suite. `touched` tells the tests that the change itself touched.
    """
    command, sides = _first_runs(bench, files)
    plain = command == bench.command(files, True)
    if refusal := first_judgement(sides.before[0], sides.after[0], touched):
        return refusal
    shuffle = random.Random(seed)
    for _ in range(repeats - 2):
        orders = [_another_order(bench, run.found, shuffle) or list(files) for run in (sides.before[0], sides.after[0])]
        bench.both(bench.command(orders[0], plain), bench.command(orders[1], plain), sides)
    if sides.late:
        return _too_late(sides.late)
    if regressed := sorted(_constant(sides.before, Result.PASSED) & _constant(sides.after, Result.FAILED)):
        return Disproved(Rejection.FAILS_AFTER, f"{regressed[0]} passes without the change and fails with it")
    turned, kept = _turned(sides), _constant(sides.before, Result.PASSED) & _constant(sides.after, Result.PASSED)
    if not turned:
        return _flaky(fail_to_pass(sides.before[0].found, sides.after[0].found))
    ran = [test for test, result in sides.after[0].found.items() if result is not Result.SKIPPED]
    final = bench.command(bench.targets(sorted(turned | kept), ran) or list(files), plain)
    last = Sides()
    bench.both(final, final, last)
    if last.late:
        return _too_late(last.late)
    return _conclude(final, plain, sides, last, turned, kept, touched)


def _first_runs(bench: Bench, files: Sequence[str]) -> tuple[list[str], Sides]:
    command, sides = bench.command(files, False), Sides()
    after = bench.solved(command)
    if after.results is None and not after.timed_out:
        # The project's own options may name plugins that its requirements do not.
        command = bench.command(files, True)
        after = bench.solved(command)
    sides.after.append(after)
    sides.before.append(bench.unsolved(command))
    return command, sides


def first_judgement(before: Run, after: Run, touched: Callable[[str], bool]) -> Disproved | None:
    """Why the first pair of runs leaves no hope of a proof, or None."""
    if late := Sides([before], [after]).late:
        return _too_late(late)
    if not after.found:
        return Disproved(Rejection.NO_TESTS_RUN, _excerpt(after.output), elsewhere=True)
    if fail_to_pass(before.found, after.found):
        return None
    skipped = [test for test, result in after.found.items() if result is Result.SKIPPED]
    if len(skipped) == len(after.found):
        return Disproved(Rejection.NO_TESTS_RUN, f"all {len(skipped)} tests are skipped", elsewhere=True)
    failed = [test for test, result in after.found.items() if result is Result.FAILED]
    if failed:
        detail = f"{len(failed)} of {len(after.found)} tests fail with the change: {_excerpt(after.output)}"
        return Disproved(Rejection.FAILS_AFTER, detail, elsewhere=True)
    detail = f"{len(after.found)} tests, none fails without the change"
    return Disproved(Rejection.PASSES_BEFORE, detail, elsewhere=any(touched(test) for test in skipped))


def _another_order(bench: Bench, results: Results, shuffle: random.Random) -> list[str]:
    """The tests that ran, in a random order; whole files where naming each would be too long."""
    ids = sorted(test for test, result in results.items() if result is not Result.SKIPPED)
    shuffle.shuffle(ids)
    targets = bench.targets(ids, ())
    return targets if sum(map(len, targets)) < _LONGEST_COMMAND else bench.targets(ids, ids)


def _constant(runs: Sequence[Run], result: Result) -> set[str]:
    """The tests that had this result in every run."""
    first, *others = (run.found for run in runs)
    return {t for t, r in first.items() if r is result and all(o.get(t) is result for o in others)}


def _turned(sides: Sides) -> set[str]:
    """Tests that failed, or were missing, in every run before and passed in every run after."""
    passed = _constant(sides.after, Result.PASSED)
    return {t for t in passed if all(run.found.get(t, Result.FAILED) is Result.FAILED for run in sides.before)}


def _conclude(
    command: list[str], plain: bool, sides: Sides, last: Sides, turned: set[str], kept: set[str],
    touched: Callable[[str], bool],
) -> Proved | Disproved:  # fmt: skip
    """The lists, after the last runs, which were of the final command alone."""
    hopeful = fail_to_pass(sides.before[0].found, sides.after[0].found)
    steady = turned & _turned(last)
    if not steady:
        return _flaky(hopeful)
    after = last.after[0].found
    before = last.before[0].found or dict.fromkeys(kept, Result.PASSED)  # a runner may refuse a name that is missing
    still = {t for t in kept if after.get(t) is Result.PASSED and before.get(t) is Result.PASSED}
    collected = {test.split("::")[0] for test in sides.before[0].found}
    only_after = {test for test in steady if test.split("::")[0] not in collected}
    # Where a module could not even be imported all of its tests turn: those that the change touched say more.
    aside = {t for t in only_after if not touched(t)} if any(touched(t) for t in steady) else set()
    return Proved(
        command, plain, sorted(steady - aside), sorted(still), sorted(aside), bool(only_after),
        sorted((hopeful | kept | _wavering(sides)) - steady - still), max(run.seconds for run in last.after),
    )  # fmt: skip


def _wavering(sides: Sides) -> set[str]:
    """Tests that passed in one run of a side and failed in another."""
    found: set[str] = set()
    for runs in (sides.before, sides.after):
        passed = {t for run in runs for t, r in run.found.items() if r is Result.PASSED}
        found |= {t for run in runs for t, r in run.found.items() if r is Result.FAILED} & passed
    return found


def _flaky(hopeful: Collection[str]) -> Disproved:
    return Disproved(Rejection.FLAKY, f"none of {len(hopeful)} tests kept failing before and passing after")


def _too_late(run: Run) -> Disproved:
    return Disproved(Rejection.TIMED_OUT, f"after {run.seconds:.0f} s")


def _excerpt(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return " | ".join(lines[-4:])[-400:] or "the test command wrote nothing"
