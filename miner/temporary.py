"""Temporary folders, which go however their process ends: what `kill -9` leaves, the next start of any command removes.

Each process has one folder, `$TMPDIR/edit-format-evaluator-<uid>/<random>/`, and holds it (flock) as long as it lives:
a lock is the kernel's to release, where a process id may by then be another's. All temporary folders are made in it.
What has to be beside its place, to be renamed there, is held by itself (`beside`).
"""

import atexit
import fcntl
import os
import subprocess
import tempfile
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from miner.errors import ToolError

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OTHERS = 0o077
_REMOVE = 'rm -rf -- "$1" || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }'
_lock = threading.Lock()


@dataclass(frozen=True)
class _Held:
    """A folder that this process holds by an open, locked descriptor."""

    path: Path
    descriptor: int

    def is_there(self) -> bool:
        """Whether the path still names the folder."""
        try:
            return os.path.samestat(self.path.lstat(), os.fstat(self.descriptor))
        except OSError:
            return False


_ours: list[_Held] = []  # one at most


def make(prefix: str) -> Path:
    """A new folder, private to us; whoever asked for it removes it. Raises `ToolError` where its place is not ours."""
    return Path(tempfile.mkdtemp(prefix=prefix, dir=_own()))


@contextmanager
def folder(prefix: str) -> Iterator[Path]:
    """A new folder, private to us, for the time of a `with` block. Raises `ToolError` where its place is not ours."""
    with tempfile.TemporaryDirectory(prefix=prefix, dir=_own(), ignore_cleanup_errors=True) as name:
        yield Path(name)


@contextmanager
def beside(place: Path, prefix: str) -> Iterator[Path]:
    """A new folder on the file system of `place`, held for the time of a `with` block: renamed in it, or removed.

    Those of the same prefix that dead processes left there are removed: no other folder may have one like it.
    """
    remove_dead([place.parent], prefix)
    held = _begin(place.parent, prefix)
    inside = held.path / place.name  # may become the sandbox's user's; what it is in stays ours
    try:
        inside.mkdir()
        yield inside
    finally:
        _rm(held.path.name, held.path.parent)
        os.close(held.descriptor)


def remove_dead(parents: Iterable[Path], prefix: str = "") -> None:
    """Remove what dead processes left in some folders, in the background. Never fails, never waits, follows no link.

    What is not removed when this process ends is removed by the `rm` under way, or at the next start.
    """
    dead = [each for parent in parents for each in _dead(parent, prefix)]
    if dead:
        threading.Thread(target=_remove, args=(dead,), daemon=True).start()


def remove_what_the_dead_left() -> None:
    """Remove what killed processes of this user left in the folder for temporary files. Never fails, never waits."""
    if _place().is_dir():
        with suppress(ToolError):
            os.close(_opened_place())
            remove_dead([_place()])


def _place() -> Path:
    return Path(tempfile.gettempdir(), f"edit-format-evaluator-{os.geteuid()}")


def _opened_place() -> int:
    """A descriptor of the folder of all our processes' folders; raises `ToolError` where somebody else made it."""
    place = _place()
    remedy = "Remove it, or set TMPDIR to a folder of your own."
    with suppress(FileExistsError):
        place.mkdir(mode=0o700)
    try:
        descriptor = os.open(place, _OPEN)
    except NotADirectoryError:  # a link, too
        raise ToolError("the place for temporary files is no folder", place, remedy) from None
    status = os.fstat(descriptor)
    if status.st_uid != os.geteuid() or status.st_mode & _OTHERS:
        os.close(descriptor)
        raise ToolError("the place for temporary files is open to others", place, remedy)
    return descriptor


def _own() -> Path:
    """This process's folder. One that was removed meanwhile, by whatever cleans the disk, is made anew."""
    with _lock:
        if not _ours or not _ours[0].is_there() or _ours[0].path.parent != _place():
            os.close(_opened_place())
            _ours[:] = [_begin(_place(), "")]
            atexit.register(_leave, _ours[0].path, os.getpid())
        return _ours[0].path


def _leave(path: Path, pid: int) -> None:
    """At the process's end: its folder goes, if all that was in it did. A forked process leaves it alone."""
    if os.getpid() == pid:
        with suppress(OSError):
            path.rmdir()


def _begin(parent: Path, prefix: str) -> _Held:
    """A new folder, locked; whoever looks for dead ones may have seen it before it was, and have taken it."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        with suppress(FileNotFoundError):
            held = _Held(path, os.open(path, _OPEN))
            with suppress(OSError):  # a file system without locks: nothing there is ever taken for dead
                fcntl.flock(held.descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            if held.is_there():
                return held
            os.close(held.descriptor)


@dataclass(frozen=True)
class _Dead:
    """A dead process's folder: its name, and descriptors of the folder it is in and of itself, which is locked."""

    name: str
    parent: int
    descriptor: int


def _dead(parent: Path, prefix: str) -> Iterator[_Dead]:
    """The folders that nobody holds, ours only; each is locked, so that no other process removes it as well."""
    with suppress(OSError):
        inside = os.open(parent, _OPEN)
        with os.scandir(inside) as entries:
            names = [entry.name for entry in entries if entry.name.startswith(prefix)]
        for name in names:
            if (found := _locked(name, inside)) is not None:
                yield _Dead(name, os.dup(inside), found)
        os.close(inside)


def _locked(name: str, parent: int) -> int | None:
    """A descriptor of a folder of ours that nobody holds, locked; None for anything else."""
    try:
        descriptor = os.open(name, _OPEN, dir_fd=parent)
    except OSError:
        return None
    with suppress(OSError):
        if os.fstat(descriptor).st_uid == os.geteuid():
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
    os.close(descriptor)
    return None


def _remove(dead: Iterable[_Dead]) -> None:
    """By `rm`, which follows no link, minds no depth, and goes on by itself where we end first."""
    for each in dead:
        with suppress(OSError):
            # From within the folder that was looked at, whatever its path has become meanwhile.
            _rm(each.name, Path(f"/proc/{os.getpid()}/fd/{each.parent}"), [each.descriptor])
        os.close(each.descriptor)
        os.close(each.parent)


def _rm(name: str, parent: Path, keep: Collection[int] = ()) -> None:
    """Remove a folder, closed ones inside included; `keep` are descriptors that are held open as long as it takes.

    Nothing of it is ours to wait for or to hear: it ends well also where this process ends first.
    """
    subprocess.run(
        ["/bin/sh", "-c", _REMOVE, "sh", f"./{name}"], cwd=parent, pass_fds=keep, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
