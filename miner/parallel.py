"""Work spread over threads, in bounded numbers, that ends at once on Ctrl-C."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from miner import sandbox

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def pool(workers: int) -> Iterator[Executor]:
    """A pool of threads; where the block is left by an exception, what runs in sandboxes is killed."""
    executor = ThreadPoolExecutor(max_workers=workers)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        sandbox.stop_all()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def in_parallel(work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """What `work` gives for each item, in the order in which they are done.

    A bounded number is in flight, which keeps memory flat over long histories.
    """
    with pool(workers) as executor:
        source = iter(items)
        waiting: set[Future[R]] = {executor.submit(work, item) for item in islice(source, 4 * workers)}
        while waiting:
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                waiting |= {executor.submit(work, item) for item in islice(source, 1)}
                yield future.result()
