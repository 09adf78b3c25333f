"""One event loop in a thread of its own, for calls from many threads: waiting costs no thread of theirs any work."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Collection, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

T = TypeVar("T")
_PATIENCE = 5.0  # seconds for cancelled calls to end in


class LoopThread:
    """Runs coroutines for other threads; the thread ends with `close`, or with the process."""

    def __init__(self, name: str) -> None:
        self._loop, self._lock, self._closing = asyncio.new_event_loop(), threading.Lock(), False
        self._works: set[Coroutine[Any, Any, Any]] = set()  # what other threads wait for
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What the coroutine gives. Where the loop is closed meanwhile: `concurrent.futures.CancelledError`."""
        with self._lock:  # work that came behind the end of all others would be waited for without end
            if self._closing:
                work.close()
                raise CancelledError
            self._works.add(work)
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        finally:
            with self._lock:
                self._works.discard(work)

    def soon(self, step: Callable[[], None]) -> None:
        """Have the loop do something that waits for nothing; where it is closed, nothing is done."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(step)

    def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Cancel whatever runs, run `last`, and end the thread."""
        with self._lock:
            self._closing, works = True, set(self._works)
        if self._loop.is_closed():
            last.close()
            return
        with contextlib.suppress(TimeoutError):  # a call that will not end must not keep the process
            asyncio.run_coroutine_threadsafe(_end(works, last), self._loop).result(3 * _PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE)
        if not self._thread.is_alive():
            self._loop.close()


async def _end(works: Collection[Coroutine[Any, Any, Any]], last: Coroutine[Any, Any, None]) -> None:
    """End those, then whatever is left. A task that one of them has just begun (a connection) is its own to end: where
    it is cancelled from outside before its first step, anyio never awaits what it was to run, and Python warns.
    """
    await _cancelled({task for task in asyncio.all_tasks() if task.get_coro() in works})
    await _cancelled(asyncio.all_tasks() - {asyncio.current_task()})
    await asyncio.get_running_loop().shutdown_asyncgens()  # streams that were left in the middle
    await last


async def _cancelled(tasks: Collection["asyncio.Task[Any] | None"]) -> None:
    found = [task for task in tasks if task is not None]
    for task in found:
        task.cancel()
    if found:
        await asyncio.wait(found, timeout=_PATIENCE)
