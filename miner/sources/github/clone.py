"""Our clone of a repository on GitHub: the cached one of its URL, with the token as its login."""

from collections.abc import Callable
from pathlib import Path

from miner.sources.clone import Cloned, cached_clone
from miner.sources.fetching import Login, Remote
from miner.sources.github.token import Token
from miner.sources.urls import parse_url


def clone_partly(url: str, branch: str, token: Token | None, scratch: Path, progress: Callable[[str], None]) -> Cloned:
    """A branch, the tags and the heads of all pull requests of `url`; see `cached_clone`."""
    login = Login("x-access-token", token.value) if token else None
    return cached_clone(Remote(parse_url(url), login), branch, scratch, progress)
