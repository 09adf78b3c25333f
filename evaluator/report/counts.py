"""What the trials of a run came to, counted per format. No estimate is made here."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine, RunFile
from evaluator.scoring import Tests
from evaluator.taxonomy import Category, Detail, Discard
from evaluator.trials import Trial, is_finished, trials


@dataclass(frozen=True)
class Crossed:
    """Trials whose last attempt applied and was tested: whether its tests pass, by whether it changed too much."""

    pass_clean: int
    pass_unintended: int
    fail_clean: int
    fail_unintended: int


@dataclass(frozen=True)
class Counts:
    """One format's counts. `failed` and `resolved` sum to `trials`, those that have evidence.

    `attempts`, `applied` and `reached_applier` are of all attempts of these trials, `edits` and `edits_applied` of
    their first ones: a retry repeats the edits that did fit.
    `strict_would_change` are trials that are resolved only because an addition is excused.
    """

    name: str
    planned: int
    trials: int
    tasks: int
    resolved: int
    failed: dict[Category, int]
    details: dict[Detail, int]
    first: dict[Category, int]
    first_resolved: int
    silent: int
    crossed: Crossed
    strict_would_change: int
    attempts: int
    applied: int
    reached_applier: int
    edits: int
    edits_applied: int
    discarded: dict[Discard, int]


def finished(run: RunFile, lines: Iterable[AttemptLine]) -> list[Trial]:
    """The trials of the run that have ended; lines of formats or repeats that it has not are in no number."""
    own = set(run.formats)
    return [
        t for t in trials(lines)
        if t.format in own and 1 <= t.repeat <= run.repeats and is_finished(t.attempts, run.attempts, run.retry_on)
    ]  # fmt: skip


def by_format(run: RunFile, done: Iterable[Trial]) -> dict[str, list[Trial]]:
    """Trials by format, in the run's order."""
    found: dict[str, list[Trial]] = {name: [] for name in run.formats}
    for trial in done:
        found[trial.format].append(trial)
    return found


def counts(name: str, run: RunFile, done: Sequence[Trial]) -> Counts:
    """The counts of one format over its trials that ended."""
    counted = [t for t in done if t.has_evidence]
    attempts = [a for t in counted for a in t.attempts]
    ended, details = Counter(t.category for t in counted), Counter(t.last.detail for t in counted if not t.resolved)
    first, lost = Counter(t.attempts[0].failure_category for t in counted), Counter(t.last.discarded for t in done)
    return Counts(
        name=name, planned=len(run.fixtures) * run.repeats, trials=len(counted),
        tasks=len({t.fixture for t in counted}), resolved=ended[None], failed={c: ended[c] for c in Category},
        details={d: details[d] for d in Detail if details[d]}, first={c: first[c] for c in Category},
        first_resolved=first[None], silent=sum(t.silent_defect for t in counted), crossed=_crossed(counted),
        strict_would_change=sum(t.resolved and not strictly(t) for t in counted), attempts=len(attempts),
        applied=sum(a.applied for a in attempts), reached_applier=sum(map(reached_applier, attempts)),
        edits=sum(t.attempts[0].edits for t in counted),
        edits_applied=sum(t.attempts[0].edits_applied for t in counted),
        discarded={d: lost[d] for d in Discard if lost[d]},
    )  # fmt: skip


def all_counts(run: RunFile, lines: Iterable[AttemptLine]) -> list[Counts]:
    """The counts of every format of a run, in the run's order."""
    return [counts(name, run, done) for name, done in by_format(run, finished(run, lines)).items()]


def reached_applier(attempt: AttemptLine) -> bool:
    """Whether its edits could be read, so that they were tried on the tree."""
    return attempt.applied or attempt.failure_category is Category.NOT_APPLIED


def strictly(trial: Trial) -> bool:
    """Whether the trial is resolved though nothing were excused."""
    return trial.resolved and not trial.last.unintended_changes


def _crossed(counted: Sequence[Trial]) -> Crossed:
    tested = [t.last for t in counted if t.last.applied and t.last.tests is not None]
    cells = Counter((a.tests == Tests.PASS, bool(set(a.unintended_changes).difference(a.excused))) for a in tested)
    return Crossed(cells[True, False], cells[True, True], cells[False, False], cells[False, True])
