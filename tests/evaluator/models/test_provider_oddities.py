"""Answers that no provider should give: values of other types, counts that cannot be, replies without end."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from evaluator.journal import CallSettings
from evaluator.journal.calls import call_line
from evaluator.journal.rows import sealed
from evaluator.models.model import NoEvidence, Request
from evaluator.models.provider import Provider
from evaluator.prices import costs, price_of, price_table
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.tokens import count_tokens
from tests.evaluator.models.acts import ANTHROPIC, OPENAI, Act
from tests.evaluator.models.conftest import QUICK
from tests.evaluator.models.model_server import ModelServer

Connect = Callable[..., Provider]
Requests = Callable[..., Request]
KEY = "sk-some-key-0123456789"


def said(wire: str, model: Any = "m", text: Any = "hi", usage: Any = None, stop: Any = "") -> bytes:
    """A whole stream with these values in it, whatever they are."""
    if wire == OPENAI:
        base = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model}
        choice = {"index": 0, "delta": {"content": text}, "finish_reason": stop}
        last = {"index": 0, "delta": {}, "finish_reason": "stop"}
        events = [{**base, "choices": [choice]}, {**base, "choices": [last]}, {**base, "choices": [], "usage": usage}]
        return b"".join(b"data: %b\n\n" % json.dumps(event).encode() for event in events) + b"data: [DONE]\n\n"
    start = {"id": "m", "type": "message", "role": "assistant", "model": model, "content": [], "usage": usage}
    parts: list[dict[str, Any]] = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage},
        {"type": "message_stop"},
    ]
    return b"".join(b"event: %b\ndata: %b\n\n" % (str(e["type"]).encode(), json.dumps(e).encode()) for e in parts)


@pytest.mark.parametrize("odd", [{"model": 5}, {"model": ["m"]}, {"text": 5}, {"text": ["hi"]}, {"stop": ["stop"]}])
def test_what_is_no_text_is_garbage_and_the_call_is_made_again(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests, odd: dict[str, Any]
) -> None:
    server.acts = [Act(garbage=said(wire, **odd))]
    reply = connect(wire).reply(request_of())
    assert (reply.text, reply.served_model, reply.tries) == ("fine", "some-model", 2)


@pytest.mark.parametrize("bad", [-7, None, "x", 0, 10**30, [7]])
def test_counts_that_cannot_be_are_made_here(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests, bad: Any
) -> None:
    names = ("prompt_tokens", "completion_tokens") if wire == OPENAI else ("input_tokens", "output_tokens")
    server.acts = [Act(garbage=said(wire, usage=dict.fromkeys(names, bad) | {"total_tokens": 1}))]
    request = request_of()
    reply = connect(wire).reply(request)
    asked = sum(count_tokens(message.content) for message in request.messages)
    assert (reply.text, reply.input_tokens, reply.output_tokens) == ("hi", asked, count_tokens("hi"))
    assert (reply.counted_here, reply.input_counted_here) == (True, True)
    assert (reply.cached_tokens, reply.cache_write_tokens) == (None, None), "what nobody said is not 0"
    assert (costs(price_of("anthropic:claude-sonnet-4-5", price_table()), reply).paid or 0) > 0


def test_more_from_a_cache_than_was_sent_is_all_of_the_input(
    server: ModelServer, connect: Connect, request_of: Requests
) -> None:
    server.acts = [Act(input_tokens=5, cached=500)]
    reply = connect(OPENAI).reply(request_of())
    assert (reply.input_tokens, reply.cached_tokens) == (500, 500)


def test_an_empty_stop_reason_is_none_yet(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    """Some servers send one with every event: a stream that breaks off after it is not whole."""
    whole = said(wire)
    end = whole.index(b'"stop"' if wire == OPENAI else b'"end_turn"')
    server.acts = [Act(garbage=whole), Act(garbage=whole[: end - 50])]
    model = connect(wire)
    assert (model.reply(request_of()).stop_reason, model.reply(request_of()).tries) == ("stop", 2)


def test_a_served_name_that_is_no_utf8_is_kept_as_it_can_be_read_again(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests
) -> None:
    server.acts = [Act(served="\ud800x")]
    reply = connect(wire).reply(request_of())
    assert reply.served_model == "\ufffdx"
    assert "\ufffdx".encode() in sealed(call_line(("a/b", "udiff", 1, 1, 1), reply, b"fine"))


@pytest.mark.parametrize("pieces", [1, 50])
def test_a_reply_that_is_too_long_for_any_cap_is_cut_there(
    server: ModelServer, wire: str, connect: Connect, request_of: Requests, pieces: int
) -> None:
    server.acts = [Act(text="x = 1\n" * 500_000, pieces=pieces)]
    reply = connect(wire).reply(request_of(cap=1_000))
    assert (len(reply.text), reply.stop_reason, reply.tries) == (64_000, "length", 1)
    assert reply.output_tokens >= 1_000


@pytest.mark.parametrize(("status", "wrong"), [(401, ToolError), (403, NoEvidence), (500, NoEvidence)])
def test_a_key_that_an_error_quotes_is_not_told(
    server: ModelServer, wire: str, request_of: Requests, monkeypatch: pytest.MonkeyPatch, status: int,
    wrong: type[Exception],
) -> None:  # fmt: skip
    monkeypatch.setenv("OPENAI_API_KEY" if wire == OPENAI else "ANTHROPIC_API_KEY", KEY)
    model = Provider(f"{wire}:m", CallSettings(base_url=server.base_url(wire)), 4_000, QUICK)
    model.reply(request_of())
    server.answer = lambda asked: Act(status=status, error={"message": f"{asked.key}: {'.' * 480} {asked.key}"})
    with pytest.raises(wrong, match=r"\(the API key\)") as caught:
        model.reply(request_of())
    model.close()
    assert server.asked[-1].key == KEY
    assert KEY[:12] not in str(caught.value)


def test_a_rate_limit_with_a_date_beyond_all_dates_is_one_without(
    server: ModelServer, connect: Connect, request_of: Requests
) -> None:
    server.acts = [Act(status=429, headers={"Retry-After": "Mon, 04 May 99999999999 12:00:07 GMT"})]
    reply = connect(ANTHROPIC).reply(request_of())
    assert (reply.text, reply.tries) == ("fine", 2)


def test_garbage_without_end_is_no_evidence(server: ModelServer, connect: Connect, request_of: Requests) -> None:
    server.answer = lambda asked: Act(garbage=said(ANTHROPIC, text=5))
    with pytest.raises(NoEvidence, match="int in place of text") as caught:
        connect(ANTHROPIC).reply(request_of())
    assert (caught.value.reason, len(server.asked)) == (Discard.INFRA_ERROR, 3)
