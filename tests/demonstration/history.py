"""The words that a made-up history is written in: people, edits, commits and merged changes.

Everything here is a value or a function over values; `build` turns it into a git repository.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

Tree = Mapping[str, bytes]
"""A whole tree: the bytes of each file, by its path with forward slashes."""


@dataclass(frozen=True)
class Person:
    """An author and committer."""

    name: str
    email: str


MARA = Person("Mara Lindqvist", "mara@billing.example")
TOMAS = Person("Tomas Okafor", "tomas@billing.example")
IDA = Person("Ida Sørensen", "ida@billing.example")
RUBEN = Person("Ruben Castellanos", "ruben@billing.example")
DEPENDABOT = Person("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com")


def at(moment: str) -> datetime:
    """A moment in UTC, from '2026-02-02 09:30'."""
    return datetime.fromisoformat(moment).replace(tzinfo=UTC)


class Shape(Enum):
    """How a change reached main."""

    PULL_REQUEST = "merge commit, subject 'Merge pull request #N from branch'"
    TITLED_MERGE = "merge commit, subject 'Title (#N)'"
    SQUASH = "single commit, subject 'Title (#N)'"
    BRANCH_MERGE = "merge commit of a plain branch, no pull request"
    DIRECT = "single commit pushed to main, no pull request"


@dataclass(frozen=True)
class Replace:
    """Replace a snippet that occurs exactly once. Snippets are written with LF, also for CRLF files."""

    path: str
    old: str
    new: str

    def apply(self, tree: Tree) -> Tree:
        """The tree with the snippet replaced; `ValueError` unless it occurs exactly once."""
        content = tree[self.path]
        ending = "\r\n" if b"\r\n" in content else "\n"
        old, new = (text.replace("\n", ending).encode() for text in (self.old, self.new))
        if (count := content.count(old)) != 1:
            raise ValueError(f"{self.path}: the snippet occurs {count} times, not once: {self.old[:80]!r}")
        return {**tree, self.path: content.replace(old, new)}

    def undone(self) -> Edit:
        """The edit that takes this one back."""
        return Replace(self.path, self.new, self.old)


@dataclass(frozen=True)
class Write:
    """Write a whole file: a new one, or a rewrite."""

    path: str
    text: str

    def apply(self, tree: Tree) -> Tree:
        """The tree with the file written."""
        return {**tree, self.path: self.text.encode()}

    def undone(self) -> Edit:
        """The edit that takes this one back, for a new file."""
        return Delete(self.path)


@dataclass(frozen=True)
class Append:
    """Append to a file of Python, two blank lines in between."""

    path: str
    text: str

    def apply(self, tree: Tree) -> Tree:
        """The tree with the text at the end of the file."""
        return {**tree, self.path: tree[self.path] + b"\n\n" + self.text.encode()}

    def undone(self) -> Edit:
        """The edit that takes this one back."""
        return Replace(self.path, "\n\n" + self.text, "")


@dataclass(frozen=True)
class Delete:
    """Delete a file."""

    path: str

    def apply(self, tree: Tree) -> Tree:
        """The tree without the file."""
        return {path: content for path, content in tree.items() if path != self.path}

    def undone(self) -> Edit:
        """A deleted file's text is not kept, so this always raises."""
        raise ValueError(f"the deletion of {self.path} cannot be taken back")


@dataclass(frozen=True)
class Rename:
    """Rename a file, its bytes unchanged."""

    path: str
    target: str

    def apply(self, tree: Tree) -> Tree:
        """The tree with the file under its new path."""
        return {(self.target if path == self.path else path): content for path, content in tree.items()}

    def undone(self) -> Edit:
        """The edit that takes this one back."""
        return Rename(self.target, self.path)


@dataclass(frozen=True)
class Cut:
    """Cut a file off at the line that starts with `first`; the rest, after `header`, becomes `target`."""

    path: str
    first: str
    target: str
    header: str

    def apply(self, tree: Tree) -> Tree:
        """The tree with the lines moved; `ValueError` unless `first` starts exactly one line."""
        text = tree[self.path].decode()
        start = _line_start(text, self.first, self.path)
        kept, moved = text[:start].rstrip("\n") + "\n", self.header + text[start:]
        return {**tree, self.path: kept.encode(), self.target: moved.encode()}

    def undone(self) -> Edit:
        """Not needed so far, so this always raises."""
        raise ValueError(f"the cut of {self.path} cannot be taken back")


Edit = Replace | Write | Append | Delete | Rename | Cut


def _line_start(text: str, marker: str, path: str) -> int:
    if (count := f"\n{text}".count(f"\n{marker}")) != 1:
        raise ValueError(f"{path}: {count} lines start with {marker!r}, not one")
    return f"\n{text}".index(f"\n{marker}")


@dataclass(frozen=True)
class Commit:
    """One commit of a branch."""

    message: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Change:
    """One merged change: a pull request, a plain branch or a direct commit."""

    shape: Shape
    title: str
    author: Person
    merged: datetime
    commits: tuple[Commit, ...]
    number: int | None = None
    body: str = ""
    branch: str = ""
    behind: int = 0
    """How many changes main was ahead when the branch was made."""
    reverts: int | None = None
    """The number of the change that this one takes back; the body has its commit id for {reverted}."""

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits of all commits, in order."""
        return tuple(edit for commit in self.commits for edit in commit.edits)


def apply(tree: Tree, edits: tuple[Edit, ...]) -> Tree:
    """The tree after all the edits, in order."""
    for edit in edits:
        tree = edit.apply(tree)
    return tree


def undo(change: Change) -> tuple[Edit, ...]:
    """The edits that take a change back."""
    return tuple(edit.undone() for edit in reversed(change.edits))


def message(change: Change, reverted: str = "") -> str:
    """The message of the commit that a change leaves on main."""
    body = change.body.strip().replace("{reverted}", reverted)
    match change.shape:
        case Shape.PULL_REQUEST:
            paragraphs = [f"Merge pull request #{change.number} from {change.branch}", change.title, body]
        case Shape.TITLED_MERGE | Shape.SQUASH:
            paragraphs = [f"{change.title} (#{change.number})", body]
        case Shape.BRANCH_MERGE | Shape.DIRECT:
            paragraphs = [change.title, body]
    return "\n\n".join(filter(None, paragraphs)) + "\n"
