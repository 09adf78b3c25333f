"""Differences between two trees, from git processes that live as long as a harvest."""

import secrets
import threading
from collections.abc import Iterable
from types import TracebackType

from miner.git import Git, GitFailed

_PLAIN = ("-r", "--no-renames", "--no-ext-diff", "--no-textconv")
_PATCH = ("-p", "--binary", "--full-index", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", "-U3")


class Diffs:
    """What differs between two tree ids whose changed blobs all exist; safe to share between threads.

    Raises `GitFailed` where git ended early.
    """

    def __init__(self, git: Git) -> None:
        self._counts = _DiffTree(git, "-z", "--numstat")
        self._patches = _DiffTree(git, *_PATCH)

    def __enter__(self) -> "Diffs":
        return self

    def __exit__(self, _t: type[BaseException] | None, _e: BaseException | None, _b: TracebackType | None) -> None:
        self._counts.close()
        self._patches.close()

    def line_counts(self, before: str, after: str) -> dict[str, tuple[int, int]]:
        """Path to (added, deleted) lines; binary files count 0."""
        return dict(_numstat(self._counts.between(before, after)))

    def patch(self, before: str, after: str) -> bytes:
        """The diff in git's format, without renames, complete enough to apply binary files."""
        return self._patches.between(before, after).partition(b"\n")[2]  # the first line names the trees


class _DiffTree:
    """One long-lived `git diff-tree --stdin`."""

    def __init__(self, git: Git, *options: str) -> None:
        self._process = git.stream("diff-tree", "--stdin", *_PLAIN, *options)
        self._lock = threading.Lock()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def between(self, before: str, after: str) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # A line that names no object is echoed and flushed, which marks the end of the answer.
        end = f"=end {secrets.token_hex(8)}\n".encode()
        answer = bytearray()
        with self._lock:
            try:
                self._process.stdin.write(f"{before} {after}\n".encode() + end)
                self._process.stdin.flush()
            except BrokenPipeError:
                raise GitFailed(["diff-tree"], "ended early") from None
            while not answer.endswith(end):
                chunk = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
                if not chunk:
                    raise GitFailed(["diff-tree"], "ended early")
                answer += chunk
        return bytes(answer[: -len(end)])


def _numstat(answer: bytes) -> Iterable[tuple[str, tuple[int, int]]]:
    for row in answer.split(b"\0"):
        fields = row.split(b"\n")[-1].split(b"\t", 2) if row.count(b"\t") >= 2 else []
        if len(fields) == 3:
            added, deleted = (int(f) if f.isdigit() else 0 for f in fields[:2])
            yield fields[2].decode("utf-8", "surrogateescape"), (added, deleted)
