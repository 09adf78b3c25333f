"""The published shape shows at any size of set from 12 to 30: applying and resolving rank formats in reverse."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from evaluator.bench import TaskBench, Tested
from evaluator.formats import DEFAULT, FORMATS
from evaluator.journal import AttemptLine, RunFile
from evaluator.messages import first_messages
from evaluator.models.mistakes import Mistakes
from evaluator.models.simulated import ARTICLE, Article, Fault, deal
from evaluator.report.counts import all_counts
from evaluator.running.attempt import Attempt, Made, make_attempt
from evaluator.running.trial import continued
from evaluator.scoring import Tests
from evaluator.trials import is_finished
from miner.fixtures import FixtureFolder, Task
from miner.symbols.files import Files

FIXTURES = Path(__file__).parents[2] / "fixtures"
CAP = 8_000
MISTAKES = Mistakes()  # made once for all sizes


class Truthful(TaskBench):
    """Tests pass exactly where every line of the change set is there; cheap, so that 19 sets can be run."""

    def _run(self, changed: Files) -> Tested:
        done = all(
            _has(changed.get(path, before), before, self.task.after[path]) for path, before in self.task.before.items()
        )
        return Tested(Tests.PASS if done else Tests.FAIL)


def _has(now: bytes | None, before: bytes | None, after: bytes | None) -> bool:
    added = set((after or b"").split(b"\n")) - set((before or b"").split(b"\n"))
    return added <= set((now or b"").split(b"\n")) and (bool(added) or now == after)


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    folder = FixtureFolder(FIXTURES)
    real = [folder.task(record.id) for record in folder.records() if record.impossible is None]
    extra = [replace(t, fixture=t.fixture.model_copy(update={"id": f"{t.id}-again"})) for t in real[:3]]
    return real + extra


def run_set(tasks: list[Task]) -> tuple[RunFile, list[AttemptLine]]:
    ids = [task.id for task in tasks]
    model = Article(ids, list(DEFAULT), seed=1, mistakes=MISTAKES)
    lines = []
    for task in tasks:
        bench = Truthful(task, threading.Lock())
        for fmt in map(FORMATS.__getitem__, DEFAULT):
            attempt = Attempt(bench, fmt, 1, first_messages(task, fmt.instructions()))
            while True:
                made: Made = make_attempt(attempt, model, CAP)
                lines.append(made.line)
                if is_finished([made.line], 3):
                    break
                talk = continued(attempt.messages, made.kept.reply, made.line)
                attempt = replace(attempt, number=attempt.number + 1, messages=talk)
    settings = RunFile(
        set_digest="0", cap=CAP, model=model.name, simulated=True, formats=list(DEFAULT), attempts=3, seed=1,
        fixtures=ids, started="", version="",
    )  # fmt: skip
    return settings, lines


@pytest.mark.parametrize("size", range(12, 31))
def test_apply_rate_ranks_whole_file_first_and_resolved_tasks_rank_it_last(tasks: list[Task], size: int) -> None:
    settings, lines = run_set(tasks[:size])
    assert [line.error for line in lines if line.error] == []
    by_name = {f.name: f for f in all_counts(settings, lines)}
    applied = {name: f.applied / f.reached_applier for name, f in by_name.items()}
    resolved = {name: f.resolved / f.trials for name, f in by_name.items()}
    others = [name for name in DEFAULT if name != "whole_file"]
    assert all(f.trials == size for f in by_name.values())
    assert all(applied["whole_file"] > applied[name] for name in others)
    assert all(resolved["whole_file"] < resolved[name] for name in others)


@pytest.mark.parametrize("size", range(12, 31))
@pytest.mark.parametrize("name", list(DEFAULT))
def test_faults_are_dealt_in_the_published_shares(name: str, size: int) -> None:
    dealt = deal([f"r/{n}" for n in range(size)], name, seed=1)
    counts = {fault: list(dealt.values()).count(fault) for fault in ARTICLE[name]}
    for fault, rate in ARTICLE[name].items():
        base = size - counts.get(Fault.TRUNCATED, 0) if fault is Fault.UNINTENDED and name == "whole_file" else size
        assert counts[fault] == max(round(rate * base), 1 if rate >= 0.03 else 0)


def test_recorded_output_tokens_stay_below_the_cap_unless_truncation_was_dealt(tasks: list[Task]) -> None:
    settings, lines = run_set(tasks)
    truncated = deal(settings.fixtures, "whole_file", seed=1)
    for line in lines:
        was_dealt = line.format == "whole_file" and truncated.get(line.fixture) is Fault.TRUNCATED
        assert (line.output_tokens == CAP) is was_dealt
        assert line.output_tokens <= CAP
