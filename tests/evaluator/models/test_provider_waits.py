"""Calls that wait between two requests are given up at once where the run is over; what is in flight ends by itself."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS
from evaluator.journal import CallSettings, DiskJournal, RunFile, read_attempts
from evaluator.models import close_model, stop_waiting
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.models.pacing import Patience
from evaluator.models.provider import Provider
from evaluator.running.driver import run
from evaluator.taxonomy import Discard
from evaluator.trials import trials
from miner.fixtures import Task
from tests.evaluator.models.model_server import Act, Asked, ModelServer

Connect = Callable[..., Provider]
Requests = Callable[..., Request]
LONG = Patience(total=40, longest_asked=40)  # so long a test takes where nobody is woken, and then fails
LIMITED, BROKEN = (Act(status=status, headers={"Retry-After": "40"}) for status in (429, 503))


class Call(Thread):
    """A call in a thread of its own, and how it ended."""

    def __init__(self, model: Provider, request: Request) -> None:
        super().__init__(daemon=True)
        self.model, self.request = model, request
        self.start()

    def run(self) -> None:
        self.found: Reply | NoEvidence
        try:
            self.found = self.model.reply(self.request)
        except NoEvidence as error:
            self.found = error

    def ended(self) -> Reply | NoEvidence:
        self.join(60)
        return self.found


@pytest.mark.parametrize("act", [LIMITED, BROKEN], ids=["at the gate", "in its own back-off"])
def test_a_call_that_waits_is_given_up_at_once(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests, act: Act
) -> None:
    model = connect(wire, patience=LONG)
    server.answer = lambda asked: act
    call = Call(model, request_of())
    _until(lambda: len(server.asked) == 1 and len(model._waiting._tasks) == 1)
    stop_waiting(model)
    found = call.ended()
    assert isinstance(found, NoEvidence)
    assert (found.reason, found.tries, len(server.asked)) == (Discard.BUDGET_EXHAUSTED, 1, 1)


def test_afterwards_no_call_is_begun(server: ModelServer, wire: str, connect: Connect, request_of: Requests) -> None:
    model = connect(wire)
    stop_waiting(model)
    found = Call(model, request_of()).ended()
    assert isinstance(found, NoEvidence)
    assert (found.reason, found.tries, server.asked) == (Discard.BUDGET_EXHAUSTED, 0, [])


@pytest.mark.parametrize(
    ("act", "ends_in"), [(Act(), "fine"), (BROKEN, Discard.BUDGET_EXHAUSTED), (Act(status=451), Discard.HARNESS_ERROR)]
)
def test_a_request_in_flight_goes_on_to_its_end_and_is_the_last(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests, act: Act, ends_in: object
) -> None:
    model, released = connect(wire, patience=LONG), Event()
    model.reply(request_of())

    def answer(asked: Asked) -> Act:
        released.wait(30)
        return act

    server.answer = answer
    call = Call(model, request_of())
    _until(lambda: len(server.asked) == 2)
    stop_waiting(model)
    _until(lambda: model._waiting.over)
    released.set()
    found = call.ended()
    assert (found.text if isinstance(found, Reply) else found.reason) == ends_in
    assert (found.tries, len(server.asked)) == (1, 2)


def test_closing_still_ends_what_is_in_flight(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    model = connect(wire)
    server.answer = lambda asked: Act(hang=0)
    call = Call(model, request_of())
    _until(lambda: len(server.asked) == 1)
    stop_waiting(model)
    _until(lambda: model._waiting.over)
    model.close()
    found = call.ended()
    assert isinstance(found, NoEvidence)
    assert (found.reason, str(found)) == (Discard.INFRA_ERROR, "the run ended before the call did")


def test_calls_that_come_while_a_model_is_closed_end_too(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    """As those that a run which ends by an error has queued: the next begins where one was ended."""
    model, request = connect(wire), request_of()
    server.answer = lambda asked: Act(hang=0)

    def calls() -> None:
        for _ in range(50):
            with pytest.raises(NoEvidence, match="the run ended before the call did"):
                model.reply(request)

    threads = [Thread(target=calls, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    _until(lambda: len(server.asked) == 4)
    model.close()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    assert len(server.asked) == 4


@pytest.mark.parametrize("act", [LIMITED, BROKEN], ids=["429", "503"])
def test_a_run_whose_time_is_over_waits_for_no_back_off_and_goes_on_with_those_calls(
    server: ModelServer, wire: str, checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], tmp_path: Path,
    act: Act,
) -> None:  # fmt: skip
    tasks, names = checked_in[:2], ["whole_file", "udiff"]
    settings = RunFile(
        set_digest="0", cap=8_000, model=f"{wire}:m", simulated=False, formats=names, attempts=1, seed=1, started="",
        fixtures=[task.id for task in tasks], version="", call=CallSettings(base_url=server.base_url(wire)),
        max_seconds=1,
    )  # fmt: skip
    benches = {task.id: truth_bench(task) for task in tasks}

    def go() -> list[Discard | None]:
        model = Provider(settings.model, settings.call, settings.cap, LONG)
        with DiskJournal(tmp_path / "run", settings) as journal:
            run(settings, FORMATS, benches, model, journal, 3, lambda line: None)
        close_model(model)
        lines = read_attempts(tmp_path / "run" / "attempts.jsonl")
        assert sum(line.tries for line in lines if line.prompt_digest) == len(server.asked)
        return [trial.last.discarded for trial in trials(lines)]

    server.answer = lambda asked: act
    assert go() == [Discard.BUDGET_EXHAUSTED] * 4
    assert 1 <= len(server.asked) <= 3
    server.answer = lambda asked: Act()
    settings = settings.model_copy(update={"max_seconds": None})
    assert go() == [None] * 4


def _until(done: Callable[[], bool]) -> None:
    for _ in range(3_000):
        if done():
            return
        time.sleep(0.01)
    pytest.fail("it never came about")


def test_a_rate_limit_makes_no_later_back_off_longer(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    """Six limits and one failure: half a second is waited for, not half a minute, which is more than all the time."""
    limited, failed = Act(status=429, headers={"Retry-After": "0"}), Act(status=503)
    server.acts += [*[limited] * 6, failed, failed]
    model = connect(wire, patience=Patience(first_wait=0.5, total=10))
    assert model.reply(request_of()).tries == 9
