"""What a job uses, seen from the host: CPU, memory and disk of its whole tree of processes.

The job's own /proc, opened through its first process, lists exactly its processes. Enough by itself; a cgroup
would see more (buffers of sockets and pipes, files in memory that nothing has open), see docs/security.md.
"""

import contextlib
import os
import select
import stat
from dataclasses import dataclass
from pathlib import Path

from miner.sandbox.growth import Growth
from miner.sandbox.job import Limits, Stopped

_TICKS, _PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
_INODE = 1024  # bytes of kernel memory that even an empty file in a tmpfs takes, about


@dataclass(frozen=True)
class Process:
    """A process as /proc/N/stat has it: CPU seconds, reaped children's included, and resident bytes."""

    cpu_seconds: float
    resident_bytes: int


def read_stat(text: str) -> Process:
    """Parse /proc/N/stat (proc(5)); the name in it may hold spaces and parentheses."""
    fields = text[text.rindex(")") + 2 :].split()
    return Process(sum(map(int, fields[11:15])) / _TICKS, int(fields[21]) * _PAGE)


def has_ended(pidfd: int, wait_seconds: float) -> bool:
    """Whether a process has ended, or does within some time; by poll, since select knows 1024 descriptors only."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(wait_seconds * 1000))


class Watchdog:
    """Looks at one job. `attach` once its first process is known, then `look` again and again."""

    def __init__(self, limits: Limits, growth: Growth) -> None:
        self.limits, self.growth = limits, growth
        self.proc: int | None = None
        self.tmp: int | None = None

    def attach(self, pid: int, pidfd: int) -> bool:
        """Open the job's /proc and /tmp through its first process; False while it is being set up, or has ended.

        Both are there at once: bubblewrap changes to the new root when all is mounted.
        """
        if self.proc is not None:
            return True
        try:
            self.proc = _open_other(f"/proc/{pid}/root/proc", "/proc")
            self.tmp = os.open(f"/proc/{pid}/root/tmp", os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            self.close()
            return False
        if self.proc is None or has_ended(pidfd, 0):
            self.close()  # still ours, or, once it has ended, its number may be another's
        return self.proc is not None

    def close(self) -> None:
        """Let go of the job's /proc and /tmp: while they are open they exist."""
        for descriptor in (self.proc, self.tmp):
            if descriptor is not None:
                os.close(descriptor)
        self.proc = self.tmp = None

    def look(self) -> Stopped | None:
        """The limit that the job is over, if any."""
        found = self._processes()
        nameless = self._nameless(found)
        on_disk = sum(size for device, size in nameless if device in self.growth.devices)
        if self.disk_is_full() or self.growth.exceeds(self.limits.disk_bytes, on_disk):
            return Stopped.DISK
        if sum(process.cpu_seconds for process in found.values()) > self.limits.cpu:
            return Stopped.CPU
        files = self._tmp_bytes() + _INODE * self._tmp_inodes() + sum(size for _, size in nameless) - on_disk
        if sum(process.resident_bytes for process in found.values()) + files <= self.limits.memory_bytes:
            return None
        # Forked children share pages: only over the limit is it worth to count each page once.
        if sum(map(self._proportional_bytes, found)) + files > self.limits.memory_bytes:
            return Stopped.MEMORY
        return None

    def disk_is_full(self) -> bool:
        """Whether the job has filled what it may write; can be asked after its end, too."""
        return self._tmp_bytes() > 0.99 * self.limits.disk_bytes

    def _tmp_bytes(self) -> int:
        if self.tmp is None:
            return 0
        status = os.fstatvfs(self.tmp)
        return (status.f_blocks - status.f_bfree) * status.f_frsize

    def _tmp_inodes(self) -> int:
        if self.tmp is None:
            return 0
        status = os.fstatvfs(self.tmp)
        return status.f_files - status.f_ffree

    def _processes(self) -> dict[int, Process]:
        if self.proc is None:
            return {}
        found = {}
        with os.scandir(self.proc) as entries:
            numbers = [entry.name for entry in entries if entry.name.isdigit()]
        for number in numbers:
            with contextlib.suppress(OSError, ValueError):  # it has just ended
                found[int(number)] = read_stat(self._read(f"{number}/stat"))
        return found

    def _read(self, name: str) -> str:
        descriptor = os.open(name, os.O_RDONLY, dir_fd=self.proc)
        with os.fdopen(descriptor, encoding="utf-8", errors="replace") as file:
            return file.read()

    def _nameless(self, pids: dict[int, Process]) -> list[tuple[int, int]]:
        """Device and bytes of files that only open descriptors name: deleted ones, and those in memory (memfd)."""
        tmp_device = None if self.tmp is None else os.fstat(self.tmp).st_dev  # already counted as a whole
        found: dict[tuple[int, int], int] = {}
        for pid in pids:
            with contextlib.suppress(OSError), os.scandir(f"/proc/self/fd/{self.proc}/{pid}/fd") as entries:
                for entry in entries:
                    with contextlib.suppress(OSError):
                        seen = entry.stat()
                        if stat.S_ISREG(seen.st_mode) and seen.st_nlink == 0 and seen.st_dev != tmp_device:
                            found[seen.st_dev, seen.st_ino] = seen.st_blocks * 512
        return [(device, size) for (device, _), size in found.items()]

    def _proportional_bytes(self, pid: int) -> int:
        try:
            lines = self._read(f"{pid}/smaps_rollup").splitlines()
        except OSError:
            return 0
        rows = (line.split() for line in lines)
        return sum(int(row[1]) * 1024 for row in rows if row[0] in ("Pss:", "SwapPss:"))


def _open_other(path: str, ours: str) -> int | None:
    """Open a folder if it is mounted from another filesystem than ours: before, it is the host's."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    if os.fstat(descriptor).st_dev != Path(ours).stat().st_dev:
        return descriptor
    os.close(descriptor)
    return None
