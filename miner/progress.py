"""Progress of long work on standard error."""

import sys
import time

from miner.errors import printable
from miner.wording import duration

_EVERY = 25  # steps
_AT_LEAST = 60.0  # seconds
_TOO_SOON = 10.0  # seconds in which nothing is known of the pace


def lasting(text: str) -> None:
    """A line that no later one rewrites."""
    start = "\r\x1b[K" if sys.stderr.isatty() else ""
    print(start + printable(text), file=sys.stderr, flush=True)


def time_left(seconds: float, done: int, todo: int) -> str:
    """`, about 12 min left` for `todo` more at the mean pace so far; empty where nothing can be said."""
    if seconds < _TOO_SOON or done <= 0 or todo <= 0:
        return ""
    return f", about {duration(seconds / done * todo)} left"


def _end() -> str:
    return "" if sys.stderr.isatty() else "\n"


class ProgressLine:
    """One line that rewrites itself on a terminal; elsewhere a plain line for every 25 steps, or after a minute."""

    def __init__(self) -> None:
        self.steps = 0
        self._began = self._said = time.monotonic()

    def left(self, of: int) -> str:
        """`, about 12 min left` when one more step of so many is done."""
        return time_left(time.monotonic() - self._began, self.steps + 1, of - self.steps - 1)

    def step(self, text: str) -> None:
        """One more step is done; `text` says where things stand."""
        self.steps += 1
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif self.steps % _EVERY == 0 or time.monotonic() - self._said > _AT_LEAST:
            print(text, file=sys.stderr, flush=True)
            self._said = time.monotonic()

    def say(self, text: str) -> None:
        """Where things stand before the first step, or what is waited for."""
        text = printable(text)
        print(f"\r\x1b[K{text}" if sys.stderr.isatty() else text, end=_end(), file=sys.stderr, flush=True)

    def end(self) -> None:
        """The work is over: leave the line."""
        if sys.stderr.isatty():
            print(file=sys.stderr)
