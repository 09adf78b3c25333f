"""GitHub as a source: pull requests through its API, contents from a clone of ours, each asked for when wanted."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from miner.git import Objects
from miner.sources.clone import Cloned
from miner.sources.github.address import Address
from miner.sources.github.client import Client, Clock, Patience
from miner.sources.github.graphql import GraphQL
from miner.sources.github.model import Listing, Page, Pull, pages_of
from miner.sources.github.order import newest_merged_first
from miner.sources.github.pages import KeptListing, Pages
from miner.sources.github.resolve import Resolver, Target
from miner.sources.github.rest import Rest
from miner.sources.github.token import Token
from miner.sources.model import MergedChange, Opened
from miner.trees import cache_folder


class Clone(Protocol):
    """Makes, or brings up to date, our clone of a URL. The token reaches git by its environment only."""

    def __call__(
        self, url: str, branch: str, token: Token | None, scratch: Path, progress: Callable[[str], None]
    ) -> Cloned:
        """Raises `ToolError` where there is no such repository, branch or access."""


@dataclass(frozen=True)
class GitHubSource:
    """Merged pull requests of a repository on GitHub, into its default branch or into `branch`."""

    address: Address
    token: Token | None
    clone: Clone
    warn: Callable[[str], None]  # of what is to stay to be read
    branch: str | None = None
    clock: Clock = field(default_factory=Clock)
    patience: Patience = field(default_factory=Patience)

    @property
    def name(self) -> str:
        """The repository's own name, in lower case: what fixtures are called by."""
        return self.address.name.lower()

    def open(self, scratch: Path, progress: Callable[[str], None]) -> Opened:
        """Ask for the repository and the first page, then clone: whatever a page names is older than the clone."""
        if self.token is None:
            self.warn(
                f"No token for {self.address.host}: GitHub takes 60 questions an hour, and says less. "
                "Set GITHUB_TOKEN or run `gh auth login` for 5,000."
            )
        listing, pages = self._listing(progress)
        try:
            return self._opened(listing, pages, scratch, progress)
        except Exception:
            pages.close()
            raise

    def _opened(
        self, listing: Listing, pages: Pages, scratch: Path, progress: Callable[[str], None]
    ) -> Opened:
        remote = listing.repository()
        branch = self.branch or remote.default_branch
        # Into the default branch too came what was merged while it had another name: those are told by the clone.
        only = branch if branch != remote.default_branch else None
        progress(f"GitHub: asking {self.address} for its merged pull requests")
        first = listing.page(remote.slug, only, None)
        renamed = replace(self.address, owner=remote.slug.partition("/")[0], name=remote.slug.partition("/")[2])
        cloned = self.clone(renamed.clone_url, branch, self.token, scratch, progress)
        target = Target(branch, remote.slug)
        ordered = newest_merged_first(_told(pages_of(listing, remote.slug, only, first), self.address, progress))
        changes = _changes(cloned, target, ordered, listing, pages)
        return Opened(
            cloned.git, cloned.head, changes, cloned.fetch, pages.drop, "GitHub lists none.", has_labels=True
        )

    def _listing(self, progress: Callable[[str], None]) -> tuple[Listing, Pages]:
        client = Client(self.address, self.token, progress, self.clock, self.patience)
        asked: Listing = GraphQL(client, self.warn) if self.token else Rest(client, self.warn)
        what = (self.address.api, self.address.slug.lower(), self.branch or "", asked.kind)
        pages = Pages(cache_folder(), what, self.clock.now())
        if pages.since is not None:
            when = time.strftime("%H:%M on %d %B", time.localtime(pages.since))
            self.warn(f"GitHub: going on with what was listed at {when}, by a harvest that did not end")
        return KeptListing(asked, pages, self.clock.now), pages


def _told(pages: Iterator[Page], address: Address, progress: Callable[[str], None]) -> Iterator[Page]:
    count = 0
    for page in pages:
        count += len(page.pulls)
        progress(f"GitHub: {count} merged pull requests of {address} listed")
        yield page


def _changes(
    cloned: Cloned, target: Target, batches: Iterator[list[Pull]], listing: Listing, pages: Pages
) -> Iterator[MergedChange]:
    """The changes of each batch once the one before it is used up."""
    try:
        with Objects(cloned.git) as objects:
            resolver = Resolver(cloned.git, objects, cloned.head, target, cloned.fetch)
            for batch in batches:
                by_number = {str(pull.number): pull for pull in batch}
                for change in resolver.resolve(batch):
                    closes = () if change.rejection else listing.issues(target.slug, by_number[change.number])
                    yield replace(change, closes=closes or ())
    except Exception:
        pages.close()  # for whoever tries again
        raise
