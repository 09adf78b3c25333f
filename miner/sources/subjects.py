"""Merged changes recognised by what the subjects of their commits say."""

import re
from collections.abc import Iterable, Iterator

from miner.sources.model import Commit, MergedChange, Method, Unit

_MERGE_PULL = re.compile(r"Merge pull request #(\d+) from (\S+)")
_NUMBER_AT_END = re.compile(r"^(.*?)\s*\(#(\d+)\)\s*$")
_BRANCH_MERGE = re.compile(r"Merge (?:remote-tracking )?branch(?:es)? ")


def merged_changes(commits: Iterable[Commit], unit: Unit = Unit.PULL) -> Iterator[MergedChange]:
    """Those of `commits` that are merged changes, in their order.

    Recognised: `Merge pull request #N from ...` (title and body below), and any commit, merge or
    squash, whose subject ends in `(#N)`. With `Unit.COMMIT` every commit with one parent counts.
    A commit without a parent (a root, or a shallow clone's edge) has no base and is none.
    """
    for commit in commits:
        if commit.parents and (change := _recognise(commit, unit)) is not None:
            yield change


def _recognise(commit: Commit, unit: Unit) -> MergedChange | None:
    subject, _, body = commit.message.partition("\n")
    if unit is Unit.COMMIT:
        return _change(commit, commit.id[:10], subject, body) if len(commit.parents) == 1 else None
    pull = _MERGE_PULL.match(subject)
    if pull:
        title, _, rest = body.strip().partition("\n")
        return _change(commit, pull[1], title or subject, rest, branch=pull[2])
    titled = _NUMBER_AT_END.match(subject)
    if titled and not _BRANCH_MERGE.match(subject):
        return _change(commit, titled[2], titled[1], body)
    return None


def _change(commit: Commit, number: str, title: str, body: str, branch: str = "") -> MergedChange:
    return MergedChange(
        number=number, title=title.strip(), body=body.strip(), author=commit.author, email=commit.email,
        branch=branch, date=commit.committed, base=commit.parents[0], merged=commit.id,
        tip=commit.parents[1] if len(commit.parents) > 1 else commit.id, files=commit.files,
        method=Method.MERGE if len(commit.parents) > 1 else Method.SQUASH,
    )  # fmt: skip
