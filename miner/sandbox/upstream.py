"""Connecting from the host: directly, or through the proxy that the machine itself needs."""

import base64
import re
import socket
from urllib.parse import unquote, urlsplit

from miner.sandbox.registries import Address

_LONGEST_HEAD = 64 << 10
_CONNECT_SECONDS, IDLE_SECONDS = 20, 1800  # a client is silent for as long as it downloads


def read_head(client: socket.socket) -> tuple[bytes, bytes]:
    """A request's first lines, and what was read beyond them."""
    data = b""
    while b"\r\n\r\n" not in data and len(data) < _LONGEST_HEAD:
        chunk = client.recv(8192)
        if not chunk:
            break
        data += chunk
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def connect(address: Address) -> socket.socket:
    """Connect to a host by name; raises `OSError`."""
    server = socket.create_connection(address, _CONNECT_SECONDS)
    server.settimeout(IDLE_SECONDS)
    return server


def proxy_for(scheme: str, host: str) -> str | None:
    """The proxy that this machine itself needs for a host, from its own environment."""
    import urllib.request  # and all that it imports: only builds need it

    proxies = urllib.request.getproxies_environment()
    if scheme not in proxies or urllib.request.proxy_bypass(host):
        return None
    return proxies[scheme] if "://" in proxies[scheme] else f"http://{proxies[scheme]}"


def address_of(upstream: str) -> Address:
    """Where a proxy listens; raises `OSError` for one that is not spoken to in plain http."""
    parts = urlsplit(upstream)
    if parts.scheme != "http" or not parts.hostname:
        raise OSError(f"the machine's own proxy is no http:// one: {parts.scheme}://{parts.hostname}")
    return parts.hostname, parts.port or 80


def authorization(upstream: str) -> list[bytes]:
    """The header line for a proxy's user and password, if its URL names any."""
    parts = urlsplit(upstream)
    if parts.username is None:
        return []
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return [b"Proxy-Authorization: Basic " + base64.b64encode(pair.encode())]


def connect_through(upstream: str, address: Address) -> socket.socket:
    """A tunnel to an address through a proxy (CONNECT); raises `OSError`."""
    server = connect(address_of(upstream))
    target = f"{address[0]}:{address[1]}"
    lines = [f"CONNECT {target} HTTP/1.1".encode(), f"Host: {target}".encode(), *authorization(upstream), b"", b""]
    server.sendall(b"\r\n".join(lines))
    head, rest = read_head(server)
    if not re.match(rb"HTTP/1\.[01] 2\d\d", head) or rest:
        server.close()
        raise OSError(f"the machine's own proxy answered {head.splitlines()[:1]}")
    return server
