"""Impossible tasks in a run's report: a section of their own, with a denominator of their own (docs/taxonomy.md, R12).

No other table, rate, median or comparison may count them: `possible` gives what those are made of.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.tables import table
from evaluator.statistics.wilson import Rate, bounds, percent, rate
from evaluator.taxonomy import Category, Detail, Discard
from evaluator.trials import Trial, is_finished, trials

TITLE = "Impossible tasks"
# In the taxonomy's order; whatever else a line may hold is shown below them, so that every sum is the tasks'.
ENDINGS = (
    Category.TRUNCATED, Category.MALFORMED, Category.NOT_APPLIED, Detail.NO_EFFECT, Detail.EDITED_ANYWAY,
    Detail.INVENTED_FILE, Detail.TESTS_TAMPERED,
)  # fmt: skip


@dataclass(frozen=True)
class ImpossibleReport:
    """One format's numbers over the impossible tasks; `reported` and `ended` sum to `tasks`."""

    name: str
    planned: int
    tasks: int
    reported: int
    ended: dict[str, int]
    attempts: int
    discarded: dict[Discard, int]

    @property
    def reported_rate(self) -> Rate | None:
        """Tasks reported as impossible per task."""
        return rate(self.reported, self.tasks)


def possible(run: RunFile, lines: Sequence[AttemptLine]) -> list[AttemptLine]:
    """The attempts at the run's possible tasks."""
    own = set(run.fixtures)
    return [line for line in lines if line.fixture in own]


def impossible_report(run: RunFile, lines: Sequence[AttemptLine]) -> list[ImpossibleReport]:
    """The numbers of every format of a run over its impossible tasks, in the run's order; none where it has none."""
    apart = set(run.impossible)
    own = [line for line in lines if line.fixture in apart]
    done = [trial for trial in trials(own) if is_finished(trial.attempts, run.attempts, run.retry_on)]
    return [_of_format(name, run, [t for t in done if t.format == name]) for name in run.formats if run.impossible]


def _of_format(name: str, run: RunFile, done: Sequence[Trial]) -> ImpossibleReport:
    counted = [trial for trial in done if trial.has_evidence]
    ended = Counter(_ending(trial) for trial in counted if not trial.resolved)
    lost = Counter(trial.last.discarded for trial in done if trial.last.discarded is not None)
    return ImpossibleReport(
        name=name, planned=len(run.impossible), tasks=len(counted), reported=sum(t.resolved for t in counted),
        ended={ending.value: ended[ending.value] for ending in ENDINGS} | ended,
        attempts=sum(len(t.attempts) for t in counted), discarded={d: lost[d] for d in Discard if lost[d]},
    )  # fmt: skip


def _ending(trial: Trial) -> str:
    """The row of a trial that did not report: its category, and of row 6, which edits end in, the detail."""
    category, detail = trial.category, trial.last.detail
    assert category is not None
    return detail.value if category is Category.WRONG_CHANGE and detail is not None else category.value


def impossible_markdown(run: RunFile, formats: Sequence[ImpossibleReport], lines: Sequence[AttemptLine]) -> str:
    """The section as Markdown, `lines` being all of the run's; empty for a run without impossible tasks."""
    if not formats:
        return ""
    ended = sum(f.tasks + sum(f.discarded.values()) for f in formats)
    planned = sum(f.planned for f in formats)
    parts = [
        f"\n## {TITLE}\n",
        f"{len(run.impossible)} tasks whose files to change are withheld, so that the right answer is "
        "`BLOCKED: why`. They are in no other number of this report.\n",
    ]
    served = {line.served_model for line in lines if line.served_model}
    if len(served) > 1:
        parts.append(f"**Warning: the served model changed within this run ({', '.join(sorted(served))}).**\n")
    if ended < planned:
        parts.append(f"**Unfinished: {ended} of {planned} trials have ended.**\n")
    parts += [_headline(formats), _endings(formats)]
    return "\n".join(parts)


def _headline(formats: Sequence[ImpossibleReport]) -> str:
    rows = [
        [f.name, f"{f.reported}/{f.tasks}" if f.tasks else "-", percent(f.reported_rate), str(f.attempts), _discards(f)]
        for f in formats
    ]
    return table(["format", "reported", "rate [95%]", "attempts", "discarded (bounds)"], rows)


def _endings(formats: Sequence[ImpossibleReport]) -> str:
    names = list(dict.fromkeys(name for f in formats for name in f.ended))
    rows = [[name, *(str(f.ended.get(name, 0)) for f in formats)] for name in names]
    rows.append(["reported", *(str(f.reported) for f in formats)])
    rows.append(["sum = n", *(str(sum(f.ended.values()) + f.reported) for f in formats)])
    return table([TITLE.lower(), *(f.name for f in formats)], rows)


def _discards(f: ImpossibleReport) -> str:
    count = sum(f.discarded.values())
    ends = bounds(f.reported, f.tasks, count) if count else None
    spread = f" ({ends[0]:.0%}-{ends[1]:.0%})" if ends else ""
    return f"{count}{spread}" + "".join(f", {n} {d.value}" for d, n in f.discarded.items())


def impossible_data(formats: Sequence[ImpossibleReport]) -> list[dict[str, object]]:
    """The section as JSON data; an absent rate is null."""
    return [
        {
            "name": f.name, "planned": f.planned, "tasks": f.tasks, "reported": f.reported,
            "reported_rate": [r.value, r.low, r.high] if (r := f.reported_rate) else None,
            "ended": f.ended, "attempts": f.attempts, "discarded": {d.value: n for d, n in f.discarded.items()},
        }
        for f in formats
    ]  # fmt: skip
