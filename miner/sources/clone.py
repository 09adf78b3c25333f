"""Our own clone of a URL: bare, without file contents where the server can leave them out, kept in the cache.

`clones/<digest of the URL>/` in the cache is written by fetches only, one at a time over all processes (flock). A
harvest reads it through a repository of its own (alternates), and so never waits for another's fetch to end. A fetch
that is killed leaves what was there, and files that the next one clears away.
"""

import fcntl
import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from miner.cache import hold
from miner.errors import ToolError
from miner.git import Git, GitFailed, create_bare
from miner.sources.fetching import WAITS, Fetcher, FetchFailed, Remote
from miner.sources.refusals import refusal
from miner.trees import cache_folder

_FORM = 1  # of what is kept: another form is another digest
_FILTER = "--filter=blob:none"
# A deleted fork's commits, and what a squash or a rebase was made from, are in the heads of pull requests only:
# GitHub's, GitLab's, Bitbucket's. Tags serve to guess versions.
_KEPT = ("refs/tags/*", "refs/pull/*/head", "refs/merge-requests/*/head", "refs/pull-requests/*/from")
_CHUNK = 2000  # objects asked for at once: what a lost connection costs
_LACKING = re.compile(r"not our ref ([0-9a-f]{40,64})")


@dataclass(frozen=True)
class Cloned:
    """A bare repository of ours with a branch's history, the tags, and the heads of pull requests.

    `head` is the branch's commit. Blobs may be elsewhere: see `Opened.fetch`.
    """

    git: Git
    head: str
    fetch: Callable[[Collection[str]], None]


def cached_clone(
    remote: Remote, branch: str | None, scratch: Path, progress: Callable[[str], None],
    waits: tuple[float, ...] = WAITS,
) -> Cloned:  # fmt: skip
    """Make, or bring up to date, the clone of a URL; `branch` None: the one that its HEAD names.

    Raises `ToolError` where there is no such host, repository, branch or access, or no commit.
    """
    kept = _Kept(_folder_of(remote), remote, branch, progress, waits)
    try:
        with kept.alone() as lock:
            kept.update(lock)
            head = kept.git.line("rev-parse", "--verify", f"{kept.target}^{{commit}}")
            refs = kept.git.run("for-each-ref", "--format=%(objectname) %(refname)", *(r.split("*")[0] for r in _KEPT))
    except GitFailed as error:
        raise kept.damaged(error.stderr) from None
    ours = create_bare(scratch / "mined.git", kept.git.line("rev-parse", "--show-object-format"))
    (ours.directory / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (ours.directory / "objects" / "info" / "alternates").write_text(f"{kept.git.directory / 'objects'}\n")
    (ours.directory / "packed-refs").write_bytes(refs)  # a file each would take longer than to fetch them
    with (ours.directory / "config").open("a") as config:
        config.write("[core]\n\tfsync = none\n")
    return Cloned(ours, head, kept.fetch)


def _folder_of(remote: Remote) -> Path:
    """The folder of a URL's clone, there and held."""
    digest = hashlib.sha256(f"{_FORM} {remote.url}".encode()).hexdigest()[:32]
    folder = cache_folder() / "clones" / digest
    folder.parent.mkdir(parents=True, exist_ok=True)
    while True:
        folder.mkdir(exist_ok=True, mode=0o700)  # of private repositories too
        if hold(folder):  # not pruned between the two
            return folder.resolve()


@dataclass
class _Kept:
    """A clone in the cache."""

    folder: Path
    remote: Remote
    branch: str | None
    progress: Callable[[str], None]
    waits: tuple[float, ...]
    lacking: set[str] = field(default_factory=set)  # what the server has not

    @property
    def git(self) -> Git:
        return Git(self.folder)

    @property
    def target(self) -> str:
        """Our ref for the branch: no branch's name stands in the way of another's (`a` and `a/b`)."""
        return f"refs/targets/{hashlib.sha256((self.branch or '').encode()).hexdigest()[:32]}"

    @property
    def _fetcher(self) -> Fetcher:
        return Fetcher(self.git, self.remote, self.progress, self.waits)

    @contextmanager
    def alone(self) -> Iterator[int]:
        """Nobody else fetches meanwhile, not even a git whose harvest was killed: it inherits the lock."""
        lock = os.open(self.folder / "fetching", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with suppress(OSError):  # a file system without locks
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    self.progress(f"git: waiting for another fetch of {self.remote.url} to end")
                    fcntl.flock(lock, fcntl.LOCK_EX)
            yield lock
        finally:
            os.close(lock)

    def update(self, lock: int) -> None:
        """Fetch what is new. The branch comes first: where the rest is interrupted, it need not come again."""
        self._clear()
        if not (self.folder / "info" / "attributes").exists():  # what is written last
            create_bare(self.folder)
            (self.folder / "description").write_text(f"{self.remote.url}\n")
        self.progress(f"git: fetching {self.remote.url}")
        self._fetch_refs((_FILTER,), lock)
        self.git.run("pack-refs", "--all", "--prune")

    def _fetch_refs(self, options: tuple[str, ...], lock: int) -> None:
        name = f"refs/heads/{self.branch}" if self.branch is not None else "HEAD"
        try:
            said = self._fetcher.fetch(*options, names=[f"+{name}:{self.target}"], what="commits", lock=lock)
            if "filtering not recognized" in said:
                self.progress("git: the server cannot leave out file contents: fetching everything")
            others = [f"+{pattern}:{pattern}" for pattern in _KEPT]
            self._fetcher.fetch(*options, "--prune", names=others, what="pull requests", lock=lock)
        except FetchFailed as error:
            raise self._refusal(error.said) from None

    def _refusal(self, said: str) -> ToolError:
        return self.damaged(said) if str(self.folder) in said else refusal(said, self.remote.url, self.branch)

    def damaged(self, said: str) -> ToolError:
        """The error of a clone that git cannot work with, by a full disk or a crash of the machine."""
        first = (said.splitlines() or ["git says nothing"])[0].rstrip(".")
        return ToolError("the clone in the cache is damaged", self.folder, f"{first}. Delete it and try again.")

    def _clear(self) -> None:
        """Take away what a killed fetch left; nobody else is at work."""
        left = [*self.folder.glob("*.lock"), *(self.folder / "refs").rglob("*.lock")]
        for path in (*left, *(self.folder / "objects" / "pack").glob("*tmp_*")):
            path.unlink(missing_ok=True)

    def fetch(self, ids: Collection[str]) -> None:
        """See `Opened.fetch`. What the server has not stays missing, and is not asked for again."""
        missing = [each for each in self._missing(ids) if each not in self.lacking]
        if not missing:
            return
        with self.alone() as lock:
            self._clear()
            missing = self._missing(missing)  # another harvest may have had the same wish
            for start in range(0, len(missing), _CHUNK):
                self.progress(f"git: fetching file contents, {start} of {len(missing)}")
                if not self._fetch_objects(missing[start : start + _CHUNK], lock):
                    break

    def _fetch_objects(self, ids: list[str], lock: int) -> bool:
        """Whether there is more to be asked for in this way."""
        while ids:
            try:
                self._fetcher.fetch(_FILTER, names=ids, what="file contents", lock=lock)
                return True
            except FetchFailed as error:
                if "unadvertised object" in error.said:
                    self.progress("git: the server gives no single files: fetching everything")
                    self._fetch_refs(("--refetch", "--no-filter"), lock)
                    return False
                lacking = _LACKING.search(error.said)
                if lacking is None or lacking[1] not in ids:
                    raise self._refusal(error.said) from None
                self.lacking.add(lacking[1])
                ids = [each for each in ids if each != lacking[1]]
        return True

    def _missing(self, ids: Collection[str]) -> list[str]:
        """Those of the ids, and of what trees among them hold, that are not here. Each once."""
        names = "".join(f"{each}\n" for each in ids).encode()
        rows = self.git.run("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=names).decode().splitlines()
        found = {row.split()[0]: row.split()[-1] for row in rows}
        trees = "".join(f"{each}\n" for each, kind in found.items() if kind == "tree").encode()
        listed = b""
        if trees:
            listed = self.git.run(
                "rev-list", "--objects", "--missing=print", "--no-object-names", "--stdin", stdin=trees
            )
        inside = [row[1:] for row in listed.decode().splitlines() if row.startswith("?")]
        return list(dict.fromkeys([*(each for each, kind in found.items() if kind == "missing"), *inside]))
