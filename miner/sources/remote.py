"""Any git URL as a source: its history in our clone, merged changes recognised as in a local one."""

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from miner.errors import ToolError
from miner.sources.clone import Cloned, cached_clone
from miner.sources.fetching import WAITS, Login, Remote
from miner.sources.model import Opened, Unit
from miner.sources.pull_refs import read_pull_refs
from miner.sources.recognise import recognised
from miner.sources.refusals import PRIVATE
from miner.sources.urls import RemoteUrl

_PATIENCE = 30  # seconds that a credential helper has


@dataclass(frozen=True)
class RemoteSource:
    """Merged changes of the repository at a URL, on the branch that its HEAD names or on `branch`."""

    url: RemoteUrl
    branch: str | None = None
    unit: Unit = Unit.PULL
    waits: tuple[float, ...] = WAITS

    @property
    def name(self) -> str:
        """The last part of the URL."""
        return self.url.name

    def open(self, scratch: Path, progress: Callable[[str], None]) -> Opened:
        """Fetch what is new; where a login is needed, the one that git's credential helpers know for the host."""
        cloned = self._clone(scratch, progress)
        changes = recognised(cloned.git, cloned.head, self.unit, read_pull_refs(cloned.git), cloned.fetch)
        return Opened(cloned.git, cloned.head, changes, cloned.fetch)

    def _clone(self, scratch: Path, progress: Callable[[str], None]) -> Cloned:
        remote = Remote(self.url)
        try:
            return cached_clone(remote, self.branch, scratch, progress, self.waits)
        except ToolError as error:
            login = ask_helpers(self.url) if error.what == PRIVATE else None
            if login is None:
                raise
        return cached_clone(replace(remote, login=login), self.branch, scratch, progress, self.waits)


def ask_helpers(url: RemoteUrl) -> Login | None:
    """The login that the user's own git would use for a URL; None where it has none. Nobody is asked.

    Plain http gets none: it would be sent unencrypted.
    """
    parts = urlsplit(url.text)
    if parts.scheme not in ("https", "http") or (parts.scheme == "http" and parts.hostname != "127.0.0.1"):
        return None
    question = f"protocol={parts.scheme}\nhost={parts.netloc}\npath={parts.path.lstrip('/')}\n\n"
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env |= {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "SSH_ASKPASS": "true", "GCM_INTERACTIVE": "never"}
    try:
        done = subprocess.run(
            ["git", "credential", "fill"], input=question.encode(), env=env, cwd="/", capture_output=True,
            timeout=_PATIENCE,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    answer = dict(row.split("=", 1) for row in done.stdout.decode("utf-8", "replace").splitlines() if "=" in row)
    if done.returncode or not answer.get("password"):
        return None
    return Login(answer.get("username", ""), answer["password"])
