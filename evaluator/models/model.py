"""The seam between running and models."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from evaluator.formats.model import EditFormat
from evaluator.messages import Message
from evaluator.taxonomy import Discard, StopReason
from miner.fixtures import Task


@dataclass(frozen=True)
class Request:
    """One call: the conversation and the output cap, and what it is for (only simulations look at that)."""

    messages: Sequence[Message]
    cap: int
    task: Task
    format: EditFormat
    repeat: int
    attempt: int
    seed: int | None = None  # distinct for every repeat, the same for every format; None: none is sent


@dataclass(frozen=True)
class Reply:
    """What a call gave. `stop_reason` None: not known. Tokens are counts, latency is milliseconds.

    Cached and cache-write tokens are of the input, reasoning tokens of the output; None: the provider does not say.
    Latency is the call's that gave the reply: no queue, no back-off, no earlier tries.
    """

    text: str
    stop_reason: StopReason | None
    input_tokens: int
    output_tokens: int
    latency_ms: int
    served_model: str
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    first_token_ms: int | None = None
    tries: int = 1
    seeded: bool = True  # False: the provider takes no seed, so that of the request was not sent
    # In another vocabulary than the model's; None: not known. Output tokens that were counted here tell of no cap.
    counted_here: bool | None = False
    input_counted_here: bool | None = False


class NoEvidence(Exception):
    """A call that says nothing about the format: `reason` says what kind of nothing, `tries` how often it was tried.

    `reply` is what came nevertheless, and was paid for: that of a refusal.
    """

    def __init__(self, reason: Discard, message: str, tries: int = 1, reply: Reply | None = None) -> None:
        self.reason, self.tries, self.reply = reason, tries, reply
        super().__init__(message)


class Unreachable(NoEvidence):
    """Nothing listens where the provider should be, or there is no such host."""

    def __init__(self, message: str, tries: int = 1) -> None:
        super().__init__(Discard.INFRA_ERROR, message, tries)


class Refused(NoEvidence):
    """The provider refuses a request as it stands. It may be this prompt, or what every request of the run has."""

    def __init__(self, message: str) -> None:
        super().__init__(Discard.HARNESS_ERROR, message)


class Model(Protocol):
    """Something that answers requests; `simulated` models say nothing about any real one."""

    name: str
    simulated: bool

    def reply(self, request: Request) -> Reply:
        """The reply to a request; raises `NoEvidence`. Called from several threads."""
