"""The host's side of a build's network: a small proxy that connects to package registries and nothing else.

It listens on a unix socket that is mounted in the sandbox. CONNECT (RFC 9110, 9.3.6) for https; GET and HEAD of whole
URLs (RFC 9112, 3.2.2) for plain http. Names are resolved here: inside there is no DNS.
"""

import base64
import re
import socket
import socketserver
import threading
import urllib.request
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from urllib.parse import unquote, urlsplit

from miner.errors import printable
from miner.sandbox.bridge import join, pump
from miner.sandbox.registries import OTHERS, Address

_LONGEST_HEAD = 64 << 10
_MOST_CONNECTIONS = 100  # uv opens 50
_CONNECT_SECONDS, _IDLE_SECONDS = 20, 300
_REQUEST = re.compile(rb"([A-Z]+) (\S+) HTTP/1\.[01]")
_HOP_BY_HOP = (b"connection:", b"proxy-connection:", b"proxy-authorization:", b"keep-alive:", b"upgrade:")


class RegistryProxy:
    """A proxy on a unix socket while its `with` block runs. `refused` lists what it was asked for in vain."""

    def __init__(self, path: Path, allowed: Collection[Address]) -> None:
        self.allowed = frozenset(allowed)
        self.refused: set[Address] = set()
        self._server = _Server(str(path), self)
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
        head, rest = _read_head(client)
        match = _REQUEST.match(head)
        if match is None:
            _reply(client, 400, "the registries' proxy understands HTTP/1.1 only")
            return
        method, target = match[1].decode(), match[2].decode("ascii", "replace")
        url = urlsplit(f"//{target}" if method == "CONNECT" else target)
        try:
            address = ((url.hostname or "").lower(), url.port or (443 if method == "CONNECT" else 80))
        except ValueError:
            address = ("", 0)
        if not address[0] or (method != "CONNECT" and url.scheme != "http"):
            _reply(client, 400, f"no whole address in the request: {printable(target[:200])}")
        elif address not in self.allowed:
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
            upstream = _upstream("https", address[0])
            server = _connect_through(upstream, address) if upstream else _connect(address)
        except OSError as error:
            _reply(client, 502, f"cannot connect to {address[0]}:{address[1]}: {error}")
            return
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        server.sendall(rest)
        join(client, server)

    def _fetch(self, client: socket.socket, address: Address, head: bytes) -> None:
        upstream = _upstream("http", address[0])
        try:
            server = _connect(_address_of(upstream) if upstream else address)
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
        self.request.settimeout(_IDLE_SECONDS)
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


def _read_head(client: socket.socket) -> tuple[bytes, bytes]:
    """A request's first lines, and what was read beyond them."""
    data = b""
    while b"\r\n\r\n" not in data and len(data) < _LONGEST_HEAD:
        chunk = client.recv(8192)
        if not chunk:
            break
        data += chunk
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


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
        kept += _authorization(upstream)
    return b"\r\n".join([method + b" " + target + b" HTTP/1.1", *kept, b"", b""])


def _reply(client: socket.socket, code: int, text: str) -> None:
    reason = {400: "Bad Request", 403: "Forbidden", 405: "Method Not Allowed", 502: "Bad Gateway"}[code]
    body = (text + "\n").encode()
    # The reason phrase holds the text too: few clients show the body of an answer to CONNECT.
    head = f"HTTP/1.1 {code} {reason} - {text}".encode("ascii", "replace").replace(b"\n", b" ")
    client.sendall(head + b"\r\nContent-Type: text/plain\r\nConnection: close\r\n")
    client.sendall(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)


def _connect(address: Address) -> socket.socket:
    server = socket.create_connection(address, _CONNECT_SECONDS)
    server.settimeout(_IDLE_SECONDS)
    return server


def _upstream(scheme: str, host: str) -> str | None:
    """The proxy that this machine itself needs for a host, from its own environment."""
    proxies = urllib.request.getproxies_environment()
    if scheme not in proxies or urllib.request.proxy_bypass(host):
        return None
    return proxies[scheme] if "://" in proxies[scheme] else f"http://{proxies[scheme]}"


def _address_of(upstream: str) -> Address:
    parts = urlsplit(upstream)
    if parts.scheme != "http" or not parts.hostname:
        raise OSError(f"the machine's own proxy is no http:// one: {parts.scheme}://{parts.hostname}")
    return parts.hostname, parts.port or 80


def _authorization(upstream: str) -> list[bytes]:
    parts = urlsplit(upstream)
    if parts.username is None:
        return []
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return [b"Proxy-Authorization: Basic " + base64.b64encode(pair.encode())]


def _connect_through(upstream: str, address: Address) -> socket.socket:
    server = _connect(_address_of(upstream))
    target = f"{address[0]}:{address[1]}"
    lines = [f"CONNECT {target} HTTP/1.1".encode(), f"Host: {target}".encode(), *_authorization(upstream), b"", b""]
    server.sendall(b"\r\n".join(lines))
    head, rest = _read_head(server)
    if not re.match(rb"HTTP/1\.[01] 2\d\d", head) or rest:
        server.close()
        raise OSError(f"the machine's own proxy answered {head.splitlines()[:1]}")
    return server
