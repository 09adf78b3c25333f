"""Providers with a client of their own, over loopback in their wire formats: what is sent, and what comes of it."""

import importlib.util
import time
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest

from evaluator.journal import CallSettings
from evaluator.messages import Message
from evaluator.models.model import NoEvidence, Request
from evaluator.models.provider import Provider
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.tokens import count_tokens
from tests.evaluator.models.conftest import QUICK
from tests.evaluator.models.model_server import Act, ModelServer, serving
from tests.evaluator.models.wires import BEDROCK, COHERE, GEMINI, GROQ, MISTRAL, OLLAMA

Connect = Callable[..., Provider]
Requests = Callable[..., Request]
MODULES = {
    GEMINI: "google.genai", MISTRAL: "mistralai", OLLAMA: "ollama", COHERE: "cohere", GROQ: "groq", BEDROCK: "boto3",
}  # fmt: skip
KEYS = {
    GEMINI: "GEMINI_API_KEY", MISTRAL: "MISTRAL_API_KEY", OLLAMA: "OLLAMA_API_KEY", COHERE: "COHERE_API_KEY",
    GROQ: "GROQ_API_KEY", BEDROCK: "AWS_BEARER_TOKEN_BEDROCK",
}  # fmt: skip
TEXT = "def f():\n    return 'caf\u00e9 \U0001f600'\n"
KEY = "sk-some-key-0123456789"


def installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of the package that it is in
        return False


@pytest.fixture(params=MODULES)
def wire(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if not installed(MODULES[request.param]):
        pytest.skip(f"the client of {request.param} is not installed")
    for name in (*KEYS.values(), "GOOGLE_API_KEY", "CO_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    if request.param == BEDROCK:  # by the credentials of an account: a key wants HTTPS
        for name, value in (("ACCESS_KEY_ID", "id"), ("SECRET_ACCESS_KEY", KEY), ("DEFAULT_REGION", "us-east-1")):
            monkeypatch.setenv(f"AWS_{name}", value)
    return str(request.param)


@pytest.fixture
def model(wire: str, connect: Connect) -> Provider:
    return connect(wire)


@pytest.fixture
def other() -> Iterator[ModelServer]:
    with serving() as running:
        yield running


# The cap, temperature and seed, where they are in the body.
PLACES: dict[str, tuple[str, ...]] = {
    GEMINI: ("generationConfig", "maxOutputTokens", "temperature", "seed"),
    MISTRAL: ("", "max_tokens", "temperature", "random_seed"),
    OLLAMA: ("options", "num_predict", "temperature", "seed"),
    COHERE: ("", "max_tokens", "temperature", "seed"),
    GROQ: ("", "max_tokens", "temperature", "seed"),
    BEDROCK: ("inferenceConfig", "maxTokens", "temperature"),
}


def test_cap_temperature_and_seed_go_out_under_the_providers_names(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    reply = connect(wire, temperature=0.5).reply(request_of(cap=900, seed=7))
    inner, *names = PLACES[wire]
    body = server.asked[-1].body[inner] if inner else server.asked[-1].body
    assert [body[name] for name in names] == [900, 0.5, 7][: len(names)]
    assert (reply.seeded, len(server.asked)) == (wire != BEDROCK, 1)
    assert "Change it.\\nAs a diff." in str(server.asked[-1].body)


def test_a_reply_comes_with_all_that_the_provider_says_of_it(
    server: ModelServer, wire: str, model: Provider, request_of: Requests
) -> None:
    server.acts = [Act(text=TEXT, served="srv-0105", output_tokens=40, cached=60, reasoned=25, reasoning="Let me see.")]
    reply = model.reply(request_of(seed=5))
    assert (reply.text, reply.stop_reason, reply.tries, reply.counted_here) == (TEXT, "stop", 1, False)
    # Two name no model in their events, Ollama counts nothing of a cache, and few count what was reasoned.
    assert reply.served_model == ("some-model" if wire in (COHERE, BEDROCK) else "srv-0105")
    assert (reply.input_tokens, reply.output_tokens) == (100, 40)
    assert reply.cached_tokens == (0 if wire == OLLAMA else 60)
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
        (400, r"first call \(400\): .*:some-model. What it says. Check"),
    ],
)
def test_what_would_fail_every_call_ends_the_run_after_one_request(
    server: ModelServer, model: Provider, request_of: Requests, status: int, what: str
) -> None:
    server.answer = lambda asked: Act(status=status, error={"message": "What it says"})
    with pytest.raises(ToolError, match=what):
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


def test_the_key_goes_to_the_server_and_into_no_message(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wire == BEDROCK:
        pytest.skip("its requests are signed, and hold no key")
    monkeypatch.setenv(KEYS[wire], KEY)
    model = connect(wire)
    server.answer = lambda asked: Act(status=401, error={"message": f"{asked.key} is no key"})
    with pytest.raises(ToolError, match=r"\(the API key\) is no key") as caught:
        model.reply(request_of())
    assert server.asked[-1].key == KEY
    assert KEY[:12] not in str(caught.value)


def test_a_missing_key_is_an_error_that_names_the_variable(wire: str) -> None:
    if wire == BEDROCK:
        pytest.skip("credentials of an account are looked for in many places")
    if wire == OLLAMA:
        Provider("ollama:m", CallSettings(), 900, QUICK).close()  # it needs none
        return
    with pytest.raises(ToolError, match=f"no API key: {wire}:m. Set the environment variable {KEYS[wire]}"):
        Provider(f"{wire}:m", CallSettings(), 900)


def test_no_redirect_is_followed(
    server: ModelServer, other: ModelServer, wire: str, connect: Connect, request_of: Requests,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Clients would take the prompt, and some a key in a header of their own, to any host that a server names."""
    if wire != BEDROCK:
        monkeypatch.setenv(KEYS[wire], KEY)
    _redirect(server, other)
    with pytest.raises(ToolError, match=r"the server redirects the call \(307\)"):
        connect(wire).reply(request_of())
    assert (len(server.asked), other.connections) == (1, 0)


@pytest.mark.parametrize("usual", ["openai", "anthropic"])
def test_no_redirect_is_followed_with_the_usual_clients(
    server: ModelServer, other: ModelServer, usual: str, connect: Connect, request_of: Requests
) -> None:
    _redirect(server, other)
    with pytest.raises(ToolError, match=r"the server redirects the call \(307\).*\(http://localhost\)"):
        connect(usual).reply(request_of())
    assert (len(server.asked), other.connections) == (1, 0)


def _redirect(server: ModelServer, other: ModelServer) -> None:
    port = other.server_address[1]
    server.answer = lambda asked: Act(status=307, headers={"Location": f"http://localhost:{port}/v1/chat/completions"})


def test_no_token_within_the_limit_is_no_evidence(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    server.answer = lambda asked: Act(hang=1)
    with pytest.raises(NoEvidence, match="no token within 0 seconds") as caught:
        connect(wire, timeout_seconds=0.4).reply(request_of())
    assert (caught.value.reason, caught.value.tries) == (Discard.INFRA_ERROR, 2)


def test_the_limit_met_after_a_token_is_a_reply_cut_there(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    server.acts = [Act(text=TEXT, hang=4)]
    reply = connect(wire, timeout_seconds=0.8).reply(request_of())
    assert reply.stop_reason == "timeout"
    assert TEXT.startswith(reply.text)
    assert reply.output_tokens == count_tokens(reply.text) > 0


LIMITS: dict[str, Callable[[Any], float | None]] = {
    GEMINI: lambda client: client.client._api_client._async_httpx_client.timeout.read,
    MISTRAL: lambda client: client.client.sdk_configuration.timeout_ms / 1000,
    OLLAMA: lambda client: client.client._client.timeout.read,
    COHERE: lambda client: client.client._client_wrapper.httpx_client.base_timeout(),
    GROQ: lambda client: client.client.timeout,
    BEDROCK: lambda client: client.client.meta.config.read_timeout,
}


def test_no_client_has_a_limit_of_its_own_that_a_slow_model_would_meet(wire: str, connect: Connect) -> None:
    """Some give up after a minute without a token, and what was asked for is paid for."""
    assert LIMITS[wire](connect(wire)._client) in (None, 86_400)


def test_a_call_that_hangs_keeps_no_other_from_going_on(
    server: ModelServer, model: Provider, request_of: Requests
) -> None:
    """Bedrock's client blocks the thread that it waits in."""
    server.acts, found = [Act(hang=1)], list[Exception]()

    def hang() -> None:
        try:
            model.reply(request_of())
        except NoEvidence as error:
            found.append(error)

    thread = Thread(target=hang)
    thread.start()
    while not server.asked:
        time.sleep(0.01)
    assert model.reply(request_of()).text == "fine"
    model.close()
    thread.join(10)
    assert "the run ended before the call did" in str(found[0])


def test_an_earlier_reply_that_was_empty_can_be_retried(
    server: ModelServer, model: Provider, request_of: Requests
) -> None:
    said = (Message("system", "Be good."), Message("user", "Do."), Message("assistant", ""), Message("user", "Again."))
    assert (model.reply(request_of(*said)).text, len(server.asked)) == ("fine", 1)
