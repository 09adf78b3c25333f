"""What differs between two trees, from a git process that lives as long as a harvest."""

import secrets
import threading
from collections.abc import Collection
from functools import lru_cache
from types import TracebackType

from miner.git import Git, GitFailed
from miner.patches import FilePatch, file_patches

_PATCH = (
    "-r", "-p", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/",
    "--dst-prefix=b/", "-U3",
)  # fmt: skip
_REMEMBERED = 16  # differences; the changes under way ask twice


def patch_between(git: Git, before: str, after: str, paths: Collection[str] | None = None) -> bytes:
    """The diff between two trees, at some paths or whole, in git's format, complete enough to apply binary files."""
    chosen = () if paths is None else sorted(paths)
    if paths is not None and not chosen:  # to git that would be every path
        return b""
    return git.run("--literal-pathspecs", "diff-tree", *_PATCH, "--binary", before, after, "--", *chosen)


class Diffs:
    """One long-lived `git diff-tree --stdin`; safe to share between threads."""

    def __init__(self, git: Git) -> None:
        self._process = git.stream("diff-tree", "--stdin", *_PATCH)
        self._lock = threading.Lock()
        self.between = lru_cache(_REMEMBERED)(self._between)

    def __enter__(self) -> "Diffs":
        return self

    def __exit__(self, _t: type[BaseException] | None, _e: BaseException | None, _b: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def _between(self, before: str, after: str) -> tuple[FilePatch, ...]:
        """The patch between two tree ids, file by file, without renames; the changed blobs must all exist.

        Of a binary file it only says that it is one: what is in other files of a change may be large and of no use.
        Raises `GitFailed` where git ended early.
        """
        return tuple(file_patches(self._ask(f"{before} {after}\n".encode())))

    def _ask(self, line: bytes) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # A line that names no object is echoed and flushed, which marks the end of the answer.
        end = f"=end {secrets.token_hex(8)}\n".encode()
        answer = bytearray()
        with self._lock:
            try:
                self._process.stdin.write(line + end)
                self._process.stdin.flush()
            except BrokenPipeError:
                raise GitFailed(["diff-tree"], "ended early") from None
            while not answer.endswith(end):
                chunk = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
                if not chunk:
                    raise GitFailed(["diff-tree"], "ended early")
                answer += chunk
        return bytes(answer[: -len(end)])
