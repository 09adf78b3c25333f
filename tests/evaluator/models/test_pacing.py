"""The gate that 429 shuts, and what a `Retry-After` asks for."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from evaluator.models.limits import limits
from evaluator.models.model import Request
from evaluator.models.pacing import Gate, Patience, asked_wait
from evaluator.models.provider import Provider
from tests.evaluator.models.acts import Act
from tests.evaluator.models.model_server import ModelServer

NOW = datetime(2026, 5, 4, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None), ("", None), ("soon", None), ("2", 2.0), ("0.5", 0.5), ("-3", 0.0), ("nan", None), ("inf", None),
        ("Mon, 04 May 2026 12:00:07 GMT", 7.0), ("Mon, 04 May 2026 11:00:00 GMT", 0.0),
        ("Mon, 04 May 2026 12:00:07 -0000", 7.0), ("Mon, 99 May 2026 12:00:07 GMT", None),
        ("Mon, 04 May 99999999999 12:00:07 GMT", None), ("Mon, 04 May 2026 99999999999999999999:00:07 GMT", None),
    ],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert asked_wait(header, NOW) == seconds


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gate(clock: Clock) -> Gate:
    return Gate(Patience(first_wait=1, longest_wait=8, longest_asked=50), clock)


def test_a_gate_stays_shut_as_long_as_was_asked_and_no_longer(gate: Gate, clock: Clock) -> None:
    assert gate.left() == 0
    gate.limited(clock.now, 2)
    assert gate.left() == 2
    clock.now += 2
    assert gate.left() == 0


def test_an_absurd_wait_is_capped(gate: Gate, clock: Clock) -> None:
    gate.limited(clock.now, 86_400)
    assert gate.left() == 50


def test_a_burst_that_asks_for_nothing_is_one_limit_and_the_next_waits_twice_as_long(gate: Gate, clock: Clock) -> None:
    waits = []
    for _ in range(6):
        sent = clock.now
        clock.now += 0.25
        for _ in range(64):  # all of these were on their way already
            gate.limited(sent, None)
        waits.append(gate.left())
        clock.now += gate.left()
    assert waits == [1, 2, 4, 8, 8, 8]
    gate.answered()
    gate.limited(clock.now, None)
    assert gate.left() == 1


def test_a_later_answer_to_the_same_burst_may_ask_for_longer(gate: Gate, clock: Clock) -> None:
    sent = clock.now
    gate.limited(sent, 2)
    gate.limited(sent, 5)
    gate.limited(sent, 1)
    assert gate.left() == 5


@pytest.mark.parametrize(
    ("cap", "asked", "whole", "first"), [(8_000, None, 460, 230), (1_000, None, 110, 55), (8_000, 30.0, 30, 15)]
)
def test_a_calls_limit_scales_with_the_cap_unless_it_is_given(
    cap: int, asked: float | None, whole: float, first: float
) -> None:
    found = limits(cap, asked)
    assert (found.whole, found.first_token) == (whole, first)


def test_one_limit_stops_every_thread(
    server: ModelServer, connect: Callable[..., Provider], request_of: Callable[..., Request]
) -> None:
    """Of 16 threads one is limited: until the wait is over no other sends anything."""
    model, began = connect("openai"), threading.Event()
    model.reply(request_of())
    server.acts = [Act(status=429, headers={"Retry-After": "0.8"})]
    first = threading.Thread(target=lambda: model.reply(request_of()))
    first.start()
    while model._gate.left() == 0:  # until the limit is known
        began.wait(0.005)
    sent = len(server.asked)
    threads = [threading.Thread(target=lambda: model.reply(request_of())) for _ in range(15)]
    for thread in threads:
        thread.start()
    began.wait(0.3)
    if model._gate.left() > 0:  # unless this machine slept over it
        assert len(server.asked) == sent == 2
    for thread in [first, *threads]:
        thread.join()
    assert len(server.asked) == 2 + 16
