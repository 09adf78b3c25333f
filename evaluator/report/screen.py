"""The report of a run: counts over trials, as Markdown and as data."""

import statistics as plain
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine, RunFile
from evaluator.report import pairs
from evaluator.report.bought import Bought, bought
from evaluator.report.tables import table
from evaluator.statistics.wilson import Rate, bounds, percent, rate
from evaluator.taxonomy import Category, Discard
from evaluator.trials import Trial, is_finished, trials
from miner.strata import Stratum

SIMULATED = "simulated: says nothing about any model"


@dataclass(frozen=True)
class FormatReport:
    """One format's numbers. `failed` and `resolved` sum to `tasks`; rates over no trials are absent."""

    name: str
    planned: int
    tasks: int
    resolved: int
    failed: dict[Category, int]
    first: dict[Category | None, int]
    silent_defects: int
    attempts: int
    applied: int
    reached_applier: int
    discarded: dict[Discard, int]
    output_tokens: int | None
    latency_ms: int | None
    strata: dict[Stratum, tuple[int, int]]

    @property
    def resolved_rate(self) -> Rate | None:
        """Resolved tasks per task."""
        return rate(self.resolved, self.tasks)

    @property
    def apply_rate(self) -> Rate | None:
        """Attempts applied per attempt that reached the applier."""
        return rate(self.applied, self.reached_applier)


def format_report(name: str, run: RunFile, done: Sequence[Trial], strata: Mapping[str, Stratum]) -> FormatReport:
    """The numbers of one format over its trials."""
    counted = [t for t in done if t.has_evidence]
    attempts = [a for t in counted for a in t.attempts]
    reached = [a for a in attempts if a.applied or a.failure_category is Category.NOT_APPLIED]
    lost = Counter(t.last.discarded for t in done if t.last.discarded is not None)
    return FormatReport(
        name=name, planned=len(run.fixtures), tasks=len(counted), resolved=sum(t.resolved for t in counted),
        failed={c: sum(t.category is c for t in counted) for c in Category},
        first=dict(Counter(t.attempts[0].failure_category for t in counted)),
        silent_defects=sum(t.silent_defect for t in counted), attempts=len(attempts),
        applied=sum(a.applied for a in reached), reached_applier=len(reached),
        discarded={d: lost[d] for d in Discard if lost[d]},
        output_tokens=round(plain.median(_output_tokens(t) for t in counted)) if counted else None,
        latency_ms=round(plain.median(a.latency_ms for a in attempts)) if attempts else None,
        strata={
            s: (sum(t.resolved for t in counted if strata.get(t.fixture) is s),
                sum(strata.get(t.fixture) is s for t in counted))
            for s in Stratum
        },
    )  # fmt: skip


def _output_tokens(trial: Trial) -> int:
    return sum(a.output_tokens for a in trial.attempts)


def report(run: RunFile, lines: Sequence[AttemptLine], strata: Mapping[str, Stratum]) -> list[FormatReport]:
    """The numbers of every format of a run, in the run's order."""
    everything = [t for t in trials(lines) if is_finished(t.attempts, run.attempts, run.retry_on)]
    return [format_report(f, run, [t for t in everything if t.format == f], strata) for f in run.formats]


def as_markdown(run: RunFile, formats: Sequence[FormatReport], lines: Sequence[AttemptLine]) -> str:
    """The report as Markdown tables."""
    served = sorted({a.served_model for a in lines if a.served_model})
    head = [f"# {run.model}\n"]
    if run.simulated:
        head.append(f"**{SIMULATED}**\n")
    head.append(
        f"{len(run.fixtures)} fixtures, cap {run.cap:,} tokens, at most {run.attempts} attempts a task, 1 repeat; "
        f"served by {', '.join(served) or 'unknown'}; set {run.set_digest[:12]}.\n"
    )
    if run.show_tests:
        head.append("Prompts showed the tests that must pass.\n")
    if len(served) > 1:
        head.append("**Warning: the served model changed within this run; do not compare formats on it.**\n")
    started = sum(f.tasks + sum(f.discarded.values()) for f in formats)
    if started < len(run.fixtures) * len(run.formats):
        head.append(f"**Unfinished: {started} of {len(run.fixtures) * len(run.formats)} trials have ended.**\n")
    sections = [("Tasks resolved with nothing unintended changed", _headline(formats))]
    if len(formats) > 1:
        sections.append(("Which resolves more", pairs.as_markdown(pairs.compared(run, lines))))
    sections += [
        ("How tasks ended", _endings(formats)),
        ("First attempts", _first(formats)),
        ("Resolved by size of a whole-file rewrite against the cap (descriptive)", _strata(formats)),
        ("Cost", _cost(formats)),
    ]
    if extra := bought(run.formats, lines):
        sections.append(("What each leniency bought (first attempts that only it applied)", _bought(extra)))
    if reasons := Counter(a.error for a in lines if a.discarded is not None):
        said = {error: " ".join(error.replace("|", "/").split()) for error in reasons}
        rows = [[str(count), said[error]] for error, count in reasons.most_common(3)]
        sections.append(("Why trials were discarded", table(["trials", "reason"], rows)))
    body = "\n".join(f"## {title}\n\n{shown}" for title, shown in sections)
    return "\n".join(head) + "\n" + body + f"\n{_legend()}" + (pairs.LEGEND if len(formats) > 1 else "")


def _bought(rows: Sequence[Bought]) -> str:
    columns = ["format", "tolerance", "attempts", "resolved", "misapplied", "unintended"]
    return table(columns, [
        [row.format, row.tolerance, str(row.attempts), str(row.resolved), str(row.misapplied), str(row.unintended)]
        for row in rows
    ])  # fmt: skip


def _headline(formats: Sequence[FormatReport]) -> str:
    rows = [
        [f.name, _k_of_n(f.resolved, f.tasks), percent(f.resolved_rate), _share(f.silent_defects, f.tasks),
         _share(f.applied, f.reached_applier), _discards(f)]
        for f in formats
    ]  # fmt: skip
    return table(["format", "resolved", "rate [95%]", "silent defects", "apply rate", "discarded (bounds)"], rows)


def _endings(formats: Sequence[FormatReport]) -> str:
    rows = [[c.value, *(str(f.failed[c]) for f in formats)] for c in Category]
    rows.append(["resolved", *(str(f.resolved) for f in formats)])
    rows.append(["sum = n", *(str(sum(f.failed.values()) + f.resolved) for f in formats)])
    return table(["tasks", *(f.name for f in formats)], rows)


def _first(formats: Sequence[FormatReport]) -> str:
    rows = [[c.value if c else "resolved", *(str(f.first.get(c, 0)) for f in formats)] for c in (*Category, None)]
    return table(["first attempts", *(f.name for f in formats)], rows)


def _strata(formats: Sequence[FormatReport]) -> str:
    rows = [[s.value, *(_share(*f.strata[s]) for f in formats)] for s in Stratum]
    return table(["size", *(f.name for f in formats)], rows)


def _cost(formats: Sequence[FormatReport]) -> str:
    rows = [
        [f.name, str(f.attempts), _or_none(f.output_tokens), _or_none(f.latency_ms, " ms")] for f in formats
    ]
    return table(["format", "attempts", "output tokens a task (median)", "latency a call (median)"], rows)


def _legend() -> str:
    return (
        "Tasks are the denominator: one fixture, one budget of attempts, one verdict. Intervals are Wilson's. "
        "Silent defects: tests pass and something unintended changed. Apply rate: attempts applied of those that "
        "reached the applier; it sees neither. Discarded trials are in no rate; the bounds say where the rate "
        "could lie had they all failed, or all been resolved.\n"
    )


def _k_of_n(k: int, n: int) -> str:
    return f"{k}/{n}" if n else "-"


def _share(k: int, n: int) -> str:
    return f"{k}/{n} {k / n:.0%}" if n else "no evidence"


def _or_none(value: int | None, unit: str = "") -> str:
    return "no evidence" if value is None else f"{value:,}{unit}"


def _discards(f: FormatReport) -> str:
    count = sum(f.discarded.values())
    if not count:
        return "0"
    ends = bounds(f.resolved, f.tasks, count)
    spread = f" ({ends[0]:.0%}-{ends[1]:.0%})" if ends else ""
    return f"{count}{spread}: " + ", ".join(f"{n} {d.value}" for d, n in f.discarded.items())


def as_data(run: RunFile, formats: Sequence[FormatReport], lines: Sequence[AttemptLine]) -> dict[str, object]:
    """The report as JSON data; absent rates are null."""
    return {"schema": 1, "model": run.model, "simulated": run.simulated, "set_digest": run.set_digest,
            "show_tests": run.show_tests, "formats": [_format_data(f) for f in formats],
            "comparisons": pairs.as_data(pairs.compared(run, lines)) if len(formats) > 1 else None}  # fmt: skip


def _format_data(f: FormatReport) -> dict[str, object]:
    def interval(of: Rate | None) -> list[float] | None:
        return None if of is None else [of.value, of.low, of.high]

    return {
        "name": f.name, "planned": f.planned, "tasks": f.tasks, "resolved": f.resolved,
        "resolved_rate": interval(f.resolved_rate), "failed": {c.value: n for c, n in f.failed.items()},
        "first_attempts": {c.value if c else "resolved": n for c, n in f.first.items()},
        "silent_defects": f.silent_defects, "attempts": f.attempts, "applied": f.applied,
        "reached_applier": f.reached_applier, "apply_rate": interval(f.apply_rate),
        "discarded": {d.value: n for d, n in f.discarded.items()}, "output_tokens_median": f.output_tokens,
        "latency_ms_median": f.latency_ms,
        "strata": {s.value: {"resolved": k, "tasks": n} for s, (k, n) in f.strata.items()},
    }  # fmt: skip
