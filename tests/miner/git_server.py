"""Git over HTTP on loopback: git's own http-backend behind a server that can refuse, drop, stall and redirect."""

import base64
import os
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from tests.miner.conftest import CLEAN

LOGIN = ("ann", "S3cret-S3cret-S3cret")


@dataclass
class Answered:
    """One request and the size of its answer."""

    method: str
    path: str
    size: int


@dataclass
class Behaviour:
    """What the server does beside answering; a test sets it.

    `private`: only `login` is answered. `drops`: how many of the next packs are cut off halfway by a reset. `stall`:
    the next pack stops halfway until it is set. `old`: only protocol 0 is spoken. `plain`: files only, no program
    behind them. `moved`: paths and those that they redirect to.
    """

    private: bool = False
    login: tuple[str, str] = LOGIN
    page: str = ""  # sent in place of everything
    drops: int = 0
    stall: threading.Event | None = None
    stalled: threading.Event = field(default_factory=threading.Event)
    old: bool = False
    plain: bool = False
    moved: dict[str, str] = field(default_factory=dict)


class GitServer(ThreadingHTTPServer):
    """Serves the bare repositories below `root`."""

    daemon_threads = True

    def __init__(self, root: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.root = root
        self.does = Behaviour()
        self.answered: list[Answered] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is killed leaves connections behind."""

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{name}"

    @property
    def packs(self) -> list[Answered]:
        """The requests that asked for objects or, in protocol 2, listed refs."""
        return [each for each in self.answered if each.method == "POST"]


@contextmanager
def serving_git(root: Path) -> Iterator[GitServer]:
    server = GitServer(root)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        if server.does.stall:
            server.does.stall.set()
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: GitServer

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._handle(b"")

    def do_POST(self) -> None:
        self._handle(self.rfile.read(int(self.headers["Content-Length"])))

    def _handle(self, body: bytes) -> None:
        does, parts = self.server.does, urlsplit(self.path)
        basic = base64.b64encode(":".join(does.login).encode()).decode()
        moved = next((old for old in does.moved if parts.path.startswith(old)), None)
        if does.page:
            self._send(200, {"Content-Type": "text/html"}, does.page.encode())
        elif moved:
            self._send(301, {"Location": does.moved[moved] + self.path.removeprefix(moved)}, b"")
        elif does.private and self.headers.get("Authorization") != f"Basic {basic}":
            self._send(401, {"WWW-Authenticate": 'Basic realm="git"'}, b"")
        elif does.plain:
            file = self.server.root / parts.path.lstrip("/")
            self._send(200 if file.is_file() else 404, {}, file.read_bytes() if file.is_file() else b"")
        else:
            self._backend(parts.path, parts.query, body)

    def _backend(self, path: str, query: str, body: bytes) -> None:
        env = CLEAN | {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(self.server.root), "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": "" if self.server.does.old else self.headers.get("Git-Protocol", ""),
        }  # fmt: skip
        done = subprocess.run(["git", "http-backend"], input=body, env=env, capture_output=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
        self._send(int(headers.pop("Status", "200").split()[0]), headers, content)

    def _send(self, status: int, headers: dict[str, str], content: bytes) -> None:
        does = self.server.does
        self.server.answered.append(Answered(self.command, self.path, len(content)))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        is_pack = b"PACK" in content
        half = len(content) // 2
        if is_pack and does.drops:
            does.drops -= 1
            self.wfile.write(content[:half])
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        if is_pack and does.stall:
            stall, does.stall = does.stall, None
            self.wfile.write(content[:half])
            self.wfile.flush()
            does.stalled.set()
            stall.wait()
            content = content[half:]
        self.wfile.write(content)
