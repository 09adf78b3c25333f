"""Which package registries a build may talk to: those this machine is configured for, else the well-known ones."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

Address = tuple[str, int]  # host name in lower case, port
_PORTS = {"http": 80, "https": 443}
OTHERS = "MINER_BUILD_HOSTS"


@dataclass(frozen=True)
class Ecosystem:
    """Where one language's packages come from.

    A variable in `instead` names registries in place of the well-known ones, one in `beside` further ones.
    """

    known: tuple[str, ...]
    instead: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


_ECOSYSTEMS = (
    Ecosystem(
        ("pypi.org", "files.pythonhosted.org"), ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"),
        ("UV_INDEX", "UV_EXTRA_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_FIND_LINKS", "PIP_FIND_LINKS"),
    ),
    Ecosystem(("registry.npmjs.org", "registry.yarnpkg.com"), ("npm_config_registry", "NPM_CONFIG_REGISTRY")),
    Ecosystem(("proxy.golang.org", "sum.golang.org"), ("GOPROXY",), ("GOSUMDB",)),
    Ecosystem(("index.crates.io", "static.crates.io", "crates.io")),
    Ecosystem(
        ("repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org", "plugins-artifacts.gradle.org",
         "services.gradle.org", "downloads.gradle.org"),
    ),
)  # fmt: skip
_CARGO = re.compile(r"CARGO_REGISTRIES_\w+_INDEX")
_NPMRC_LINE = re.compile(r"^\s*(?:@[^:=\s]+:)?registry\s*=\s*(\S+)", re.MULTILINE)


def allowed_addresses(environment: Mapping[str, str], home: Path) -> frozenset[Address]:
    """The hosts and ports a build may connect to, from the environment's variables and `~/.npmrc`.

    MINER_BUILD_HOSTS adds others: `host` (port 443) or `host:port`, between commas.
    """
    found: set[Address] = set()
    for ecosystem in _ECOSYSTEMS:
        found |= _of_ecosystem(ecosystem, environment)
    for name, value in environment.items():
        if _CARGO.fullmatch(name):
            found |= addresses_in(value)
    found |= _npmrc(home / ".npmrc")
    for entry in environment.get(OTHERS, "").split(","):
        if entry.strip():
            found.add(_with_port(entry.strip()))
    return frozenset(found)


def _of_ecosystem(ecosystem: Ecosystem, environment: Mapping[str, str]) -> set[Address]:
    known = {(host, 443) for host in ecosystem.known}
    instead = _named(ecosystem.instead, environment)
    # One of the well-known hosts sends its clients on to its siblings.
    return (instead if instead and not instead & known else instead | known) | _named(ecosystem.beside, environment)


def _named(variables: Iterable[str], environment: Mapping[str, str]) -> set[Address]:
    return set().union(*(addresses_in(environment.get(variable, "")) for variable in variables))


def _npmrc(path: Path) -> set[Address]:
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        return set()
    return set().union(*map(addresses_in, _NPMRC_LINE.findall(text)))


def addresses_in(text: str) -> set[Address]:
    """The hosts and ports of the http and https URLs in a variable, whatever stands between them."""
    found = set()
    for url in re.findall(r"https?://[^\s,|'\"]+", text):
        try:
            parts = urlsplit(url)
            if parts.hostname:
                found.add((parts.hostname.lower(), parts.port or _PORTS[parts.scheme]))
        except ValueError:
            continue  # a port that is no number: nothing to allow
    return found


def _with_port(entry: str) -> Address:
    parts = urlsplit(f"//{entry}")
    return (parts.hostname or entry).lower(), parts.port or 443
