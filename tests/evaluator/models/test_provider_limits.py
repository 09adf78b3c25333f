"""Waits and time limits of a call, for both wire formats, and that nothing is left hanging."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Thread

import pytest

from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.models.provider import Provider
from evaluator.taxonomy import Discard
from miner.tokens import count_tokens
from tests.evaluator.models.acts import Act
from tests.evaluator.models.model_server import ModelServer

Connect = Callable[..., Provider]
Requests = Callable[..., Request]
TEXT = "def f():\n    return 'caf\u00e9 \U0001f600'\n"


@pytest.mark.parametrize(("status", "asked"), [(429, "0.5"), (503, "0.5"), (429, "a date")])
def test_retry_after_is_honoured(
    server: ModelServer, connect: Connect, wire: str, request_of: Requests, status: int, asked: str
) -> None:
    model, then = connect(wire), datetime.now(UTC) + timedelta(seconds=2)  # in whole seconds: at least one is left
    server.acts = [
        Act(status=status, headers={"Retry-After": asked if asked == "0.5" else format_datetime(then, True)})
    ]
    start = time.monotonic()
    reply = model.reply(request_of())
    took = time.monotonic() - start
    assert took >= 0.5
    assert reply.tries == 2
    assert reply.latency_ms <= (took - 0.5) * 1000 + 1  # the wait is no latency


@pytest.mark.parametrize("hang", [0, 1])
def test_no_token_within_the_limit_is_no_evidence(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests, hang: int
) -> None:
    """Headers, or the event that comes before any token, are no token."""
    server.answer = lambda asked: Act(hang=hang)
    with pytest.raises(NoEvidence, match="no token within 0 seconds") as caught:
        connect(wire, timeout_seconds=0.6).reply(request_of())
    assert (caught.value.reason, caught.value.tries) == (Discard.INFRA_ERROR, 2)
    _gone(server, 2)


def test_the_limit_met_after_a_token_is_a_reply_cut_there(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    server.acts = [Act(text=TEXT, hang=5)]
    reply = connect(wire, timeout_seconds=4).reply(request_of())
    assert reply.stop_reason == "timeout"
    assert TEXT.startswith(reply.text)
    assert reply.output_tokens == count_tokens(reply.text) > 0
    assert (reply.tries, len(server.asked)) == (1, 1)
    _gone(server, 1)


def test_a_dripping_server_meets_the_limit_of_the_whole_call(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    server.answer = lambda asked: Act(text="abcdefghij" * 10, pieces=100, drip=0.2)  # whichever try hears a token
    reply = connect(wire, timeout_seconds=1.4).reply(request_of())
    assert reply.stop_reason == "timeout"
    assert 0 < len(reply.text) < 100


def test_closing_ends_what_is_under_way(server: ModelServer, wire: str, connect: Connect, request_of: Requests) -> None:
    model, found = connect(wire), list[Reply | Exception]()
    server.acts = [Act(hang=0)]

    def call() -> None:
        try:
            found.append(model.reply(request_of()))
        except NoEvidence as error:
            found.append(error)

    thread = Thread(target=call)
    thread.start()
    while not server.asked:
        time.sleep(0.01)
    model.close()
    model.close()  # as the run's end does once more
    thread.join(10)
    assert isinstance(found[0], NoEvidence)
    _gone(server, 1)


def _gone(server: ModelServer, calls: int) -> None:
    """The connections of calls that were given up are closed: none is left hanging."""
    for _ in range(200):
        if server.ended["gone while hanging"] == calls:
            return
        time.sleep(0.02)
    pytest.fail(f"{server.ended} of {calls} connections were closed")
