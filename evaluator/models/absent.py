"""Whether a failed request reached anything: most clients wrap what the system said, some more than once."""

import socket
from collections.abc import Iterator

_NOTHING_LISTENS = "nothing listens at the address (connection refused)"
_NO_HOST = "the host is not known"


def absence(error: BaseException) -> str | None:
    """Why nothing could be reached, in words; None where something was, or it is not known."""
    for found in _within(error, set()):
        if isinstance(found, ConnectionRefusedError):
            return _NOTHING_LISTENS
        if isinstance(found, socket.gaierror):
            return _NO_HOST
    return None


def _within(error: BaseException | None, seen: set[int]) -> Iterator[BaseException]:
    """An error and all that it was raised from or while handling, each once."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    inner = [getattr(error, "original_exception", None), error.__cause__, error.__context__]
    if isinstance(error, BaseExceptionGroup):  # a host with several addresses
        inner += error.exceptions
    for one in inner:
        if isinstance(one, BaseException):
            yield from _within(one, seen)
