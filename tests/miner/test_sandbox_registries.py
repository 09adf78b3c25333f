"""A build's network: which hosts are allowed, and the proxy that connects to them, on real sockets."""

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from miner.sandbox.proxy import RegistryProxy
from miner.sandbox.registries import addresses_in, allowed_addresses

PYPI = {("pypi.org", 443), ("files.pythonhosted.org", 443)}
NPM = {("registry.npmjs.org", 443), ("registry.yarnpkg.com", 443)}
GO = {("proxy.golang.org", 443), ("sum.golang.org", 443)}
CRATES = {("index.crates.io", 443), ("static.crates.io", 443), ("crates.io", 443)}

ADDED_AND_GONE: list[tuple[Mapping[str, str], set[tuple[str, int]], set[tuple[str, int]]]] = [
    ({}, PYPI | NPM | GO | CRATES, set()),
    ({"UV_INDEX_URL": "https://user:pw@mirror.example:8443/simple"}, {("mirror.example", 8443)}, PYPI),
    ({"UV_DEFAULT_INDEX": "corp=http://mirror.example/simple"}, {("mirror.example", 80)}, PYPI),
    ({"PIP_INDEX_URL": "https://pypi.org/simple"}, PYPI, set()),
    ({"PIP_EXTRA_INDEX_URL": "https://a.example/ https://b.example/"}, PYPI | {("a.example", 443)}, set()),
    ({"UV_INDEX": "x=https://a.example/s y=https://b.example/s"}, {("a.example", 443), ("b.example", 443)}, set()),
    ({"npm_config_registry": "http://127.0.0.1:4873/"}, PYPI | {("127.0.0.1", 4873)}, NPM),
    ({"GOPROXY": "https://go.example|https://two.example,direct"}, {("go.example", 443), ("two.example", 443)}, GO),
    ({"GOPROXY": "off"}, GO, set()),
    ({"CARGO_REGISTRIES_CORP_INDEX": "sparse+https://cargo.example/i/"}, CRATES | {("cargo.example", 443)}, set()),
    ({"MINER_BUILD_HOSTS": "A.example, b.example:80 ,,[::1]:9"}, {("a.example", 443), ("b.example", 80), ("::1", 9)},
     set()),
    ({"UV_INDEX_URL": "file:///opt/wheels", "UV_FIND_LINKS": "/opt/wheels"}, PYPI, set()),
    ({"PIP_INDEX_URL": "https://bad.example:port/"}, PYPI, {("bad.example", 443)}),
]  # fmt: skip


@pytest.mark.parametrize(("environment", "there", "gone"), ADDED_AND_GONE)
def test_allowed_hosts_follow_the_environment(
    tmp_path: Path, environment: Mapping[str, str], there: set[tuple[str, int]], gone: set[tuple[str, int]]
) -> None:
    allowed = allowed_addresses(environment, tmp_path)
    assert there <= allowed
    assert not gone & allowed


def test_npmrc_of_the_user_is_read(tmp_path: Path) -> None:
    (tmp_path / ".npmrc").write_text("fund=false\nregistry = https://npm.example/\n@corp:registry=https://corp.example:81/x\n")
    assert {("npm.example", 443), ("corp.example", 81)} <= allowed_addresses({}, tmp_path)


@pytest.mark.parametrize("text", ["", "direct", "ftp://x.example/", "https://", "http:///x", "git+ssh://x.example/"])
def test_what_is_no_web_address_allows_nothing(text: str) -> None:
    assert addresses_in(text) == set()


@contextmanager
def server(answer: Callable[[bytes], bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """A server on the loopback that answers each connection's first packet; its port and what it was sent."""
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        def serve() -> None:
            while True:
                try:
                    client, _ = listening.accept()
                except OSError:
                    return
                with client:
                    seen.append(client.recv(1 << 16))
                    client.sendall(answer(seen[-1]))

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1], seen
        listening.shutdown(socket.SHUT_RDWR)


@pytest.fixture(autouse=True)
def no_proxy_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def ask(path: Path, *packets: bytes) -> bytes:
    """Send packets to the proxy, each after the answer to the one before; the last answer, to its end."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(path))
        for packet in packets[:-1]:
            client.sendall(packet)
            client.recv(1 << 16)
        client.sendall(packets[-1])
        return b"".join(iter(lambda: client.recv(1 << 16), b""))


def echo(packet: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\n\r\n" + packet


def test_tunnel_to_an_allowed_port_carries_bytes(tmp_path: Path) -> None:
    with server(lambda packet: packet[::-1]) as (port, _), RegistryProxy(tmp_path / "p", {("127.0.0.1", port)}):
        head = f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        assert ask(tmp_path / "p", head, b"\x00abc") == b"cba\x00"


def test_plain_get_is_rewritten_for_its_server(tmp_path: Path) -> None:
    with server(echo) as (port, seen), RegistryProxy(tmp_path / "p", {("127.0.0.1", port)}):
        request = f"GET http://127.0.0.1:{port}/simple/a?b=c HTTP/1.1\r\nHost: evil.example\r\n"
        request += "Proxy-Authorization: x\r\nConnection: keep-alive\r\nAccept: */*\r\n\r\n"
        assert ask(tmp_path / "p", request.encode()).startswith(b"HTTP/1.1 200 OK")
    wanted = f"GET /simple/a?b=c HTTP/1.1\r\nAccept: */*\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    assert seen == [wanted.encode()]


REFUSED = {
    "CONNECT 127.0.0.1:1 HTTP/1.1": 403, "CONNECT 127.0.0.2:{port} HTTP/1.1": 403,
    "CONNECT localhost:{port} HTTP/1.1": 403, "GET http://127.0.0.1:1/ HTTP/1.1": 403,
    "GET http://127.0.0.1:{port}@evil.example/ HTTP/1.1": 403, "POST http://127.0.0.1:{port}/ HTTP/1.1": 405,
    "GET https://127.0.0.1:{port}/ HTTP/1.1": 400, "GET / HTTP/1.1": 400, "CONNECT HTTP/1.1": 400,
    "CONNECT [:443 HTTP/1.1": 400,
    "CONNECT 127.0.0.1:99999 HTTP/1.1": 400, "\x16\x03\x01": 400, "": 400,
}  # fmt: skip


@pytest.mark.parametrize(("request_line", "code"), REFUSED.items())
def test_anything_else_is_refused(tmp_path: Path, request_line: str, code: int) -> None:
    with server(echo) as (port, seen), RegistryProxy(tmp_path / "p", {("127.0.0.1", port)}):
        answer = ask(tmp_path / "p", request_line.format(port=port).encode() + b"\r\n\r\n")
        assert answer.split()[1] == str(code).encode()
    assert seen == []


def test_refusal_names_the_host_and_the_remedy(tmp_path: Path) -> None:
    with RegistryProxy(tmp_path / "p", set()) as proxy:
        answer = ask(tmp_path / "p", b"CONNECT evil.example:8443 HTTP/1.1\r\n\r\n").decode()
    assert answer.count("MINER_BUILD_HOSTS=evil.example:8443") == 2  # in the reason phrase and in the body
    assert proxy.refused == {("evil.example", 8443)}


def test_server_that_is_not_there_is_a_bad_gateway(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with RegistryProxy(tmp_path / "p", {("127.0.0.1", port)}):
        assert b" 502 " in ask(tmp_path / "p", f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())


def test_machines_own_proxy_is_gone_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with server(lambda _: b"HTTP/1.1 200 OK\r\n\r\n") as (port, seen):
        monkeypatch.setenv("HTTPS_PROXY", f"http://me:p%40ss@127.0.0.1:{port}")
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        allowed = {("registry.example", 443), ("registry.example", 80)}
        with RegistryProxy(tmp_path / "p", allowed):
            ask(tmp_path / "p", b"CONNECT registry.example:443 HTTP/1.1\r\n\r\n", b"hello")
            ask(tmp_path / "p", b"GET http://registry.example/x HTTP/1.1\r\n\r\n")
    assert seen[0].startswith(b"CONNECT registry.example:443 HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic bWU6cEBzcw==\r\n" in seen[0]
    assert seen[1].startswith(b"GET http://registry.example/x HTTP/1.1\r\nHost: registry.example\r\n")


def test_machines_own_proxy_is_passed_by_where_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with server(echo) as (port, seen), RegistryProxy(tmp_path / "p", {("127.0.0.1", port)}):
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        ask(tmp_path / "p", f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n".encode())
    assert len(seen) == 1


def test_socket_may_be_in_a_folder_of_a_long_name(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    with RegistryProxy(folder / "proxy", set()):
        assert (folder / "proxy").is_socket()
