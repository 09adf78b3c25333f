"""Results that are remembered up to a weight: a number of them says little where one is a hundred times another."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def remembered(room: int, weight: Callable[..., int]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember what a function gave for the arguments that were used last, as far as their weights fit into `room`.

    What weighs more by itself is not remembered. Arguments are given by position and can be hashed; the function is
    pure, and may be called from several threads.
    """

    def wrapped(function: Callable[P, R]) -> Callable[P, R]:
        found: OrderedDict[Hashable, tuple[R, int]] = OrderedDict()
        lock = threading.Lock()
        left = room

        def keep(key: Hashable, result: R, its: int) -> None:
            nonlocal left
            with lock:
                if its > room or key in found:  # another thread was as fast
                    return
                found[key] = result, its
                left -= its
                while left < 0:
                    left += found.popitem(last=False)[1][1]

        @wraps(function)
        def ask(*arguments: P.args, **named: P.kwargs) -> R:
            with lock:
                if arguments in found:
                    found.move_to_end(arguments)
                    return found[arguments][0]
            result = function(*arguments, **named)
            keep(arguments, result, weight(*arguments, **named))
            return result

        return ask

    return wrapped
