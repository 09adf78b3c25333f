"""Merged changes, read from one `git log` of the first-parent chain, newest first."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from miner.git import Git, GitFailed

_FIELDS = 8
_FORMAT = "%x01%H%x00%P%x00%T%x00%an%x00%ae%x00%aI%x00%cI%x00%B%x00"
_MERGE_PULL = re.compile(r"Merge pull request #(\d+) from (\S+)")
_NUMBER_AT_END = re.compile(r"^(.*?)\s*\(#(\d+)\)\s*$")
_BRANCH_MERGE = re.compile(r"Merge (?:remote-tracking )?branch(?:es)? ")


class Unit(StrEnum):
    """What counts as one merged change: a pull request, or any single commit."""

    PULL = "pull"
    COMMIT = "commit"


@dataclass(frozen=True)
class FileChange:
    """One changed file: modes and blob ids before and after; status A, M, D, T or R (an exact rename)."""

    path: str
    status: str
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    old_path: str | None = None


@dataclass(frozen=True)
class Commit:
    """One commit of the chain with the files it changes against its first parent."""

    id: str
    parents: tuple[str, ...]
    tree: str
    author: str
    email: str
    authored: str
    committed: str
    message: str
    files: tuple[FileChange, ...]


@dataclass(frozen=True)
class MergedChange:
    """One merged change: `base` is the first parent of its first commit on the target branch."""

    number: str
    title: str
    body: str
    author: str
    email: str
    branch: str
    date: str
    base: str
    merged: str
    tip: str
    files: tuple[FileChange, ...]


def read_commits(git: Git, head: str) -> Iterator[Commit]:
    """The commits of `head`'s first-parent chain, newest first, streamed from one `git log`."""
    log = git.stream(
        "log", "--first-parent", "-m", "--raw", "-z", "--no-abbrev", "--find-renames=100%", "--no-textconv",
        "--no-ext-diff", "--no-show-signature", f"--format={_FORMAT}", "--end-of-options", head, "--",
    )  # fmt: skip
    assert log.stdout is not None
    try:
        yield from _parse(_split_nul(iter(lambda: log.stdout.read(1 << 16), b"")))  # type: ignore[union-attr]
        if log.wait():  # it ended early: a tree or commit is missing, and the history must not look shorter
            raise GitFailed(["log"], "the history cannot be read to its end: an object is missing")
    finally:
        log.kill()
        log.communicate()


def _split_nul(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        yield rest


def _parse(tokens: Iterator[bytes]) -> Iterator[Commit]:
    token = next(tokens, None)
    while token is not None:
        header = [token.lstrip(b"\n")[1:], *(next(tokens, b"") for _ in range(_FIELDS - 1))]
        files: list[FileChange] = []
        token = next(tokens, None)
        while token is not None and not token.lstrip(b"\n").startswith(b"\x01"):
            entry = token.lstrip(b"\n")
            if entry.startswith(b":"):
                files.append(_file_change(entry, tokens))
            token = next(tokens, None)
        yield _commit([field.decode("utf-8", "replace") for field in header], files)


def _file_change(entry: bytes, tokens: Iterator[bytes]) -> FileChange:
    old_mode, new_mode, old_blob, new_blob, status = entry[1:].decode().split(" ")
    first = _path(next(tokens))
    if status[0] in "RC":
        return FileChange(_path(next(tokens)), "R", old_mode, new_mode, old_blob, new_blob, first)
    return FileChange(first, status[0], old_mode, new_mode, old_blob, new_blob)


def _path(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _commit(header: list[str], files: list[FileChange]) -> Commit:
    identity, parents, tree, author, email, authored, committed, message = header
    return Commit(
        identity, tuple(parents.split()), tree, author, email, authored, committed, message.strip(), tuple(files)
    )


def merged_changes(commits: Iterable[Commit], unit: Unit = Unit.PULL) -> Iterator[MergedChange]:
    """Those of `commits` that are merged changes, in their order.

    Recognised: `Merge pull request #N from ...` (title and body below), and any commit, merge or
    squash, whose subject ends in `(#N)`. With `Unit.COMMIT` every commit with one parent counts.
    A commit without a parent (a root, or a shallow clone's edge) has no base and is none.
    """
    for commit in commits:
        if commit.parents and (change := _recognise(commit, unit)) is not None:
            yield change


def _recognise(commit: Commit, unit: Unit) -> MergedChange | None:
    subject, _, body = commit.message.partition("\n")
    if unit is Unit.COMMIT:
        return _change(commit, commit.id[:10], subject, body) if len(commit.parents) == 1 else None
    pull = _MERGE_PULL.match(subject)
    if pull:
        title, _, rest = body.strip().partition("\n")
        return _change(commit, pull[1], title or subject, rest, branch=pull[2])
    titled = _NUMBER_AT_END.match(subject)
    if titled and not _BRANCH_MERGE.match(subject):
        return _change(commit, titled[2], titled[1], body)
    return None


def _change(commit: Commit, number: str, title: str, body: str, branch: str = "") -> MergedChange:
    return MergedChange(
        number=number, title=title.strip(), body=body.strip(), author=commit.author, email=commit.email,
        branch=branch, date=commit.committed, base=commit.parents[0], merged=commit.id,
        tip=commit.parents[1] if len(commit.parents) > 1 else commit.id, files=commit.files,
    )  # fmt: skip
