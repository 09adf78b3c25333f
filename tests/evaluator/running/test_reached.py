"""A provider that refuses calls before it answered any: one odd prompt ends no run, what every call has does."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS
from evaluator.journal import AttemptLine, CallSettings, DiskJournal, RunFile, read_attempts
from evaluator.models import close_model
from evaluator.models.model import Refused, Reply, Request
from evaluator.models.provider import Provider
from evaluator.running.driver import run
from evaluator.running.order import blocks
from evaluator.taxonomy import Discard
from evaluator.trials import trials
from miner.errors import ToolError
from miner.fixtures import Task
from tests.evaluator.models.model_server import Act, ModelServer, serving

NAMES = ["whole_file", "udiff"]
REFUSED = Act(status=400, error={"message": "odd prompt"})
NO_ANSWER = "has answered no call yet, and refuses those of"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as running:
        yield running


class Run:
    """A run on disk of the checked-in fixtures, over a model server; `order` is that of its fixtures."""

    def __init__(self, tasks: list[Task], bench: Callable[[Task], TaskBench], folder: Path, url: str) -> None:
        self.path = folder / "run" / "attempts.jsonl"
        self.settings = RunFile(
            set_digest="0", cap=8_000, model="openai:m", simulated=False, formats=NAMES, attempts=1, seed=1,
            fixtures=[task.id for task in tasks], started="", version="", call=CallSettings(base_url=url),
        )  # fmt: skip
        self.benches = {task.id: bench(task) for task in tasks}
        self.order = [block.fixture for block in blocks(self.settings.fixtures, NAMES, 1, 1)]
        self.prompts = {task.id: task.prompt for task in tasks}

    def go(self, workers: int = 2) -> list[AttemptLine]:
        model = Provider(self.settings.model, self.settings.call, self.settings.cap)
        try:
            with DiskJournal(self.path.parent, self.settings) as journal:
                run(self.settings, FORMATS, self.benches, model, journal, workers, lambda line: None, 1)
        finally:
            close_model(model)
        return read_attempts(self.path)

    def refusing(self, *fixtures: str, then: Callable[[], None] = lambda: None) -> Callable[..., Act]:
        """Refuses the prompts of these fixtures; answers others, once `then` is done."""
        prompts = [self.prompts[fixture] for fixture in fixtures]

        def answer(asked) -> Act:
            text = str(asked.body["messages"][-1]["content"])
            if any(prompt in text for prompt in prompts):
                return REFUSED
            then()
            return Act()

        return answer


@pytest.fixture
def a_run(
    checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], tmp_path: Path, server: ModelServer
) -> Callable[[int], Run]:
    return lambda count: Run(checked_in[:count], truth_bench, tmp_path, server.base_url("openai"))


def test_a_first_prompt_that_is_refused_is_discarded_and_the_run_goes_on(
    a_run: Callable[[int], Run], server: ModelServer
) -> None:
    setting = a_run(6)
    server.answer = setting.refusing(*setting.order[:2])
    found = trials(setting.go())
    assert {t.fixture for t in found if t.last.discarded is Discard.HARNESS_ERROR} == {*setting.order[:2]}
    assert {t.last.error for t in found if t.last.discarded} == {"400: odd prompt"}
    assert len(found) == len(server.asked) == 6 * len(NAMES)
    setting.go()
    assert len(server.asked) == 6 * len(NAMES), "nothing is left to be made"


def test_what_every_call_has_ends_the_run_and_is_made_when_it_goes_on(
    a_run: Callable[[int], Run], server: ModelServer
) -> None:
    setting = a_run(16)
    server.answer = setting.refusing(*setting.order)
    with pytest.raises(ToolError, match=f"{NO_ANSWER} [5-9] fixtures: openai:m. 400: odd prompt"):
        setting.go()
    assert len(server.asked) <= 5 * len(NAMES) + 2 * 2 + 1, "what was under way when five were refused, and no more"
    assert read_attempts(setting.path) == []
    server.answer = lambda asked: Act()
    lines = setting.go()
    assert Counter((line.discarded, line.call) for line in lines) == {(None, 1): 16 * len(NAMES)}


@pytest.mark.parametrize("count", [1, 3])
def test_a_small_run_of_which_all_is_refused_ends_so(
    a_run: Callable[[int], Run], server: ModelServer, count: int
) -> None:
    setting = a_run(count)
    server.answer = setting.refusing(*setting.order)
    with pytest.raises(ToolError, match=f"{NO_ANSWER} {count} fixture"):
        setting.go()
    assert (len(server.asked), read_attempts(setting.path)) == (count * len(NAMES), [])


def test_what_was_answered_before_counts_as_answered(a_run: Callable[[int], Run], server: ModelServer) -> None:
    setting = a_run(3)
    server.answer = setting.refusing()
    setting.go()
    for path in (setting.path, setting.path.with_name("calls.jsonl")):
        rows = [row for row in path.read_bytes().splitlines(keepends=True) if setting.order[0].encode() in row]
        path.write_bytes(b"".join(rows))
    server.answer = setting.refusing(*setting.order[1:])
    lines = setting.go()
    assert Counter(line.discarded for line in lines) == {None: len(NAMES), Discard.HARNESS_ERROR: 2 * len(NAMES)}


def test_a_stored_reply_counts_as_answered(a_run: Callable[[int], Run], server: ModelServer) -> None:
    setting = a_run(1)
    server.answer = lambda asked: Act()
    setting.go()
    setting.path.unlink()
    calls = setting.path.with_name("calls.jsonl")
    calls.write_bytes(calls.read_bytes().splitlines(keepends=True)[0])
    server.answer = setting.refusing(*setting.order)
    assert Counter(line.discarded for line in setting.go()) == {None: 1, Discard.HARNESS_ERROR: 1}


def test_a_slow_answer_is_waited_for_before_the_run_is_ended(a_run: Callable[[int], Run], server: ModelServer) -> None:
    """Refusals come quickly: many fixtures can be refused while the one that will be answered is under way."""
    setting, refused = a_run(8), threading.Event()
    slow, others = setting.order[1], [fixture for fixture in setting.order if fixture != setting.order[1]]
    answer = setting.refusing(*others, then=lambda: refused.wait(20) and time.sleep(0.3))

    def act(asked) -> Act:
        if len(server.asked) >= 4 * len(NAMES) + 1 + len(NAMES):
            refused.set()
        return answer(asked)

    server.answer = act
    lines = setting.go(workers=3)
    assert {line.fixture for line in lines if line.discarded is None} == {slow}
    assert Counter(line.discarded for line in lines) == {None: len(NAMES), Discard.HARNESS_ERROR: 7 * len(NAMES)}


def test_other_models_may_refuse_too(checked_in: list[Task], truth_bench, tmp_path: Path) -> None:
    class Own:
        name, simulated = "own:m", False

        def reply(self, request: Request) -> Reply:
            raise Refused("not with me")

    setting = Run(checked_in[:6], truth_bench, tmp_path, "")
    with DiskJournal(tmp_path / "run", setting.settings) as journal, pytest.raises(ToolError, match="not with me"):
        run(setting.settings, FORMATS, setting.benches, Own(), journal, 2, lambda line: None)
    assert read_attempts(setting.path) == []
