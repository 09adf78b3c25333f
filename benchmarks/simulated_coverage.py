"""Do the intervals of a report cover the truth as often as they can? A thousand simulated runs of known rates.

Every attempt goes the whole way of a run (model, attempt, score, trial, report). Where a reply of the same text
was scored before, its line is used again. Beside the share of runs whose interval covers the truth stands what an
exact enumeration gives for it; and every table must add up.
"""

import argparse
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from scipy.stats import binom

from evaluator.appliers import granted, leniency
from evaluator.bench import TaskBench, Tested
from evaluator.feedback import retry_message
from evaluator.formats import format_named
from evaluator.formats.model import EditFormat, Leniency
from evaluator.journal import AttemptLine, RunFile
from evaluator.messages import Message, first_messages
from evaluator.models.drawn import Drawn
from evaluator.models.expected import Expected, expected
from evaluator.models.model import Model, NoEvidence, Reply, Request
from evaluator.models.spec import SimulationFile, load_simulation
from evaluator.report.counts import Counts, all_counts
from evaluator.running.attempt import Attempt, make_attempt
from evaluator.scoring import Tests
from evaluator.statistics.wilson import Rate, rate
from evaluator.taxonomy import Category
from evaluator.trials import is_finished
from miner.fixtures import FixtureFolder, Task
from miner.symbols.files import Files

HERE = Path(__file__).parent
CAP = 8_000
_WITHIN = 0.025


class ByTruth(TaskBench):
    """Tests that pass exactly where every line that the change set adds is there, so that no sandbox is started."""

    def _run(self, changed: Files) -> Tested:
        for path, before in self.task.before.items():
            after, now = self.task.after[path], changed.get(path, before)
            added = set((after or b"").split(b"\n")) - set((before or b"").split(b"\n"))
            if not added <= set((now or b"").split(b"\n")) or (not added and now != after):
                return Tested(Tests.FAIL)
        return Tested(Tests.PASS)


@dataclass
class Answered:
    """A model that gives what another has answered already."""

    answer: Reply | NoEvidence
    name: str
    simulated: bool = True

    def reply(self, _request: Request) -> Reply:
        if isinstance(self.answer, NoEvidence):
            raise self.answer
        return self.answer


class Line:
    """Makes trials, scoring no reply twice: the score depends on the task, the format, the text and how it ended."""

    def __init__(self) -> None:
        self._scored: dict[tuple[object, ...], AttemptLine] = {}
        self._openings: dict[tuple[str, str], tuple[Message, ...]] = {}

    def trial(self, bench: TaskBench, fmt: EditFormat, model: Model, budget: int) -> Iterator[AttemptLine]:
        key = (bench.task.id, fmt.name)
        if key not in self._openings:
            self._openings[key] = first_messages(bench.task, fmt.instructions())
        attempt = Attempt(bench, fmt, 1, self._openings[key], standard(fmt))
        while True:
            answer = _answer(attempt, model)
            line = self._line(attempt, answer, model.name)
            yield line
            if is_finished([line], budget):
                return
            assert isinstance(answer, Reply)
            more = (Message("assistant", answer.text), retry_message(line.feedback))
            attempt = replace(attempt, number=attempt.number + 1, messages=(*attempt.messages, *more))

    def _line(self, attempt: Attempt, answer: Reply | NoEvidence, name: str) -> AttemptLine:
        if isinstance(answer, NoEvidence):
            return make_attempt(attempt, Answered(answer, name), CAP).line
        task = attempt.bench.task
        key = (task.folder, attempt.format.name, attempt.number, answer.text, answer.stop_reason,
               answer.output_tokens >= CAP)  # fmt: skip
        if key not in self._scored:
            self._scored[key] = make_attempt(attempt, Answered(answer, name), CAP).line
        return self._scored[key].model_copy(update={
            "fixture": task.id, "input_tokens": answer.input_tokens, "output_tokens": answer.output_tokens,
            "latency_ms": answer.latency_ms, "served_model": answer.served_model,
        })  # fmt: skip


def standard(fmt: EditFormat) -> Leniency:
    return leniency(granted("standard", [fmt]), fmt)


def _answer(attempt: Attempt, model: Model) -> Reply | NoEvidence:
    request = Request(attempt.messages, CAP, attempt.bench.task, attempt.format, 1, attempt.number)
    try:
        return model.reply(request)
    except NoEvidence as nothing:
        return nothing


def tasks_of(fixtures: Path, count: int) -> list[Task]:
    """So many possible tasks: the folder's, again and again under other ids where it has fewer."""
    folder = FixtureFolder(fixtures)
    known = [folder.task(record.id) for record in folder.records() if record.proof and not record.impossible]
    found = []
    for n in range(count):
        task, again = known[n % len(known)], n // len(known)
        record = task.fixture.model_copy(update={"id": f"{task.id}.{again}"}) if again else task.fixture
        found.append(replace(task, fixture=record))
    return found


def runs(
    spec: SimulationFile, name: str, budget: int, tasks: Sequence[Task], count: int, line: Line | None = None
) -> Iterator[Counts]:  # fmt: skip
    """Reports of so many runs of one format, seeds from 1."""
    fmt, line = format_named(name), line or Line()
    benches = [ByTruth(task, threading.Lock()) for task in tasks]
    model = Drawn(spec, "simulated:coverage", 0)
    settings = RunFile(
        set_digest="", cap=CAP, model=model.name, simulated=True, formats=[name], attempts=budget, seed=0,
        fixtures=[task.id for task in tasks], started="", version="",
    )  # fmt: skip
    for seed in range(1, count + 1):
        seeded = model.seeded(seed)
        lines = [made for bench in benches for made in line.trial(bench, fmt, seeded, budget)]
        yield all_counts(settings, lines)[0]


@cache
def interval(k: int, n: int) -> Rate | None:
    return rate(k, n)


def covers(k: int, n: int, truth: float) -> bool:
    """Whether the interval of k in n has the truth in it; over no trials there is none, so it has not."""
    found = interval(k, n)
    return found is not None and found.low - 1e-12 <= truth <= found.high + 1e-12


def coverage(truth: float, trials: int, discarded: float = 0) -> float:
    """How often the interval covers the truth, exactly: over how many trials are left, and how many of them count."""
    total = 0.0
    for n in range(trials + 1) if discarded else [trials]:
        left = float(binom.pmf(n, trials, 1 - discarded)) if discarded else 1.0
        if left > 1e-12:
            total += left * sum(float(binom.pmf(k, n, truth)) for k in range(n + 1) if covers(k, n, truth))
    return total


def sums_wrong(found: Counts, planned: int) -> list[str]:
    """The tables of a report that do not add up."""
    sums = {
        "resolved + failed = tasks": found.resolved + sum(found.failed.values()) == found.trials,
        "first attempts = tasks": sum(found.first.values()) + found.first_resolved == found.trials,
        "tasks + discarded = planned": found.trials + sum(found.discarded.values()) == planned == found.planned,
        "attempts >= tasks": found.trials <= found.attempts,
        "applied <= reached the applier": found.applied <= found.reached_applier <= found.attempts,
    }
    return [name for name, holds in sums.items() if not holds]


@dataclass(frozen=True)
class Row:
    """A rate of a report: its truth, the shares of runs that cover it, seen and exact, and the mean seen."""

    name: str
    truth: float
    mean: float
    seen: float
    exact: float

    @property
    def holds(self) -> bool:
        return abs(self.seen - self.exact) <= _WITHIN


def rows(reports: Sequence[Counts], truth: Expected, trials: int) -> list[Row]:
    """Every rate that a report has an interval for, or could have: verdicts by category."""
    found = []
    for category in (None, *Category):
        share = truth.share(category) or 0.0
        counts = [(r.resolved if category is None else r.failed[category], r.trials) for r in reports]
        hits = sum(covers(k, n, share) for k, n in counts)
        mean = sum(k for k, _ in counts) / max(sum(n for _, n in counts), 1)
        exact = coverage(share, trials, truth.discarded)
        found.append(Row(category.value if category else "resolved", share, mean, hits / len(reports), exact))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fixtures", type=Path, nargs="?", default=HERE.parent / "fixtures")
    parser.add_argument("--file", type=Path, default=HERE / "simulated_coverage.yaml")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--trials", type=int, default=120)
    options = parser.parse_args()
    spec, tasks = load_simulation(options.file), tasks_of(options.fixtures, options.trials)
    line, failures = Line(), 0
    for name in spec.formats:
        for budget in (1, 3):
            wrong: dict[str, int] = defaultdict(int)
            reports = []
            for found in runs(spec, name, budget, tasks, options.runs, line):
                reports.append(found)
                for what in sums_wrong(found, options.trials):
                    wrong[what] += 1
            truth = expected(spec, name, budget)
            mean = sum(r.attempts for r in reports) / sum(r.trials for r in reports)
            print(f"\n{name}, at most {budget} attempts; {options.runs} runs of {options.trials} trials; "
                  f"{mean:.4f} attempts a trial with evidence")  # fmt: skip
            print(f"{'':18} truth    mean     covered  exact")
            for row in rows(reports, truth, options.trials):
                failures += not row.holds
                print(f"{row.name:18} {row.truth:.4f}   {row.mean:.4f}   {row.seen:.3f}    {row.exact:.3f}"
                      f"{'' if row.holds else '   MORE THAN 2.5 POINTS'}", flush=True)  # fmt: skip
            failures += len(wrong)
            print("; ".join(f"{n} runs: not {what}" for what, n in wrong.items()) or "every table adds up")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
