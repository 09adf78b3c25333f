"""Files of ours that a job needs, in a private folder that goes with it."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path

from miner.sandbox.job import RESULTS
from miner.sandbox.worker import give

_PASSWD = "worker:x:1000:1000:worker:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n"
_HOSTS = "127.0.0.1 localhost sandbox\n::1 localhost\n"


@dataclass(frozen=True)
class Scratch:
    """The folder; `secret` is what makes the place of results unguessable."""

    folder: Path
    secret: str = field(default_factory=lambda: secrets.token_hex(12))

    def __post_init__(self) -> None:
        (self.folder / "passwd").write_text(_PASSWD)
        (self.folder / "group").write_text("worker:x:1000:\nnobody:x:65534:\n")
        (self.folder / "hosts").write_text(_HOSTS)
        self.sockets.mkdir(mode=0o755)
        (self.folder / "results").mkdir()
        self.results.mkdir(mode=0o700)
        give(self.results)
        # Not to be listed: a job that was not told the name cannot find it by looking.
        (self.folder / "results").chmod(0o111)

    @property
    def results(self) -> Path:
        """Where what a job hands back is written."""
        return self.folder / "results" / self.secret

    @property
    def sockets(self) -> Path:
        """Holds the socket of the registries' proxy."""
        return self.folder / "sockets"

    def fill_in(self, text: str) -> str:
        """Put the folder's inside path in for `{results}`."""
        return text.replace(RESULTS, f"/results/{self.secret}")
