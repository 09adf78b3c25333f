"""Reading what a job left behind: files that hostile code has named, typed and filled as it liked."""

import os
import stat
from pathlib import Path

_MOST_FILES = 2_000


def read_output_file(path: Path, limit: int) -> bytes | None:
    """A regular file's bytes; None where it is missing, no regular file, a link, or longer than `limit` bytes.

    Never waits, never follows a link in the last part of the path, never reads a device.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(limit + 1)
    return content if len(content) <= limit else None


def collect(source: Path, target: Path, limit: int) -> None:
    """Copy regular files, folders kept, from what a job left to `target`.

    Links, FIFOs, sockets and devices stay behind, and so does what is over `limit` bytes in all or 2000 files.
    The job must have ended. A file that is left out shows as missing, which its reader has to expect anyway.
    """
    target.mkdir(parents=True, exist_ok=True)
    left, count = limit, 0
    for folder, folders, names in os.walk(source, followlinks=False):
        folders.sort()
        place = target / Path(folder).relative_to(source)
        for name in sorted(names):
            if (count := count + 1) > _MOST_FILES:
                return
            content = read_output_file(Path(folder, name), left)
            if content is not None:
                left -= len(content)
                place.mkdir(parents=True, exist_ok=True)
                (place / name).write_bytes(content)
