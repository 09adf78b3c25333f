"""Anthropic's Messages, natively: its events name the model that served, and the prompt says what is to be cached.

https://docs.anthropic.com/en/api/messages-streaming, https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
"""

from collections.abc import AsyncIterator, Collection, Sequence
from typing import TYPE_CHECKING, Any

from evaluator.journal import CallSettings
from evaluator.messages import Message
from evaluator.models.dialect import count, known_params, sendable, text_in
from evaluator.models.heard import Heard, Usage
from evaluator.models.model import Request
from evaluator.taxonomy import StopReason

if TYPE_CHECKING:
    from any_llm.providers.anthropic.base import BaseAnthropicProvider

Block = dict[str, Any]
_STOPS: dict[str, StopReason] = {
    "end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "model_context_window_exceeded": "length",
}  # fmt: skip
_MARK = {"type": "ephemeral"}
_EMPTY = "(nothing)"  # the API takes no empty turns, and an empty reply can be retried


class MessagesApi:
    """Asks by `messages`. It knows no seed; the cap is `max_tokens`, and thinking counts towards it."""

    takes_seed = False

    def __init__(self, client: "BaseAnthropicProvider", model: str, call: CallSettings) -> None:
        self._client, self._model, self._call = client, model, call
        self._params = known_params(call, client.client.messages.create, "extra_body")

    def optional(self, request: Request) -> Collection[str]:  # noqa: ARG002
        """There is nothing to leave out."""
        return ()

    async def open(self, request: Request, sent: Collection[str]) -> AsyncIterator[Any]:  # noqa: ARG002
        """The events of a reply."""
        return self._events(self.arguments(request.messages, request.cap))

    async def _events(self, arguments: dict[str, Any]) -> AsyncIterator[Any]:
        # By any-llm's client, not its `amessages`: that refuses events with a field of a value it does not know yet.
        from any_llm.utils.exception_handler import convert_exception

        create: Any = self._client.client.messages.create
        try:
            async with await create(**arguments) as stream:
                async for event in stream:
                    yield event
        except Exception as error:
            raise convert_exception(error, self._client.PROVIDER_NAME) from error

    def arguments(self, messages: Sequence[Message], cap: int) -> dict[str, Any]:
        """What is sent. How an effort is said differs by model, which any-llm knows; raises what it raises."""
        from any_llm.types.completion import CompletionParams

        effort: Any = self._call.reasoning_effort or "auto"
        params = CompletionParams(
            model_id=self._model, messages=marked(messages), max_tokens=cap, temperature=self._call.temperature,
            reasoning_effort=effort,
        )  # fmt: skip
        said = self._client._convert_completion_params(params, provider_name=self._client.PROVIDER_NAME)
        return said | self._params | {"stream": True}

    def hear(self, event: Any, heard: Heard) -> None:
        """An event: what serves and what it read, a piece of text or thinking, why it stopped."""
        if event.type == "message_start":
            heard.served = sendable(text_in(event.message.model))
            heard.usage = _usage(event.message.usage, None)
        elif event.type == "content_block_delta":
            if event.delta.type == "text_delta":
                heard.say(text_in(event.delta.text))
            elif event.delta.type == "thinking_delta":
                heard.think(text_in(event.delta.thinking))
        elif event.type == "message_delta":
            heard.usage = _usage(event.usage, heard.usage)
            if reason := event.delta.stop_reason:
                heard.ended, heard.stop = True, _STOPS.get(reason)
                if reason == "refusal":
                    heard.refused = "the provider stopped it: refusal"


def marked(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The turns with cache marks: after the system's, after what all formats share, after the last reply (of 4)."""
    last = max((n for n, m in enumerate(messages) if m.role == "assistant"), default=-1)
    return [{"role": m.role, "content": _blocks(m, n == last)} for n, m in enumerate(messages)]


def _blocks(message: Message, is_last_reply: bool) -> list[Block]:
    text = sendable(message.content)
    if message.role == "system" or is_last_reply:
        return [_block(text, True)]
    shared, own = text[: message.shared], text[message.shared :]
    if not shared:
        return [_block(own, False)]
    return [_block(shared, True), *([_block(own, False)] if own else [])]


def _block(text: str, mark: bool) -> Block:
    block: Block = {"type": "text", "text": text if text.strip() else _EMPTY}
    return block | ({"cache_control": _MARK} if mark else {})


def _usage(usage: Any, before: Usage | None) -> Usage:
    """Counts are cumulative, and those at the end may leave out what was said at the start.

    Cached tokens stand beside `input_tokens` there; here they are of the input.
    """
    fresh, read = count(usage, "input_tokens"), count(usage, "cache_read_input_tokens")
    written = count(usage, "cache_creation_input_tokens")
    start = before or Usage(None, None)
    read = start.cached if read is None else read
    written = start.cache_write if written is None else written
    if fresh is None and start.input is not None:
        fresh = start.input - (start.cached or 0) - (start.cache_write or 0)
    thought = count(getattr(usage, "output_tokens_details", None), "thinking_tokens")
    return Usage(
        None if fresh is None else fresh + (read or 0) + (written or 0), count(usage, "output_tokens"), read, written,
        start.reasoning if thought is None else thought,
    )  # fmt: skip
