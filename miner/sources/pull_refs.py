"""The heads of pull requests that a clone has as refs, and the commits of theirs that are not on the target branch."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from miner.git import Git
from miner.sources.history import History
from miner.sources.log import read_beside
from miner.sources.model import Commit

# GitHub's, GitLab's, and Bitbucket Server's, as they are or as people fetch them below a remote's name.
_REF = re.compile(r"refs/(?:remotes/[^/]+/)?(?:pulls?|pr|merge-requests|mr|pull-requests)/(\d+)(?:/(?:head|from))?")
_MOST = 250  # commits of one pull request; more are no single task


def read_pull_refs(source: Git) -> dict[str, tuple[str, ...]]:
    """The heads in a clone: commit id to the numbers of its pull requests, highest first. No object is read."""
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    for row in source.run("for-each-ref", "--format=%(objectname) %(refname)").decode(errors="replace").splitlines():
        head, _, name = row.partition(" ")
        if match := _REF.fullmatch(name):
            numbers[head].add(match[1])
    return {head: tuple(sorted(each, key=int, reverse=True)) for head, each in numbers.items()}


@dataclass(frozen=True)
class Own:
    """A pull request's own commits, tip first and without merges, and where it last left the target branch."""

    head: str
    numbers: tuple[str, ...]
    commits: tuple[Commit, ...]
    fork: str


Key = tuple[str, str, str]


def key_of(commit: Commit) -> Key:
    """What a rebase leaves as it was, and what few commits share: author and author date."""
    return commit.author, commit.email, commit.authored


class Pulls:
    """The pull requests of a clone by their heads; their commits are read when first asked for, all at once."""

    def __init__(self, git: Git, history: History, heads: Mapping[str, tuple[str, ...]]) -> None:
        self.heads = heads
        self._git, self._history = git, history

    @cached_property
    def _beside(self) -> dict[str, Commit]:
        return {each.id: each for each in read_beside(self._git, self.heads, self._history.head)} if self.heads else {}

    @cached_property
    def _tips(self) -> dict[Key, list[str]]:
        """Heads that are not on the branch, by what a rebase keeps of their tip, the highest number first."""
        tips: defaultdict[Key, list[str]] = defaultdict(list)
        for head in sorted(self.heads, key=lambda each: -int(self.heads[each][0])):
            if head in self._beside:
                tips[key_of(self._beside[head])].append(head)
        return tips

    def with_tip_of(self, commit: Commit) -> Iterator[Own]:
        """The pull requests whose tip has a commit's author and author date; those with its subject come first."""
        subject = _subject(commit)
        heads = self._tips.get(key_of(commit), [])
        for head in sorted(heads, key=lambda each: _subject(self._beside[each]) != subject):
            if (own := self._own(head)) is not None:
                yield own

    def _own(self, head: str) -> Own | None:
        row: list[Commit] = []
        forks: set[str] = set()
        identity: str | None = head
        while identity in self._beside and len(row) <= _MOST:
            commit = self._beside[identity]
            row.append(commit)
            forks.update(parent for parent in commit.parents if parent not in self._beside)
            identity = commit.parents[0] if commit.parents else None
        if len(row) > _MOST or not forks:
            return None
        fork = self._newest(forks)
        plain = tuple(commit for commit in row if len(commit.parents) == 1)
        return Own(head, self.heads[head], plain, fork) if fork else None

    def _newest(self, forks: set[str]) -> str | None:
        """Where it last left the branch: nothing that was merged into it meanwhile is older than where it began."""
        if len(forks) == 1:
            return next(iter(forks))
        dated = []
        for fork in forks:
            try:
                dated.append((self._history[fork].committed, fork))
            except KeyError:  # beyond a shallow clone's edge
                continue
        return max(dated)[1] if dated else None


def _subject(commit: Commit) -> str:
    return commit.message.partition("\n")[0].strip()
