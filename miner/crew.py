"""Pure work in processes of their own: the threads of one Python take turns, and would keep one core busy at most."""

import gc
import multiprocessing
import pickle
import queue
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, TypeVar

R = TypeVar("R")


class Crew:
    """Some forked processes; they end with the block, and also where this process is killed.

    To be made before there are other threads. Where the system cannot fork, and where a process has died, the
    work is done by who asks for it.
    """

    def __init__(self, size: int) -> None:
        self._idle: queue.SimpleQueue[Connection | None] = queue.SimpleQueue()
        self._ours: list[Connection] = []
        can_fork = "fork" in multiprocessing.get_all_start_methods()
        for _ in range(size if can_fork else 0):
            self._add()
        if not self._ours:
            self._idle.put(None)

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, _t: type[BaseException] | None, _e: BaseException | None, _b: TracebackType | None) -> None:
        for connection in self._ours:
            connection.close()

    def _add(self) -> None:
        ours, theirs = multiprocessing.Pipe()
        self._ours.append(ours)
        # Every end of ours that a process kept open would keep another one from noticing that we are gone.
        multiprocessing.get_context("fork").Process(target=_serve, args=(theirs, self._ours), daemon=True).start()
        theirs.close()
        self._idle.put(ours)

    def do(self, work: Callable[..., R], *arguments: Any) -> R:
        """What `work(*arguments)` gives, or raises; all of it can be pickled. Safe to call from many threads.

        Raises `RuntimeError` where the process dies over it.
        """
        task = pickle.dumps((work, arguments))
        connection = self._idle.get()
        if connection is None:
            self._idle.put(None)
            return work(*arguments)
        alive: Connection | None = None
        try:
            connection.send_bytes(task)
            answer = connection.recv_bytes()
            alive = connection
        except (EOFError, ConnectionError):
            raise RuntimeError(f"the process died over {work.__name__}") from None
        finally:
            self._idle.put(alive)
        worked, result = pickle.loads(answer)
        if not worked:
            raise result
        return result  # type: ignore[no-any-return]


def _serve(connection: Connection, others: list[Connection]) -> None:
    """Do what is asked for until nobody is there to ask. Ctrl-C and hangups reach us too: the other side minds them."""
    gc.freeze()  # what came with the fork is shared until somebody writes to it, as each collection would
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:
        other.close()
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send_bytes(_answer(connection.recv_bytes()))


def _answer(task: bytes) -> bytes:
    try:
        work, arguments = pickle.loads(task)
        return pickle.dumps((True, work(*arguments)))
    except Exception as error:
        return pickle.dumps((False, error))
