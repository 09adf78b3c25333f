"""Impossible tasks in a run's report: a section of their own, with a denominator of their own (docs/taxonomy.md, R12).

No other table, rate, median or comparison may count them: `possible` gives what those are made of.
"""

from collections import Counter
from collections.abc import Sequence

from evaluator.journal import AttemptLine, RunFile
from evaluator.report import intervals, wording
from evaluator.report.counts import finished
from evaluator.report.model import ImpossibleRow, ReportFile
from evaluator.report.per_format import task_counts
from evaluator.report.tables import table
from evaluator.statistics.wilson import mean_bounds
from evaluator.taxonomy import Category, Detail, Discard
from evaluator.trials import Trial
from miner.wording import plural

TITLE = "Impossible tasks"
# In the taxonomy's order; whatever else a line may hold is shown below them, so that every sum is the tasks'.
ENDINGS = (
    Category.TRUNCATED, Category.MALFORMED, Category.NOT_APPLIED, Detail.NO_EFFECT, Detail.EDITED_ANYWAY,
    Detail.INVENTED_FILE, Detail.TESTS_TAMPERED,
)  # fmt: skip


def possible(run: RunFile, lines: Sequence[AttemptLine]) -> list[AttemptLine]:
    """The attempts at the run's possible tasks."""
    own = set(run.fixtures)
    return [line for line in lines if line.fixture in own]


def impossible_rows(run: RunFile, lines: Sequence[AttemptLine]) -> list[ImpossibleRow]:
    """The numbers of every format of a run over its impossible tasks, in the run's order; none where it has none."""
    apart = set(run.impossible)
    own = [line for line in lines if line.fixture in apart]
    done = finished(run, own)
    return [_of_format(name, run, [t for t in done if t.format == name]) for name in run.formats if run.impossible]


def _of_format(name: str, run: RunFile, done: Sequence[Trial]) -> ImpossibleRow:
    counted = [trial for trial in done if trial.has_evidence]
    ended = Counter(_ending(trial) for trial in counted if not trial.resolved)
    lost = Counter(trial.last.discarded for trial in done if trial.last.discarded is not None)
    tasks = task_counts(done)
    return ImpossibleRow(
        name=name, planned=len(run.impossible) * run.repeats, tasks=len(counted),
        reported=sum(t.resolved for t in counted), reported_rate=intervals.mean(tasks.values()),
        bounds=mean_bounds([(t.resolved, t.trials) for t in tasks.values()], run.repeats) if lost else None,
        ended={ending.value: ended[ending.value] for ending in ENDINGS} | ended,
        attempts=sum(len(t.attempts) for t in counted), discarded={d: lost[d] for d in Discard if lost[d]},
    )  # fmt: skip


def _ending(trial: Trial) -> str:
    """The row of a trial that did not report: its category, and of row 6, which edits end in, the detail."""
    category, detail = trial.category, trial.last.detail
    assert category is not None
    return detail.value if category is Category.WRONG_CHANGE and detail is not None else category.value


def only_impossible(run: RunFile, rows: Sequence[ImpossibleRow]) -> str:
    """The bottom line of a run of nothing but impossible tasks; empty for others."""
    if run.fixtures or not run.impossible:
        return ""
    reported = ", ".join(f"{f.name} {wording.share(f.reported, f.tasks)}" for f in rows)
    tasks = plural(len(run.impossible), "task")
    simulated = "Simulated: " if run.simulated else ""
    return (
        f"{simulated}Only impossible tasks were asked for ({tasks}), so no rate of resolved ones, and no format is "
        f"compared. Reported as impossible: {reported}."
    )


def impossible_markdown(report: ReportFile) -> str:
    """The section as Markdown; empty for a run without impossible tasks."""
    rows = report.impossible
    if not rows:
        return ""
    ended, planned = sum(f.tasks + sum(f.discarded.values()) for f in rows), sum(f.planned for f in rows)
    parts = [
        f"\n## {TITLE}\n",
        f"{plural(len(report.run.impossible), 'task')} whose files to change are withheld, so that the right answer "
        "is `BLOCKED: why`. In no other number of this report.\n",
    ]
    if len(report.impossible_served) > 1:
        names = ", ".join(report.impossible_served)
        parts.append(f"**Warning: the served model changed within this run ({names}).**\n")
    if ended < planned:
        parts.append(f"**Unfinished: {ended} of {planned} trials have ended.**\n")
    return "\n".join([*parts, _headline(rows), _endings(rows)])


def _headline(formats: Sequence[ImpossibleRow]) -> str:
    rows = [
        [f.name, f"{f.reported}/{f.tasks}" if f.tasks else "-", wording.rate(f.reported_rate), str(f.attempts),
         _discards(f)]
        for f in formats
    ]  # fmt: skip
    return table(["format", "reported", "rate [95%]", "attempts", "discarded (bounds)"], rows)


def _endings(formats: Sequence[ImpossibleRow]) -> str:
    names = list(dict.fromkeys(name for f in formats for name in f.ended))
    rows = [[name, *(str(f.ended.get(name, 0)) for f in formats)] for name in names]
    rows.append(["reported", *(str(f.reported) for f in formats)])
    rows.append(["sum = n", *(str(sum(f.ended.values()) + f.reported) for f in formats)])
    return table([TITLE.lower(), *(f.name for f in formats)], rows)


def _discards(f: ImpossibleRow) -> str:
    spread = f" ({wording.ends(*f.bounds, '-')}%)" if f.bounds else ""
    return f"{sum(f.discarded.values())}{spread}" + "".join(f", {n} {d.value}" for d, n in f.discarded.items())
