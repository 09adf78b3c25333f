"""Which git URLs a repository may be fetched from: what is allowed is written down, everything else is refused."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from miner.errors import ToolError

_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
_SCP = re.compile(rf"(?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?{_HOST}:(?!//)[^-:\s].*")
_LOOPBACK = re.compile(r"localhost|127(?:\.\d{1,3}){3}|::1")
_FORMS = "Write https://host/path, ssh://host/path, git@host:path or file:///path."


@dataclass(frozen=True)
class RemoteUrl:
    """A URL that git may fetch from. It has no password in it, and no part of it can be taken for an option."""

    text: str
    protocol: str  # as git's list of allowed protocols calls it

    @property
    def name(self) -> str:
        """What the repository is called, in the letters of fixture ids; may be empty."""
        last = re.split(r"[/:]", self.text.rstrip("/").removesuffix("/.git"))[-1]
        return re.sub(r"[^a-z0-9._-]+", "-", last.lower().removesuffix(".git")).strip("-._")

    def __str__(self) -> str:
        return self.text


def is_url(text: str) -> bool:
    """Whether a text looks like a URL (or `host:path`), allowed or not, and not like a path."""
    return "://" in text or "::" in text or (":" in text.partition("/")[0] and not text.startswith("/"))


def parse_url(text: str) -> RemoteUrl:
    """The URL, checked; raises `ToolError`, which never shows a user's name or password."""
    if not text.isprintable() or " " in text or text.startswith("-"):
        raise ToolError("not a git URL", "what was given", _FORMS)
    if "://" not in text:
        if not _SCP.fullmatch(text):  # `ext::command` is none either
            raise ToolError("not a git URL", text.rpartition("@")[2], _FORMS)
        return RemoteUrl(text, "ssh")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ToolError("not a git URL", "what was given", _FORMS) from None
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    _check_protocol(parts.scheme, host, shown)
    if parts.password is not None or (parts.username is not None and parts.scheme != "ssh"):
        remedy = "Give the URL alone: what git's credential helpers know for the host is used."
        raise ToolError("credentials in the URL would be stored and shown", shown, remedy)
    if parts.query or parts.fragment or "?" in text or "#" in text:
        raise ToolError("not a git URL", shown, f"It has a query or a fragment. {_FORMS}")
    if (parts.username or "").startswith("-") or not parts.path.strip("/"):
        raise ToolError("not a git URL", shown, _FORMS)
    return RemoteUrl(text, parts.scheme)


def _check_protocol(scheme: str, host: str, shown: str) -> None:
    if scheme in ("http", "git") and not (scheme == "http" and _LOOPBACK.fullmatch(host)):
        remedy = "Give its https:// URL, or clone it yourself and give the path of the clone."
        raise ToolError("what comes unencrypted can be changed on its way", shown, remedy)
    if scheme not in ("https", "http", "ssh", "file"):
        raise ToolError("not a protocol that is allowed", shown, _FORMS)
    bare = f"[{host}]" if ":" in host else host
    if (scheme == "file") != (host == "") or (host and not re.fullmatch(_HOST, bare)):
        raise ToolError("not a git URL", shown, _FORMS)
