"""The events of a reply as providers with a format of their own write them."""

import json
import struct
import zlib
from collections.abc import Iterator
from typing import Any

from tests.evaluator.models.acts import BEDROCK, COHERE, GEMINI, OPENAI, STOPS, Act, data, openai_usage, split


def groq_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """As OpenAI's, with names of its own for reasoning and counts: https://console.groq.com/docs/api-reference"""
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": act.served or body["model"],
            "system_fingerprint": "fp"}  # fmt: skip

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
        return data({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more})

    yield chunk({"role": "assistant", "content": ""}, x_groq={"id": "r1"})
    for piece in split(act.reasoning, act.pieces):
        yield chunk({"reasoning": piece})
    for piece in split(act.text, act.pieces):
        yield chunk({"content": piece})
    if act.stop is not None:
        said = {"usage": openai_usage(act)} if act.counts else {}
        yield chunk({}, STOPS[OPENAI].get(act.stop, act.stop), x_groq={"id": "r1", **said})
    yield b"data: [DONE]\n\n"


def mistral_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://docs.mistral.ai/api/endpoint/chat. Thinking is a list in place of text; counts come with the end."""
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": act.served or body["model"],
            "system_fingerprint": "fp"}  # fmt: skip

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
        return data({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more})

    yield chunk({"role": "assistant", "content": ""})
    for piece in split(act.reasoning, act.pieces):
        yield chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": piece}]}]})
    for piece in split(act.text, act.pieces):
        yield chunk({"content": piece})
    if act.stop is not None:
        usage = {key: value for key, value in openai_usage(act).items() if key != "completion_tokens_details"}
        yield chunk({"content": ""}, act.stop, **({"usage": usage} if act.counts else {}))
    yield b"data: [DONE]\n\n"


def gemini_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://ai.google.dev/api/generate-content. Thoughts are counted beside the candidates' tokens."""

    def chunk(parts: list[dict[str, Any]], **more: Any) -> bytes:
        candidate = {"content": {"role": "model", "parts": parts}, "index": 0, **more}
        usage: dict[str, int] = {"promptTokenCount": act.input_tokens, "cachedContentTokenCount": act.cached}
        if more:
            usage["candidatesTokenCount"] = act.output_tokens - (act.reasoned or 0)
            usage["thoughtsTokenCount"] = act.reasoned or 0
        said = {"candidates": [candidate], "modelVersion": act.served or "some-model", "responseId": "r1"}
        return data(said | ({"usageMetadata": usage} if act.counts else {}))

    yield chunk([{"text": ""}])
    for piece in split(act.reasoning, act.pieces):
        yield chunk([{"text": piece, "thought": True}])
    for piece in split(act.text, act.pieces):
        yield chunk([{"text": piece}])
    if act.stop is not None:
        yield chunk([{"text": ""}], finishReason=STOPS[GEMINI].get(act.stop, act.stop))


def ollama_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://docs.ollama.com/api/chat: a line of JSON an event."""
    base = {"model": act.served or body["model"], "created_at": "2026-01-02T03:04:05.6Z"}

    def line(message: dict[str, str], **more: Any) -> bytes:
        return json.dumps({**base, "message": {"role": "assistant", **message}, "done": False, **more}).encode() + b"\n"

    yield line({"content": ""})
    for piece in split(act.reasoning, act.pieces):
        yield line({"content": "", "thinking": piece})
    for piece in split(act.text, act.pieces):
        yield line({"content": piece})
    if act.stop is not None:
        counts = {"prompt_eval_count": act.input_tokens, "eval_count": act.output_tokens} if act.counts else {}
        yield line({"content": ""}, done=True, done_reason=act.stop, total_duration=5, **counts)


def cohere_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://docs.cohere.com/v2/reference/chat-stream"""

    def event(kind: str, **more: Any) -> bytes:
        return data({"type": kind, **more})

    yield event("message-start", id="m1", delta={"message": {"role": "assistant"}})
    for index, (kind, text) in enumerate([("thinking", act.reasoning), ("text", act.text)]):
        if text:
            yield event("content-start", index=index, delta={"message": {"content": {"type": kind, kind: ""}}})
            for piece in split(text, act.pieces):
                yield event("content-delta", index=index, delta={"message": {"content": {kind: piece}}})
            yield event("content-end", index=index)
    if act.stop is not None:
        tokens = {"input_tokens": act.input_tokens, "output_tokens": act.output_tokens}
        usage = {"billed_units": tokens, "tokens": tokens, "cached_tokens": act.cached}
        finish = STOPS[COHERE].get(act.stop, act.stop)
        yield event("message-end", delta={"finish_reason": finish} | ({"usage": usage} if act.counts else {}))
    yield b"data: [DONE]\n\n"


def bedrock_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html"""
    yield _framed("messageStart", {"role": "assistant"})
    for index, (kind, text) in enumerate([("reasoningContent", act.reasoning), ("text", act.text)]):
        for piece in split(text, act.pieces):
            delta = {kind: piece if kind == "text" else {"text": piece}}
            yield _framed("contentBlockDelta", {"delta": delta, "contentBlockIndex": index})
    if act.stop is not None:
        yield _framed("messageStop", {"stopReason": STOPS[BEDROCK].get(act.stop, act.stop)})
    if act.counts:
        fresh = act.input_tokens - act.cached - act.written
        usage = {
            "inputTokens": fresh, "outputTokens": act.output_tokens, "totalTokens": fresh + act.output_tokens,
            "cacheReadInputTokens": act.cached, "cacheWriteInputTokens": act.written,
        }  # fmt: skip
        yield _framed("metadata", {"usage": usage, "metrics": {"latencyMs": 5}})


def _framed(kind: str, content: dict[str, Any]) -> bytes:
    """A message of AWS's event stream: lengths, headers and payload, each part with its checksum."""
    headers = b""
    for name, value in ((":event-type", kind), (":content-type", "application/json"), (":message-type", "event")):
        headers += struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
    payload = json.dumps(content).encode()
    start = struct.pack("!II", len(headers) + len(payload) + 16, len(headers))
    whole = start + struct.pack("!I", zlib.crc32(start)) + headers + payload
    return whole + struct.pack("!I", zlib.crc32(whole))
