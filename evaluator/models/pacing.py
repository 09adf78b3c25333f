"""Back-off that all calls of a model share, and how long one call is patient."""

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any


@dataclass(frozen=True)
class Patience:
    """How long a call is tried for; all times in seconds.

    A rate limit spends time and no try: with many workers and a low limit most of what is sent comes back so.
    """

    tries: int = 5  # requests that may fail by the provider or the network
    silent_tries: int = 2  # of these, requests that no token came of before the time limit
    total: float = 900  # after which nothing is tried again
    first_wait: float = 1  # doubled with every failure
    longest_wait: float = 60
    longest_asked: float = 300  # the most that a `Retry-After` is honoured for


def asked_wait(header: str | None, now: datetime | None = None) -> float | None:
    """The seconds that a `Retry-After` header asks for (a number or an HTTP date: RFC 9110, 10.2.3), or None."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            then = parsedate_to_datetime(header)
        except (ValueError, OverflowError):  # also a year that no machine has a number for
            return None
        then = then if then.tzinfo else then.replace(tzinfo=UTC)
        seconds = (then - (now or datetime.now(UTC))).total_seconds()
    return max(seconds, 0.0) if seconds < float("inf") else None


class Gate:
    """Shut for everyone while the provider limits the rate. Safe from any thread."""

    def __init__(self, patience: Patience, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience, self._clock, self._lock = patience, clock, threading.Lock()
        self._shut_at = self._opens_at = float("-inf")
        self._in_a_row = 0

    def left(self) -> float:
        """Seconds until it opens, 0 where it is open."""
        return max(self._opens_at - self._clock(), 0.0)

    def limited(self, sent_at: float, asked: float | None) -> None:
        """A request that was sent then was answered 429, with this wait asked for (None: none).

        What was sent before the gate was shut belongs to the burst that shut it: it makes the wait no longer by itself.
        """
        with self._lock:
            now = self._clock()
            if asked is None:
                if sent_at < self._shut_at:
                    return
                self._in_a_row += 1
                asked = self._patience.first_wait * 2 ** min(self._in_a_row - 1, 20)
                asked = min(asked, self._patience.longest_wait)
            self._shut_at = now
            self._opens_at = max(self._opens_at, now + min(asked, self._patience.longest_asked))

    def answered(self) -> None:
        """A request was answered: the next limit is the first again."""
        with self._lock:
            self._in_a_row = 0

    async def through(self) -> None:
        """Wait until it is open. Who waited leaves a moment after the others, or all would be limited again."""
        while (left := self.left()) > 0:
            await asyncio.sleep(left + random.uniform(0, min(left, 1)))


class Over(Exception):
    """A call was given up between two requests: no more are to be begun."""


class Waiting:
    """The calls with no request in flight. Once it is `over`, they are woken. Of one event loop, like its tasks."""

    def __init__(self) -> None:
        self.over = False
        self._tasks: set[asyncio.Task[Any] | None] = set()
        self._woken: set[asyncio.Task[Any] | None] = set()

    @contextlib.contextmanager
    def call(self) -> Iterator[None]:
        """Within it this task waits, but for what is `in_flight`. Raises `Over` where it is woken, or comes late."""
        if self.over:
            raise Over
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            yield
        except asyncio.CancelledError:
            if task in self._woken:
                raise Over from None
            raise
        finally:
            self._tasks.discard(task)
            self._woken.discard(task)

    @contextlib.contextmanager
    def in_flight(self) -> Iterator[None]:
        """Within it this task's request is with the provider, and goes on to its end."""
        task = asyncio.current_task()
        self._tasks.discard(task)
        try:
            yield
        finally:
            self._tasks.add(task)

    def end(self) -> None:
        """Wake every call that waits."""
        self.over = True
        self._woken |= self._tasks
        for task in self._tasks:
            if task is not None:
                task.cancel()
