"""What comes of a call, for both wire formats: answers, failures of the network and of the provider, limits."""

from collections.abc import Callable

import pytest

from evaluator.models.model import NoEvidence, Refused, Request
from evaluator.models.pacing import Patience
from evaluator.models.provider import Provider
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.tokens import count_tokens
from tests.evaluator.models.acts import Act
from tests.evaluator.models.model_server import ModelServer

Connect = Callable[..., Provider]
Requests = Callable[..., Request]
TEXT = "def f():\n    return 'caf\u00e9 \U0001f600'\n"


@pytest.fixture
def model(wire: str, connect: Connect) -> Provider:
    return connect(wire)


def test_a_reply_comes_with_all_that_the_provider_says_of_it(
    server: ModelServer, model: Provider, request_of: Requests
) -> None:
    server.acts = [Act(text=TEXT, served="some-model-0105", input_tokens=100, output_tokens=40, cached=60, written=30,
                       reasoned=25, reasoning="Let me see.")]  # fmt: skip
    reply = model.reply(request_of(seed=5))
    said = (reply.text, reply.stop_reason, reply.served_model, reply.tries)
    assert said == (TEXT, "stop", "some-model-0105", 1)
    counts = (reply.input_tokens, reply.cached_tokens, reply.cache_write_tokens, reply.output_tokens)
    assert (*counts, reply.reasoning_tokens) == (100, 60, 30, 40, 25)
    assert (reply.counted_here, reply.input_counted_here) == (False, False)
    assert reply.first_token_ms is not None
    assert 0 <= reply.first_token_ms <= reply.latency_ms


@pytest.mark.parametrize(
    ("stop", "reason"), [("stop", "stop"), ("length", "length"), ("tool_use", None), ("stop_of_its_own", None)]
)
def test_stop_reasons(
    server: ModelServer, model: Provider, request_of: Requests, stop: str, reason: str | None
) -> None:
    server.acts = [Act(stop=stop)]
    assert model.reply(request_of()).stop_reason == reason


def test_a_refusal_says_nothing_about_the_format(server: ModelServer, model: Provider, request_of: Requests) -> None:
    server.acts = [Act(text="I had better", stop="refusal")]
    with pytest.raises(NoEvidence) as caught:
        model.reply(request_of())
    assert (caught.value.reason, len(server.asked)) == (Discard.REFUSAL, 1)
    paid = caught.value.reply
    assert paid is not None
    assert (paid.text, paid.input_tokens, paid.output_tokens) == ("I had better", 100, 7)


def test_an_empty_reply_is_a_reply(server: ModelServer, model: Provider, request_of: Requests) -> None:
    server.acts = [Act(text="", reasoning="All of it went here.")]
    reply = model.reply(request_of())
    assert (reply.text, reply.stop_reason, len(server.asked)) == ("", "stop", 1)


FAILING = {
    "500": Act(status=500), "503": Act(status=503), "529": Act(status=529, error={"type": "overloaded_error"}),
    "408": Act(status=408), "409": Act(status=409), "limited": Act(status=429),
    "limited for a time": Act(status=429, headers={"Retry-After": "0.02"}),
    "reset at once": Act(reset=0), "reset midway": Act(reset=4), "cut": Act(cut=4), "no stop reason": Act(stop=None),
    "garbage": Act(garbage=b"\xff\xfe\x00<html>502 Bad Gateway</html>"), "no JSON": Act(garbage=b"data: {nonsense\n\n"),
    "other JSON": Act(garbage=b'event: x\ndata: {"type": "x", "foo": [1]}\n\n'), "nothing": Act(garbage=b"\n"),
    "an error in the stream": Act(
        garbage=b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n'
    ),
}  # fmt: skip


@pytest.mark.parametrize("act", FAILING.values(), ids=FAILING.keys())
def test_what_fails_by_the_provider_or_the_network_is_tried_again(
    server: ModelServer, model: Provider, request_of: Requests, act: Act
) -> None:
    server.acts = [act]
    reply = model.reply(request_of())
    assert (reply.text, reply.tries, len(server.asked)) == ("fine", 2, 2)


@pytest.mark.parametrize("act", [Act(status=500), Act(reset=3), Act(garbage=b"data: {nonsense\n\n")])
def test_tries_are_bounded_and_counted(server: ModelServer, model: Provider, request_of: Requests, act: Act) -> None:
    server.answer = lambda asked: act
    with pytest.raises(NoEvidence) as caught:
        model.reply(request_of())
    assert (caught.value.reason, caught.value.tries, len(server.asked)) == (Discard.INFRA_ERROR, 3, 3)


def test_rate_limits_spend_time_and_no_tries(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    server.acts = [Act(status=429) for _ in range(8)]
    assert connect(wire).reply(request_of()).tries == 9
    server.answer = lambda asked: Act(status=429)
    patience = Patience(tries=3, total=0.3, first_wait=0.01, longest_wait=0.05)
    with pytest.raises(NoEvidence) as caught:
        connect(wire, patience=patience).reply(request_of())
    assert caught.value.reason is Discard.INFRA_ERROR


@pytest.mark.parametrize(
    ("status", "error", "what"),
    [
        (401, {"message": "Incorrect API key"}, "refuses the account: .*Incorrect API key"),
        (402, {"message": "No credit"}, "refuses the account: .*No credit"),
        (429, {"message": "You exceeded your quota", "code": "insufficient_quota"}, "refuses the account: .*quota"),
        (404, {"message": "No such model"}, r"refuses the first call \(404\): .*No such model"),
        (405, {"message": "No such method"}, r"refuses the first call \(405\): .*No such method"),
    ],
)
def test_what_would_fail_every_call_ends_the_run_after_one_request(
    server: ModelServer, model: Provider, request_of: Requests, status: int, error: dict[str, str], what: str
) -> None:
    server.answer = lambda asked: Act(status=status, error=error)
    with pytest.raises(ToolError, match=what):
        model.reply(request_of())
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("status", "answered"), [(400, 0), (403, 0), (413, 0), (422, 0), (400, 1), (403, 1), (404, 1), (405, 1), (422, 1)]
)
def test_what_may_be_one_prompts_fault_ends_no_run_by_itself(
    server: ModelServer, model: Provider, request_of: Requests, status: int, answered: int
) -> None:
    for _ in range(answered):
        model.reply(request_of())
    server.acts = [Act(status=status, error={"message": "odd prompt"})]
    with pytest.raises(Refused, match=f"{status}: odd prompt") as caught:
        model.reply(request_of())
    assert (caught.value.reason, len(server.asked)) == (Discard.HARNESS_ERROR, answered + 1)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("prompt is too long: the maximum context length is 4096 tokens", Discard.HARNESS_ERROR),
        ("The response was filtered by the content policy", Discard.REFUSAL),
    ],
)
def test_what_is_said_of_one_prompt_discards_that_call(
    server: ModelServer, model: Provider, request_of: Requests, message: str, reason: Discard
) -> None:
    server.acts = [Act(status=400, error={"message": message, "type": "invalid_request_error"})]
    with pytest.raises(NoEvidence) as caught:
        model.reply(request_of())
    assert (caught.value.reason, len(server.asked)) == (reason, 1)


def test_a_prompt_that_is_found_too_long_while_streaming_is_not_sent_again(
    server: ModelServer, model: Provider, request_of: Requests
) -> None:
    error = b'{"type": "error", "error": {"type": "invalid", "message": "the context length of 512 is exceeded"}}'
    server.acts = [Act(garbage=b"event: error\ndata: " + error + b"\n\n")]
    with pytest.raises(NoEvidence, match="the prompt does not fit the model: the context length") as caught:
        model.reply(request_of())
    assert (caught.value.reason, len(server.asked)) == (Discard.HARNESS_ERROR, 1)


def test_what_comes_after_the_stop_reason_is_not_waited_for_again(
    server: ModelServer, connect: Connect, request_of: Requests
) -> None:
    """The reply is whole: it is not paid for twice for want of its token counts."""
    server.acts = [Act(text=TEXT, reset=6)]  # role, four pieces, the stop reason; then the counts
    reply = connect("openai").reply(request_of())
    assert (reply.text, reply.stop_reason, reply.tries, len(server.asked)) == (TEXT, "stop", 1, 1)
    assert reply.output_tokens == count_tokens(TEXT)


def test_where_no_counts_come_they_are_made_here(server: ModelServer, connect: Connect, request_of: Requests) -> None:
    server.acts = [Act(text=TEXT, reasoning="Let me see.", counts=False)]
    request = request_of()
    reply = connect("openai").reply(request)
    assert reply.input_tokens == sum(count_tokens(m.content) for m in request.messages)
    assert reply.output_tokens == count_tokens(TEXT) + count_tokens("Let me see.")


def test_half_a_character_is_replaced_and_two_halves_are_joined(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    server.acts = [Act(text="\ud83d\ude00 \ud83d", pieces=4)]
    assert connect(wire).reply(request_of()).text == "\U0001f600 \ufffd"


def test_a_server_that_is_not_there_is_no_evidence(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    model = connect(wire)
    server.shutdown()
    server.server_close()
    with pytest.raises(NoEvidence) as caught:
        model.reply(request_of())
    assert (caught.value.reason, caught.value.tries) == (Discard.INFRA_ERROR, 3)
