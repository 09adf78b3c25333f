"""The host's side of a build's network: a small proxy that connects to package registries and nothing else.

It listens on a unix socket that is mounted in the sandbox. CONNECT (RFC 9110, 9.3.6) for https; GET and HEAD of whole
URLs (RFC 9112, 3.2.2) for plain http. Names are resolved here: inside there is no DNS.
"""

import os
import re
import socket
import socketserver
import threading
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

from miner.errors import printable
from miner.sandbox.bridge import join, pump
from miner.sandbox.registries import OTHERS, Address
from miner.sandbox.upstream import (
    IDLE_SECONDS,
    address_of,
    authorization,
    connect,
    connect_through,
    proxy_for,
    read_head,
)

_MOST_CONNECTIONS = 100  # uv opens 50
_MOST_REFUSED = 100
_REQUEST = re.compile(rb"([A-Z]+) (\S+) HTTP/1\.[01]")
_HOP_BY_HOP = (b"connection:", b"proxy-connection:", b"proxy-authorization:", b"keep-alive:", b"upgrade:")


class RegistryProxy:
    """A proxy on a unix socket while its `with` block runs. `refused` lists what it was asked for in vain."""

    def __init__(self, path: Path, allowed: Collection[Address]) -> None:
        self.allowed = frozenset(allowed)
        self.refused: set[Address] = set()
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:  # an address has 107 bytes at most, and a folder for temporary files may have a long name
            self._server = _Server(f"/proc/self/fd/{folder}/{path.name}", self)
        finally:
            os.close(folder)
        path.chmod(0o666)  # the folder is private; as root, the worker is another user

    def __enter__(self) -> "RegistryProxy":
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def handle(self, client: socket.socket) -> None:
        """Serve one request of one connection."""
        head, rest = read_head(client)
        match = _REQUEST.match(head)
        if match is None:
            _reply(client, 400, "the registries' proxy understands HTTP/1.1 only")
            return
        method, target = match[1].decode(), match[2].decode("ascii", "replace")
        scheme = ""
        try:
            url = urlsplit(f"//{target}" if method == "CONNECT" else target)
            scheme = url.scheme
            address = ((url.hostname or "").lower(), url.port or (443 if method == "CONNECT" else 80))
        except ValueError:
            address = ("", 0)
        if not address[0] or (method != "CONNECT" and scheme != "http"):
            _reply(client, 400, f"no whole address in the request: {printable(target[:200])}")
        elif address not in self.allowed:
            if len(self.refused) < _MOST_REFUSED:
                self.refused.add(address)
            _reply(client, 403, refusal(*address))
        elif method == "CONNECT":
            self._tunnel(client, address, rest)
        elif method in ("GET", "HEAD"):
            self._fetch(client, address, head)
        else:
            _reply(client, 405, f"{method} is not for builds: only CONNECT, GET and HEAD are")

    def _tunnel(self, client: socket.socket, address: Address, rest: bytes) -> None:
        try:
            upstream = proxy_for("https", address[0])
            server = connect_through(upstream, address) if upstream else connect(address)
        except OSError as error:
            _reply(client, 502, f"cannot connect to {address[0]}:{address[1]}: {error}")
            return
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        server.sendall(rest)
        join(client, server)

    def _fetch(self, client: socket.socket, address: Address, head: bytes) -> None:
        upstream = proxy_for("http", address[0])
        try:
            server = connect(address_of(upstream) if upstream else address)
        except OSError as error:
            _reply(client, 502, f"cannot connect to {address[0]}:{address[1]}: {error}")
            return
        with server:
            server.sendall(_forwarded(head, address, upstream))
            pump(server, client)  # one answer and no further request: the next could be for another host


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, path: str, proxy: RegistryProxy) -> None:
        self.proxy = proxy
        self.free = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        super().__init__(path, _Handler)

    def verify_request(self, _request: object, _client_address: object) -> bool:
        """Take a connection only where one is free: a build must not use up our descriptors and threads."""
        return self.free.acquire(blocking=False)


class _Handler(socketserver.BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        self.request.settimeout(IDLE_SECONDS)
        try:
            self.server.proxy.handle(self.request)
        except (OSError, RuntimeError):
            return  # the job has ended or hung up; or no further thread
        finally:
            self.server.free.release()


def refusal(host: str, port: int) -> str:
    """What was refused, and what to do about it."""
    name = printable(host)
    return (
        f"a build may not connect to {name}:{port}: it is no configured package registry. "
        f"If it should be one, set {OTHERS}={name}{'' if port == 443 else f':{port}'}"
    )


def _forwarded(head: bytes, address: Address, upstream: str | None) -> bytes:
    """The request as the server (path only) or the next proxy (whole URL) wants it, for one answer."""
    first, *lines = head.split(b"\r\n")
    method, target, _ = first.split(b" ", 2)
    if upstream is None:
        parts = urlsplit(target)
        target = (parts.path or b"/") + (b"?" + parts.query if parts.query else b"")
    kept = [line for line in lines if not line.lower().startswith((*_HOP_BY_HOP, b"host:"))]
    port = "" if address[1] == 80 else f":{address[1]}"
    kept += [f"Host: {address[0]}{port}".encode(), b"Connection: close"]
    if upstream:
        kept += authorization(upstream)
    return b"\r\n".join([method + b" " + target + b" HTTP/1.1", *kept, b"", b""])


def _reply(client: socket.socket, code: int, text: str) -> None:
    reason = {400: "Bad Request", 403: "Forbidden", 405: "Method Not Allowed", 502: "Bad Gateway"}[code]
    body = (text + "\n").encode()
    # The reason phrase holds the text too: few clients show the body of an answer to CONNECT.
    head = f"HTTP/1.1 {code} {reason} - {text}".encode("ascii", "replace").replace(b"\n", b" ")
    client.sendall(head + b"\r\nContent-Type: text/plain\r\nConnection: close\r\n")
    client.sendall(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
