"""Which kind of source `--repo` names."""

import os
from collections.abc import Mapping
from pathlib import Path

from miner.errors import ToolError
from miner.progress import lasting
from miner.sources.github.address import is_slug, parse_address
from miner.sources.model import Source, Unit
from miner.sources.remote import RemoteSource
from miner.sources.urls import is_url, parse_url


def source_for(
    repo: str, branch: str | None = None, api_url: str | None = None, environment: Mapping[str, str] = os.environ,
    unit: Unit = Unit.PULL,
) -> Source | None:  # fmt: skip
    """The source of `repo`: None for a path, which wins over `org/svc` and a URL where it exists.

    `api_url` is an Enterprise server's, else GITHUB_API_URL's. Raises `ToolError`.
    """
    local = Path(repo).exists() or not (is_url(repo) or is_slug(repo))
    if api_url is not None and (local or is_url(repo)):
        raise ToolError("--api-url is for GitHub", repo, "This is no org/svc, or a path of this name exists.")
    if local:
        return None
    if is_url(repo):
        return RemoteSource(parse_url(repo), branch, unit)
    from miner.sources.github.clone import clone_partly  # they bring in PyGithub, which takes its time
    from miner.sources.github.source import GitHubSource
    from miner.sources.github.token import find_token

    address = parse_address(repo, api_url or environment.get("GITHUB_API_URL") or None)
    return GitHubSource(address, find_token(address.host, environment), clone_partly, lasting, branch)
