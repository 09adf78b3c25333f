"""Work spread over threads, in bounded numbers, that ends at once on Ctrl-C."""

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from miner import sandbox

T = TypeVar("T")
R = TypeVar("R")

_WAKE = 0.5  # seconds between two looks at whether a signal came
_LOOK = 0.2  # seconds between two looks at what is still running


@contextmanager
def pool(workers: int, over: threading.Event | None = None) -> Iterator[Executor]:
    """A pool of threads; where the block is left by an exception, what runs in sandboxes is killed.

    `over` is set then, for work of many steps to look at.
    """
    executor = ThreadPoolExecutor(max_workers=workers)
    try:
        yield executor
    except BaseException:
        if over is not None:
            over.set()
        executor.shutdown(wait=False, cancel_futures=True)
        with _stopping():
            executor.shutdown(wait=True)
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _stopping() -> Iterator[None]:
    """Meanwhile kill what runs in sandboxes, again and again: work under way may start one job after another."""
    over = threading.Event()

    def stop() -> None:
        while not over.is_set():
            sandbox.stop_all()
            over.wait(_LOOK)

    stopper = threading.Thread(target=stop, daemon=True)
    stopper.start()
    try:
        yield
    finally:
        over.set()
        stopper.join()


def first_done(waiting: set[Future[R]]) -> tuple[set[Future[R]], set[Future[R]]]:
    """Wait until some of the work is done; returns what is, and what is not.

    A signal may reach another thread than this one, which has to wake up by itself to see it.
    """
    while True:
        finished, left = wait(waiting, timeout=_WAKE, return_when=FIRST_COMPLETED)
        if finished or not left:
            return finished, left


def in_parallel(
    work: Callable[[T], R], items: Iterable[T], workers: int, over: threading.Event | None = None
) -> Iterator[R]:  # fmt: skip
    """What `work` gives for each item, in the order in which they are done.

    A bounded number is in flight, which keeps memory flat over long histories.
    """
    with pool(workers, over) as executor:
        source = iter(items)
        waiting: set[Future[R]] = {executor.submit(work, item) for item in islice(source, 4 * workers)}
        while waiting:
            finished, waiting = first_done(waiting)
            for future in finished:
                waiting |= {executor.submit(work, item) for item in islice(source, 1)}
                yield future.result()
