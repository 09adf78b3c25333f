"""What a job adds to the host's disk, through its writable mounts."""

import contextlib
import errno
import os
import stat
import time
from collections.abc import Sequence
from pathlib import Path

from miner.errors import ToolError

_LEAST = 1 << 20  # bytes that must be left, or results may have been lost
_HIDDEN = 1 << 62  # bytes: nested deeper than a path can say, so surely to hide something
_OFTEN_SECONDS, _SELDOM_SECONDS = 0.5, 10.0


def require_room(folders: Sequence[Path], granted: int) -> None:
    """Raise `ToolError` where the disk below a folder is full before a job has written the bytes it is granted.

    Results that could not be written look like tests that failed, which is nobody's fault but the machine's.
    """
    for folder in folders:
        try:
            status = os.statvfs(folder)
        except OSError:  # it is gone
            continue
        bytes_left, files_left = status.f_bavail * status.f_frsize, status.f_favail
        if (status.f_blocks and bytes_left < _LEAST) or (status.f_files and not files_left):  # some count neither
            remedy = "Free some space (a job may need {:,} MB; TMPDIR names another place), then go on."
            raise ToolError("the disk is full", folder, remedy.format(granted >> 20))


class Growth:
    """Bytes of files under some folders that were written since the start.

    A job cannot set back a file's time of change (ctime). The walk is dear (caches hold many files), so it is
    done often only while the filesystem as a whole loses space.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = folders
        self.started = time.time() - 0.01  # the kernel's own clock is coarse
        self.devices = frozenset(folder.stat().st_dev for folder in folders)
        self.free = self._free()
        self.next_walk = time.monotonic() + _SELDOM_SECONDS
        self.next_suspicion = 0.0

    def exceeds(self, limit: int, nameless_bytes: int) -> bool:
        """Whether more than `limit` bytes are known to have been added, deleted but open files included."""
        now = time.monotonic()
        if not self.folders or now < self.next_suspicion:
            return False
        if self.free - self._free() < limit // 2 and now < self.next_walk:
            return False
        added = nameless_bytes + sum(self._added(folder) for folder in self.folders)
        spent = time.monotonic() - now
        self.next_suspicion = time.monotonic() + max(_OFTEN_SECONDS, 5 * spent)
        self.next_walk = time.monotonic() + max(_SELDOM_SECONDS, 20 * spent)
        return added > limit

    def _free(self) -> int:
        devices = {}
        for folder in self.folders:
            with contextlib.suppress(OSError):
                status = os.statvfs(folder)
                devices[folder.stat().st_dev] = status.f_bfree * status.f_frsize
        return sum(devices.values())

    def _added(self, folder: Path) -> int:
        if folder.is_file():
            return _blocks(folder.lstat(), self.started)
        seen: dict[int, int] = {}
        waiting = [str(folder)]
        while waiting:  # no recursion: folders are nested as deep as the job likes
            try:
                with os.scandir(waiting.pop()) as entries:
                    for entry in entries:
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(entry.path)
                        else:
                            status = entry.stat(follow_symlinks=False)
                            seen[status.st_ino] = _blocks(status, self.started)
            except OSError as error:
                if error.errno == errno.ENAMETOOLONG:
                    return _HIDDEN
        return sum(seen.values())


def _blocks(status: os.stat_result, since: float) -> int:
    return status.st_blocks * 512 if stat.S_ISREG(status.st_mode) and status.st_ctime >= since else 0
