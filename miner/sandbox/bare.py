"""No sandbox: for machines that are one themselves. Limits on time and output hold, and the group is killed; no more.

Commands and environments name fixed places (/tree, /env), so these are made as links on the host, under a lock that
lets one job at a time run; those that a killed process left are removed by the next job.
"""

import contextlib
import fcntl
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from miner import temporary
from miner.errors import ToolError
from miner.sandbox.follow import Ended, follow
from miner.sandbox.growth import require_room
from miner.sandbox.job import RESULTS, TREE, Job, Outcome
from miner.sandbox.results import collect, remove

_LOCK = Path("/tmp/edit-format-evaluator.lock")
_REMEDY = "Use the sandbox, or run as a user that may write there (in a container: root)."


def run(job: Job) -> Outcome:
    """Run a job unconfined, on a copy of its tree. Raises `ToolError` where a place of a mount cannot be made."""
    started = time.monotonic()
    folder = temporary.make("bare-")
    try:
        with _alone() as ledger:
            ended = _run(job, folder, ledger)
        require_room([folder], job.limits.disk_bytes)
        if job.results:
            collect(folder / "results", job.results, job.limits.disk_bytes)
    finally:
        remove(folder)
    exit_code = None if ended.stopped else ended.exit_code
    return Outcome(exit_code, ended.output, time.monotonic() - started, ended.stopped)


def _run(job: Job, folder: Path, ledger: int | None) -> Ended:
    (folder / "results").mkdir()

    def fill_in(text: str) -> str:
        return text.replace(RESULTS, str(folder / "results"))

    with contextlib.ExitStack() as places:
        if job.tree:
            shutil.copytree(job.tree, folder / "tree", symlinks=True)
            places.enter_context(_link(folder / "tree", TREE, ledger))
        for mount in job.mounts:
            places.enter_context(_link(mount.source, mount.target, ledger))
        command = list(map(fill_in, job.command))
        environment = {key: fill_in(value) for key, value in job.environment.items()}
        try:
            return follow(command, environment, job.limits, lambda: None, directory=job.directory, watched=True)
        except OSError as error:  # what a shell and the sandbox say of a command that is not there
            return Ended(127, f"{error.filename}: {error.strerror}\n", None)


@contextlib.contextmanager
def _alone() -> Iterator[int | None]:
    """Wait until no other job runs; a descriptor of the ledger of links, None where it is another user's.

    The lock's file is the ledger: what stands in it while nobody holds the lock was left by a process that was killed.
    """
    flags = os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = _opened(flags)
    except FileNotFoundError:  # one that is there may be another user's: not to be opened for creation
        descriptor = os.open(_LOCK, os.O_RDWR | flags | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        status = os.fstat(descriptor)
        ours = status.st_uid == os.geteuid() and stat.S_ISREG(status.st_mode) and not status.st_mode & 0o022
        if ours:
            _unlink_what_was_left(descriptor)
        yield descriptor if ours else None
        if ours:
            os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _opened(flags: int) -> int:
    try:
        return os.open(_LOCK, os.O_RDWR | flags)
    except PermissionError:  # another user's
        return os.open(_LOCK, os.O_RDONLY | flags)


def _unlink_what_was_left(ledger: int) -> None:
    """Remove the links that a killed process made, newest first, as far as they are still what it made."""
    lines = os.pread(ledger, os.fstat(ledger).st_size, 0).split(b"\n")[:-1]  # the last one may be torn
    for line in reversed(lines):
        place, source = (Path(os.fsdecode(part)) for part in line.split(b"\0"))
        with contextlib.suppress(OSError):
            if place.is_symlink() and place.readlink() == source:
                place.unlink()
    os.ftruncate(ledger, 0)


@contextlib.contextmanager
def _link(source: Path, target: str, ledger: int | None) -> Iterator[None]:
    """A link from a mount's place to its source, for the time of a `with` block; first it is in the ledger."""
    place, source = Path(target), source.resolve()
    kept = None
    try:
        if place.exists() or place.is_symlink():
            if not _within_tree(place):
                remedy = "Remove it if a killed run left it; else use the sandbox."
                raise ToolError("without a sandbox this place must be free", target, remedy)
            kept = place.with_name(f"{place.name}.covered")
            place.rename(kept)
        place.parent.mkdir(parents=True, exist_ok=True)
        if ledger is not None:
            os.pwrite(ledger, os.fsencode(place) + b"\0" + os.fsencode(source) + b"\n", os.fstat(ledger).st_size)
        place.symlink_to(source)
    except OSError as error:
        raise ToolError(f"without a sandbox a link is needed ({error.strerror})", target, _REMEDY) from None
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            place.unlink()
            if kept is not None:
                kept.rename(place)


def _within_tree(place: Path) -> bool:
    """Whether a place is in the copied tree, where files can be covered by a mount."""
    return place.is_relative_to(TREE) and place != Path(TREE)
