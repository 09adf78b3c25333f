"""Rebased pull requests: which commits of the branch look like one, and whether they change what it changes."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from miner.git import Git
from miner.sources.diffs import Pair, raw_diffs
from miner.sources.history import History, moment
from miner.sources.model import Commit
from miner.sources.pull_refs import Own, Pulls, key_of
from miner.sources.sameness import names, patch_ids_at_hand

_MOST_TRIED = 3  # pull requests with one tip; the same branch is seldom proposed more often


@dataclass(frozen=True)
class Rebase:
    """Commits of the branch, newest first, that have the authors and author dates of a pull request's own."""

    own: Own
    commits: tuple[Commit, ...]

    @property
    def base(self) -> str:
        """Before the first of them."""
        return self.commits[-1].parents[0]

    @property
    def pairs(self) -> tuple[Pair, Pair]:
        """What changes what: on the branch, and in the pull request."""
        return Pair(self.base, self.commits[0].id), Pair(self.own.fork, self.own.head)


def likely_rebases(commit: Commit, history: History, pulls: Pulls) -> list[Rebase]:
    """What `commit` may be the last commit of; those of a pull request that its subject names first."""
    if len(commit.parents) != 1:
        return []
    found = []
    for own in pulls.with_tip_of(commit):
        for part in (_above_another(own, pulls), own):
            if part and (row := tuple(_landed(commit, part, history))):
                found.append(Rebase(part, row))
    subject = commit.message.partition("\n")[0]
    return sorted(found, key=lambda each: not any(f"#{n})" in subject for n in each.own.numbers))[:_MOST_TRIED]


def _landed(commit: Commit, own: Own, history: History) -> Iterator[Commit]:
    """`commit` and those below it as long as they are a pull request's own, one after the other.

    What is older than its double in the pull request did not come from there: that one is a backport of it.
    """
    for landed, theirs in zip(history.down(commit.id), own.commits, strict=False):
        if len(landed.parents) != 1 or key_of(landed) != key_of(theirs):
            return
        if moment(landed.committed) < moment(theirs.committed):
            return
        yield landed


def _above_another(own: Own, pulls: Pulls) -> Own | None:
    """What a pull request that stands on another one's head adds to it."""
    at = next((at for at, each in enumerate(own.commits) if at and each.id in pulls.heads), None)
    return None if at is None else replace(own, commits=own.commits[:at], fork=own.commits[at].id)


def without_collections(true: Sequence[Rebase]) -> dict[str, Rebase]:
    """The first of the rebases of each last commit, without those that bring in other pull requests' commits.

    Maintainers collect pull requests on a branch and rebase that: each is a task, all together are none.
    """
    tips = {each.commits[0].id for each in true}
    single = [each for each in true if not any(commit.id in tips for commit in each.commits[1:])]
    return {each.commits[0].id: each for each in reversed(single)}


def true_rebases(
    git: Git, likely: Iterable[Rebase], fetch: Callable[[Collection[str]], None] = lambda _: None
) -> list[Rebase]:
    """Those that change what their pull request changes: the same blobs, else the same patch id without context.

    Contents are asked for only where that is needed, all at once; where they cannot be had, it is none.
    """
    every = list(likely)
    files = raw_diffs(git, [pair for each in every for pair in each.pairs])
    sides = {each: (files[each.pairs[0]], files[each.pairs[1]]) for each in every}
    same = {each for each, (ours, theirs) in sides.items() if ours == theirs}
    open_ = [
        each for each, (ours, theirs) in sides.items()
        if ours != theirs and names(ours) == names(theirs)
    ]  # fmt: skip
    ids = patch_ids_at_hand(git, [pair for each in open_ for pair in each.pairs], files, fetch)
    same |= {each for each in open_ if (left := ids.get(each.pairs[0])) and left == ids.get(each.pairs[1])}
    return [each for each in every if each in same]
