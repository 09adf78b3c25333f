"""One process at a time writes a run."""

import fcntl
import os
from pathlib import Path

from evaluator.journal.writing import cannot_write
from miner.errors import ToolError


def lock(folder: Path) -> int:
    """Lock a run's folder until the descriptor that is returned is closed; raises `ToolError` where another has it.

    The lock is the kernel's (flock on `.lock`): a killed process leaves nothing behind. Where a file system has no
    locks the run goes on without.
    """
    path = folder / ".lock"
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise cannot_write(path, error) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        remedy = "Wait until it ends, or end it; then go on with `evaluator run --resume`."
        raise ToolError("another process is writing this run", folder, remedy) from None
    except OSError:
        pass
    return descriptor
