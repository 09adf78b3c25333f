"""Work spread over threads, in bounded numbers, that ends at once on Ctrl-C."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from miner import sandbox

T = TypeVar("T")
R = TypeVar("R")


class _Pool(ThreadPoolExecutor):
    """Threads that know their unfinished work."""

    def __init__(self, workers: int) -> None:
        super().__init__(max_workers=workers)
        self.unfinished: set[Future[Any]] = set()

    def submit(self, work: Callable[..., R], /, *arguments: Any, **options: Any) -> Future[R]:
        """Have the work done by a thread."""
        future = super().submit(work, *arguments, **options)
        self.unfinished.add(future)
        future.add_done_callback(self.unfinished.discard)
        return future

    def stop(self) -> None:
        """End what runs: work goes from one job to the next, so jobs are killed until it has ended."""
        left = {future for future in list(self.unfinished) if not future.cancel()}
        while left:
            sandbox.stop_all()
            left = wait(left, timeout=0.05).not_done


@contextmanager
def pool(workers: int) -> Iterator[Executor]:
    """A pool of threads; where the block is left by an exception, what runs in sandboxes is killed."""
    executor = _Pool(workers)
    try:
        yield executor
    except BaseException:
        executor.stop()
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
