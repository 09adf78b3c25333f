"""Answers that are worked out once, however many threads ask."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memo(Generic[K, V]):
    """At most `most` answers; the one that was asked for longest ago goes first.

    Who asks while another works it out waits, and gets the same answer or exception. An exception is not kept.
    """

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._known: OrderedDict[K, Future[V]] = OrderedDict()

    def get(self, key: K, work: Callable[[], V]) -> V:
        """The answer for `key`: the known one, or else what `work` gives."""
        with self._lock:
            found = self._known.get(key)
            answer: Future[V] = Future() if found is None else found
            self._known[key] = answer
            self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)  # who waits for it still holds it
        if found is None:
            self._work_out(key, answer, work)
        return answer.result()

    def known(self, key: K) -> V | None:
        """The answer for `key` where it is known already and worked out, else None."""
        with self._lock:
            found = self._known.get(key)
        return found.result() if found is not None and found.done() and found.exception() is None else None

    def _work_out(self, key: K, answer: Future[V], work: Callable[[], V]) -> None:
        try:
            answer.set_result(work())
        except BaseException as error:
            with self._lock:
                if self._known.get(key) is answer:
                    del self._known[key]
            answer.set_exception(error)
