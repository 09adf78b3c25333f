"""A loop that is closed with connections under way."""

import gc
import threading
import time
import warnings
from concurrent.futures import CancelledError

import anyio
import pytest

from evaluator.models.loop import LoopThread


def test_a_connection_that_was_just_begun_is_ended_without_a_warning() -> None:
    """Closed between the step in which a call starts a task of its own and that task's first step."""
    loop, begun, ended = LoopThread("test"), threading.Event(), list[str]()

    async def connect() -> None:
        try:
            await anyio.sleep(60)
        finally:
            ended.append("connection")

    async def call() -> None:
        begun.set()
        while not loop._closing:
            time.sleep(0.01)  # the loop stands still, so that its end comes before the next step
        time.sleep(0.1)
        await anyio.lowlevel.checkpoint()
        async with anyio.create_task_group() as group:
            group.start_soon(connect)
            await anyio.sleep(60)

    def wait() -> None:
        with pytest.raises(CancelledError):
            loop.run(call())
        ended.append("call")

    async def last() -> None:
        ended.append("last")

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        waiting = threading.Thread(target=wait)
        waiting.start()
        assert begun.wait(20)
        loop.close(last())
        waiting.join(20)
        gc.collect()
    assert [str(one.message) for one in said if "never awaited" in str(one.message)] == []
    assert {"call", "last"} <= {*ended}
