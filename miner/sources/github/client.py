"""The one door to GitHub's API: PyGithub's requester, asked one question at a time, patiently and politely."""

import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import requests
from github import Auth, Github, GithubException

from miner.errors import ToolError
from miner.sources.github.address import Address
from miner.sources.github.limits import Answer, Wait, is_fault, remaining, wait_after, wait_before
from miner.sources.github.refusals import refusal
from miner.sources.github.token import Token

_SILENCE = 30  # seconds without a byte
_WHOLE = 90.0  # seconds for a whole answer, however its bytes drip
_TIMEOUTS = (502, 504)
_SHOWN_EVERY = 15.0  # seconds of a wait between two lines of progress


@dataclass(frozen=True)
class Clock:
    """Time as the client sees it: seconds since 1970, and a way to let some pass."""

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True)
class Patience:
    """Seconds without a byte, and for a whole answer, after which a question counts as not answered."""

    silence: float = _SILENCE
    whole: float = _WHOLE


class TooMuch(Exception):
    """GitHub's time ran out over a GraphQL query: the same may well work for fewer items."""


class Client:
    """Asks, waits and asks again; raises `ToolError` where that leads nowhere. Not for several threads."""

    def __init__(
        self, address: Address, token: Token | None, progress: Callable[[str], None],
        clock: Clock = Clock(), patience: Patience = Patience(),
    ) -> None:  # fmt: skip
        self.address, self.token = address, token
        self._progress, self._clock, self._patience = progress, clock, patience
        self._headers: Mapping[str, str] = {}
        self._github = self._connect()

    @property
    def remaining(self) -> int | None:
        """How many questions GitHub still takes before its limit, as of the last answer."""
        return remaining(self._headers)

    def get(self, path: str, parameters: Mapping[str, str | int] | None = None, missing: bool = False) -> Any:
        """The JSON of a REST path such as `/repos/org/svc`; with `missing`, None where there is nothing at it."""
        answer, data = self._patiently(lambda: self._request("GET", path, dict(parameters or {}), None))
        if missing and answer.status in (404, 410):
            return None
        return self._accepted(answer, data)

    def graphql(
        self, query: str, variables: Mapping[str, object], divisible: bool = False
    ) -> tuple[Any, list[Any]]:
        """The `data` and the `errors` of a GraphQL query; raises `TooMuch` where a divisible one ran out of time."""
        asked = {"query": query, "variables": dict(variables)}
        url = self._github.requester.graphql_url
        answer, body = self._patiently(lambda: _judged(*self._request("POST", url, None, asked)), divisible)
        if divisible and answer.status in _TIMEOUTS:
            raise TooMuch(answer.message)
        body = self._accepted(answer, body)
        return body["data"], body.get("errors") or []

    def _accepted(self, answer: Answer, data: Any) -> Any:
        if answer.status >= 400 or is_fault(answer):
            raise refusal(answer, self.address, self.token)
        return data

    def _patiently(self, ask: Callable[[], tuple[Answer, Any]], divisible: bool = False) -> tuple[Answer, Any]:
        """An answer that is no limit and no fault, or the last of too many.

        Of a divisible question the server's second timeout is such an answer, so that less can be asked for.
        """
        before = timeouts = 0
        while True:
            self._wait(wait_before(self._headers, self._clock.now()))
            answer, data = ask()
            self._headers = answer.headers or self._headers
            timeouts += answer.status in _TIMEOUTS
            if divisible and timeouts == 2:
                return answer, data
            wait = wait_after(answer, before, self._clock.now())
            if wait is None:
                return answer, data
            before += 1
            self._headers = {}  # the wait covers what they say
            self._wait(wait)

    def _wait(self, wait: Wait | None) -> None:
        if wait is None:
            return
        end = self._clock.now() + wait.seconds
        until = datetime.fromtimestamp(end, UTC).strftime("%H:%M:%S UTC")
        last = ", for the last time" if wait.last else ""
        while (left := end - self._clock.now()) > 0:
            self._progress(f"GitHub: {wait.why}; asking again in {left:.0f} s, at {until}{last}")
            # A short rest is not told once more: it would read as a wait of its own.
            self._clock.sleep(left if left < 2 * _SHOWN_EVERY else _SHOWN_EVERY)

    def _connect(self) -> Github:
        auth = Auth.Token(self.token.value) if self.token else None
        return Github(
            auth=auth, base_url=self.address.api, timeout=self._patience.silence,  # type: ignore[arg-type]
            user_agent="edit-format-evaluator", retry=None,
            # One question at a time is what GitHub asks for; PyGithub would take each of GraphQL's for a write.
            seconds_between_requests=None, seconds_between_writes=None,
        )  # fmt: skip

    def _request(
        self, verb: str, url: str, parameters: dict[str, Any] | None, body: Any
    ) -> tuple[Answer, Any]:
        """One question; whatever becomes of it is an answer."""
        requester = self._github.requester
        try:
            headers, data = _within(
                self._patience.whole, lambda: requester.requestJsonAndCheck(verb, url, parameters, None, body)
            )
        except GithubException as error:
            headers = {name.lower(): str(value) for name, value in (error.headers or {}).items()}
            return Answer(error.status, headers, _message(error.data)), None
        except (requests.RequestException, ValueError, TimeoutError) as error:  # ValueError: JSON that was cut off
            self._github.close()
            self._github = self._connect()
            return Answer(0, {}, _lost(error)), None
        except RuntimeError as error:  # a redirection to another host or scheme
            raise ToolError("GitHub sends us elsewhere", self.address, f"{error}. Check --api-url.") from None
        return Answer(200, {name.lower(): str(value) for name, value in headers.items()}, ""), data


def _lost(error: Exception) -> str:
    """In words, since the library's text holds addresses and memory addresses of objects."""
    if isinstance(error, (requests.Timeout, TimeoutError)):
        return "no answer in time"
    if isinstance(error, requests.exceptions.SSLError):
        return "no encrypted connection"
    return "the answer was cut off" if isinstance(error, ValueError) else "the connection was lost"


def _message(data: Any) -> str:
    return str(data.get("message") or "") if isinstance(data, dict) else ""


def _within(seconds: float, call: Callable[[], tuple[Any, Any]]) -> tuple[Any, Any]:
    """What a call gives, or raises, within a time: a socket's own limit is only for one byte after another."""
    done: queue.SimpleQueue[tuple[tuple[Any, Any] | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((call(), None))
        except BaseException as error:
            done.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        result, error = done.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    assert result is not None
    return result


_STATUS_OF = {"RATE_LIMITED": 403, "RATE_LIMIT": 403, "NOT_FOUND": 404, "FORBIDDEN": 403}


def _judged(answer: Answer, body: Any) -> tuple[Answer, Any]:
    """GraphQL says most of what goes wrong in the body of a good answer: as the status that REST would have."""
    if answer.status != 200:
        return answer, body
    if not isinstance(body, dict) or not (isinstance(body.get("data"), dict) or body.get("errors")):
        return Answer(0, answer.headers, "the answer is no GraphQL"), None
    errors = [error for error in body.get("errors") or [] if isinstance(error, dict)]
    if not errors:
        return answer, body
    kind, said = str(errors[0].get("type") or ""), str(errors[0].get("message") or "")
    # Without a type it is what GitHub says when its time ran out: "Something went wrong while executing your query."
    if not kind and ("went wrong" in said or "timeout" in said.lower()):
        return Answer(502, answer.headers, said), None
    if (body.get("data") or {}).get("repository") is not None:
        return answer, body  # what a token may not read is missing from good data
    status = _STATUS_OF.get(kind, 400)
    if kind.startswith("RATE_LIMIT"):
        said = f"rate limit exceeded: {said}"
    return Answer(status, answer.headers, said), None
