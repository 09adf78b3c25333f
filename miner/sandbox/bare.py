"""No sandbox: for machines that are one themselves. Limits on time and output hold, and the group is killed; no more.

Commands and environments name fixed places (/tree, /env), so these are made as links on the host, under a lock that
lets one job at a time run.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from miner.errors import ToolError
from miner.sandbox.follow import Ended, follow
from miner.sandbox.job import RESULTS, TREE, Job, Outcome
from miner.sandbox.results import collect

_LOCK = Path("/tmp/edit-format-evaluator.lock")
_REMEDY = "Use the sandbox, or run as a user that may write there (in a container: root)."


def run(job: Job) -> Outcome:
    """Run a job unconfined, on a copy of its tree. Raises `ToolError` where a place of a mount cannot be made."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bare-", ignore_cleanup_errors=True) as folder, _alone():
        results = Path(folder, "results")
        results.mkdir()
        with contextlib.ExitStack() as places:
            if job.tree:
                copy = Path(folder, "tree")
                shutil.copytree(job.tree, copy, symlinks=True)
                places.enter_context(_link(copy, TREE))
            for mount in job.mounts:
                places.enter_context(_link(mount.source, mount.target))

            def fill_in(text: str) -> str:
                return text.replace(RESULTS, str(results))

            command = list(map(fill_in, job.command))
            environment = {key: fill_in(value) for key, value in job.environment.items()}
            try:
                ended = follow(command, environment, job.limits, lambda: None, directory=job.directory)
            except OSError as error:  # what a shell and the sandbox say of a command that is not there
                ended = Ended(127, f"{error.filename}: {error.strerror}\n", None)
        if job.results:
            collect(results, job.results, job.limits.disk_bytes)
    exit_code = None if ended.stopped else ended.exit_code
    return Outcome(exit_code, ended.output, time.monotonic() - started, ended.stopped)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    descriptor = os.open(_LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _link(source: Path, target: str) -> Iterator[None]:
    """A link from a mount's place to its source, for the time of a `with` block."""
    place = Path(target)
    kept = None
    try:
        if place.exists() or place.is_symlink():
            if not _within_tree(place):
                remedy = "Remove it if a killed run left it; else use the sandbox."
                raise ToolError("without a sandbox this place must be free", target, remedy)
            kept = place.with_name(f"{place.name}.covered")
            place.rename(kept)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(source.resolve())
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
