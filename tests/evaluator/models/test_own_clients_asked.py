"""Providers with a client of their own: what is sent and to whom, and how long is waited."""

import time
from collections.abc import Callable
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
from tests.evaluator.models.acts import BEDROCK, COHERE, GEMINI, GROQ, MISTRAL, OLLAMA, Act
from tests.evaluator.models.conftest import QUICK
from tests.evaluator.models.model_server import ModelServer
from tests.evaluator.models.own_clients import KEYS

Connect = Callable[..., Provider]
Requests = Callable[..., Request]
TEXT = "def f():\n    return 'caf\u00e9 \U0001f600'\n"
KEY = "sk-some-key-0123456789"


@pytest.fixture
def wire(own_wire: str) -> str:
    return own_wire


@pytest.fixture
def model(wire: str, connect: Connect) -> Provider:
    return connect(wire)


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
