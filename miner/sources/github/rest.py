"""Merged pull requests through REST: works without a token, 60 questions an hour."""

import re
from collections.abc import Callable
from typing import Any

from miner.errors import ToolError
from miner.sources.github.client import Client
from miner.sources.github.model import Page, Pull, Remote
from miner.sources.model import ClosedIssue

_EACH = 100  # as many as GitHub gives at once
_RESERVE = 10  # questions left alone: issues are worth less than going on
_MOST_ISSUES = 10  # of one pull request
_CLOSES = re.compile(r"(?i)(?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(\S+)")
_REFERENCE = re.compile(r"(?:(?P<slug>[\w.-]+/[\w.-]+))?#(?P<number>\d+)\b")
_LINK = re.compile(r"https?://(?P<host>[^/\s]+)/(?P<slug>[\w.-]+/[\w.-]+)/issues/(?P<number>\d+)\b")


class Rest:
    """A `Listing` through REST."""

    kind = "rest"

    def __init__(self, client: Client, warn: Callable[[str], None]) -> None:
        self._client, self._warn = client, warn
        self._without_issues = False

    def repository(self) -> Remote:
        """The repository; of a renamed one its new name, since a redirection to it loses what is asked of a page."""
        found = self._client.get(f"/repos/{self._client.address.slug}")
        if not isinstance(found, dict) or "full_name" not in found:
            raise ToolError("no GitHub answers there", self._client.address, "Check --api-url, and any proxy.")
        return Remote(found["full_name"], found["default_branch"])

    def page(self, slug: str, branch: str | None, cursor: str | None) -> Page:
        """The page of this number, the first without one. An empty page is the last."""
        number = int(cursor or 1)
        asked: dict[str, str | int] = {
            "state": "closed", "sort": "updated", "direction": "desc", "per_page": _EACH, "page": number,
        }  # fmt: skip
        if branch is not None:
            asked["base"] = branch
        items = self._client.get(f"/repos/{slug}/pulls", asked)
        if not isinstance(items, list):
            raise ToolError("GitHub's answer is no list", self._client.address, "Check --api-url.")
        return parse_page(items, number)

    def issues(self, slug: str, pull: Pull) -> tuple[ClosedIssue, ...] | None:
        """Those that its body's keywords name, one question each, while enough questions remain."""
        found = []
        for number in closing_keywords(pull.body, self._client.address.host, slug)[:_MOST_ISSUES]:
            left = self._client.remaining
            if left is not None and left <= _RESERVE:
                self._tell()
                return None
            item = self._client.get(f"/repos/{slug}/issues/{number}", missing=True)
            if item is not None and "pull_request" not in item:
                found.append(ClosedIssue(number, item["title"], item["body"] or ""))
        return tuple(found)

    def _tell(self) -> None:
        if not self._without_issues:
            self._without_issues = True
            self._warn("GitHub's limit is near: the issues that pull requests close are left out from here on.")


def closing_keywords(body: str, host: str, slug: str) -> list[str]:
    """The numbers of the repository's own issues that a body closes by GitHub's keywords, each once, in order."""
    numbers: dict[str, None] = {}
    for target in _CLOSES.findall(body):
        match = _REFERENCE.match(target) or _LINK.match(target)
        if match is None or (match.groupdict().get("host") or host) != host:
            continue
        if (match["slug"] or slug).lower() == slug.lower():
            numbers[match["number"]] = None
    return list(numbers)


def parse_page(items: list[Any], number: int) -> Page:
    """A page of closed pull requests: the merged ones of it. A page that is not full is the last."""
    pulls = tuple(_pull(item) for item in items if item["merged_at"])
    cursor = str(number + 1) if len(items) == _EACH else None
    return Page(pulls, cursor, items[-1]["updated_at"] if items else "")


def _pull(item: Any) -> Pull:
    repository = item["head"]["repo"] or {}
    return Pull(
        number=item["number"], title=item["title"], body=item["body"] or "", author=_login(item["user"]),
        labels=tuple(label["name"] for label in item["labels"]),
        created=item["created_at"], updated=item["updated_at"], merged=item["merged_at"],
        merge_commit=item["merge_commit_sha"], base=item["base"]["ref"], base_id=item["base"]["sha"],
        head=item["head"]["ref"], head_id=item["head"]["sha"], head_owner=_login(repository.get("owner")),
        commits=None, closes=None,
    )  # fmt: skip


def _login(actor: Any) -> str:
    return str(actor["login"]) if actor else ""
