"""Writing a run's files such that a full disk leaves nothing that cannot be read again."""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Self

from miner.errors import ToolError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def cannot_write(path: Path, error: OSError) -> ToolError:
    """The error for a file that cannot be written, with what to do about it."""
    remedy = "Free some space" if error.errno in _FULL else "Make the folder writable"
    return ToolError("cannot write", path, f"{error.strerror}. {remedy}, then go on with `evaluator run --resume`.")


def write_plain(path: Path, content: bytes) -> None:
    """Write a file that nothing relies on before a line of a journal names it; raises `ToolError`."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        try:
            _write(descriptor, content)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise cannot_write(path, error) from None


class Appended:
    """A file that grows by whole lines, one write each.

    `end` is where its last whole line ends, in bytes: what stands behind that was torn by a kill, and is cut off.
    What a failed write leaves is cut off at once; where even that fails, the next opening does it.
    """

    def __init__(self, path: Path, end: int) -> None:
        self.path, self._end = path, end
        self._failed: OSError | None = None
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise cannot_write(path, error) from None
        try:
            os.ftruncate(self._descriptor, end)
            if end and os.pread(self._descriptor, 1, end - 1) != b"\n":
                _write(self._descriptor, b"\n")
                self._end += 1
        except OSError as error:
            os.close(self._descriptor)
            raise cannot_write(path, error) from None

    def add(self, row: bytes) -> None:
        """Append a line, its line break included; raises `ToolError` where it cannot be written whole."""
        if self._failed is not None:  # a line behind a torn one would be damaged for good
            raise cannot_write(self.path, self._failed)
        try:
            _write(self._descriptor, row)
        except OSError as error:
            self._failed = error
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._end)
                self._failed = None
            raise cannot_write(self.path, error) from None
        self._end += len(row)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


def _write(descriptor: int, content: bytes) -> None:
    """Write all of it; a disk that fills up takes a part, and fails the write of the rest."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]
