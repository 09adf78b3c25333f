"""What GitHub says of merged pull requests."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from miner.sources.model import ClosedIssue


@dataclass(frozen=True)
class Pull:
    """One merged pull request. Dates are ISO 8601 in UTC, `2026-01-02T03:04:05Z`, so that they sort as text.

    `commits` is how many commits it has, `closes` the issues it closes: None where the answer did not say.
    `head_owner` is who owns the branch it came from, empty where that repository is gone.
    """

    number: int
    title: str
    body: str
    author: str
    labels: tuple[str, ...]
    created: str
    updated: str
    merged: str
    merge_commit: str | None
    base: str
    base_id: str
    head: str
    head_id: str
    head_owner: str
    commits: int | None
    closes: tuple[ClosedIssue, ...] | None


@dataclass(frozen=True)
class Page:
    """One answer: its merged pull requests, the cursor of the next page, and the oldest update it goes back to.

    `cursor` is None on the last page. Pull requests closed without a merge count for `oldest`.
    """

    pulls: tuple[Pull, ...]
    cursor: str | None
    oldest: str


@dataclass(frozen=True)
class Remote:
    """A repository as GitHub names it today (it may have been renamed), and its default branch."""

    slug: str
    default_branch: str


class Listing(Protocol):
    """A way of asking: for the repository, and for its merged pull requests, those updated last first."""

    kind: str

    def repository(self) -> Remote:
        """The repository; raises `ToolError` where there is none, or no access."""

    def page(self, slug: str, branch: str | None, cursor: str | None) -> Page:
        """The page after a cursor, of the pull requests into a branch, or into any."""

    def issues(self, slug: str, pull: Pull) -> tuple[ClosedIssue, ...] | None:
        """The issues that a pull request closes, asked for if its page did not say; None where asking is too dear."""


def pages_of(listing: Listing, slug: str, branch: str | None, first: Page) -> Iterator[Page]:
    """The first page and those after it, each asked for when it is wanted."""
    page = first
    yield page
    while page.cursor is not None:
        page = listing.page(slug, branch, page.cursor)
        yield page
