"""What a fetch that failed means, as one line for a person."""

import re

from miner.errors import ToolError
from miner.sources.urls import RemoteUrl

PRIVATE = "it is private, or not there"
_OR_LOG_IN = "Check its name; where it is private, log in to the host with git first, or give the path of a clone."
_MEANINGS: tuple[tuple[str, str, str], ...] = (  # what git says, what failed, what to do
    (r"Could not resolve host|Name or service not known", "no such host", "Check the URL, and the network."),
    (r"dubious ownership", "it belongs to another user", "Give its path in place of a URL."),
    (r"Host key verification failed", "the host is not known to ssh", "Run `ssh` to it once and accept its key."),
    (r"Permission denied \(", "ssh was not let in", "Load your key (`ssh-add`), and check that it may read it."),
    (r"returned error: 403", "access is refused", _OR_LOG_IN),
    (r"could not read Username|could not read Password|Authentication failed|returned error: 401|terminal prompts",
     PRIVATE, _OR_LOG_IN),
    (r"returned error: 404|repository '.*' not found|[Rr]epository not found|does not appear to be a git repos|"
     r"no such file|not a git repository|not valid: is this a git|not valid: could not determine hash",
     "no git repository there", "Check the URL: it is what `git clone` takes."),
    (r"mismatched algorithms", "its object ids are of another kind", "Clone it yourself and give the clone's path."),
    (r"returned error: 30\d|from redirection|redirects followed", "it is at another address", "Give that one."),
    (r"early EOF|RPC failed|hung up|unexpected disconnect|reset by peer", "the connection is lost again and again",
     "Try again: what was fetched is kept."),
    (r"Failed to connect|Connection refused|timed out|too slow", "the host does not answer", "Try again later."),
    (r"No space left", "the disk is full", "`miner environments --prune-older 30` frees some of it."),
)  # fmt: skip
_ADDED = re.compile(r"^(?:fatal|error|ERROR|remote|git): ?")


def refusal(said: str, url: RemoteUrl, branch: str | None) -> ToolError:
    """The error that stands for what git said of a URL (and of a branch of it; None: its default branch)."""
    if re.search(r"couldn't find remote ref", said):
        if branch is None:
            remedy = "Name a --branch, or check that this is what `git clone` takes."
            return ToolError("the repository has no commit", url, remedy)
        return ToolError("no such branch", f"{branch} of {url}", "Check --branch: `git ls-remote` lists them.")
    for pattern, what, remedy in _MEANINGS:
        if re.search(pattern, said, re.IGNORECASE):
            return ToolError(what, url, remedy)
    lines = [line for line in said.splitlines() if _ADDED.match(line)] or said.splitlines() or ["nothing"]
    return ToolError("cannot fetch the repository", url, f"git said: {_ADDED.sub('', lines[0]).strip('.')}.")
