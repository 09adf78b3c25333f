"""What sources of merged changes give: the records, and the seam between a harvest and where its changes come from."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from miner.git import Git
from miner.rejection import Rejection

_ABSENT, _SUBMODULE = "000000", "160000"  # modes; a submodule is a commit of another repository


class Unit(StrEnum):
    """What counts as one merged change: a pull request, or any single commit."""

    PULL = "pull"
    COMMIT = "commit"


class Method(StrEnum):
    """How a pull request came onto its target branch; `COMMIT`: any single commit, asked for as such."""

    MERGE = "merge"
    SQUASH = "squash"
    REBASE = "rebase"
    COMMIT = "commit"


@dataclass(frozen=True)
class FileChange:
    """One changed file: modes and blob ids before and after; status A, M, D, T or R (an exact rename)."""

    path: str
    status: str
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    old_path: str | None = None

    @property
    def blobs(self) -> set[str]:
        """The ids of its contents before and after; a submodule has none."""
        sides = ((self.old_mode, self.old_blob), (self.new_mode, self.new_blob))
        return {blob for mode, blob in sides if mode not in (_ABSENT, _SUBMODULE)}


@dataclass(frozen=True)
class Commit:
    """One commit of the chain with the files it changes against its first parent."""

    id: str
    parents: tuple[str, ...]
    tree: str
    author: str
    email: str
    authored: str
    committed: str
    message: str
    files: tuple[FileChange, ...]


@dataclass(frozen=True)
class ClosedIssue:
    """An issue that a pull request says it closes."""

    number: str
    title: str
    body: str


@dataclass(frozen=True)
class MergedChange:
    """One merged change: `base` is the first parent of its first commit on the target branch."""

    number: str
    title: str
    body: str
    author: str
    email: str
    branch: str
    date: str
    base: str
    merged: str
    tip: str
    files: tuple[FileChange, ...]
    method: Method = Method.SQUASH
    commits: int = 1  # on the target branch; of a rebase, base..merged
    labels: tuple[str, ...] = ()
    closes: tuple[ClosedIssue, ...] = ()
    rejection: Rejection | None = None  # what its source knows already; `base` may then be empty, `merged` not be there
    detail: str = ""


@dataclass(frozen=True)
class Opened:
    """A source made ready: our repository with its history, its head, and the merged changes, newest first, lazily.

    Contents may still be elsewhere: `fetch` brings the objects of these ids (or names, such as `<commit>^{tree}`),
    and whatever trees among them hold, in bulk; with a whole clone there is nothing to do.
    """

    git: Git
    head: str
    changes: Iterator[MergedChange]
    fetch: Callable[[Collection[str]], None]
    finished: Callable[[], None] = lambda: None  # the harvest has ended: what was kept to go on from may go
    none: str = ""  # what to say where there is no change; empty: that is worked out from the history
    has_labels: bool = False  # whether the source knows of labels at all
    countable: bool = False  # all changes are here: to count them asks nobody


class Source(Protocol):
    """Where merged changes come from."""

    @property
    def name(self) -> str:
        """What the repository is called in fixture ids."""

    def open(self, scratch: Path, progress: Callable[[str], None]) -> Opened:
        """Make it ready; raises `ToolError`. `scratch` is a folder that is deleted after the harvest."""
