"""Merged pull requests through GraphQL: a token is needed, and a page says everything."""

from collections.abc import Callable
from typing import Any

from miner.errors import ToolError
from miner.sources.github.client import Client, TooMuch
from miner.sources.github.model import Page, Pull, Remote
from miner.sources.model import ClosedIssue

REPOSITORY = """\
query($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { nameWithOwner defaultBranchRef { name } }
}
"""
PULLS = """\
query($owner: String!, $name: String!, $base: String, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(
      states: MERGED, baseRefName: $base, first: $first, after: $after, orderBy: {field: UPDATED_AT, direction: DESC}
    ) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number title body createdAt updatedAt mergedAt
        author { __typename login }
        labels(first: 30) { nodes { name } }
        mergeCommit { oid }
        baseRefName baseRefOid headRefName headRefOid headRepositoryOwner { __typename login }
        commits { totalCount }
        closingIssuesReferences(first: 10) { nodes { number title body } }
      }
    }
  }
}
"""
_FIRST = 100  # as many as GitHub gives at once; fewer where its time runs out
_FEWEST = 10


class GraphQL:
    """A `Listing` through GraphQL."""

    kind = "graphql"

    def __init__(self, client: Client, warn: Callable[[str], None]) -> None:
        self._client, self._warn = client, warn
        self._first = _FIRST
        self._unreadable = False

    def repository(self) -> Remote:
        """The repository; an empty one, without any branch, is none to harvest."""
        address = self._client.address
        data, _ = self._client.graphql(REPOSITORY, {"owner": address.owner, "name": address.name})
        found = data["repository"]
        if found["defaultBranchRef"] is None:
            raise ToolError("the repository has no commit", address, "There is nothing to harvest.")
        return Remote(found["nameWithOwner"], found["defaultBranchRef"]["name"])

    def page(self, slug: str, branch: str | None, cursor: str | None) -> Page:
        """The page after a cursor; where GitHub's time runs out, a smaller one, and no larger one again."""
        while True:
            asked = {"owner": slug.partition("/")[0], "name": slug.partition("/")[2], "base": branch, "after": cursor}
            try:
                data, errors = self._client.graphql(PULLS, {**asked, "first": self._first}, self._first > _FEWEST)
            except TooMuch:
                self._first = max(self._first // 2, _FEWEST)
                continue
            self._tell(errors)
            return parse_page(data)

    def issues(self, slug: str, pull: Pull) -> tuple[ClosedIssue, ...] | None:  # noqa: ARG002
        """What the page said."""
        return pull.closes

    def _tell(self, errors: list[Any]) -> None:
        if errors and not self._unreadable:
            self._unreadable = True
            said = errors[0].get("message", "") if isinstance(errors[0], dict) else ""
            self._warn(f"GitHub leaves something out that {self._client.token} may not read: {said}")


def parse_page(data: Any) -> Page:
    """The page in the data of an answer to `PULLS`; nodes that may not be read are null, and left out."""
    found = data["repository"]["pullRequests"]
    nodes = [node for node in found["nodes"] or [] if node is not None]
    more = found["pageInfo"]["hasNextPage"] and nodes
    oldest = nodes[-1]["updatedAt"] if nodes else ""
    return Page(tuple(map(_pull, nodes)), found["pageInfo"]["endCursor"] if more else None, oldest)


def _pull(node: Any) -> Pull:
    return Pull(
        number=node["number"], title=node["title"], body=node["body"] or "", author=_login(node["author"]),
        labels=tuple(label["name"] for label in _nodes(node["labels"])),
        created=node["createdAt"], updated=node["updatedAt"], merged=node["mergedAt"],
        merge_commit=(node["mergeCommit"] or {}).get("oid"), base=node["baseRefName"], base_id=node["baseRefOid"],
        head=node["headRefName"], head_id=node["headRefOid"], head_owner=_login(node["headRepositoryOwner"]),
        commits=node["commits"]["totalCount"] if node["commits"] else None,
        closes=tuple(
            ClosedIssue(str(issue["number"]), issue["title"], issue["body"] or "")
            for issue in _nodes(node["closingIssuesReferences"])
        ),
    )  # fmt: skip


def _login(actor: Any) -> str:
    """Who it was; empty for a deleted account. REST writes bots as `name[bot]`, GraphQL without."""
    if actor is None:
        return ""
    return f"{actor['login']}[bot]" if actor.get("__typename") == "Bot" else str(actor["login"])


def _nodes(connection: Any) -> list[Any]:
    return [node for node in (connection or {}).get("nodes") or [] if node is not None]
