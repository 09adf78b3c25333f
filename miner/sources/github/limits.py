"""How long to wait before asking GitHub again, as its headers say, and when to give up. Pure.

GitHub's rules: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
(retry-after first; else until x-ratelimit-reset where nothing remains; else a minute, doubled each time).
"""

from collections.abc import Mapping
from dataclasses import dataclass

_FAULTS = 6  # answers in a row that never came, or were the server's fault, before it is given up
_LIMITS = 4  # refusals in a row for asking too much
_LONGEST = 3900  # seconds: a primary limit is over within an hour; who is told to wait for longer is told so
_MINUTE = 60.0
_SLACK = 1.0  # clocks differ, and a reset falls somewhere within its second
_SECONDARY = ("secondary rate limit", "abuse detection", "wait a few minutes", "retry your request again later")


@dataclass(frozen=True)
class Answer:
    """What came back: status 0 where nothing did. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    message: str


@dataclass(frozen=True)
class Wait:
    """Ask again after so many seconds."""

    seconds: float
    why: str
    last: bool = False  # it is for the last time


def is_fault(answer: Answer) -> bool:
    """Whether the same question may well be answered a little later."""
    return answer.status == 0 or answer.status >= 500


def is_limit(answer: Answer) -> bool:
    """Whether GitHub refuses because it was asked too much."""
    if answer.status == 429:
        return True
    said = answer.message.lower()
    return answer.status == 403 and (
        "retry-after" in answer.headers or answer.headers.get("x-ratelimit-remaining") == "0"
        or "rate limit exceeded" in said or any(words in said for words in _SECONDARY)
    )  # fmt: skip


def wait_after(answer: Answer, before: int, now: float) -> Wait | None:
    """How long to wait after the answer that follows `before` others like it; None: do not ask again.

    `now` is in seconds since 1970, as x-ratelimit-reset is.
    """
    if is_fault(answer):
        seconds = max(2.0**before, _seconds(answer.headers.get("retry-after")) or 0)
        return _bounded(seconds, answer.message or f"status {answer.status}", before + 1, _FAULTS)
    if not is_limit(answer):
        return None
    after, reset = (_seconds(answer.headers.get(name)) for name in ("retry-after", "x-ratelimit-reset"))
    if after is not None:
        return _bounded(after + _SLACK, "rate limit", before + 1, _LIMITS)
    if answer.headers.get("x-ratelimit-remaining") == "0" and reset is not None:
        return _bounded(max(reset - now, 0) + _SLACK, "rate limit", before + 1, _LIMITS)
    return _bounded(_MINUTE * 2**before, "rate limit", before + 1, _LIMITS)


def wait_before(headers: Mapping[str, str], now: float) -> Wait | None:
    """How long to wait before the next question after an answer that was the last one allowed."""
    reset = _seconds(headers.get("x-ratelimit-reset"))
    if headers.get("x-ratelimit-remaining") != "0" or reset is None or reset <= now:
        return None
    return _bounded(reset - now + _SLACK, "rate limit")


def remaining(headers: Mapping[str, str]) -> int | None:
    """How many questions are left, where the answer says so."""
    left = _seconds(headers.get("x-ratelimit-remaining"))
    return None if left is None else int(left)


def _bounded(seconds: float, why: str, asked: int = 0, most: int = 2) -> Wait | None:
    """The wait before a question asked so often already; None where that was the most, or it would be too long."""
    return Wait(seconds, why, asked + 1 == most) if asked < most and seconds <= _LONGEST else None


def _seconds(text: str | None) -> float | None:
    """A header's number; a date, which retry-after may be but GitHub's never is, counts as none."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < 1e12 else None
