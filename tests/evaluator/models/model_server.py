"""A model server on loopback: OpenAI chat completions and Anthropic messages, streamed, with every way of failing."""

import json
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

OPENAI, ANTHROPIC = "openai", "anthropic"
PATHS = {OPENAI: "/v1/chat/completions", ANTHROPIC: "/v1/messages"}
_STOPS = {
    OPENAI: {"stop": "stop", "length": "length", "refusal": "content_filter"},
    ANTHROPIC: {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"},
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


@dataclass(frozen=True)
class Asked:
    """One request that came."""

    wire: str
    body: dict[str, Any]
    key: str
    headers: dict[str, str]


class ModelServer(ThreadingHTTPServer):
    """Does the next of `acts`, or else what `answer` says; counts what was `asked`."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.acts: list[Act] = []
        self.answer: Callable[[Asked], Act] = lambda asked: Act()
        self.asked: list[Asked] = []
        self.unknown: set[str] = set()  # keys of a request that are refused
        self.connections = 0
        self.ended: Counter[str] = Counter()  # how connections ended that were left hanging
        self.lock, self.over = threading.Lock(), threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that gives up leaves connections behind."""

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def base_url(self, wire: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}" + ("/v1" if wire == OPENAI else "")

    def act(self, asked: Asked) -> Act:
        with self.lock:
            self.asked.append(asked)
            refused = sorted(self.unknown & asked.body.keys())
            if refused:
                message = f"Unrecognized request argument supplied: {refused[0]}"
                return Act(status=400, error={"type": "invalid_request_error", "message": message})
            act = self.acts.pop(0) if self.acts else None
        return act or self.answer(asked)


@contextmanager
def serving() -> Iterator[ModelServer]:
    server = ModelServer()
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        wire = next((name for name, path in PATHS.items() if path == self.path), None)
        if wire is None:
            self._fail(Act(status=404, error={"message": f"no {self.path} here"}), OPENAI)
            return
        key = self.headers.get("x-api-key") or self.headers.get("Authorization", "").removeprefix("Bearer ")
        act = self.server.act(Asked(wire, body, key, dict(self.headers)))
        if act.hang == 0:
            self._hang()
        elif act.reset == 0:
            self._reset()
        elif act.status != 200:
            self._fail(act, wire)
        elif act.garbage:
            self._start("text/event-stream", act)
            self._chunk(act.garbage)
            self._chunk(b"")
        else:
            self._stream(act, wire, body)

    def _stream(self, act: Act, wire: str, body: dict[str, Any]) -> None:
        self._start("text/event-stream", act)
        events = list((openai_events if wire == OPENAI else anthropic_events)(act, body))
        for n, event in enumerate(events):
            if n == act.hang:
                self._hang()
                return
            if n == act.reset:
                self._reset()
                return
            if n == act.cut:
                break
            try:
                self._chunk(event)
            except OSError:
                self.server.ended["gone while dripping"] += 1
                self.close_connection = True
                return
            if act.drip and self.server.over.wait(act.drip):
                self.close_connection = True
                return
        self._chunk(b"")

    def _start(self, kind: str, act: Act) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in act.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _chunk(self, content: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))
        self.wfile.flush()

    def _fail(self, act: Act, wire: str) -> None:
        error = {"message": f"status {act.status}", "type": "some_error"} | act.error
        raw = json.dumps({"error": error} if wire == OPENAI else {"type": "error", "error": error}).encode()
        self.send_response(act.status)
        for name, value in act.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _hang(self) -> None:
        """Send nothing more; notice when the client leaves."""
        self.connection.settimeout(0.05)
        while not self.server.over.is_set():
            try:
                if self.connection.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        self.server.ended["gone while hanging"] += 1
        self.close_connection = True

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True


def _split(text: str, pieces: int) -> list[str]:
    size = max(-(-len(text) // pieces), 1)
    return [text[n : n + size] for n in range(0, len(text), size)]


def openai_events(act: Act, body: dict[str, Any]) -> Iterator[bytes]:
    """https://platform.openai.com/docs/api-reference/chat-streaming"""
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": act.served or body["model"]}

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
        usage = {
            "prompt_tokens": act.input_tokens, "completion_tokens": act.output_tokens,
            "total_tokens": act.input_tokens + act.output_tokens,
            "prompt_tokens_details": {"cached_tokens": act.cached, "cache_write_tokens": act.written},
            "completion_tokens_details": {"reasoning_tokens": act.reasoned},
        }  # fmt: skip
        yield _data({**base, "choices": [], "usage": usage})
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


def _data(content: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(content)}\n\n".encode()


def _event(kind: str, content: dict[str, Any]) -> bytes:
    return f"event: {kind}\n".encode() + _data({"type": kind, **content})
