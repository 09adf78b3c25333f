"""Our own clone of a repository on GitHub, whole, for the time of one harvest.

The token reaches git by the environment of that one command: no command line, no configuration file, no URL has it.
"""

import base64
from collections.abc import Callable
from pathlib import Path

from miner.errors import ToolError
from miner.git import GitFailed, create_bare, git_environment
from miner.sources.github.source import Cloned
from miner.sources.github.token import Token


def clone_whole(url: str, branch: str, token: Token | None, scratch: Path, progress: Callable[[str], None]) -> Cloned:
    """Fetch a branch, the tags and the heads of all pull requests of `url` into a repository below `scratch`."""
    progress(f"git: fetching {url}")
    git = create_bare(scratch / "mined.git")
    ours = "refs/heads/target"
    refs = [f"+refs/heads/{branch}:{ours}", "+refs/pull/*/head:refs/pull/*/head", "+refs/tags/*:refs/tags/*"]
    try:
        git.run("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--end-of-options", url, *refs,
                env=credentials(url, token))  # fmt: skip
    except GitFailed as error:
        remedy = f"git said: {error.stderr.splitlines()[-1] if error.stderr else 'nothing'}."
        raise ToolError("cannot fetch the repository", url, remedy) from None
    return Cloned(git, git.line("rev-parse", "--verify", f"{ours}^{{commit}}"), lambda _: None)


def credentials(url: str, token: Token | None) -> dict[str, str]:
    """The environment, on top of `git_environment`, with which git may reach `url`, and only over its protocol."""
    scheme = url.partition(":")[0]
    env = {"GIT_ALLOW_PROTOCOL": scheme, "GIT_PROTOCOL_FROM_USER": "0"}
    settings = [("credential.helper", ""), ("http.followRedirects", "false")]
    if token is not None:
        basic = base64.b64encode(f"x-access-token:{token.value}".encode()).decode()
        settings.append((f"http.{url}.extraHeader", f"Authorization: Basic {basic}"))
    count = int(git_environment()["GIT_CONFIG_COUNT"])
    for i, (key, value) in enumerate(settings, count):
        env[f"GIT_CONFIG_KEY_{i}"], env[f"GIT_CONFIG_VALUE_{i}"] = key, value
    return env | {"GIT_CONFIG_COUNT": str(count + len(settings))}
