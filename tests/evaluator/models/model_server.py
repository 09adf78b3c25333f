"""A model server on loopback, in the wire formats of several providers, streamed, with every way of failing."""

import json
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.evaluator.models.acts import OPENAI, Act
from tests.evaluator.models.wires import WIRES, wire_of


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
        return f"http://127.0.0.1:{self.server_address[1]}" + WIRES[wire].base

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
        if (wire := wire_of(self.path)) is None:
            self._fail(Act(status=404, error={"message": f"no {self.path} here"}), OPENAI)
            return
        key = self.headers.get("x-api-key") or self.headers.get("x-goog-api-key")
        key = key or self.headers.get("Authorization", "").removeprefix("Bearer ")
        act = self.server.act(Asked(wire, body, key, dict(self.headers)))
        if act.hang == 0:
            self._hang()
        elif act.reset == 0:
            self._reset()
        elif act.status != 200:
            self._fail(act, wire)
        elif act.garbage:
            self._start(WIRES[wire].kind, act)
            self._chunk(act.garbage)
            self._chunk(b"")
        else:
            self._stream(act, wire, body)

    def _stream(self, act: Act, wire: str, body: dict[str, Any]) -> None:
        self._start(WIRES[wire].kind, act)
        events = list(WIRES[wire].events(act, body))
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
        raw = json.dumps(WIRES[wire].error(act, error)).encode()
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
