"""Commits read one by one from our clone, and what a target branch consists of."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from miner.git import Git, Objects


@dataclass(frozen=True)
class Facts:
    """A commit as it stands in git. `authored` is `<seconds> <zone>`: kept by a rebase, as author and subject are."""

    id: str
    parents: tuple[str, ...]
    author: str
    email: str
    authored: str
    subject: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What a rebase leaves as it was."""
        return self.author, self.email, self.authored, self.subject


def parse_commit(identity: str, raw: bytes) -> Facts:
    """The facts in a commit object's bytes."""
    header, _, message = raw.partition(b"\n\n")
    rows = header.decode("utf-8", "replace").split("\n")
    parents = tuple(row[7:] for row in rows if row.startswith("parent "))
    author = next((row[7:] for row in rows if row.startswith("author ")), "")
    name, _, rest = author.partition(" <")
    email, _, when = rest.partition("> ")
    subject = message.decode("utf-8", "replace").strip().partition("\n")[0].strip()
    return Facts(identity, parents, name, email, when, subject)


class Commits:
    """Commits by id, and those of a target branch."""

    def __init__(self, git: Git, objects: Objects, head: str) -> None:
        self._git, self._objects, self.head = git, objects, head
        self.get = cache(self._get)

    def _get(self, identity: str) -> Facts | None:
        """A commit, or None where the clone lacks it."""
        if self._objects.resolve(identity) is None:
            return None
        raw = self._objects.read(identity)
        return parse_commit(identity, raw) if raw is not None else None

    @cached_property
    def reachable(self) -> dict[str, int]:
        """Every commit of the target branch, with its place: no commit stands before a descendant of its."""
        return {each: place for place, each in enumerate(self._rev_list("--topo-order"))}

    def _rev_list(self, *options: str) -> list[str]:
        return self._git.run("rev-list", *options, "--end-of-options", self.head, "--").decode().split()

    def down(self, identity: str, count: int) -> Iterator[Facts]:
        """A commit and those below it by their first parents, at most `count`, as far as the clone goes."""
        commit = self.get(identity)
        while commit is not None and count > 0:
            yield commit
            count -= 1
            commit = self.get(commit.parents[0]) if commit.parents else None

    def own(self, head: str, limit: int) -> "Own | None":
        """The commits of a pull request's head that are not on the target branch; None for more than `limit`."""
        found: dict[str, Facts] = {}
        forks: set[str] = set()
        waiting = [head]
        while waiting:
            identity = waiting.pop()
            if identity in self.reachable:
                forks.add(identity)
                continue
            commit = self.get(identity)
            if commit is None or len(found) > limit:
                return None
            if identity not in found:
                found[identity] = commit
                waiting += commit.parents
        fork = min(forks, key=self.reachable.__getitem__, default=None)
        return Own(tuple(found.values()), fork)


@dataclass(frozen=True)
class Own:
    """A pull request's own commits, and where they last left the target branch (None: they never were on it)."""

    commits: tuple[Facts, ...]
    fork: str | None
