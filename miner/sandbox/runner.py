"""Running a job: one function, whatever the sandbox that was chosen."""

import contextlib
import json
import os
import sys
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

from miner import temporary
from miner.errors import ToolError
from miner.sandbox import bare, stages
from miner.sandbox.discovery import REMEDY, find_bubblewrap, version_of
from miner.sandbox.follow import Ended, follow
from miner.sandbox.growth import Growth, require_room
from miner.sandbox.job import Job, Limits, Network, Outcome, Stopped
from miner.sandbox.online import bridged
from miner.sandbox.proxy import RegistryProxy, refusal
from miner.sandbox.registries import allowed_addresses
from miner.sandbox.results import collect, remove
from miner.sandbox.scratch import Scratch
from miner.sandbox.watchdog import Watchdog, has_ended

_NEWLY_OVERLAYS = (0, 11)
_HOST_PATH = {"PATH": "/usr/bin:/bin"}  # what the outer stage's own tools need
_REMEDY = f"If the tree's filesystem is the reason, set MINER_SANDBOX_TREE=copy. {REMEDY}"
_choice = {"name": "bubblewrap"}


def use(name: str) -> None:
    """Choose, for this process, `bubblewrap` or `none`; none is no sandbox at all, and says so on stderr."""
    if name not in ("bubblewrap", "none"):
        raise ToolError("unknown sandbox", name, "Choose bubblewrap or none.")
    if name == "none" and _choice["name"] != "none":
        print(
            "warning: --sandbox none: code from repositories and models runs unconfined, as you, with your files "
            "and your network",
            file=sys.stderr,
        )
    _choice["name"] = name


def run(job: Job) -> Outcome:
    """Run a job to its end or to a limit; every process it started has ended when this returns.

    Raises `ToolError` where the sandbox itself does not start.
    """
    return bare.run(job) if _choice["name"] == "none" else _run(job, overlay=job.tree is not None and overlays_work())


@cache
def overlays_work() -> bool:
    """Whether a tree can lie under an overlay here; else it is copied. MINER_SANDBOX_TREE=copy says no."""
    version = version_of(find_bubblewrap())
    if os.environ.get("MINER_SANDBOX_TREE") == "copy" or version < _NEWLY_OVERLAYS:
        return False
    with temporary.folder("overlay-") as folder:
        (folder / "d").mkdir()
        (folder / "d" / "file").write_text("x")
        (folder / "file").write_text("x")
        # Replacing a folder needs extended attributes on the upper side, which older kernels' tmpfs lacks.
        script = "echo y >> file && rm -r d && mkdir d && test -z \"$(ls d)\" && mv file d/"
        probe = Job(["/bin/sh", "-c", script], {"PATH": "/usr/bin:/bin"}, Limits(20, disk_bytes=1 << 20), folder)
        try:
            return _run(probe, overlay=True).exit_code == 0
        except ToolError:
            return False


def _run(job: Job, *, overlay: bool) -> Outcome:
    started = time.monotonic()
    folder = temporary.make("sandbox-")
    try:
        scratch = Scratch(folder)
        ended = _with_network(job, scratch, overlay=overlay)
        if job.results:
            collect(scratch.results, job.results, job.limits.disk_bytes)
    finally:
        remove(folder)
    exit_code = None if ended.stopped else ended.exit_code
    return Outcome(exit_code, ended.output, time.monotonic() - started, ended.stopped)


def _with_network(job: Job, scratch: Scratch, *, overlay: bool) -> Ended:
    """Run the job with its way to the registries, if any: a proxy on the host, and inside a bridge to it."""
    if job.network is Network.NONE:
        return _watched(job, scratch, overlay=overlay)
    with RegistryProxy(scratch.sockets / "proxy", allowed_addresses(os.environ, Path.home())) as proxy:
        ended = _watched(bridged(job), scratch, overlay=overlay)
    # Few clients show the text of a refusal: a builder's message says no more than 403.
    told = "".join(f"sandbox: {refusal(*address)}\n" for address in sorted(proxy.refused)[:10])
    return replace(ended, output=f"{ended.output.rstrip()}\n{told}" if told else ended.output)


def _watched(job: Job, scratch: Scratch, *, overlay: bool) -> Ended:
    reader, writer = os.pipe()
    growing = [mount.source for mount in job.mounts if mount.writable]
    growth = Growth([*growing, scratch.results] if job.results else growing)
    watchdog = Watchdog(job.limits, growth)
    status = _Status(reader)

    def look() -> Stopped | None:
        require_room(growth.folders, job.limits.disk_bytes)
        pid = status.first_process()
        if pid is None or status.pidfd is None or not watchdog.attach(pid, status.pidfd):
            return None
        return watchdog.look()

    try:
        command = stages.arguments(job, scratch, writer, overlay=overlay)
        ended = follow(command, _HOST_PATH, job.limits, look, pass_fds=[writer])
        os.close(writer)
        writer = -1
        status.wait_for_end()
        if ended.stopped is None:
            require_room(growth.folders, job.limits.disk_bytes)
        if ended.stopped is None and ended.exit_code and watchdog.disk_is_full():
            # What failed for want of space may have ended between two looks.
            ended = replace(ended, stopped=Stopped.DISK)
        if ended.stopped is None and ended.exit_code >= 0 and not status.command_ran():
            last = ended.output.strip().splitlines()[-1:] or ["no reason given"]
            raise ToolError("the sandbox did not start", last[0], _REMEDY)
        return ended
    finally:
        watchdog.close()
        status.close()
        os.close(reader)
        if writer >= 0:
            os.close(writer)


class _Status:
    """What the inner bubblewrap reports: one JSON document a line."""

    def __init__(self, reader: int) -> None:
        self.reader, self.text = reader, b""
        self.pidfd: int | None = None
        os.set_blocking(reader, False)

    def _read(self) -> list[dict[str, object]]:
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self.reader, 1 << 14):
                self.text += chunk
        whole = self.text[: self.text.rfind(b"\n") + 1]
        return [json.loads(line) for line in whole.splitlines()]

    def first_process(self) -> int | None:
        """The first process of the job's namespace, as the host numbers it."""
        pid = next((line["child-pid"] for line in self._read() if "child-pid" in line), None)
        if not isinstance(pid, int):
            return None
        if self.pidfd is None:
            with contextlib.suppress(ProcessLookupError):
                self.pidfd = os.pidfd_open(pid)
        return pid

    def command_ran(self) -> bool:
        """Whether the sandbox was set up and the command started in it."""
        return any("exit-code" in line for line in self._read())

    def wait_for_end(self) -> None:
        """Wait until the namespace is gone: its first process ends after all others."""
        self.first_process()
        if self.pidfd is not None:
            has_ended(self.pidfd, wait_seconds=10)

    def close(self) -> None:
        if self.pidfd is not None:
            os.close(self.pidfd)
