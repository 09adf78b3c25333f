"""What is sent: prompts, cap, seed, settings, cache marks; and what is left out for servers that do not know it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from evaluator.messages import Message
from evaluator.models.model import Refused, Request
from evaluator.models.provider import Provider
from miner.errors import ToolError
from tests.evaluator.models.acts import Act
from tests.evaluator.models.model_server import Asked, ModelServer

Connect = Callable[..., Provider]
Requests = Callable[..., Request]
MARK = {"cache_control": {"type": "ephemeral"}}
OPENING = (Message("system", "Be good."), Message("user", "Change it.\nAs a diff.", 11))
RETRY = (*OPENING, Message("assistant", "no"), Message("user", "Again."))


def sent(server: ModelServer, model: Provider, request: Request) -> dict[str, Any]:
    model.reply(request)
    return server.asked[-1].body


def test_what_is_sent_as_chat_completions(server: ModelServer, connect: Connect, request_of: Requests) -> None:
    body = sent(server, connect("openai", temperature=0.5, reasoning_effort="low"), request_of(cap=900, seed=7))
    assert body == {
        "model": "some-model", "stream": True, "stream_options": {"include_usage": True}, "seed": 7,
        "temperature": 0.5, "reasoning_effort": "low", "max_completion_tokens": 900, "max_tokens": 900,
        "messages": [{"role": "system", "content": "Be good."}, {"role": "user", "content": "Change it.\nAs a diff."}],
    }  # fmt: skip


def test_what_is_sent_as_messages(server: ModelServer, connect: Connect, request_of: Requests) -> None:
    model = connect("anthropic", temperature=0.5)
    body = sent(server, model, request_of(cap=900, seed=7))
    assert body == {
        "model": "some-model", "stream": True, "max_tokens": 900, "temperature": 0.5,
        "system": [{"type": "text", "text": "Be good.", **MARK}],
        "messages": [{"role": "user", "content": [
            {"type": "text", "text": "Change it.\n", **MARK}, {"type": "text", "text": "As a diff."},
        ]}],
    }  # fmt: skip
    assert not model.reply(request_of(seed=7)).seeded


def test_the_last_reply_of_a_retry_is_marked_and_there_are_at_most_four_marks(
    server: ModelServer, connect: Connect, request_of: Requests
) -> None:
    longer = (*RETRY, Message("assistant", "neither"), Message("user", "Again."))
    body = sent(server, connect("anthropic"), request_of(*longer))
    turns = body["messages"]
    assert [[MARK.items() <= block.items() for block in turn["content"]] for turn in turns] == [
        [True, False], [False], [False], [True], [False],
    ]  # fmt: skip
    assert str(body).count("cache_control") == 3


def test_without_a_shared_part_only_the_system_is_marked(
    server: ModelServer, connect: Connect, request_of: Requests
) -> None:
    body = sent(server, connect("anthropic"), request_of(Message("system", "Be good."), Message("user", "Do.")))
    assert body["messages"] == [{"role": "user", "content": [{"type": "text", "text": "Do."}]}]


def test_an_empty_or_strange_reply_can_be_retried(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    said = (*OPENING, Message("assistant", ""), Message("user", "no \udcff, no \ud800"))
    body = sent(server, connect(wire), request_of(*said))
    assert "\ufffd" in str(body["messages"][-1])
    if wire == "anthropic":  # takes no empty turns
        assert all(block["text"].strip() for turn in body["messages"] for block in turn["content"])


@pytest.mark.parametrize(
    ("model", "effort", "said"),
    [
        ("claude-opus-4-6", "high", {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}),
        ("claude-sonnet-4-5", "low", {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
    ],
)
def test_a_reasoning_effort_is_said_as_the_model_wants_it(
    server: ModelServer, connect: Connect, request_of: Requests, model: str, effort: str, said: dict[str, Any]
) -> None:
    asked = connect("anthropic", reasoning_effort=effort)
    asked._dialect._model = model  # type: ignore[attr-defined]
    body = sent(server, asked, request_of())
    assert said.items() <= body.items()


def test_further_parameters_go_into_the_request(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    body = sent(server, connect(wire, params={"top_p": 0.5, "min_p": 0.1, "repeat": {"n": 1}}), request_of())
    assert {"top_p": 0.5, "min_p": 0.1, "repeat": {"n": 1}}.items() <= body.items()


@pytest.mark.parametrize("name", ["max_tokens", "seed", "temperature", "stream", "messages", "n", "reasoning_effort"])
def test_what_the_run_decides_is_no_parameter(connect: Connect, wire: str, name: str) -> None:
    with pytest.raises(ToolError, match=f"not a parameter to pass on: --param {name}"):
        connect(wire, params={name: 1})


def test_an_unknown_reasoning_effort_is_refused_before_any_call(connect: Connect, wire: str) -> None:
    with pytest.raises(ToolError, match="unknown reasoning effort: huge"):
        connect(wire, reasoning_effort="huge")


def test_an_effort_that_the_cap_leaves_no_room_for_is_refused_before_any_call(server: ModelServer) -> None:
    from evaluator.journal import CallSettings

    call = CallSettings(base_url=server.base_url("anthropic"), reasoning_effort="low")
    with pytest.raises(ToolError, match="the settings do not fit the model"):
        Provider("anthropic:claude-sonnet-4-5", call, 1_500)


@pytest.mark.parametrize("unknown", ["seed", "stream_options", "max_tokens", "max_completion_tokens"])
def test_an_option_that_a_server_does_not_know_is_left_out_from_then_on(
    server: ModelServer, connect: Connect, request_of: Requests, unknown: str
) -> None:
    server.unknown, model = {unknown}, connect("openai")
    reply = model.reply(request_of(seed=7))
    assert (reply.text, reply.tries, len(server.asked)) == ("fine", 1, 2)  # the refusal is no try
    assert reply.seeded is (unknown != "seed")
    body = sent(server, model, request_of(seed=7))
    left = {"seed", "stream_options", "max_tokens", "max_completion_tokens"} - {unknown}
    assert (unknown in body, left <= body.keys(), len(server.asked)) == (False, True, 3)


def test_several_unknown_options_are_left_out_however_many_calls_meet_them_at_once(
    server: ModelServer, connect: Connect, request_of: Requests
) -> None:
    server.unknown, model = {"seed", "stream_options", "max_completion_tokens"}, connect("openai")
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda n: model.reply(request_of(seed=n)), range(8)))
    assert [(r.text, r.tries, r.seeded) for r in replies] == [("fine", 1, False)] * 8
    assert server.asked[-1].body["max_tokens"] == 4_000


def test_a_cap_that_is_refused_for_its_size_is_not_left_out(
    server: ModelServer, connect: Connect, request_of: Requests
) -> None:
    server.answer = lambda asked: Act(status=400, error={"message": "max_tokens is too large: 4000"})
    with pytest.raises(Refused, match="max_tokens is too large"):
        connect("openai").reply(request_of())
    assert len(server.asked) == 1


def test_a_server_that_knows_no_name_of_the_cap_refuses_the_request(
    server: ModelServer, connect: Connect, request_of: Requests
) -> None:
    server.unknown = {"max_tokens", "max_completion_tokens"}
    with pytest.raises(Refused, match="Unrecognized"):
        connect("openai").reply(request_of())


def test_a_setting_that_the_user_gave_is_never_left_out(
    server: ModelServer, connect: Connect, request_of: Requests
) -> None:
    server.unknown = {"temperature"}
    with pytest.raises(Refused, match="temperature"):
        connect("openai", temperature=1.5).reply(request_of())


def test_a_key_is_sent_to_a_server_of_ones_own_where_there_is_one(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(f"{wire.upper()}_API_KEY", raising=False)
    sent(server, connect(wire), request_of())
    monkeypatch.setenv(f"{wire.upper()}_API_KEY", "sk-of-ones-own")
    sent(server, connect(wire), request_of())
    assert [asked.key for asked in server.asked] == ["none", "sk-of-ones-own"]


def test_the_served_name_is_what_the_server_says_each_time(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    server.acts, model = [Act(served="m-0105"), Act(served="m-0106")], connect(wire)
    assert [model.reply(request_of()).served_model for _ in range(2)] == ["m-0105", "m-0106"]


def test_many_threads_share_connections_and_get_their_own_replies(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    def echo(asked: Asked) -> Act:
        content = asked.body["messages"][0]["content"]
        return Act(text=content if isinstance(content, str) else content[0]["text"], drip=0.002)

    server.answer, model = echo, connect(wire)
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda n: model.reply(request_of(Message("user", f"task {n}"))).text, range(160)))
    assert replies == [f"task {n}" for n in range(160)]
    assert len(server.asked) == 160
    assert server.connections <= 2 * 16
