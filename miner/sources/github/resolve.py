"""A pull request becomes a merged change: how it was merged, and what exactly it changed, from our clone.

- A merge commit: base is its first parent.
- One commit on the target branch: a squash, or a rebase of one; base is its first parent either way.
- A rebase of n: the merge commit is the last of n commits on the target branch that have the author, author date and
  subject of the pull request's own (its merges vanish), and together they change what the pull request changes: the
  same blobs, or the same patch id (without context, which other changes may have touched). Base is before the first.
- The pull request's head itself, pushed to the branch: as many commits as it has.

What cannot be told is a change with a rejection, so that it is counted; see `docs/sources.md`.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from miner.git import Git, Objects
from miner.rejection import Rejection
from miner.sources.commits import Commits, Facts
from miner.sources.diffs import Pair, raw_diffs
from miner.sources.github.model import Pull
from miner.sources.model import FileChange, MergedChange, Method
from miner.sources.sameness import patch_ids_at_hand

_MOST = 250  # commits of one pull request, the most that GitHub lists; more are no single task either


@dataclass(frozen=True)
class Target:
    """The branch that merged pull requests are wanted of; `slug` is the repository's `owner/name`."""

    branch: str
    slug: str


@dataclass(frozen=True)
class _Way:
    """How a pull request came onto the branch. `check`: a rebase's pair of diffs, still to be compared."""

    pull: Pull
    commit: Facts
    base: str
    method: Method
    commits: int = 1
    check: tuple[Pair, Pair] | None = None


class Resolver:
    """Resolves pull requests, a batch at a time, newest first: what was merged inside another is known from before."""

    def __init__(
        self, git: Git, objects: Objects, head: str, target: Target, fetch: Callable[[Collection[str]], None]
    ) -> None:
        self._git, self._objects, self._target, self._fetch = git, objects, target, fetch
        self._commits = Commits(git, objects, head)
        self._heads: set[str] = set()  # branches of the repository itself that were merged, later than what comes
        self._taken: set[str] = set()

    def resolve(self, pulls: Iterable[Pull]) -> list[MergedChange]:
        """The merged changes of a batch, in its order; those not on the target branch are left out."""
        ways = [self._way(pull) for pull in pulls if self._counts(pull)]
        checked = self._checked([way for way in ways if isinstance(way, _Way)])
        found = [way for way in checked.values() if isinstance(way, _Way)]
        files = raw_diffs(self._git, [Pair(way.base, way.commit.id) for way in found])
        changes = []
        for way in ways:
            known = checked[way.pull.number] if isinstance(way, _Way) else way
            if isinstance(known, _Way):
                known = _change(known, files[Pair(known.base, known.commit.id)])
            if known.merged not in self._taken:  # two pull requests of one branch are merged by one commit
                self._taken.add(known.merged)
                changes.append(known)
        return changes

    def _counts(self, pull: Pull) -> bool:
        """Whether it was merged into the target branch, or into one that came into it, not as a pull request."""
        if pull.base == self._target.branch:
            if pull.head_owner == self._target.slug.partition("/")[0]:
                self._heads.add(pull.head)
            return True
        inside = pull.base in self._heads
        if inside and pull.head_owner == self._target.slug.partition("/")[0]:
            self._heads.add(pull.head)
        return not inside and pull.merge_commit in self._commits.reachable

    def _way(self, pull: Pull) -> _Way | MergedChange:
        commit = self._commits.get(pull.merge_commit) if pull.merge_commit else None
        if commit is None or commit.id not in self._commits.reachable:
            return _lost(pull)
        if not commit.parents:
            return _unclear(pull, "its commit has no parent")
        if commit.id == pull.head_id:
            return self._pushed(pull, commit)
        if len(commit.parents) > 1:
            return _Way(pull, commit, commit.parents[0], Method.MERGE)
        return self._squash_or_rebase(pull, commit)

    def _pushed(self, pull: Pull, commit: Facts) -> _Way | MergedChange:
        """The head as it was went onto the branch, as far as its number of commits says which those were."""
        if pull.commits is None:
            return _unclear(pull, "its own commits were pushed, and how many is not known without a token")
        row = list(self._commits.down(commit.id, pull.commits))
        if len(row) < pull.commits or any(len(each.parents) != 1 for each in row):
            return _unclear(pull, "its own commits were pushed, and they are no plain row")
        return _Way(pull, commit, row[-1].parents[0], Method.REBASE, len(row))

    def _squash_or_rebase(self, pull: Pull, commit: Facts) -> _Way | MergedChange:
        squash = _Way(pull, commit, commit.parents[0], Method.SQUASH)
        own = self._commits.own(pull.head_id, _MOST)
        if own is None:  # the clone has no head of it
            plain = pull.commits == 1 or commit.subject.endswith(f"(#{pull.number})")
            return squash if plain else _unclear(pull, "its own commits are not in the clone")
        keys = {each.key for each in own.commits if len(each.parents) == 1}
        row = []
        for each in self._commits.down(commit.id, len(own.commits)):
            if each.key not in keys or len(each.parents) != 1:
                break
            row.append(each)
        if not row:
            return squash
        if len(keys) == 1:
            return replace(squash, method=Method.REBASE)
        if own.fork is None:
            return _unclear(pull, "its own commits never were on the branch")
        base = row[-1].parents[0]
        check = Pair(base, commit.id), Pair(own.fork, pull.head_id)
        return _Way(pull, commit, base, Method.REBASE, len(row), check)

    def _checked(self, ways: list[_Way]) -> dict[int, _Way | MergedChange]:
        """By number; a rebase whose commits do not change what its pull request changes is none that we know."""
        pairs = [pair for way in ways if way.check for pair in way.check]
        files = raw_diffs(self._git, pairs)
        differing = [way for way in ways if way.check and files[way.check[0]] != files[way.check[1]]]
        checks = [pair for way in differing if way.check for pair in way.check]
        ids = patch_ids_at_hand(self._git, checks, files, self._fetch)
        checked: dict[int, _Way | MergedChange] = {way.pull.number: way for way in ways}
        for way in differing:
            if way.check and (not ids.get(way.check[0]) or ids.get(way.check[0]) != ids.get(way.check[1])):
                detail = f"its commits on the branch ({way.commits}) do not change what it changes"
                checked[way.pull.number] = _unclear(way.pull, detail)
        return checked


def _change(way: _Way, files: tuple[FileChange, ...]) -> MergedChange:
    merge = way.method is Method.MERGE
    return replace(
        _described(way.pull), email=way.commit.email, base=way.base, merged=way.commit.id,
        tip=way.commit.parents[1] if merge else way.commit.id, files=files, method=way.method, commits=way.commits,
    )  # fmt: skip


def _lost(pull: Pull) -> MergedChange:
    return replace(_described(pull), rejection=Rejection.MERGE_LOST)


def _unclear(pull: Pull, detail: str) -> MergedChange:
    return replace(_described(pull), rejection=Rejection.MERGE_UNCLEAR, detail=detail)


def _described(pull: Pull) -> MergedChange:
    """What GitHub says of it, with no place in the history yet."""
    owner = f"{pull.head_owner}/" if pull.head_owner else ""
    merged = pull.merge_commit or pull.head_id
    return MergedChange(
        number=str(pull.number), title=pull.title.strip(), body=pull.body.replace("\r\n", "\n").strip(),
        author=pull.author, email="", branch=owner + pull.head, date=pull.merged, base="", merged=merged, tip=merged,
        files=(), labels=pull.labels, closes=pull.closes or (),
    )  # fmt: skip
