"""Freezing: a merged change becomes a starting tree, two patches that rebuild the solved tree, allowed symbols."""

import secrets
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from miner.git import Git, GitFailed, Objects
from miner.history import FileChange, MergedChange
from miner.screen import Split, is_blob
from miner.symbols.files import allowed_by, text_of
from miner.text import split_lines
from miner.tokens import count_tokens

_PATCH = (
    "--literal-pathspecs", "diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames",
    "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "-U3",
)  # fmt: skip


@dataclass(frozen=True)
class Size:
    """How big a change is: what a whole-file rewrite must emit, and how much of its files it alters."""

    rewrite_tokens: int
    change_fraction: float
    changed_lines: int


@dataclass(frozen=True)
class Frozen:
    """A change as trees and patches; `allowed` is per source path."""

    starting_tree: str
    solved_tree: str
    change_patch: bytes
    tests_patch: bytes
    allowed: dict[str, list[str]]


class LineCounts:
    """Added and deleted lines per path between two trees, from one long-lived `git diff-tree`."""

    def __init__(self, git: Git) -> None:
        self._process = git.stream(
            "diff-tree", "--stdin", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"
        )
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def between(self, before: str, after: str) -> dict[str, tuple[int, int]]:
        """Path to (added, deleted) for two tree ids whose changed blobs all exist; binary files count 0."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # A line that names no object is echoed and flushed, which marks the end of the answer.
        end = f"=end {secrets.token_hex(8)}\n".encode()
        with self._lock:
            self._process.stdin.write(f"{before} {after}\n".encode() + end)
            self._process.stdin.flush()
            answer = b""
            while not answer.endswith(end):
                chunk = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
                if not chunk:
                    raise GitFailed(["diff-tree"], "ended early")
                answer += chunk
        return dict(_numstat(answer[: -len(end)]))


def _numstat(answer: bytes) -> Iterable[tuple[str, tuple[int, int]]]:
    for row in answer.split(b"\0"):
        fields = row.split(b"\n")[-1].split(b"\t", 2) if row.count(b"\t") >= 2 else []
        if len(fields) == 3:
            added, deleted = (int(f) if f.isdigit() else 0 for f in fields[:2])
            yield fields[2].decode("utf-8", "surrogateescape"), (added, deleted)


def measure(change: MergedChange, files: Split, objects: Objects, counts: LineCounts) -> Size | None:
    """The size of a source-changing change, or None where the clone lacks a blob it takes."""
    blobs = {b for f in change.files for b in (f.old_blob, f.new_blob) if is_blob(b) and "160000" not in _modes(f)}
    if any(objects.resolve(blob) is None for blob in blobs):
        return None
    trees = [objects.resolve(f"{commit}^{{tree}}") for commit in (change.base, change.merged)]
    if trees[0] is None or trees[1] is None:
        return None
    lines = counts.between(trees[0], trees[1])
    tokens, changed, fraction = 0, 0, 0.0
    for file in files.source:
        added, deleted = lines.get(file.path, (0, 0))
        if file.status == "R":
            deleted += lines.get(file.old_path or "", (0, 0))[1]
        changed += added + deleted
        old, new = (objects.read(b) if is_blob(b) and _is_text(file) else None for b in (file.old_blob, file.new_blob))
        if new is not None:
            tokens += _tokens(new)
        if old is not None and new is not None and file.status in ("M", "T"):
            longest = max(len(split_lines(text_of(old))), len(split_lines(text_of(new))), 1)
            fraction = max(fraction, max(added, deleted) / longest)
    return Size(tokens, round(min(fraction, 1.0), 4), changed)


def _modes(file: FileChange) -> tuple[str, str]:
    return file.old_mode, file.new_mode


def _is_text(file: FileChange) -> bool:
    return "160000" not in _modes(file)


@lru_cache(maxsize=1024)
def _tokens(content: bytes) -> int:
    return count_tokens(text_of(content))


def freeze(change: MergedChange, files: Split, git: Git, objects: Objects) -> Frozen | None:
    """The change as trees and patches, or None where the patches do not rebuild what was merged."""
    starting = objects.resolve(f"{change.base}^{{tree}}")
    if starting is None:
        return None
    patches = [patch_between(git, change, kept) for kept in (files.source, files.test)]
    solved = apply_patches(git, starting, patches)
    if solved is None or _difference(git, starting, solved) != _expected((*files.source, *files.test)):
        return None
    before = {path: content for f in files.source for path, content in _side(f, objects, old=True)}
    after = {path: content for f in files.source for path, content in _side(f, objects, old=False)}
    return Frozen(starting, solved, patches[0], patches[1], allowed_by(before, after))


def patch_between(git: Git, change: MergedChange, files: Iterable[FileChange]) -> bytes:
    """The change's diff over `files`, in git's format, complete enough to apply binary files."""
    paths = sorted({p for f in files for p in (f.path, f.old_path) if p is not None})
    return git.run(*_PATCH, change.base, change.merged, "--", *paths)


def apply_patches(git: Git, tree: str, patches: Iterable[bytes], reverse: bool = False) -> str | None:
    """The id of the tree that results from applying patches to `tree`, or None where one does not apply."""
    direction = ("--reverse",) if reverse else ()
    with git.index(tree) as index:
        try:
            for patch in patches:
                if patch:
                    git.run("apply", "--cached", "--whitespace=nowarn", *direction, "-", stdin=patch, env=index)
            return git.line("write-tree", env=index)
        except GitFailed:
            return None


def _difference(git: Git, before: str, after: str) -> set[tuple[str, str, str]]:
    fields = git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", before, after).split(b"\0")
    pairs = zip(fields[0::2], fields[1::2], strict=False)
    return {_target(meta.decode().split(" "), path.decode("utf-8", "surrogateescape")) for meta, path in pairs}


def _target(meta: list[str], path: str) -> tuple[str, str, str]:
    return path, meta[1], meta[3]


def _expected(files: Iterable[FileChange]) -> set[tuple[str, str, str]]:
    targets = set()
    for file in files:
        targets.add((file.path, file.new_mode, file.new_blob))
        if file.old_path is not None:
            targets.add((file.old_path, "000000", "0" * len(file.old_blob)))
    return targets


def _side(file: FileChange, objects: Objects, old: bool) -> Iterable[tuple[str, bytes | None]]:
    """The contents of a file change on one side, per path; None where the path does not exist there."""
    blob = file.old_blob if old else file.new_blob
    content = objects.read(blob) if is_blob(blob) else None
    if file.old_path is None:
        yield file.path, content
    else:
        yield file.old_path, content if old else None
        yield file.path, None if old else content
