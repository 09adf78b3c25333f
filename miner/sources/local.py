"""A local clone as a source of merged changes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from miner.git import Git, borrow, read_only
from miner.sources.history import History
from miner.sources.log import read_commits
from miner.sources.model import MergedChange, Opened, Unit
from miner.sources.pull_refs import Pulls, read_pull_refs
from miner.sources.recognise import Recogniser
from miner.sources.subjects import merged_changes


@dataclass(frozen=True)
class LocalSource:
    """The merged changes of the branch that is checked out in the clone at `path`, or of its single commits.

    `tags` are needed to guess versions where fixtures are proved.
    """

    path: Path
    name: str
    unit: Unit = Unit.PULL
    tags: bool = True

    def open(self, scratch: Path, progress: Callable[[str], None]) -> Opened:  # noqa: ARG002 - the seam's
        """Borrow the clone; raises `ToolError` where there is none, or no commit in it."""
        git, head = borrow(self.path, scratch / "mined.git", self.tags)
        if self.unit is Unit.COMMIT:
            changes = merged_changes(read_commits(git, head), self.unit)
        else:
            changes = recognised(git, head, read_pull_refs(read_only(self.path)))
        return Opened(git, head, changes, lambda _: None)


def recognised(git: Git, head: str, heads: dict[str, tuple[str, ...]]) -> Iterator[MergedChange]:
    """The merged pull requests of `head`'s history, newest first; `heads` are the clone's heads of pull requests."""
    with History(git, head) as history:
        yield from Recogniser(git, history, Pulls(git, history, heads)).all()
