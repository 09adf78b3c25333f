"""Finished pages, kept until the harvest that asked for them has ended, so that a kill repeats no question.

They live in `github/<digest>/pages.jsonl` in the cache, one line a page, flushed as it comes; a torn last line is
dropped. A harvest that ends deletes them: the next one wants today's pull requests. What a killed one left is used by
the next of the same repository, branch and way of asking, for a day after its first page.
"""

import dataclasses
import fcntl
import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from miner.cache import hold
from miner.sources.github.model import Listing, Page, Pull, Remote
from miner.sources.model import ClosedIssue

FORM = 1  # of the lines and of what is asked: another form is another digest
_DAY = 86400.0
Kept = TypeVar("Kept", bound=Remote | Page | tuple[ClosedIssue, ...] | None)


class Pages:
    """The answers of one listing. Where another process holds them, or the disk fails, nothing is kept."""

    def __init__(self, root: Path, what: tuple[str, ...], now: float) -> None:
        """`what` tells one listing from another: the API, the repository, the branch, the way of asking."""
        digest = hashlib.sha256(json.dumps([FORM, *what]).encode()).hexdigest()[:32]
        self.path = root / "github" / digest / "pages.jsonl"
        self.since: float | None = None  # when the first page that was found here was asked for
        self._answers: dict[str, Any] = {}
        self._file: BinaryIO | None = None
        with suppress(OSError):
            self._file = self._open(now)

    def _open(self, now: float) -> BinaryIO | None:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # of private repositories too
        hold(self.path.parent)
        file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600), "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return None
        whole = 0
        for line in file.read().splitlines(keepends=True):
            if (kept := _parse(line)) is None or not now - _DAY < kept["at"] <= now:
                break
            self.since = kept["at"] if self.since is None else self.since
            self._answers[kept["key"]] = kept["answer"]
            whole += len(line)
        file.seek(whole)
        file.truncate()
        return file

    def __len__(self) -> int:
        return len(self._answers)

    def answer(self, key: str, ask: Callable[[], Kept], read: Callable[[Any], Kept], now: float) -> Kept:
        """The answer that is kept under a key, or the one that asking gives, which is kept."""
        if key in self._answers:
            return read(self._answers[key])
        given = ask()
        if given is None:  # it was not asked for
            return given
        self._answers[key] = data = _plain(given)
        if self._file is not None:
            with suppress(OSError):  # a full disk: it costs questions, nothing else
                self._file.write(json.dumps({"at": now, "key": key, "answer": data}).encode() + b"\n")
                self._file.flush()
        return given

    def drop(self) -> None:
        """The harvest has ended: nothing is left to go on with."""
        if self._file is not None:
            with suppress(OSError):
                self.path.unlink()
                self.path.parent.rmdir()
            self.close()

    def close(self) -> None:
        """Let another process have them."""
        if self._file is not None:
            self._file.close()
            self._file = None


class KeptListing:
    """A `Listing` that asks another only for what is not kept."""

    def __init__(self, listing: Listing, pages: Pages, now: Callable[[], float]) -> None:
        self.kind, self._listing, self._pages, self._now = listing.kind, listing, pages, now

    def repository(self) -> Remote:
        """See `Listing`."""
        return self._pages.answer("repository", self._listing.repository, lambda data: Remote(**data), self._now())

    def page(self, slug: str, branch: str | None, cursor: str | None) -> Page:
        """See `Listing`."""
        return self._pages.answer(
            f"page {cursor or ''}", lambda: self._listing.page(slug, branch, cursor), page_of, self._now()
        )

    def issues(self, slug: str, pull: Pull) -> tuple[ClosedIssue, ...] | None:
        """See `Listing`; what the page said is not kept again."""
        if pull.closes is not None:
            return pull.closes
        key = f"issues {pull.number}"
        return self._pages.answer(key, lambda: self._listing.issues(slug, pull), issues_of, self._now())


def _plain(given: object) -> Any:
    if isinstance(given, tuple):
        return [dataclasses.asdict(each) for each in given]
    return dataclasses.asdict(given) if dataclasses.is_dataclass(given) and not isinstance(given, type) else given


def _parse(line: bytes) -> dict[str, Any] | None:
    """A whole line; None for a torn one, or what was never one of ours."""
    try:
        kept = json.loads(line)
        usable = line.endswith(b"\n") and isinstance(kept["at"], float) and isinstance(kept["key"], str)
        return kept if usable and "answer" in kept else None
    except (ValueError, TypeError, KeyError):
        return None


def page_of(data: Any) -> Page:
    """A page from its plain data."""
    pulls = tuple(
        Pull(**{**pull, "labels": tuple(pull["labels"]), "closes": issues_of(pull["closes"])})
        for pull in data["pulls"]
    )
    return Page(pulls, data["cursor"], data["oldest"])


def issues_of(data: Any) -> tuple[ClosedIssue, ...] | None:
    """Issues from their plain data."""
    return None if data is None else tuple(ClosedIssue(**issue) for issue in data)
