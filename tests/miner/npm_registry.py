"""A package registry on loopback: packuments with or without dates, and tarballs."""

import base64
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote


@dataclass(frozen=True)
class Version:
    """One published version: when (None: the registry does not say), what package.json says besides, its files."""

    published: str | None
    more: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    def manifest(self, name: str, version: str) -> dict[str, Any]:
        return {"name": name, "version": version, "main": "index.js", **self.more}

    def tarball(self, name: str, version: str) -> bytes:
        files = {
            "package.json": json.dumps(self.manifest(name, version)), "index.js": f"module.exports = '{version}'\n",
            **self.files,
        }  # fmt: skip
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
            for path, text in files.items():
                member = tarfile.TarInfo(f"package/{path}")
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))
        return buffer.getvalue()


Packages = Mapping[str, Mapping[str, Version]]


@dataclass
class Registry:
    url: str
    asked: list[str]


@contextmanager
def serve(packages: Packages) -> Iterator[Registry]:
    """Serve packages until the end of a `with` block; `asked` are the paths that were asked for."""
    tarballs = {(n, v): one.tarball(n, v) for n, versions in packages.items() for v, one in versions.items()}
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(self.path).strip("/")
            asked.append(path)
            name, _, file = path.partition("/-/")
            content = None
            if file:
                content = tarballs.get((name, file.removesuffix(".tgz")))
            elif name in packages:
                content = json.dumps(self.packument(name)).encode()
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def packument(self, name: str) -> dict[str, Any]:
            versions = packages[name]
            described = {}
            for version, one in versions.items():
                digest = base64.b64encode(hashlib.sha512(tarballs[name, version]).digest()).decode()
                has_scripts = "install" in str(one.more.get("scripts", ""))
                described[version] = {
                    **one.manifest(name, version), "hasInstallScript": has_scripts,
                    "dist": {"tarball": f"{url}/{name}/-/{version}.tgz", "integrity": f"sha512-{digest}"},
                }  # fmt: skip
            said = {"name": name, "dist-tags": {"latest": list(versions)[-1]}, "versions": described}
            times = {version: one.published for version, one in versions.items() if one.published}
            return said | ({"time": times} if times else {})

        def log_message(self, *arguments: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 64  # npm opens many connections at once

    server = Server(("127.0.0.1", 0), Handler)
    url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Registry(url, asked)
    finally:
        server.shutdown()
        server.server_close()
