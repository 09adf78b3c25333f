"""What the loopback GitHub answers, in the forms of GitHub's OpenAPI description and GraphQL schema."""

import base64
from typing import Any

from tests.miner.github_history import History, Posted

_REPOSITORY_URLS = (
    "archive", "assignees", "blobs", "branches", "collaborators", "comments", "commits", "compare", "contents",
    "contributors", "deployments", "downloads", "events", "forks", "git_commits", "git_refs", "git_tags", "hooks",
    "issue_comment", "issue_events", "issues", "keys", "labels", "languages", "merges", "milestones",
    "notifications", "pulls", "releases", "stargazers", "statuses", "subscribers", "subscription", "tags", "teams",
    "trees",
)  # fmt: skip
_USER_URLS = (
    "avatar", "events", "followers", "following", "gists", "html", "organizations", "received_events", "repos",
    "starred", "subscriptions",
)  # fmt: skip
_PULL_LINKS = (
    "comments", "commits", "statuses", "html", "issue", "review_comments", "review_comment", "self",
)  # fmt: skip
_PULL_URLS = (
    "comments", "commits", "diff", "html", "issue", "patch", "review_comment", "review_comments", "statuses",
)  # fmt: skip


class Answers:
    """Answers about one history."""

    repository_id = 4711

    def __init__(self, history: History, api: str) -> None:
        self.history, self.api = history, api
        self.by_update = sorted(history.pulls, key=lambda pull: (pull.updated, pull.number), reverse=True)

    # REST

    def repository(self) -> dict[str, Any]:
        return self._repository(self.history.slug) | {
            "network_count": 1, "subscribers_count": 1, "has_discussions": False,
        }  # fmt: skip

    def pulls(self, query: dict[str, str]) -> list[dict[str, Any]]:
        """One page; only what the tests ask for is understood."""
        assert (query["state"], query["sort"], query["direction"]) == ("closed", "updated", "desc")
        wanted = [pull for pull in self.by_update if query.get("base", pull.base) == pull.base]
        each = int(query["per_page"])
        start = each * (int(query.get("page", "1")) - 1)
        return [self._pull(pull) for pull in wanted[start : start + each]]

    def issue(self, number: int) -> dict[str, Any] | None:
        """An issue, or a pull request, which is one as well."""
        url = f"{self.api}/repos/{self.history.slug}/issues/{number}"
        pull = next((pull for pull in self.history.pulls if pull.number == number), None)
        found = self.history.issues.get(number) or pull
        if found is None:
            return None
        urls = {f"{name}_url": f"{url}/{name}" for name in ("comments", "events", "labels", "html", "repository")}
        return urls | {
            "assignee": None, "closed_at": None, "comments": 0, "id": number, "node_id": f"I_{number}", "labels": [],
            "milestone": None, "number": number, "state": "closed", "locked": False, "title": found.title, "url": url,
            "user": self._user("ann"), "created_at": "2025-01-01T00:00:00Z", "updated_at": "2025-01-01T00:00:00Z",
            "body": found.body, "author_association": "NONE",
        } | ({"pull_request": {"url": url, "html_url": url, "diff_url": url, "patch_url": url}} if pull else {})

    def _pull(self, pull: Posted) -> dict[str, Any]:
        url = f"{self.api}/repos/{self.history.slug}/pulls/{pull.number}"
        owner, repository = self.history.slug.split("/")
        return {f"{name}_url": f"{url}/{name}" for name in _PULL_URLS} | {
            "url": url, "id": pull.number, "node_id": f"PR_{pull.number}", "number": pull.number, "state": "closed",
            "locked": False, "title": pull.title, "body": pull.body, "user": self._user(pull.author, pull.bot),
            "labels": [self._label(name) for name in pull.labels], "created_at": pull.created,
            "updated_at": pull.updated, "closed_at": pull.merged or pull.updated, "merged_at": pull.merged,
            "merge_commit_sha": pull.merge_commit, "assignee": None, "milestone": None, "auto_merge": None,
            "author_association": "NONE", "_links": {name: {"href": url} for name in _PULL_LINKS},
            "head": self._side(pull.head, pull.head_id, pull.head_owner, repository),
            "base": self._side(pull.base, pull.base_id, owner, repository),
        }  # fmt: skip

    def _side(self, ref: str, identity: str, owner: str | None, repository: str) -> dict[str, Any]:
        return {
            "label": f"{owner or 'unknown'}:{ref}", "ref": ref, "sha": identity,
            "user": self._user(owner) if owner else None,
            "repo": self._repository(f"{owner}/{repository}") if owner else None,  # null for a deleted fork
        }  # fmt: skip

    def _user(self, login: str, bot: bool = False) -> dict[str, Any]:
        login = f"{login}[bot]" if bot else login
        url = f"{self.api}/users/{login}"
        return {f"{name}_url": f"{url}/{name}" for name in _USER_URLS} | {
            "gravatar_id": "", "id": 1, "node_id": "U_1", "login": login, "site_admin": False,
            "type": "Bot" if bot else "User", "url": url,
        }  # fmt: skip

    def _label(self, name: str) -> dict[str, Any]:
        url = f"{self.api}/labels/{name}"
        return {"id": 1, "node_id": "L_1", "url": url, "name": name, "description": "", "color": "ffffff",
                "default": False}  # fmt: skip

    def _repository(self, slug: str) -> dict[str, Any]:
        owner, name = slug.split("/")
        url = f"{self.api}/repos/{slug}"
        urls = {f"{each}_url": f"{url}/{each}" for each in (*_REPOSITORY_URLS, "html", "clone", "git", "ssh", "svn")}
        counts = dict.fromkeys(
            ("forks", "forks_count", "open_issues", "open_issues_count", "size", "stargazers_count", "watchers",
             "watchers_count"), 0,
        )  # fmt: skip
        flags = dict.fromkeys(
            ("archived", "disabled", "fork", "private", "has_downloads", "has_issues", "has_pages", "has_projects",
             "has_wiki"), False,
        )  # fmt: skip
        dates = dict.fromkeys(("pushed_at", "created_at", "updated_at"), "2025-01-01T00:00:00Z")
        return urls | counts | flags | dates | {
            "description": None, "full_name": slug, "id": self.repository_id, "node_id": "R_1", "name": name,
            "owner": self._user(owner), "url": url, "homepage": None, "language": None, "license": None,
            "mirror_url": None, "default_branch": self.history.branch,
        }

    # GraphQL

    def graphql(self, query: str, variables: dict[str, Any], renamed: str | None = None) -> dict[str, Any]:
        """The answer to the two queries that there are; a name of before answers as well, as GitHub's does."""
        slug = f"{variables['owner']}/{variables['name']}"
        if slug not in (self.history.slug, renamed):
            said = f"Could not resolve to a Repository with the name '{slug}'."
            error = {"type": "NOT_FOUND", "path": ["repository"], "locations": [{"line": 2, "column": 3}]}
            return {"data": {"repository": None}, "errors": [error | {"message": said}]}
        if "pullRequests(" not in query:
            found = {"nameWithOwner": self.history.slug, "defaultBranchRef": {"name": self.history.branch}}
            return {"data": {"repository": found}}
        wanted = [pull for pull in self.by_update if pull.merged and (variables["base"] or pull.base) == pull.base]
        start = 0
        if variables["after"]:
            after = base64.b64decode(variables["after"]).decode()
            start = 1 + [_place(pull) for pull in wanted].index(after)
        page = wanted[start : start + variables["first"]]
        info = {
            "hasNextPage": start + len(page) < len(wanted),
            "endCursor": base64.b64encode(_place(page[-1]).encode()).decode() if page else None,
        }
        connection = {"pageInfo": info, "nodes": [_node(pull) for pull in page]}
        return {"data": {"repository": {"pullRequests": connection}}}


def _place(pull: Posted) -> str:
    return f"{pull.updated} {pull.number}"


def _node(pull: Posted) -> dict[str, Any]:
    closes = [{"number": each.number, "title": each.title, "body": each.body} for each in pull.closes]
    return {
        "number": pull.number, "title": pull.title, "body": pull.body, "createdAt": pull.created,
        "updatedAt": pull.updated, "mergedAt": pull.merged,
        "author": {"__typename": "Bot" if pull.bot else "User", "login": pull.author},
        "labels": {"nodes": [{"name": name} for name in pull.labels]},
        "mergeCommit": {"oid": pull.merge_commit} if pull.merge_commit else None,
        "baseRefName": pull.base, "baseRefOid": pull.base_id, "headRefName": pull.head, "headRefOid": pull.head_id,
        "headRepositoryOwner": {"__typename": "User", "login": pull.head_owner} if pull.head_owner else None,
        "commits": {"totalCount": pull.commits}, "closingIssuesReferences": {"nodes": closes},
    }  # fmt: skip
