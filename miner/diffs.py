"""What differs between two trees, from a git process that lives as long as a harvest."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator
from types import TracebackType

from miner.git import Git, GitFailed
from miner.patches import FilePatch, file_patches

_PATCH = (
    "-r", "-p", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/",
    "--dst-prefix=b/", "-U3",
)  # fmt: skip
_REMEMBERED, _ROOM = 16, 8 << 20  # differences, and bytes of them; the changes under way ask twice
_HEADER = b"\ndiff --git "


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
        self._recent: OrderedDict[tuple[str, str], tuple[tuple[FilePatch, ...], int]] = OrderedDict()

    def __enter__(self) -> "Diffs":
        return self

    def __exit__(self, _t: type[BaseException] | None, _e: BaseException | None, _b: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def between(self, before: str, after: str) -> tuple[FilePatch, ...]:
        """The patch between two tree ids, file by file, without renames; the changed blobs must all exist.

        Of a binary file it only says that it is one: what is in other files of a change may be large and of no use.
        Raises `GitFailed` where git ended early.
        """
        with self._lock:
            if (before, after) in self._recent:
                return self._recent[before, after][0]
            parts: list[FilePatch] = []
            size = 0
            for part in self._ask(f"{before} {after}\n".encode()):
                parts += file_patches(part)
                size += len(part)
            found = tuple(parts)
            self._remember((before, after), found, size)
        return found

    def _remember(self, asked: tuple[str, str], found: tuple[FilePatch, ...], size: int) -> None:
        """Keep it, in place of what was asked before: one change of a thousand may differ by a hundred megabytes."""
        if size <= _ROOM:
            self._recent[asked] = found, size
        while len(self._recent) > _REMEMBERED or sum(size for _, size in self._recent.values()) > _ROOM:
            self._recent.popitem(last=False)

    def _ask(self, line: bytes) -> Iterator[bytes]:
        """The answer to one line, a part for each file, so that no large one is there as a whole."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # A line that names no object is echoed and flushed, which marks the end of the answer.
        end = f"=end {secrets.token_hex(8)}\n".encode()
        try:
            self._process.stdin.write(line + end)
            self._process.stdin.flush()
        except BrokenPipeError:
            raise GitFailed(["diff-tree"], "ended early") from None
        answer, searched = bytearray(), 0
        while not answer.endswith(end):
            chunk = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
            if not chunk:
                raise GitFailed(["diff-tree"], "ended early")
            answer += chunk
            while (place := answer.find(_HEADER, searched)) >= 0:
                yield bytes(answer[: place + 1])
                del answer[: place + 1]
                searched = 0
            searched = max(len(answer) - len(_HEADER), 0)
        yield bytes(answer[: -len(end)])
