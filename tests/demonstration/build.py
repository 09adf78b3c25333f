"""Build the demonstration repository: `python -m tests.demonstration.build DIRECTORY`.

The same commit ids come out each time. The change to show first is `RETRY_CHANGE`, pull request #149,
"Retry settlement posts on transient gateway errors".
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.demonstration.changes import CHANGES
from tests.demonstration.history import MARA, Change, Person, Shape, Tree, apply, message

RETRY_CHANGE = 149
"""The number of the motivating change: it modifies `SettlementClient.post` and nothing else."""

START = datetime(2026, 1, 30, 16, 20, tzinfo=UTC)
TREE = Path(__file__).parent / "tree"
CRLF = "src/billing/exports.py"
"""Has CRLF line endings in the demonstration repository; kept with LF here, where git might convert it."""
NO_FINAL_NEWLINE = "src/billing/calendars.py"
"""Ends without a newline in the demonstration repository; kept with one here, for editors and hooks."""
_SKIPPED = {"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"}


@dataclass(frozen=True)
class _Tip:
    """Where main stood: a commit and its tree."""

    commit: str
    tree: Tree


def build(directory: Path) -> None:
    """Make a git repository with the demonstration history at `directory`, checked out on main.

    Raises `FileExistsError` when the directory exists and is not empty.
    """
    if directory.exists() and any(directory.iterdir()):
        raise FileExistsError(f"{directory} is not empty")
    directory.mkdir(parents=True, exist_ok=True)
    _git(directory, "init", "--quiet", "--template=", "--initial-branch=main")
    _git(directory, "config", "core.autocrlf", "false")
    tips = [_import(directory, _first_commit(), starting_tree())]
    commits: dict[int | None, str] = {}
    for change in CHANGES:
        tips.append(_merge(directory, change, tips, commits.get(change.reverts, "")))
        commits[change.number] = tips[-1].commit
    _git(directory, "reset", "--quiet", "--hard", "main")


def starting_tree() -> Tree:
    """The tree that the history starts from."""
    tree = {
        path.relative_to(TREE).as_posix(): path.read_bytes().replace(b"\r\n", b"\n")
        for path in sorted(TREE.rglob("*"))
        if path.is_file() and not _SKIPPED.intersection(path.parts)
    }
    tree[CRLF] = tree[CRLF].replace(b"\n", b"\r\n")
    tree[NO_FINAL_NEWLINE] = tree[NO_FINAL_NEWLINE].rstrip(b"\n")
    return tree


def _merge(directory: Path, change: Change, tips: list[_Tip], reverted: str) -> _Tip:
    merged = apply(tips[-1].tree, change.edits)
    branch = _branch(change, tips) if _has_branch(change) else []
    text = message(change, reverted)
    parents = [f"from {tips[-1].commit}", *(["merge :" + str(len(branch))] if branch else [])]
    branch.append(_commit("main", change.author, change.merged, text, parents, tips[-1].tree, merged))
    return _import(directory, _numbered(branch), merged)


def _has_branch(change: Change) -> bool:
    return change.shape not in (Shape.SQUASH, Shape.DIRECT)


def _branch(change: Change, tips: list[_Tip]) -> list[bytes]:
    """The commits of a change's branch, an hour and a bit apart, the last one shortly before the merge."""
    base = tips[-1 - change.behind]
    before, parent = base.tree, f"from {base.commit}"
    commits = []
    for position, commit in enumerate(change.commits, start=1):
        when = change.merged - timedelta(minutes=73 * (len(change.commits) - position) + 41)
        after = apply(before, commit.edits)
        text = commit.message.strip() + "\n"
        commits.append(_commit("merging", change.author, when, text, [parent], before, after))
        before, parent = after, f"from :{position}"
    return commits


def _first_commit() -> bytes:
    text = "Start of the billing service\n\nMoved out of the shop's repository, history left behind.\n"
    return _numbered([_commit("main", MARA, START, text, [], {}, starting_tree())])


def _commit(
    branch: str, person: Person, when: datetime, text: str, parents: list[str], before: Tree, after: Tree
) -> bytes:
    """One commit in the words of `git fast-import`, with {mark} where its number goes."""
    who = f"{person.name} <{person.email}> {int(when.timestamp())} +0000"
    lines = [f"commit refs/heads/{branch}", "mark :{mark}", f"author {who}", f"committer {who}"]
    body = text.encode()
    parts = ["\n".join(lines).encode(), b"\ndata %d\n" % len(body), body]
    parts += [f"{parent}\n".encode() for parent in parents]
    parts += [f"D {path}\n".encode() for path in sorted(before.keys() - after.keys())]
    for path in sorted(path for path in after if before.get(path) != after[path]):
        parts += [f"M 100644 inline {path}\ndata {len(after[path])}\n".encode(), after[path], b"\n"]
    return b"".join(parts)


def _numbered(commits: list[bytes]) -> bytes:
    return b"".join(
        commit.replace(b"{mark}", b"%d" % number, 1) for number, commit in enumerate(commits, start=1)
    )


def _import(directory: Path, stream: bytes, tree: Tree) -> _Tip:
    """Run one fast-import; the helper branch that merged commits grow on does not stay."""
    _git(directory, "fast-import", "--quiet", "--date-format=raw", stream=stream)
    _git(directory, "update-ref", "-d", "refs/heads/merging")
    return _Tip(_git(directory, "rev-parse", "refs/heads/main"), tree)


def _git(directory: Path, *arguments: str, stream: bytes = b"") -> str:
    """Run git as if nobody had ever configured it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    options = [
        "-c",
        f"core.hooksPath={os.devnull}",
        "-c",
        "commit.gpgSign=false",
        "-c",
        "core.autocrlf=false",
    ]
    command = ["git", *options, *arguments]
    done = subprocess.run(command, cwd=directory, env=environment, input=stream, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode().strip()


def main() -> None:
    """Build the repository at the one path given."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.demonstration.build DIRECTORY")
    directory = Path(sys.argv[1])
    build(directory)
    print(
        f"{directory}: {len(CHANGES)} changes on main, at {_git(directory, 'rev-parse', '--short', 'main')}"
    )


if __name__ == "__main__":
    main()
