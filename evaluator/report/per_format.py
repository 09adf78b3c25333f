"""One format's numbers: its counts, and the estimates that are made of them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from evaluator.formats import FORMATS
from evaluator.journal import AttemptLine, RunFile, cached_tokens
from evaluator.report import intervals
from evaluator.report.across import own_name
from evaluator.report.bought import bought
from evaluator.report.counts import counts, reached_applier
from evaluator.report.intervals import TaskCount
from evaluator.report.model import BoughtRow, Count, FormatEstimates, Interval, RepositoryEstimates, SizeRow
from evaluator.report.natural_mix import Mix, repository_of
from evaluator.report.spending import spending
from evaluator.statistics.bootstrap import ratio_of_sums
from evaluator.statistics.clusters import leave_one_out, new_repository
from evaluator.statistics.repeats import solved_every
from evaluator.statistics.wilson import mean_bounds
from evaluator.trials import Trial
from miner.strata import Stratum

WHOLE_FILE = "whole_file"


def estimates(name: str, run: RunFile, done: Sequence[Trial], mix: Mix | None) -> FormatEstimates:
    """The numbers of one format over `done`, its trials of possible tasks that ended."""
    known = counts(name, run, done)
    counted = [t for t in done if t.has_evidence]
    tasks = task_counts(done)
    discarded = sum(known.discarded.values())
    attempts = [a for t in counted for a in t.attempts]
    repeats, spent = run.repeats, spending(done)
    every = solved_every([(t.resolved, t.trials) for t in tasks.values()], repeats) if repeats > 1 else None
    return FormatEstimates(
        name=name, planned=known.planned, trials=known.trials, tasks=known.tasks, resolved=known.resolved,
        this_set=intervals.mean(tasks.values()),
        every_repeat=intervals.shown(every.interval if every else None),
        every_repeat_unknown=every.unknown if every else 0,
        history=None if mix is None else intervals.of_history(mix, run, tasks),
        repositories=_repositories(tasks),
        bounds=mean_bounds([(t.resolved, t.trials) for t in tasks.values()], repeats) if discarded else None,
        discarded=known.discarded, silent_defects=intervals.mean(_silent(counted).values()), silent=known.silent,
        apply_rate=_apply_rate(run, counted), applied=known.applied, reached_applier=known.reached_applier,
        edits=known.edits, edits_applied=known.edits_applied, anchored=_is_anchored(name),
        failed=known.failed, details=known.details, first=known.first, first_resolved=known.first_resolved,
        tests_by_unintended={
            "pass_clean": known.crossed.pass_clean, "pass_unintended": known.crossed.pass_unintended,
            "fail_clean": known.crossed.fail_clean, "fail_unintended": known.crossed.fail_unintended,
        },
        strict_would_change=known.strict_would_change, attempts=known.attempts,
        mean_attempts=_share(known.attempts, known.trials),
        output_tokens=_median(sum(a.output_tokens for a in t.attempts) for t in counted),
        input_tokens=_median(sum(a.input_tokens for a in t.attempts) for t in counted),
        cached_share=_cached_share(attempts), counted_here=_counted_here(attempts),
        latency_p50=_quantile(attempts, 0.5), latency_p95=_quantile(attempts, 0.95),
        cost_total=spent.total, paid_total=spent.paid, cost_per_task=spent.per_task,
        cost_per_resolved=spent.per_resolved,
        sizes=_rows([s.value for s in Stratum], run, counted, lambda f: [run.tasks[f].stratum.value]),
        change=_rows(["small", "large"], run, counted, lambda f: ["large" if run.tasks[f].large else "small"]),
        tags=_rows(sorted({tag for f in run.tasks.values() for tag in f.tags}), run, counted,
                   lambda f: run.tasks[f].tags),
        bought=[
            BoughtRow(tolerance=b.tolerance, attempts=b.attempts, resolved=b.resolved, misapplied=b.misapplied,
                      unintended=b.unintended)
            for b in bought([name], attempts)
        ],
    )  # fmt: skip


def task_counts(done: Iterable[Trial]) -> dict[str, TaskCount]:
    """Per fixture its trials with evidence (maybe none), and those of them that resolved it."""
    resolved, trials = Counter[str](), Counter[str]()
    for trial in done:
        resolved[trial.fixture] += trial.resolved
        trials[trial.fixture] += trial.has_evidence
    return {fixture: TaskCount(resolved[fixture], n) for fixture, n in trials.items()}


def _silent(counted: Sequence[Trial]) -> dict[str, TaskCount]:
    silent, trials = Counter(t.fixture for t in counted if t.silent_defect), Counter(t.fixture for t in counted)
    return {fixture: TaskCount(silent[fixture], n) for fixture, n in trials.items()}


def _repositories(tasks: Mapping[str, TaskCount]) -> RepositoryEstimates:
    grouped: dict[str, list[TaskCount]] = defaultdict(list)
    for fixture, task in sorted(tasks.items()):
        if task.trials:
            grouped[repository_of(fixture)].append(task)
    means = {name: [t.mean for t in members] for name, members in grouped.items()}
    return RepositoryEstimates(
        new_repository=intervals.shown(new_repository(means)), leave_one_out=leave_one_out(means),
        per_repository={
            name: Count(k=sum(t.resolved for t in members), n=sum(t.trials for t in members))
            for name, members in grouped.items()
        },
    )  # fmt: skip


def _apply_rate(run: RunFile, counted: Sequence[Trial]) -> Interval | None:
    applied, reached = Counter[str](), Counter[str]()
    for trial in counted:
        applied[trial.fixture] += sum(a.applied for a in trial.attempts)
        reached[trial.fixture] += sum(map(reached_applier, trial.attempts))
    fixtures = sorted(reached)
    cells = [(repository_of(f), run.tasks[f].stratum if f in run.tasks else None) for f in fixtures]
    return intervals.shown(ratio_of_sums([applied[f] for f in fixtures], [reached[f] for f in fixtures], cells))


def _rows(names: Sequence[str], run: RunFile, counted: Sequence[Trial], groups: Callable[[str], Sequence[str]]
          ) -> list[SizeRow]:  # fmt: skip
    resolved, trials = Counter[str](), Counter[str]()
    for trial in counted:
        if trial.fixture in run.tasks:
            for group in groups(trial.fixture):
                trials[group] += 1
                resolved[group] += trial.resolved
    return [SizeRow(name=name, resolved=Count(k=resolved[name], n=trials[name])) for name in names]


def _is_anchored(name: str) -> bool:
    """Of a run's name (one format may stand in it as `format@A`): whether edits must find their place."""
    own = own_name(name)
    return own in FORMATS and own != WHOLE_FILE


def _cached_share(attempts: Sequence[AttemptLine]) -> float | None:
    """Of the input tokens of those calls whose provider says how many a cache held."""
    told = [(cached, a.input_tokens) for a in attempts if (cached := cached_tokens(a)) is not None]
    return _share(sum(cached for cached, _ in told), sum(asked for _, asked in told))


def _counted_here(attempts: Sequence[AttemptLine]) -> int | None:
    """How many attempts have tokens that are estimates; None where no line tells."""
    tell = any(a.counted_here is not None for a in attempts)
    return sum(a.estimated for a in attempts) if tell else None


def _quantile(attempts: Sequence[AttemptLine], of: float) -> float | None:
    return float(np.quantile([a.latency_ms for a in attempts], of)) if attempts else None


def _median(values: Iterable[float]) -> float | None:
    found = list(values)
    return float(np.median(found)) if found else None


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
