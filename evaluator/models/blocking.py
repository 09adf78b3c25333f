"""Clients that block while they wait: theirs is a thread a call, so that other calls and the time limits go on."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

_END = object()


class _Here(ThreadPoolExecutor):
    """Does work where it is asked for: a pool's threads would be waited for at the end of the process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        """The result of the call, which is over."""
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **more))
        except Exception as error:
            done.set_exception(error)
        return done


async def in_thread(open_stream: Callable[[], Awaitable[AsyncIterator[Any]]]) -> AsyncIterator[Any]:
    """The events of a stream that a thread with a loop of its own opens and reads; raises what that raises.

    A call that is given up leaves its thread behind until the client hears something, or the process ends.
    """
    loop, heard, given_up = asyncio.get_running_loop(), asyncio.Queue[Any](), threading.Event()

    def tell(event: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: no one listens any more
            loop.call_soon_threadsafe(heard.put_nowait, event)

    async def read() -> None:
        async for event in await open_stream():
            if given_up.is_set():
                return
            tell(event)

    def work() -> None:
        own = asyncio.new_event_loop()
        own.set_default_executor(_Here())
        try:
            own.run_until_complete(read())
            tell(_END)
        except Exception as error:
            tell(error)
        finally:
            own.close()

    threading.Thread(target=work, name="blocking call", daemon=True).start()
    try:
        while (event := await heard.get()) is not _END:
            if isinstance(event, Exception):
                raise event
            yield event
    finally:
        given_up.set()
