"""What is sent over a wire: the events of a reply and the body of an error, as each kind of provider writes them."""

import json
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

OPENAI, ANTHROPIC = "openai", "anthropic"
GEMINI, MISTRAL, OLLAMA, COHERE, GROQ = "gemini", "mistral", "ollama", "cohere", "groq"
BEDROCK = "bedrock"
_STOPS = {
    OPENAI: {"stop": "stop", "length": "length", "refusal": "content_filter"},
    ANTHROPIC: {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"},
    GEMINI: {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"},
    BEDROCK: {"stop": "end_turn", "length": "max_tokens", "refusal": "content_filtered"},
    COHERE: {"stop": "COMPLETE", "length": "MAX_TOKENS"},
}


@dataclass(frozen=True)
class Act:
    """What is done with a request.

    `stop` is one of stop, length, refusal, or what the wire format calls it itself; None: it never ends in one.
    `hang`, `reset`: that many events are sent before, 0: none, not even headers. `cut`: the body ends there, as if it
    were whole. `drip`: seconds between events. `garbage`: the body in place of events.
    """

    text: str = "fine"
    stop: str | None = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: dict[str, Any] = field(default_factory=dict)
    reasoning: str = ""
    served: str = ""
    hang: int | None = None
    reset: int | None = None
    cut: int | None = None
    drip: float = 0
    garbage: bytes = b""
    input_tokens: int = 100
    output_tokens: int = 7
    cached: int = 0
    written: int = 0
    reasoned: int | None = None
    counts: bool = True
    pieces: int = 4


def _split(text: str, pieces: int) -> list[str]:
    size = max(-(-len(text) // pieces), 1)
    return [text[n : n + size] for n in range(0, len(text), size)]


def openai_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://platform.openai.com/docs/api-reference/chat-streaming"""
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": act.served or body["model"],
            "system_fingerprint": "fp"}  # fmt: skip

    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        return _data({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    yield chunk({"role": "assistant", "content": ""})
    for piece in _split(act.reasoning, act.pieces):
        yield chunk({"reasoning_content": piece})
    for piece in _split(act.text, act.pieces):
        yield chunk({"content": piece})
    if act.stop is not None:
        yield chunk({}, _STOPS[OPENAI].get(act.stop, act.stop))
    if act.counts and body.get("stream_options", {}).get("include_usage"):
        yield _data({**base, "choices": [], "usage": _usage(act)})
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
        for piece in _split(text, act.pieces):
            yield _event("content_block_delta", {"index": index, "delta": {"type": delta, kind: piece}})
        yield _event("content_block_stop", {"index": index})
    if act.stop is not None:
        made: dict[str, Any] = {"output_tokens": act.output_tokens}
        if act.reasoned is not None:
            made["output_tokens_details"] = {"thinking_tokens": act.reasoned}
        stop = {"stop_reason": _STOPS[ANTHROPIC].get(act.stop, act.stop), "stop_sequence": None}
        yield _event("message_delta", {"delta": stop, "usage": made})
    yield _event("message_stop", {})


def groq_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """As OpenAI's, with names of its own for reasoning and counts: https://console.groq.com/docs/api-reference"""
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": act.served or body["model"],
            "system_fingerprint": "fp"}  # fmt: skip

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
        return _data({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more})

    yield chunk({"role": "assistant", "content": ""}, x_groq={"id": "r1"})
    for piece in _split(act.reasoning, act.pieces):
        yield chunk({"reasoning": piece})
    for piece in _split(act.text, act.pieces):
        yield chunk({"content": piece})
    if act.stop is not None:
        said = {"usage": _usage(act)} if act.counts else {}
        yield chunk({}, _STOPS[OPENAI].get(act.stop, act.stop), x_groq={"id": "r1", **said})
    yield b"data: [DONE]\n\n"


def _usage(act: Act) -> dict[str, Any]:
    return {
        "prompt_tokens": act.input_tokens, "completion_tokens": act.output_tokens,
        "total_tokens": act.input_tokens + act.output_tokens,
        "prompt_tokens_details": {"cached_tokens": act.cached, "cache_write_tokens": act.written},
        "completion_tokens_details": {"reasoning_tokens": act.reasoned},
    }  # fmt: skip


def mistral_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://docs.mistral.ai/api/endpoint/chat. Thinking is a list in place of text; counts come with the end."""
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": act.served or body["model"],
            "system_fingerprint": "fp"}  # fmt: skip

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
        return _data({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more})

    yield chunk({"role": "assistant", "content": ""})
    for piece in _split(act.reasoning, act.pieces):
        yield chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": piece}]}]})
    for piece in _split(act.text, act.pieces):
        yield chunk({"content": piece})
    if act.stop is not None:
        usage = {key: value for key, value in _usage(act).items() if key != "completion_tokens_details"}
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
        return _data(said | ({"usageMetadata": usage} if act.counts else {}))

    yield chunk([{"text": ""}])
    for piece in _split(act.reasoning, act.pieces):
        yield chunk([{"text": piece, "thought": True}])
    for piece in _split(act.text, act.pieces):
        yield chunk([{"text": piece}])
    if act.stop is not None:
        yield chunk([{"text": ""}], finishReason=_STOPS[GEMINI].get(act.stop, act.stop))


def ollama_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://docs.ollama.com/api/chat: a line of JSON an event."""
    base = {"model": act.served or body["model"], "created_at": "2026-01-02T03:04:05.6Z"}

    def line(message: dict[str, str], **more: Any) -> bytes:
        return json.dumps({**base, "message": {"role": "assistant", **message}, "done": False, **more}).encode() + b"\n"

    yield line({"content": ""})
    for piece in _split(act.reasoning, act.pieces):
        yield line({"content": "", "thinking": piece})
    for piece in _split(act.text, act.pieces):
        yield line({"content": piece})
    if act.stop is not None:
        counts = {"prompt_eval_count": act.input_tokens, "eval_count": act.output_tokens} if act.counts else {}
        yield line({"content": ""}, done=True, done_reason=act.stop, total_duration=5, **counts)


def cohere_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://docs.cohere.com/v2/reference/chat-stream"""

    def event(kind: str, **more: Any) -> bytes:
        return _data({"type": kind, **more})

    yield event("message-start", id="m1", delta={"message": {"role": "assistant"}})
    for index, (kind, text) in enumerate([("thinking", act.reasoning), ("text", act.text)]):
        if text:
            yield event("content-start", index=index, delta={"message": {"content": {"type": kind, kind: ""}}})
            for piece in _split(text, act.pieces):
                yield event("content-delta", index=index, delta={"message": {"content": {kind: piece}}})
            yield event("content-end", index=index)
    if act.stop is not None:
        tokens = {"input_tokens": act.input_tokens, "output_tokens": act.output_tokens}
        usage = {"billed_units": tokens, "tokens": tokens, "cached_tokens": act.cached}
        finish = _STOPS[COHERE].get(act.stop, act.stop)
        yield event("message-end", delta={"finish_reason": finish} | ({"usage": usage} if act.counts else {}))
    yield b"data: [DONE]\n\n"


def bedrock_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html"""
    yield _framed("messageStart", {"role": "assistant"})
    for index, (kind, text) in enumerate([("reasoningContent", act.reasoning), ("text", act.text)]):
        for piece in _split(text, act.pieces):
            delta = {kind: piece if kind == "text" else {"text": piece}}
            yield _framed("contentBlockDelta", {"delta": delta, "contentBlockIndex": index})
    if act.stop is not None:
        yield _framed("messageStop", {"stopReason": _STOPS[BEDROCK].get(act.stop, act.stop)})
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


def _data(content: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(content)}\n\n".encode()


def _event(kind: str, content: dict[str, Any]) -> bytes:
    return f"event: {kind}\n".encode() + _data({"type": kind, **content})


@dataclass(frozen=True)
class Wire:
    """One format: paths that are asked in it, the base URL's path, its events, and what an error looks like."""

    path: str
    base: str
    events: Callable[[Act, dict[str, Any]], Iterator[bytes]]
    error: Callable[[Act, dict[str, Any]], dict[str, Any]]
    kind: str = "text/event-stream"


def _nested(act: Act, error: dict[str, Any]) -> dict[str, Any]:
    return {"error": error}


WIRES = {
    OPENAI: Wire("/v1/chat/completions", "/v1", openai_events, _nested),
    ANTHROPIC: Wire("/v1/messages", "", anthropic_events, lambda act, error: {"type": "error", "error": error}),
    GEMINI: Wire(
        "/gemini/v1(beta)?/models/some-model:streamGenerateContent[?]alt=sse", "/gemini", gemini_events,
        lambda act, error: {"error": {"code": act.status, "status": "SOME_STATUS", **error}},
    ),
    MISTRAL: Wire(
        "/mistral/v1/chat/completions", "/mistral", mistral_events, lambda act, error: {"object": "error", **error}
    ),
    OLLAMA: Wire(
        "/ollama/api/chat", "/ollama", ollama_events, lambda act, error: {"error": error["message"]},
        "application/x-ndjson",
    ),
    COHERE: Wire("/cohere/v2/chat", "/cohere", cohere_events, lambda act, error: {"id": "e1", **error}),
    BEDROCK: Wire(
        "/bedrock/model/some-model/converse-stream", "/bedrock", bedrock_events, lambda act, error: error,
        "application/vnd.amazon.eventstream",
    ),
    GROQ: Wire("/groq/openai/v1/chat/completions", "/groq", groq_events, _nested),
}  # fmt: skip


def wire_of(path: str) -> str | None:
    """The wire format that is asked for at a path."""
    return next((name for name, wire in WIRES.items() if re.fullmatch(wire.path, path)), None)
