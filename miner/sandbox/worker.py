"""The user that jobs run as where we are root: limits on processes do not bind root."""

import os
import stat
import subprocess
from pathlib import Path

from miner.errors import ToolError

WORKER = 60613  # fixed, so that what one job wrote (caches, environments) the next one can read; no system's own


def is_root() -> bool:
    """Whether we are root, so that jobs run as the worker."""
    return os.geteuid() == 0


def give(path: Path) -> None:
    """As root, make the worker the owner of a file or a folder with all it holds; contents and modes stay.

    Done once: a folder that is the worker's is left alone. By chown(1), which gives a folder after all it holds,
    follows no link (-hP), and goes as deep as hostile trees do. Raises `ToolError` for a folder with our home in it.
    """
    if not is_root() or path.lstat().st_uid == WORKER:
        return
    if Path.home().is_relative_to(path.resolve()):
        raise ToolError("a home folder is not given to the sandbox's user", path, "Use a copy, or a folder inside.")
    done = subprocess.run(["chown", "-RhP", f"{WORKER}:{WORKER}", "--", str(path)], capture_output=True, text=True)
    if done.returncode:
        raise ToolError("cannot give to the sandbox's user", path, done.stderr.strip())


def require_readable(path: Path) -> None:
    """As root, raise `ToolError` where the worker could not read a mount: it would fail inside, unexplained."""
    if not is_root():
        return
    status = path.stat()
    needed = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(status.st_mode) else 0)
    if status.st_uid != WORKER and status.st_mode & needed != needed:
        raise ToolError("a mount is not readable in the sandbox", path, f"Run `chmod o+rX {path}`.")
