"""Processes outside of any sandbox end with us, also where we are killed outright: somebody must be left to see it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

_WATCH = 'read _; kill -s KILL -- "-$1"'  # nothing is ever written: reading ends when we do


@contextmanager
def ending_with_us(group: int) -> Iterator[None]:
    """Meanwhile, should this process end, a process group is killed: by a shell that waits for a pipe of ours."""
    reader, writer = os.pipe()
    try:
        watcher = subprocess.Popen(
            ["/bin/sh", "-c", _WATCH, "sh", str(group)], stdin=reader, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    finally:
        os.close(reader)
    try:
        yield
    finally:
        watcher.kill()
        watcher.wait()
        os.close(writer)
