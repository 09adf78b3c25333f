"""Models behind any-llm: `anthropic:MODEL`, `openai:MODEL`, every other `PROVIDER:MODEL` (docs/models.md)."""

import asyncio
import contextlib
import inspect
import random
import time
from collections.abc import Collection
from concurrent.futures import CancelledError
from typing import Any, Literal

import stamina

from evaluator.journal import CallSettings
from evaluator.models.address import address_question
from evaluator.models.clients import client_of, dialect_of, key_of
from evaluator.models.failures import Absent, Again, Limited, Silent, meaning, refused_option
from evaluator.models.heard import Heard, Times, reply_of
from evaluator.models.limits import BYTES_PER_TOKEN, limits
from evaluator.models.loop import LoopThread
from evaluator.models.model import NoEvidence, Reply, Request, Unreachable
from evaluator.models.pacing import Gate, Over, Patience, Waiting
from evaluator.taxonomy import Discard

_OVER = "the run's money or time was used up while the call waited"


class Provider:
    """A model of a provider: calls are streamed, retried and paced here. Close it after use."""

    simulated = False

    def __init__(self, name: str, call: CallSettings, cap: int, patience: Patience | None = None) -> None:
        """Raises `ToolError` where the provider, its key or a setting cannot be used; sends nothing."""
        self.name, self._call, self._patience = name, call, patience or Patience()
        self._client = client_of(name, call)
        self._dialect = dialect_of(self._client, name, call, cap)
        self._key = key_of(type(self._client)) or ""
        self._where = address_question(self._client, call.base_url)
        self._gate, self._waiting = Gate(self._patience), Waiting()
        self._refused: set[str] = set()  # options that the server was found not to know
        self._answered = False
        stamina.instrumentation.set_on_retry_hooks([])  # tries are recorded with every attempt instead
        self._loop = LoopThread(name)

    def reply(self, request: Request) -> Reply:
        """The reply; raises `NoEvidence`, or `ToolError` where every other call would fail as well."""
        try:
            heard, times, tries, seeded = self._loop.run(self._tried(request))
        except CancelledError:
            raise NoEvidence(Discard.INFRA_ERROR, "the run ended before the call did") from None
        return reply_of(heard, times, request, tries, seeded)

    def stop_waiting(self) -> None:
        """Begin no request any more: calls that wait for one are given up, one in flight goes on to its end."""
        self._loop.soon(self._waiting.end)

    def close(self) -> None:
        """End every call under way, and the connections."""
        self._loop.close(self._disconnected())

    async def _disconnected(self) -> None:
        for name in ("client", "chat_client"):  # Azure's has the other name
            with contextlib.suppress(Exception):
                closing = getattr(self._client, name).close()
                await closing if inspect.isawaitable(closing) else None

    async def _tried(self, request: Request) -> tuple[Heard, Times, int, bool]:
        """The call, made again as long as that may help; with how often it was made, and whether a seed was sent."""
        patience, tries = _Tries(self._patience, self._waiting), 0
        try:
            with self._waiting.call():
                async for attempt in stamina.retry_context(on=patience, attempts=None, timeout=self._patience.total):
                    with attempt:
                        await self._gate.through()
                        tries += 1
                        with self._waiting.in_flight():
                            heard, times, sent = await self._sent(request)
        except Over:
            raise NoEvidence(Discard.BUDGET_EXHAUSTED, _OVER, tries) from None
        except Absent as error:
            raise Unreachable(str(error), tries) from None
        except Again as error:
            raise NoEvidence(Discard.INFRA_ERROR, str(error), tries) from None
        except NoEvidence as error:
            error.tries = tries
            raise
        return heard, times, tries, "seed" in sent

    async def _sent(self, request: Request) -> tuple[Heard, Times, Collection[str]]:
        """One request, sent anew without an option that the server does not know."""
        while True:
            sent = set(self._dialect.optional(request)) - self._refused
            sent_at = time.monotonic()
            try:
                heard, times = await self._heard(request, sent)
            except (Again, NoEvidence):
                raise
            except Exception as error:
                if refused := refused_option(error, sent):
                    self._refused.add(refused)
                    continue
                failure = meaning(error, self.name, self._answered, self._key, self._where)
                if isinstance(failure, Limited):
                    self._gate.limited(sent_at, failure.wait)
                raise failure from error
            self._answered = True
            self._gate.answered()
            return heard, times, sent

    async def _heard(self, request: Request, sent: Collection[str]) -> tuple[Heard, Times]:
        """One request's reply, or as much of it as came before the time limit."""
        allowed, heard = limits(request.cap, self._call.timeout_seconds), Heard()
        start, first = time.monotonic(), None
        try:
            async with asyncio.timeout(allowed.first_token) as limit:
                async for event in await self._dialect.open(request, sent):
                    self._hear(event, heard)
                    if heard.size > BYTES_PER_TOKEN * request.cap:
                        heard.too_long = True  # the server knows no cap: hear no more
                        break
                    if first is None and heard.begun:
                        first = time.monotonic() - start
                        limit.reschedule(asyncio.get_running_loop().time() + allowed.whole - first)
        except Exception as error:
            if isinstance(error, TimeoutError) and limit.expired():
                if not heard.begun and not heard.ended:
                    raise Silent(allowed.silence) from None
                heard.timed_out = not heard.ended
            elif not heard.ended:  # otherwise the reply is whole, and only counts were to come
                raise
        if not (heard.ended or heard.timed_out or heard.too_long):
            raise Again("the reply broke off: no stop reason came")
        return heard, Times(time.monotonic() - start, first)

    def _hear(self, event: Any, heard: Heard) -> None:
        try:
            self._dialect.hear(event, heard)
        except (AttributeError, TypeError, ValueError) as error:  # clients hand on what they do not understand
            raise Again(f"an event that cannot be read: {error}") from error


class _Tries:
    """Whether a failed call is made again, and after how many seconds. stamina's own back-off knows no try for free."""

    def __init__(self, patience: Patience, waiting: Waiting) -> None:
        self._patience, self._waiting, self._failed, self._silent = patience, waiting, 0, 0

    def __call__(self, error: Exception) -> float | Literal[False]:
        again = self._again(error)
        if again is not False and self._waiting.over:  # it would wait, and nobody is woken any more
            raise Over
        return again

    def _again(self, error: Exception) -> float | Literal[False]:
        if isinstance(error, Limited):
            return 0.0  # the gate keeps everyone waiting
        if not isinstance(error, Again):
            return False
        self._failed += 1
        self._silent += isinstance(error, Silent)
        if self._failed >= self._patience.tries or self._silent >= self._patience.silent_tries:
            return False
        if error.wait is not None:
            return min(error.wait, self._patience.longest_asked)
        first, wait = self._patience.first_wait, self._patience.first_wait * 2.0 ** (self._failed - 1)
        return min(wait, self._patience.longest_wait) + random.uniform(0, first)
