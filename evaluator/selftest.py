"""`evaluator selftest`: whether every fixture, and every format over it, measures what it should. No model."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from evaluator import checks
from evaluator.bench import TaskBench, benches
from evaluator.checks import PASSED, Check, Judged, Outcome
from evaluator.faults.stray import Stray, stray_edit
from evaluator.formats.model import EditFormat
from evaluator.models.model import NoEvidence
from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task
from miner.nearest import meant
from miner.parallel import in_parallel
from miner.symbols.files import allowed_by


@dataclass(frozen=True)
class Finding:
    """One check of one fixture, in one format (None: it is of none), and why it did not pass."""

    fixture: str
    check: Check
    format: str | None
    outcome: Outcome
    why: str = ""


@dataclass(frozen=True)
class Loaded:
    """The fixtures to test, findings for those that do not load, and how many are left out for want of a proof."""

    tasks: list[Task]
    damaged: list[Finding]
    unproved: int

    def __len__(self) -> int:
        return len(self.tasks) + len(self.damaged)


def load(folder: FixtureFolder, wanted: Sequence[str]) -> Loaded:
    """The wanted fixtures, or else every proven one of the folder; raises `ToolError` where there is none."""
    ids = folder.ids()
    remedy = "An id reads `<repo>/<number>-<slug>`; `miner show` lists them."
    wanted = meant(wanted, ids, "no such fixture", remedy)
    tasks: list[Task] = []
    damaged: list[Finding] = []
    for fixture in wanted or ids:
        try:
            tasks.append(folder.task(fixture))
        except ToolError as error:
            damaged.append(Finding(fixture, Check.READY, None, Outcome.FAILED, str(error)))
    kept = [task for task in tasks if wanted or task.fixture.proof is not None]
    if not kept and not damaged:
        raise ToolError("no proven fixture", folder.root, "Run `miner harvest --repo REPO` without --no-prove first.")
    return Loaded(kept, damaged, len(tasks) - len(kept))


def selftest(
    loaded: Loaded, formats: Sequence[EditFormat], workers: int, progress: Callable[[list[Finding]], None]
) -> list[Finding]:
    """Every finding, sorted by fixture; `progress` is called with those so far after each fixture."""
    found = list(loaded.damaged)
    for findings in in_parallel(lambda bench: examine(bench, formats), benches(loaded.tasks).values(), workers):
        found += findings
        progress(found)
    return sorted(found, key=lambda f: f.fixture)  # stable: the checks of a fixture stay in their order


def examine(bench: TaskBench, formats: Sequence[EditFormat]) -> list[Finding]:
    """All the findings of one fixture; whatever goes wrong with it is one of them."""
    failed = Finding(bench.task.id, Check.READY, None, Outcome.FAILED)
    return list(_guarded(failed, _findings(bench, formats)))


def _guarded(failed: Finding, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings; where finding one raises, `failed` with the reason comes last."""
    try:
        yield from findings
    except (ToolError, NoEvidence) as error:
        yield replace(failed, why=str(error))
    except Exception as error:  # a bug of ours, or of a format, hides no other fixture and no other format
        yield replace(failed, why=f"a bug, please report it: {type(error).__name__}: {error}")


def _findings(bench: TaskBench, formats: Sequence[EditFormat]) -> Iterator[Finding]:
    task = bench.task
    checks.check_records(task)
    yield Finding(task.id, Check.FAILS_UNTOUCHED, None, *checks.fails_untouched(bench.run_tests({})))
    if task.impossible:
        yield from _of_impossible(bench, formats)
        return
    solved = checks.passes_solved(bench.run_tests(checks.differing(task.before, task.after)))
    yield Finding(task.id, Check.PASSES_SOLVED, None, *solved)
    yield Finding(task.id, Check.ROUND_TRIP, None, *checks.keeps_modes(task))
    # What counts as stray is worked out again, so that a record that allows too much is found out.
    allowed = allowed_by(task.before, task.after)
    stray = stray_edit(task.before, task.after, allowed, checks.other_texts(bench))
    for fmt in formats:
        failed = Finding(task.id, Check.READY, fmt.name, Outcome.FAILED)
        yield from _guarded(failed, _of_format(fmt, bench, solved, stray))


def _of_impossible(bench: TaskBench, formats: Sequence[EditFormat]) -> Iterator[Finding]:
    """What holds of an impossible fixture in place of a ground truth that is resolved."""
    task = bench.task
    yield Finding(task.id, Check.READY, None, *checks.withholds(task))
    # With what is withheld back in its place: where nothing passes, failing tests say nothing.
    yield Finding(task.id, Check.PASSES_SOLVED, None, *checks.passes_solved(bench.run_tests(task.after)))
    yield Finding(task.id, Check.FAILS_WITHHELD, None, *checks.fails_withheld(task, bench.run_tests))
    of_formats = ((Check.NO_OP, checks.no_op), (Check.BLOCKED, checks.blocked_is_right),
                  (Check.EDITED, checks.edits_are_wrong))  # fmt: skip
    for fmt in formats:
        failed = Finding(task.id, Check.READY, fmt.name, Outcome.FAILED)
        found = (Finding(task.id, check, fmt.name, *judge(fmt, bench)) for check, judge in of_formats)
        yield from _guarded(failed, found)


def _of_format(fmt: EditFormat, bench: TaskBench, solved: Judged, stray: Stray | None) -> Iterator[Finding]:
    def finding(check: Check, judged: Judged) -> Finding:
        return Finding(bench.task.id, check, fmt.name, *judged)

    trip = checks.round_trip(fmt, bench)
    yield finding(Check.ROUND_TRIP, trip)
    yield finding(Check.NO_OP, checks.no_op(fmt, bench))
    # Where the tests or the round trip fail already, what is scored by them says nothing more.
    if solved == PASSED == trip:
        resolved = checks.is_resolved(fmt, bench)
        yield finding(Check.RESOLVED, resolved)
        if resolved == PASSED:
            yield finding(Check.STRAY_EDIT, checks.stray_is_seen(fmt, bench, stray))


Row = tuple[str, str, str]


def rows(findings: Sequence[Finding], *outcomes: Outcome) -> list[Row]:
    """Fixture, check with its formats, and why, for the findings that ended so; equal reasons make one row."""
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for f in findings:
        if f.outcome in outcomes:
            name = f.check.value if f.outcome is Outcome.FAILED else f"{f.check.value} {f.outcome.value}"
            grouped.setdefault((f.fixture, name, f.why), []).extend([f.format] if f.format else [])
    return [
        (fixture, f"{name} ({', '.join(formats)})" if formats else name, why)
        for (fixture, name, why), formats in grouped.items()
    ]


def failing(findings: Iterable[Finding]) -> set[str]:
    """The ids of the fixtures with a failed check."""
    return {f.fixture for f in findings if f.outcome is Outcome.FAILED}
