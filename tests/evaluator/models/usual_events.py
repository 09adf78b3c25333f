"""The events of a reply as OpenAI and Anthropic write them."""

from collections.abc import Iterator
from typing import Any

from tests.evaluator.models.acts import ANTHROPIC, OPENAI, STOPS, Act, data, openai_usage, split


def openai_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://platform.openai.com/docs/api-reference/chat-streaming"""
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": act.served or body["model"],
            "system_fingerprint": "fp"}  # fmt: skip

    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        return data({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    yield chunk({"role": "assistant", "content": ""})
    for piece in split(act.reasoning, act.pieces):
        yield chunk({"reasoning_content": piece})
    for piece in split(act.text, act.pieces):
        yield chunk({"content": piece})
    if act.stop is not None:
        yield chunk({}, STOPS[OPENAI].get(act.stop, act.stop))
    if act.counts and body.get("stream_options", {}).get("include_usage"):
        yield data({**base, "choices": [], "usage": openai_usage(act)})
    yield b"data: [DONE]\n\n"


def anthropic_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://docs.anthropic.com/en/api/messages-streaming"""
    usage = {
        "input_tokens": act.input_tokens - act.cached - act.written, "cache_read_input_tokens": act.cached,
        "cache_creation_input_tokens": act.written, "output_tokens": 1,
    }  # fmt: skip
    message = {
        "id": "m1", "type": "message", "role": "assistant", "model": act.served or body["model"], "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    yield _event("message_start", {"message": message})
    yield _event("ping", {})
    blocks = [("thinking", "thinking_delta", act.reasoning), ("text", "text_delta", act.text)]
    for index, (kind, delta, text) in enumerate([block for block in blocks if block[2]]):
        block = {"type": kind, kind: ""} | ({"signature": ""} if kind == "thinking" else {})
        yield _event("content_block_start", {"index": index, "content_block": block})
        for piece in split(text, act.pieces):
            yield _event("content_block_delta", {"index": index, "delta": {"type": delta, kind: piece}})
        yield _event("content_block_stop", {"index": index})
    if act.stop is not None:
        made: dict[str, Any] = {"output_tokens": act.output_tokens}
        if act.reasoned is not None:
            made["output_tokens_details"] = {"thinking_tokens": act.reasoned}
        stop = {"stop_reason": STOPS[ANTHROPIC].get(act.stop, act.stop), "stop_sequence": None}
        yield _event("message_delta", {"delta": stop, "usage": made})
    yield _event("message_stop", {})


def _event(kind: str, content: dict[str, Any]) -> bytes:
    return f"event: {kind}\n".encode() + data({"type": kind, **content})
