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


@dataclass(frozen=True)
class Reply:
    """What a call gave. `stop_reason` None: not known. Tokens are counts, latency is milliseconds."""

    text: str
    stop_reason: StopReason | None
    input_tokens: int
    output_tokens: int
    latency_ms: int
    served_model: str


class NoEvidence(Exception):
    """A call that says nothing about the format: `reason` says what kind of nothing."""

    def __init__(self, reason: Discard, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class Model(Protocol):
    """Something that answers requests; `simulated` models say nothing about any real one."""

    name: str
    simulated: bool

    def reply(self, request: Request) -> Reply:
        """The reply to a request; raises `NoEvidence`. Called from several threads."""
