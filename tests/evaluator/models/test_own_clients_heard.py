"""Providers with a client of their own: what comes of a call in their wire formats."""

from collections.abc import Callable

import pytest

from evaluator.models.model import NoEvidence, Refused, Request
from evaluator.models.provider import Provider
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from tests.evaluator.models.acts import BEDROCK, COHERE, GEMINI, GROQ, OLLAMA, Act
from tests.evaluator.models.model_server import ModelServer

Connect = Callable[..., Provider]
Requests = Callable[..., Request]
TEXT = "def f():\n    return 'caf\u00e9 \U0001f600'\n"


@pytest.fixture
def wire(own_wire: str) -> str:
    return own_wire


@pytest.fixture
def model(wire: str, connect: Connect) -> Provider:
    return connect(wire)


def test_a_reply_comes_with_all_that_the_provider_says_of_it(
    server: ModelServer, wire: str, model: Provider, request_of: Requests
) -> None:
    server.acts = [Act(text=TEXT, served="srv-0105", output_tokens=40, cached=60, reasoned=25, reasoning="Let me see.")]
    reply = model.reply(request_of(seed=5))
    assert (reply.text, reply.stop_reason, reply.tries, reply.counted_here) == (TEXT, "stop", 1, False)
    # Two name no model in their events, Ollama counts nothing of a cache, and few count what was reasoned.
    assert reply.served_model == ("some-model" if wire in (COHERE, BEDROCK) else "srv-0105")
    assert (reply.input_tokens, reply.output_tokens) == (100, 40)
    assert reply.cached_tokens == (None if wire == OLLAMA else 60)
    assert reply.reasoning_tokens == (25 if wire in (GEMINI, GROQ) else None)


@pytest.mark.parametrize(("stop", "reason"), [("stop", "stop"), ("length", "length"), ("of_its_own", None)])
@pytest.mark.filterwarnings("ignore:of_its_own is not a valid FinishReason")
def test_stop_reasons(
    server: ModelServer, model: Provider, request_of: Requests, stop: str, reason: str | None
) -> None:
    server.acts = [Act(stop=stop)]
    reply = model.reply(request_of())
    if model.name.startswith(BEDROCK) and reason is None:
        reason = "stop"  # any-llm says so of what it does not know
    assert (reply.stop_reason, reply.tries, len(server.asked)) == (reason, 1, 1)


def test_a_refusal_says_nothing_about_the_format(
    server: ModelServer, wire: str, model: Provider, request_of: Requests
) -> None:
    server.acts = [Act(text="I had better", stop="ERROR_TOXIC" if wire == COHERE else "refusal")]
    with pytest.raises(NoEvidence) as caught:
        model.reply(request_of())
    assert (caught.value.reason, len(server.asked)) == (Discard.REFUSAL, 1)


@pytest.mark.parametrize("usual", ["openai", "cohere"])
def test_an_end_that_is_an_error_is_no_end(
    server: ModelServer, usual: str, connect: Connect, request_of: Requests
) -> None:
    """Routers end so what failed behind them, after 200 and a part of the reply."""
    pytest.importorskip(usual)
    server.acts = [Act(stop="error" if usual == "openai" else "ERROR")]
    assert (connect(usual).reply(request_of()).tries, len(server.asked)) == (2, 2)


FAILING = {
    "500": Act(status=500), "503": Act(status=503), "429": Act(status=429), "reset at once": Act(reset=0),
    "reset midway": Act(reset=4), "cut": Act(cut=4), "no stop reason": Act(stop=None),
    "garbage": Act(garbage=b"\xff\xfe\x00<html>502 Bad Gateway</html>"), "no JSON": Act(garbage=b"data: {nonsense\n\n"),
}  # fmt: skip


@pytest.mark.parametrize("act", FAILING.values(), ids=FAILING.keys())
def test_a_failed_request_is_made_again_by_us_alone(
    server: ModelServer, model: Provider, request_of: Requests, act: Act
) -> None:
    """A client that asked again by itself would be seen here: the request would be paid for twice."""
    server.acts = [act]
    reply = model.reply(request_of())
    assert (reply.text, reply.tries, len(server.asked)) == ("fine", 2, 2)


def test_tries_are_bounded_and_counted(server: ModelServer, model: Provider, request_of: Requests) -> None:
    server.answer = lambda asked: Act(status=500)
    with pytest.raises(NoEvidence) as caught:
        model.reply(request_of())
    assert (caught.value.reason, caught.value.tries, len(server.asked)) == (Discard.INFRA_ERROR, 3, 3)


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_honoured(
    server: ModelServer, wire: str, model: Provider, request_of: Requests, status: int
) -> None:
    if wire == OLLAMA:
        pytest.skip("its client drops the headers of an error")
    from evaluator.models.answers import wait_of
    from evaluator.models.failures import Limited, meaning

    server.acts = [Act(status=status, headers={"Retry-After": "7"})]
    error = _failure(model, request_of())
    assert wait_of(error) == 7
    assert isinstance(meaning(error, model.name, True), Limited) is (status == 429)


def _failure(model: Provider, request: Request) -> Exception:
    """What the client raises."""

    async def ask() -> Exception:
        try:
            async for _ in await model._dialect.open(request, ()):
                pass
        except Exception as error:
            return error
        raise AssertionError("it answered")

    return model._loop.run(ask())


def test_google_says_in_the_body_how_long_to_wait(server: ModelServer, connect: Connect, request_of: Requests) -> None:
    pytest.importorskip("google.genai")
    from evaluator.models.answers import wait_of

    delay = {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "33.5s"}]}
    server.acts = [Act(status=429, error={"message": "Resource exhausted", **delay})]
    assert wait_of(_failure(connect(GEMINI), request_of())) == 33.5


@pytest.mark.parametrize(
    ("status", "what"),
    [
        (401, "refuses the account: .*:some-model. What it says. Check"),
        (404, r"first call \(404\): .*:some-model. What it says. Check"),
    ],
)
def test_what_would_fail_every_call_ends_the_run_after_one_request(
    server: ModelServer, model: Provider, request_of: Requests, status: int, what: str
) -> None:
    server.answer = lambda asked: Act(status=status, error={"message": "What it says"})
    with pytest.raises(ToolError, match=what):
        model.reply(request_of())
    assert len(server.asked) == 1


def test_a_refusal_that_may_be_of_one_prompt_is_no_evidence_after_one_request(
    server: ModelServer, model: Provider, request_of: Requests
) -> None:
    server.answer = lambda asked: Act(status=400, error={"message": "What it says"})
    with pytest.raises(Refused, match="400: What it says"):
        model.reply(request_of())
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "message",
    [
        "prompt is too long: the maximum context length is 4096 tokens",
        "The input token count (9000) exceeds the maximum number of tokens allowed (4096).",
        "too many tokens: total number of tokens in the prompt cannot exceed 4081",
    ],
)
def test_a_prompt_that_does_not_fit_discards_that_call(
    server: ModelServer, model: Provider, request_of: Requests, message: str
) -> None:
    server.acts = [Act(status=400, error={"message": message})]
    with pytest.raises(NoEvidence, match="the prompt does not fit the model") as caught:
        model.reply(request_of())
    assert (caught.value.reason, len(server.asked)) == (Discard.HARNESS_ERROR, 1)
