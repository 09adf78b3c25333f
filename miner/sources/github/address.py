"""Which repository on which GitHub: `org/svc` and the address of an API."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from miner.errors import ToolError

GITHUB_API = "https://api.github.com"
_SLUG = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*)/(?!\.{1,2}\Z)([A-Za-z0-9._-]{1,100}?)(?:\.git)?")
_LOOPBACK = re.compile(r"localhost|127(?:\.\d{1,3}){3}|::1")
_ENTERPRISE_PATH = "/api/v3"


@dataclass(frozen=True)
class Address:
    """A repository on GitHub; `api` is the address of the API it is asked through, without a slash at its end."""

    owner: str
    name: str
    api: str = GITHUB_API

    @property
    def slug(self) -> str:
        """`owner/name`."""
        return f"{self.owner}/{self.name}"

    @property
    def host(self) -> str:
        """The host that people see: `github.com`, not `api.github.com`; with its port where it has one."""
        return urlsplit(self.api).netloc.removeprefix("api.")

    @property
    def clone_url(self) -> str:
        """What git fetches from; without credentials."""
        return f"{urlsplit(self.api).scheme}://{self.host}/{self.slug}.git"

    def __str__(self) -> str:
        return self.slug if self.api == GITHUB_API else f"{self.host}/{self.slug}"


def is_slug(text: str) -> bool:
    """Whether a text looks like `org/svc`."""
    return _SLUG.fullmatch(text) is not None


def parse_address(text: str, api_url: str | None = None) -> Address:
    """The repository that `org/svc` names on the GitHub behind `api_url` (none: github.com).

    An Enterprise server may be given by its host alone: its API is below /api/v3. Raises `ToolError` for any
    other text, and for an address that a token could leak through: plain http beyond this machine, credentials in it.
    """
    match = _SLUG.fullmatch(text)
    if match is None:
        raise ToolError("not a repository on GitHub", text, "Write it as org/svc, or give the path of a clone.")
    return Address(match[1], match[2], _checked(api_url) if api_url else GITHUB_API)


def _checked(api_url: str) -> str:
    try:
        parts = urlsplit(api_url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise _not_an_api("what was given") from None
    shown = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    if "@" in parts.netloc or parts.query or parts.fragment:
        remedy = "Give the address alone: the token comes from GITHUB_TOKEN or `gh auth login`."
        raise ToolError("the API's address has more in it than an address", shown, remedy)
    if not host or parts.scheme not in ("https", "http"):
        raise _not_an_api(shown)
    if parts.scheme == "http" and not _LOOPBACK.fullmatch(host):
        raise ToolError("a token would be sent unencrypted", shown, "Give the API's https:// address.")
    path = parts.path.rstrip("/")
    if not path and not host.startswith("api."):
        path = _ENTERPRISE_PATH
    return f"{parts.scheme}://{parts.netloc}{path}"


def _not_an_api(shown: str) -> ToolError:
    return ToolError("not the address of an API", shown, "Write --api-url https://github.example.org/api/v3.")
