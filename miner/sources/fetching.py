"""One `git fetch` from a URL: how git is given the URL and a login, its progress, its patience.

URL and login reach git by the environment of that one command: no command line and no file has them. There too,
and only there, the URL is a promisor (what a partial clone came from): a command that reads can never fetch.
"""

import base64
import os
import re
import subprocess
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field

from miner.git import Git, git_environment
from miner.sources.urls import RemoteUrl

WAITS = (1.0, 5.0, 15.0)  # seconds before another attempt, where a connection was lost
_REMOTE = "ours"
_PROGRESS = re.compile(r"(?:remote: )?([A-Z][a-z]+ [a-z]+): +(\d+)% \(")
_STEP = 25  # percent
_LASTING = 1.0  # seconds that a fetch takes before it is worth telling how far it is
_PASSING = re.compile(
    r"early EOF|RPC failed|hung up unexpectedly|unexpected disconnect|reset by peer|timed out|too slow|"
    r"transfer closed|Empty reply|returned error: (?:429|5\d\d)|non-properly terminated|connection was aborted"
)
_LASTS = re.compile(r"not our ref|Could not resolve host|Permission denied|not found|unadvertised|does not appear")


@dataclass(frozen=True)
class Login:
    """Whom a server is told we are. Never printed."""

    name: str
    secret: str = field(repr=False)


@dataclass(frozen=True)
class Remote:
    """Where a repository is fetched from, and as whom."""

    url: RemoteUrl
    login: Login | None = None

    def environment(self) -> dict[str, str]:
        """The environment, on top of `git_environment`, of a command that may reach the URL, and nothing else."""
        settings = [
            (f"remote.{_REMOTE}.url", self.url.text),
            (f"remote.{_REMOTE}.promisor", "true"),
            (f"remote.{_REMOTE}.partialCloneFilter", "blob:none"),
            ("credential.helper", ""),
            # A login is for this address. Without one a renamed repository may be followed to where it is.
            ("http.followRedirects", "false" if self.login else "initial"),
            ("http.lowSpeedLimit", "1"), ("http.lowSpeedTime", "120"),  # bytes a second, seconds
            # Of three in nine repositories git would refuse old, harmless objects, and cannot be told which in a fetch
            # by a filter. As in a clone borrowed from, trees are checked where they become starting trees.
            ("fetch.fsckObjects", "false"), ("transfer.fsckObjects", "false"),
        ]  # fmt: skip
        if certificates := os.environ.get("SSL_CERT_FILE"):
            settings.append(("http.sslCAInfo", certificates))
        if self.login is not None:
            basic = base64.b64encode(f"{self.login.name}:{self.login.secret}".encode()).decode()
            settings.append((f"http.{self.url.text}.extraHeader", f"Authorization: Basic {basic}"))
        env = {
            "GIT_ALLOW_PROTOCOL": self.url.protocol, "GIT_PROTOCOL_FROM_USER": "0",
            "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=30", "GIT_ASKPASS": "true", "SSH_ASKPASS": "true",
        }  # fmt: skip
        first = int(git_environment()["GIT_CONFIG_COUNT"])
        for i, (key, value) in enumerate(settings, first):
            env[f"GIT_CONFIG_KEY_{i}"], env[f"GIT_CONFIG_VALUE_{i}"] = key, value
        return env | {"GIT_CONFIG_COUNT": str(first + len(settings))}


class FetchFailed(Exception):
    """A fetch that did not succeed; `said` is what git said, without its progress."""

    def __init__(self, said: str) -> None:
        self.said = said
        super().__init__(said)


@dataclass(frozen=True)
class Fetcher:
    """Fetches from one remote into one repository."""

    git: Git
    remote: Remote
    progress: Callable[[str], None]
    waits: tuple[float, ...] = WAITS

    def fetch(self, *options: str, names: Collection[str], what: str, lock: int) -> str:
        """Fetch refs or ids, and again where the connection is lost; returns what git said.

        Raises `FetchFailed`. `what` is told with the progress, `lock` inherited by git.
        """
        for wait in (*self.waits, None):
            try:
                return self._once(options, names, what, lock)
            except FetchFailed as error:
                if wait is None or _LASTS.search(error.said) or not _PASSING.search(error.said):
                    raise
                self.progress(f"git: the connection to {self.remote.url} was lost: trying again in {wait:g} s")
                time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _once(self, options: Collection[str], names: Collection[str], what: str, lock: int) -> str:
        # Ids are wanted whatever is here: to tell the server what that is would only take time.
        told = "default" if any(":" in name for name in names) else "noop"
        command = self.git.command([
            "-c", f"fetch.negotiationAlgorithm={told}", "fetch", "--progress", "--no-tags", "--no-write-fetch-head",
            "--no-auto-maintenance", "--no-recurse-submodules", *options, _REMOTE, "--stdin",
        ])  # fmt: skip
        process = subprocess.Popen(
            command, env=git_environment() | self.remote.environment(), stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=(lock,),
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stderr is not None
        try:
            with process.stderr, suppress(BrokenPipeError), process.stdin as stdin:
                with suppress(BrokenPipeError):  # it ended before it read them, and says why
                    stdin.write("".join(f"{name}\n" for name in names).encode())
                    stdin.close()
                said = self._listen(process.stderr.fileno(), what)
        finally:
            process.kill()
            code = process.wait()
        if code:
            raise FetchFailed(said)
        return said

    def _listen(self, stream: int, what: str) -> str:
        """Read what git says to its end: pass its progress on, return the rest."""
        lines: list[str] = []
        rest, told, since = b"", "", time.monotonic()
        while chunk := os.read(stream, 1 << 12):
            *whole, rest = re.split(rb"[\r\n]", rest + chunk)
            for line in (each.decode("utf-8", "replace") for each in whole if each):
                match = _PROGRESS.match(line)
                if match is None:
                    lines.append(line)
                    continue
                now = f"git: {what}: {match[1].lower()}, {int(match[2]) // _STEP * _STEP} %"
                if now != told and time.monotonic() - since > _LASTING:
                    self.progress(now)
                    told = now
        return "\n".join([*lines, rest.decode("utf-8", "replace")]).strip()
