"""What commits change against others, many at a time: files from one `diff-tree`, patch ids from one more."""

from collections.abc import Sequence
from typing import NamedTuple

from miner.git import Git, GitFailed
from miner.sources.log import file_change
from miner.sources.model import FileChange

_TREES = ("diff-tree", "--stdin", "-r", "--always", "--no-textconv", "--no-ext-diff")


class Pair(NamedTuple):
    """Two commits to compare."""

    before: str
    after: str


def raw_diffs(git: Git, pairs: Sequence[Pair]) -> dict[Pair, tuple[FileChange, ...]]:
    """The files that change within each pair: modes and blob ids, exact renames found. No contents are read.

    Raises `GitFailed` where a tree is missing.
    """
    wanted = list(dict.fromkeys(pairs))
    if not wanted:
        return {}
    raw = git.run(*_TREES, "--raw", "-z", "--no-abbrev", "--find-renames=100%", stdin=_lines(wanted))
    tokens = iter(raw.split(b"\0"))
    found: list[list[FileChange]] = []
    for token in tokens:
        if token.startswith(b":"):
            found[-1].append(file_change(token, tokens))
        elif token:  # a commit's id: the next pair begins
            found.append([])
    if len(found) != len(wanted):
        raise GitFailed(_TREES, f"{len(wanted)} pairs of commits gave {len(found)} diffs")
    return dict(zip(wanted, map(tuple, found), strict=True))


def patch_ids(git: Git, pairs: Sequence[Pair]) -> dict[Pair, str]:
    """The patch id of each pair's diff without context; a pair that changes nothing has none.

    A pull request's lines can have other neighbours where it was rebased to; what it adds and removes stays.
    Raises `GitFailed` where a blob is missing.
    """
    wanted = list(dict.fromkeys(pairs))
    if not wanted:
        return {}
    patches = git.run(*_TREES, "-p", "-U0", "--no-renames", stdin=_lines(wanted))
    ids: dict[Pair, str] = {}
    left = iter(wanted)
    for line in git.run("patch-id", "--stable", stdin=patches).decode().splitlines():
        patch, commit = line.split()
        pair = next(each for each in left if each.after == commit)  # in the order asked; without a change, no line
        ids[pair] = patch
    return ids


def _lines(pairs: Sequence[Pair]) -> bytes:
    """Each as a commit that has this one parent: what is printed of it then begins with the commit's id."""
    return "".join(f"{pair.after} {pair.before}\n" for pair in pairs).encode()
