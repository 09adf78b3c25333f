"""Following one process to its end or to a limit: its output, its clock, and whoever else looks at it."""

import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from miner.sandbox.job import Limits, Stopped
from miner.sandbox.orphans import ending_with_us

_TAIL = 64_000  # bytes of output that are kept
_FIRST_LOOK_SECONDS, _LOOK_SECONDS = 0.004, 0.05
_running: set[subprocess.Popen[bytes]] = set()
_running_lock = threading.Lock()


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code (negative: killed), the last of its output, the limit that ended it."""

    exit_code: int
    output: str
    stopped: Stopped | None


def follow(
    command: Sequence[str], environment: Mapping[str, str], limits: Limits, look: Callable[[], Stopped | None],
    *, pass_fds: Sequence[int] = (), directory: str | None = None, watched: bool = False,
) -> Ended:  # fmt: skip
    """Run a command; kill it at the limits on time and output, or when `look`, asked 20 times a second, says so.

    `watched`: nothing else ends it where this process is killed.
    """
    deadline = time.monotonic() + limits.wall_seconds
    process = subprocess.Popen(
        command, env=environment, cwd=directory, pass_fds=pass_fds, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    with _running_lock:
        _running.add(process)
    try:
        following = _Following(process, limits.output_bytes)
        with ending_with_us(process.pid) if watched else nullcontext():
            stopped = following.to_the_end(deadline, look)
        return Ended(process.wait(), following.output(), stopped)
    finally:
        _kill(process)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
        with _running_lock:
            _running.discard(process)


def stop_all() -> None:
    """Kill every job that is running, so that an interrupted command can end at once."""
    with _running_lock:
        for process in _running:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its group. Not reaped yet, so the number is still its own."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


class _Following:
    def __init__(self, process: subprocess.Popen[bytes], output_limit: int) -> None:
        assert process.stdout is not None
        self.process, self.output_limit = process, output_limit
        self.stdout = process.stdout.fileno()
        self.tail, self.written, self.open = bytearray(), 0, True

    def output(self) -> str:
        """The last of what was written."""
        return bytes(self.tail).decode("utf-8", "replace")

    def to_the_end(self, deadline: float, look: Callable[[], Stopped | None]) -> Stopped | None:
        """Follow it until it and its group have ended, and can be reaped; the limit that ended it."""
        end = os.pidfd_open(self.process.pid)
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(end, selectors.EVENT_READ)
                selector.register(self.stdout, selectors.EVENT_READ)
                stopped = self._watch(selector, end, deadline, look)
                _kill(self.process)  # what is left of its group, too
                self._drain(selector, end)
        finally:
            os.close(end)
        return stopped

    def _watch(
        self, selector: selectors.BaseSelector, end: int, deadline: float, look: Callable[[], Stopped | None]
    ) -> Stopped | None:
        pause = _FIRST_LOOK_SECONDS  # soon: a short job must not be over before it is looked at
        next_look = time.monotonic() + pause
        while True:
            now = time.monotonic()
            if now >= deadline:
                return Stopped.TIME
            if self.written > self.output_limit:
                return Stopped.OUTPUT
            if now >= next_look:
                if stopped := look():
                    return stopped
                pause = min(2 * pause, _LOOK_SECONDS)
                next_look = time.monotonic() + pause
            ready = {key.fd for key, _ in selector.select(max(0, min(deadline, next_look) - now))}
            if self.stdout in ready:
                self._read(selector)
            elif end in ready:
                return None

    def _read(self, selector: selectors.BaseSelector) -> None:
        chunk = os.read(self.stdout, 1 << 16)
        if not chunk:
            self.open = False
            selector.unregister(self.stdout)
        self.written += len(chunk)
        self.tail += chunk
        del self.tail[:-_TAIL]

    def _drain(self, selector: selectors.BaseSelector, end: int) -> None:
        """Read what is left in the pipe; bounded, should a process that was not killed hold it open."""
        selector.unregister(end)
        deadline = time.monotonic() + 2
        while self.open and self.written <= self.output_limit and time.monotonic() < deadline:
            if selector.select(0.2):
                self._read(selector)
