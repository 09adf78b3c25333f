"""Reading what a job left behind: files that hostile code has named, typed, nested and filled as it liked."""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

_MOST_ENTRIES, _DEEPEST = 2_000, 20
_LONGEST_FILE = 64 << 20


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


def write_input_file(folder: Path, name: str, text: str) -> None:
    """Write a file at the top of a folder that jobs have written in: never through a link that one of them left."""
    place = folder / name
    if place.is_dir() and not place.is_symlink():
        remove(place)
    place.unlink(missing_ok=True)
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def collect(source: Path, target: Path, limit: int) -> None:
    """Copy regular files, folders kept, from what a job left to `target`. The job must have ended.

    Links, FIFOs, sockets and devices stay behind, and so do files of more than 64 MB, more than `limit` bytes in
    all, more than 2000 entries, and what is deeper than 20 folders: to its reader it is missing.
    """
    target.mkdir(parents=True, exist_ok=True)
    left = limit
    for path in _entries(source):
        content = read_output_file(path, min(left, _LONGEST_FILE))
        if content is not None:
            left -= len(content)
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


def _entries(source: Path) -> Iterator[Path]:
    """What lies in a folder and below it and is no folder; not recursive, for what is deep is meant to be."""
    waiting, count = [(source, 0)], 0
    while waiting:
        folder, depth = waiting.pop()
        try:
            entries = os.scandir(folder)
        except OSError:
            continue  # closed by whoever made it
        with entries:
            for entry in entries:
                if (count := count + 1) > _MOST_ENTRIES:
                    return
                if not entry.is_dir(follow_symlinks=False):
                    yield Path(entry.path)
                elif depth < _DEEPEST:
                    waiting.append((Path(entry.path), depth + 1))


def remove(folder: Path) -> None:
    """Remove a folder that a job wrote in, closed and endlessly nested folders included, as far as it can be.

    `shutil.rmtree` ends with a RecursionError at a thousand levels, and at folders without permissions.
    """
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            subprocess.run([*command, "--", str(folder)], stdin=subprocess.DEVNULL, capture_output=True)
