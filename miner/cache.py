"""Folders of the cache, held while a process uses them, so that pruning cannot pull them from under a test run."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_held: dict[Path, int] = {}  # folder -> descriptor, open and locked as long as the process lives
_lock = threading.Lock()


def hold(folder: Path) -> bool:
    """Keep a folder from being pruned as long as this process lives, and mark it used; False where it is gone.

    The lock is the kernel's (flock, shared): a killed process leaves nothing behind. Where a file system has no
    locks the folder is used all the same.
    """
    with _lock:
        if folder in _held and _is(folder, _held[folder]):
            return True
        try:
            descriptor = os.open(folder, _OPEN)
        except (FileNotFoundError, NotADirectoryError):
            return False
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        if not _is(folder, descriptor):  # pruned between the two lines above
            os.close(descriptor)
            return False
        if folder in _held:
            os.close(_held[folder])
        _held[folder] = descriptor
    mark_used(folder)
    return True


def mark_used(folder: Path) -> None:
    """Set a folder's modification time to now: what pruning by age goes by."""
    with suppress(OSError):  # another user's cache, or a read-only one, can still be used
        os.utime(folder)


@contextmanager
def claimed(folder: Path) -> Iterator[bool]:
    """Whether no process holds a folder; if so, none can until the `with` block ends.

    False also where that cannot be told (no permission, a file system without locks).
    """
    try:
        descriptor = os.open(folder, _OPEN)
    except OSError as error:
        yield isinstance(error, FileNotFoundError)
        return
    try:
        free = True
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            free = False
        yield free
    finally:
        os.close(descriptor)


def _is(folder: Path, descriptor: int) -> bool:
    """Whether a path still names the folder that a descriptor is open on."""
    try:
        return os.path.samestat(folder.lstat(), os.fstat(descriptor))
    except OSError:
        return False
