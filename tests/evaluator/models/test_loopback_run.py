"""Runs over a provider with every fault at once (benchmarks/loopback_attempts.py makes thousands of attempts)."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS
from evaluator.journal import CallSettings, DiskJournal, RunFile, read_attempts
from evaluator.models import close_model
from evaluator.models.pacing import Patience
from evaluator.models.provider import Provider
from evaluator.running.driver import run
from evaluator.taxonomy import Discard
from evaluator.trials import trials
from miner.fixtures import Task
from tests.evaluator.models.model_server import ModelServer
from tests.evaluator.models.odd_answers import ANSWERS, WEIGHTS, OddAnswers

# Time limits have tests of their own: met here, on a busy machine, by an answer that is under way, one would not add up
FAULTS = {name: weight for name, weight in WEIGHTS.items() if "hangs" not in name}
NAMES = ["whole_file", "unified_diff", "search_replace"]
PATIENCE = Patience(tries=4, total=60, first_wait=0.01, longest_wait=0.05)


def test_every_trial_ends_once_and_nothing_is_paid_twice(
    server: ModelServer, wire: str, checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], tmp_path: Path
) -> None:
    tasks = checked_in[:20]
    call = CallSettings(base_url=server.base_url(wire))
    settings = RunFile(
        set_digest="0", cap=8_000, model=f"{wire}:some-model", simulated=False, formats=NAMES, attempts=3, seed=1,
        fixtures=[task.id for task in tasks], started="", version="", repeats=2, call=call,
    )  # fmt: skip
    server.answer = answers = OddAnswers(tasks, NAMES, 1, FAULTS)
    benches = {task.id: truth_bench(task) for task in tasks}

    def go() -> None:
        model, journal = Provider(settings.model, call, settings.cap, PATIENCE), DiskJournal(tmp_path / "run", settings)
        try:
            run(settings, FORMATS, benches, model, journal, 16, lambda line: None)
        finally:
            journal.close()
            close_model(model)

    go()
    lines = read_attempts(tmp_path / "run" / "attempts.jsonl")
    ended = trials(lines)
    assert Counter((t.fixture, t.format, t.repeat) for t in ended) == {
        (task.id, name, repeat): 1 for task in tasks for name in NAMES for repeat in (1, 2)
    }
    assert all(t.resolved + (t.category is not None) + (t.last.discarded is not None) == 1 for t in ended)
    assert sum(line.tries for line in lines) == len(server.asked) == answers.done.total()
    answered = [line for line in lines if line.discarded in (None, Discard.REFUSAL)]
    assert len(answered) == sum(answers.done[name] for name in ANSWERS)
    assert sum(line.discarded is Discard.REFUSAL for line in lines) == answers.done["refused"]
    assert not [line.error for line in lines if line.discarded is Discard.HARNESS_ERROR]
    assert {line.served_model for line in answered if line.output_tokens} == {"some-model-0105", "some-model-0106"}
    go()
    assert len(server.asked) == answers.done.total() == sum(line.tries for line in lines)  # a finished run asks nothing
