"""The seam between a call and a provider's wire format."""

import inspect
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import Any, Protocol

from evaluator.journal import CallSettings
from evaluator.models.heard import Heard
from evaluator.models.model import Request
from miner.errors import ToolError
from miner.text import to_bytes

# What the run decides itself; the value says how it is asked for.
_NOT_PARAMS = {
    "model": "It is the model's name.",
    "messages": "Prompts are made from fixtures.",
    "system": "Prompts are made from fixtures.",
    "stream": "Calls are always streamed.",
    "stream_options": "Calls are always streamed.",
    "max_tokens": "The cap is the set's.",
    "max_completion_tokens": "The cap is the set's.",
    "temperature": "Use --temperature.",
    "reasoning_effort": "Use --reasoning-effort.",
    "max_output_tokens": "The cap is the set's.",
    "num_predict": "The cap is the set's.",
    "random_seed": "Every repeat has its own; --no-seed sends none.",
    "seed": "Every repeat has its own; --no-seed sends none.",
    "timeout": "Use --timeout.",
    "n": "One reply is scored.",
    "tools": "Replies are text.",
    "tool_choice": "Replies are text.",
    "extra_body": "Give its keys one by one.",
}


_MOST = 1e9  # tokens; what is above that, or no number, was not counted


class Dialect(Protocol):
    """How one family of providers is asked, and its answers are heard."""

    takes_seed: bool

    def optional(self, request: Request) -> Collection[str]:
        """The options that may be left out where a server does not know them, by their names on the wire."""

    async def open(self, request: Request, sent: Collection[str]) -> AsyncIterator[Any]:
        """The stream of events of a call, with the optional ones in `sent`; raises what any-llm raises."""

    def hear(self, event: Any, heard: Heard) -> None:
        """Add an event to what was heard."""


def known_params(call: CallSettings, accepted: Callable[..., Any], rest: str | None) -> dict[str, Any]:
    """The settings' `params` as arguments of any-llm: those that it does not name go into `rest`, None: as they are.

    Raises `ToolError` for one that the run decides itself.
    """
    if taken := sorted(call.params.keys() & _NOT_PARAMS.keys()):
        raise ToolError("not a parameter to pass on", f"--param {taken[0]}", _NOT_PARAMS[taken[0]])
    names = inspect.signature(accepted).parameters.keys() if rest else call.params.keys()
    found: dict[str, Any] = {key: value for key, value in call.params.items() if key in names}
    others = {key: value for key, value in call.params.items() if key not in names}
    return found | ({rest: others} if rest and others else {})


def sendable(text: str) -> str:
    """Text that can be sent: what is no UTF-8 in an earlier reply is U+FFFD."""
    return to_bytes(text).decode("utf-8", "replace")


def count(usage: Any, name: str) -> int | None:
    """A number of tokens, where the provider gives one that can be: costs are worked out by it."""
    found = usage.get(name) if isinstance(usage, Mapping) else getattr(usage, name, None)
    if not isinstance(found, int | float) or isinstance(found, bool):
        return None
    return int(found) if 0 <= found <= _MOST else None


def text_in(value: Any) -> str:
    """A piece of text in an event, empty where there is none; raises `TypeError` where it is something else."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} in place of text")
    return value
