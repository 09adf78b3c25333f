"""Merged pull requests recognised in a clone: by messages, by second parents, and by rebased commits."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from miner.git import Git
from miner.rejection import Rejection
from miner.sources.diffs import Pair, raw_diffs
from miner.sources.history import History
from miner.sources.log import read_commits
from miner.sources.model import Commit, MergedChange, Method, Unit
from miner.sources.pull_refs import Pulls
from miner.sources.rebases import Rebase, likely_rebases, true_rebases, without_collections
from miner.sources.subjects import (
    Named,
    change_of,
    is_title,
    merged_changes,
    merges_a_branch,
    merges_a_lasting_branch,
    merges_lasting_branches,
    named,
)

_BATCH = 256  # commits that are looked at together: as many as a harvest often needs, and git is asked for all at once


def _nothing(_: Collection[str]) -> None:
    """A whole clone has its contents."""


@dataclass(frozen=True)
class Recogniser:
    """Recognises the merged changes of one history; `fetch` brings blobs that a partial clone lacks."""

    git: Git
    history: History
    pulls: Pulls
    fetch: Callable[[Collection[str]], None] = _nothing

    def all(self) -> Iterator[MergedChange]:
        """Every merged change that came onto the branch, or onto one that was merged into it; newest first, lazily."""
        return self.among(self.history.walk(self.follows))

    def among(self, commits: Iterable[Commit]) -> Iterator[MergedChange]:
        """The merged changes among `commits`, in their order, which must be newest first."""
        waiting = iter(commits)
        taken: set[str] = set()  # commits below the last one of a rebase are part of it
        while batch := list(islice(waiting, _BATCH)):
            rebases = self._rebases(batch)
            found = []
            for commit in batch:
                if commit.id in taken or not commit.parents:
                    continue
                rebase = rebases.get(commit.id)
                taken.update(each.id for each in (rebase.commits if rebase else ()))
                change = _rebased(rebase) if rebase else self._of_one(commit)
                if change is not None:
                    found.append(replace(change, rejection=Rejection.MERGE_UP) if _merges_up(change) else change)
            files = raw_diffs(self.git, [Pair(change.base, change.merged) for change in found])
            for change in found:
                yield replace(change, files=files[Pair(change.base, change.merged)])

    def _rebases(self, batch: list[Commit]) -> dict[str, Rebase]:
        """The rebases that end in these commits, by them."""
        likely = {commit.id: likely_rebases(commit, self.history, self.pulls) for commit in batch}
        for row in [each.commits for found in likely.values() for each in found]:
            for commit in row:  # it may go on below the batch
                if commit.id not in likely:
                    likely[commit.id] = likely_rebases(commit, self.history, self.pulls)
        every = [each for found in likely.values() for each in found]
        return without_collections(true_rebases(self.git, every, self.fetch))

    def follows(self, commit: Commit) -> bool:
        """Whether what a merge brings in was merged on its own: the merge of a branch, as a pull request or without."""
        if len(commit.parents) != 2:
            return False
        change = self._of_one(commit)
        return merges_a_branch(commit) if change is None else _merges_up(change)

    def _of_one(self, commit: Commit) -> MergedChange | None:
        """A merge or squash: a head as second parent says more than a message does, and knows no typing errors."""
        said = named(commit)
        numbers = self.pulls.heads.get(commit.parents[1], ()) if len(commit.parents) == 2 else ()
        if not numbers or (said and said.number in numbers):
            return change_of(commit, said) if said else None
        if said is None and merges_a_lasting_branch(commit):
            return None  # somebody has proposed that branch as a pull request too
        return change_of(commit, replace(said, number=numbers[0]) if said else self._told(commit, numbers[0]))

    def _told(self, commit: Commit, number: str) -> Named:
        """Title and body where the merge says nothing of a pull request."""
        subject, _, body = commit.message.partition("\n")
        if is_title(subject):
            return Named(number, subject, body)
        ours = {each.id for each in islice(self.history.down(commit.parents[0]), _BATCH)}
        row = []
        for each in islice(self.history.down(commit.parents[1]), _BATCH):
            if each.id in ours:
                break
            row.append(each)
        title, text = told_by([each.message for each in reversed(row) if len(each.parents) == 1] or [commit.message])
        return Named(number, title, text)


def recognised(
    git: Git, head: str, unit: Unit, heads: Mapping[str, tuple[str, ...]],
    fetch: Callable[[Collection[str]], None] = _nothing,
) -> Iterator[MergedChange]:  # fmt: skip
    """The merged changes of `head`'s history, newest first, lazily; `heads` are the heads of pull requests."""
    if unit is Unit.COMMIT:
        yield from merged_changes(read_commits(git, head), unit)
        return
    with History(git, head) as history:
        yield from Recogniser(git, history, Pulls(git, history, heads), fetch).all()


def _merges_up(change: MergedChange) -> bool:
    """Whether a pull request only brings one long-lived branch into another: what was merged into that one counts."""
    return change.method is Method.MERGE and merges_lasting_branches(change.title)


def _rebased(rebase: Rebase) -> MergedChange:
    last = rebase.commits[0]
    title, body = told_by([commit.message for commit in reversed(rebase.commits)])
    said = named(replace(last, message=title)) or Named("", title, "")  # a title may end in the number
    number = said.number if said.number in rebase.own.numbers else rebase.own.numbers[0]
    title = said.title if said.number == number else title
    return replace(
        change_of(last, Named(number, title, body)), base=rebase.base, method=Method.REBASE, commits=len(rebase.commits)
    )


def told_by(messages: list[str]) -> tuple[str, str]:
    """The title and body that commits give a pull request, oldest first.

    The first commit says what the work is for; the later ones, which correct and complete it, follow as they do in
    the body of GitHub's squashes. A single commit's message is what GitHub proposes for the pull request itself.
    """
    title, _, body = messages[0].strip().partition("\n")
    later = [f"* {message.strip()}" for message in messages[1:]]
    return title.strip(), "\n\n".join(part for part in (body.strip(), *later) if part)
