"""A GitHub on loopback: REST and GraphQL over a `History`, as Enterprise has them, below /api/v3 and /api/graphql.

What it answers is checked against GitHub's published descriptions by `benchmarks/github_described.py`.
"""

import base64
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.miner.github_answers import Answers
from tests.miner.github_history import History

TOKEN = "ghp_" + "S3cretS3cretS3cretS3cretS3cretS3cret"
_LIMIT = {True: 5000, False: 60}


@dataclass
class Fault:
    """What is done in place of an answer, or to it.

    `hang`: nothing is sent until the server ends. `reset`: the connection is reset, halfway through the answer where
    `halfway`. `drip`: seconds between the bytes of the answer.
    """

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    hang: bool = False
    reset: bool = False
    halfway: bool = False
    drip: float = 0


@dataclass(frozen=True)
class Asked:
    """One request that came."""

    method: str
    path: str
    query: dict[str, str]
    body: dict[str, Any]
    authorization: str


class GitHub(ThreadingHTTPServer):
    """The server: set `faults` for the next requests (None lets one through), read what was `asked`."""

    daemon_threads = True

    def __init__(self, history: History) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.history = history
        self.answers = Answers(history, self.api)
        self.faults: list[Fault | None] = []
        self.asked: list[Asked] = []
        self.fetched: list[Asked] = []  # by git
        self.left = dict(_LIMIT)
        self.open_to_all = False  # git may fetch without the token
        self.renamed: str | None = None  # what the repository was called before
        self.over = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is killed, or asks anew, leaves connections behind."""

    @property
    def api(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/api/v3"


@contextmanager
def serving(history: History) -> Iterator[GitHub]:
    server = GitHub(history)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: GitHub
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._handle({})

    def do_POST(self) -> None:
        self._handle(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _handle(self, body: dict[str, Any]) -> None:
        parts = urlsplit(self.path)
        authorization = self.headers.get("Authorization", "")
        query = dict(parse_qsl(parts.query))
        server = self.server
        asked = Asked(self.command, parts.path, query, body, authorization)
        (server.fetched if ".git/" in parts.path else server.asked).append(asked)
        fault = server.faults.pop(0) if server.faults and ".git/" not in parts.path else None
        if fault and fault.hang:
            server.over.wait()
            self.close_connection = True
            return
        if fault and fault.reset and not fault.halfway:
            self._reset()
            return
        if fault and fault.status:
            self._send(fault.status, fault.body, fault.headers)
            return
        if parts.path.startswith(f"/{server.history.slug}.git/"):
            self._git(parts.path.split(".git/", 1)[1], authorization)
            return
        known = authorization in (f"token {TOKEN}", f"Bearer {TOKEN}")
        if authorization and not known:
            self._send(401, {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest"})
            return
        server.left[known] -= 1
        limit = {
            "X-RateLimit-Limit": str(_LIMIT[known]), "X-RateLimit-Remaining": str(server.left[known]),
            "X-RateLimit-Reset": str(int(time.time()) + 1800),
        }  # fmt: skip
        status, answer, headers = self._answer(parts.path, query, body, known)
        self._send(status, answer, limit | headers, fault)

    def _git(self, name: str, authorization: str) -> None:
        """The repository's files, as git's plain HTTP protocol reads them; for those who have the token."""
        basic = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()
        path = self.server.history.path / name
        if authorization != f"Basic {basic}" and not self.server.open_to_all:
            self._send(401, "who are you", {"WWW-Authenticate": "Basic"})
        elif path.is_file():
            self._raw(path.read_bytes())
        else:
            self._send(404, "nothing here")

    def _raw(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _answer(
        self, path: str, query: dict[str, str], body: dict[str, Any], known: bool
    ) -> tuple[int, Any, dict[str, str]]:
        answers, missing = self.server.answers, {"message": "Not Found", "documentation_url": "https://docs.github.com"}
        slug = self.server.history.slug
        if path == "/api/graphql":
            if not known:
                return 401, {"message": "This endpoint requires you to be authenticated."}, {}
            return 200, answers.graphql(body["query"], body["variables"], self.server.renamed), {}
        if self.server.renamed and path.startswith(f"/api/v3/repos/{self.server.renamed}"):
            location = f"{self.server.api}/repositories/{answers.repository_id}{path.split(self.server.renamed, 1)[1]}"
            return 301, {"message": "Moved Permanently", "url": location}, {"Location": location}
        path = path.replace(f"/repositories/{answers.repository_id}", f"/repos/{slug}")
        if path == f"/api/v3/repos/{slug}":
            return 200, answers.repository(), {}
        if path == f"/api/v3/repos/{slug}/pulls":
            return 200, answers.pulls(query), {}
        if match := re.fullmatch(rf"/api/v3/repos/{slug}/issues/(\d+)", path):
            item = answers.issue(int(match[1]))
            return (200, item, {}) if item else (404, missing, {})
        return 404, missing, {}

    def _send(
        self, status: int, answer: Any, headers: dict[str, str] | None = None, fault: Fault | None = None
    ) -> None:
        raw = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html" if isinstance(answer, str) else "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        if fault and fault.halfway:
            self.wfile.write(raw[: len(raw) // 2])
            self.wfile.flush()
            self._reset()
            return
        if fault and fault.drip:
            for i in range(len(raw)):
                self.wfile.write(raw[i : i + 1])
                self.wfile.flush()
                if self.server.over.wait(fault.drip):
                    self.close_connection = True
                    return
        self.wfile.write(raw)

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True
