"""A local clone as a source of merged changes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from miner.git import borrow, read_only
from miner.sources.model import Opened, Unit
from miner.sources.pull_refs import read_pull_refs
from miner.sources.recognise import recognised


@dataclass(frozen=True)
class LocalSource:
    """The merged changes of the branch that is checked out in the clone at `path`, or of `branch`.

    `tags` are needed to guess versions where fixtures are proved.
    """

    path: Path
    name: str
    unit: Unit = Unit.PULL
    branch: str | None = None
    tags: bool = True

    def open(self, scratch: Path, progress: Callable[[str], None]) -> Opened:  # noqa: ARG002 - the seam's
        """Borrow the clone; raises `ToolError` where there is none, or no such branch or commit in it."""
        git, head = borrow(self.path, scratch / "mined.git", self.tags, self.branch)
        changes = recognised(git, head, self.unit, read_pull_refs(read_only(self.path)))
        return Opened(git, head, changes, lambda _: None, countable=True)
