"""Chat completions: what OpenAI speaks, and what any-llm makes of every provider but Anthropic's."""

from collections.abc import AsyncIterator, Collection
from typing import TYPE_CHECKING, Any, cast

from evaluator.journal import CallSettings
from evaluator.models.blocking import in_thread
from evaluator.models.dialect import count, known_params, sendable, text_in
from evaluator.models.endings import keep_endings
from evaluator.models.failures import Again
from evaluator.models.heard import Heard, Usage
from evaluator.models.model import Request
from evaluator.taxonomy import StopReason

if TYPE_CHECKING:
    from any_llm import AnyLLM
    from any_llm.types.completion import ChatCompletionChunk

_STOPS: dict[str, StopReason] = {"stop": "stop", "length": "length", "max_tokens": "length"}
_REFUSALS = ("content_filter", "refusal", "error_toxic")
_BROKEN = ("error", "timeout")  # the provider's own: what came is not whole
_SEEDS = {"mistral": "random_seed"}  # any-llm hands `seed` on as it is, which that client refuses
_BLOCKING = ("bedrock", "sagemaker")
_SEEDLESS = ("bedrock", "deepseek")  # any-llm leaves it out, and says nothing
_CAPS = ("max_tokens", "max_completion_tokens")


class Completions:
    """Asks by `acompletion`.

    The cap goes out as any-llm translates it. Servers that imitate OpenAI know either name of it, or both, and ignore
    the other: they are sent both, and the one that a server refuses is left out.
    """

    def __init__(self, client: "AnyLLM", model: str, call: CallSettings, elsewhere: bool) -> None:
        """`elsewhere`: at another address than the provider's own."""
        from any_llm.providers.openai.base import BaseOpenAIProvider

        keep_endings(client)
        kind = type(client)
        self._client, self._model, self._call = client, model, call
        self._openai = isinstance(client, BaseOpenAIProvider)
        self._seed = _SEEDS.get(client.PROVIDER_NAME, "seed")
        self.takes_seed = client.PROVIDER_NAME not in _SEEDLESS
        renamed = kind._convert_completion_params is BaseOpenAIProvider._convert_completion_params
        self._both_caps = renamed and (client.PROVIDER_NAME != "openai" or elsewhere)
        self._params = known_params(call, client.acompletion, "extra_body" if self._openai else None)

    def optional(self, request: Request) -> Collection[str]:
        """Seed, the wish for token counts, and one of two names of the cap."""
        names = ["seed"] if self.takes_seed and request.seed is not None else []
        names += ["stream_options"] if self._openai else []
        return {*names, *_CAPS} if self._both_caps else set(names)

    async def open(self, request: Request, sent: Collection[str]) -> AsyncIterator[Any]:
        """The chunks of a reply."""
        more: dict[str, Any] = dict(self._params)
        if not self._both_caps or "max_completion_tokens" in sent:
            more["max_tokens"] = request.cap  # any-llm's name for what the provider calls its cap
        if self._both_caps and ("max_tokens" in sent or "max_completion_tokens" not in sent):
            more["extra_body"] = more.get("extra_body", {}) | {"max_tokens": request.cap}
        if "seed" in sent:
            more[self._seed] = request.seed
        if "stream_options" in sent:
            more["stream_options"] = {"include_usage": True}
        if self._call.temperature is not None:
            more["temperature"] = self._call.temperature
        if self._call.reasoning_effort is not None:
            more["reasoning_effort"] = self._call.reasoning_effort
        messages: list[Any] = [{"role": m.role, "content": sendable(m.content)} for m in request.messages]

        async def opened() -> AsyncIterator["ChatCompletionChunk"]:
            stream = await self._client.acompletion(model=self._model, messages=messages, stream=True, **more)
            return cast("AsyncIterator[ChatCompletionChunk]", stream)

        return in_thread(opened) if self._client.PROVIDER_NAME in _BLOCKING else await opened()

    def hear(self, event: "ChatCompletionChunk", heard: Heard) -> None:
        """A chunk: text, reasoning, why it stopped, or the counts that come last."""
        heard.served = sendable(text_in(event.model)) or heard.served
        if event.usage is not None:
            heard.usage = _usage(event.usage)
        for choice in event.choices[:1]:
            delta = choice.delta
            heard.say(text_in(delta.content))
            if delta.reasoning is not None:
                heard.think(text_in(delta.reasoning.content))
            if refusal := text_in(delta.refusal):
                heard.refused = (heard.refused or "") + refusal
            if choice.finish_reason in _BROKEN:
                raise Again(f"the provider ended the reply: {choice.finish_reason}")
            if choice.finish_reason:  # some servers send an empty one with every chunk
                heard.ended, heard.stop = True, _STOPS.get(choice.finish_reason)
                if choice.finish_reason in _REFUSALS:
                    heard.refused = heard.refused or f"the provider stopped it: {choice.finish_reason}"


def _usage(usage: Any) -> Usage:
    asked, made = getattr(usage, "prompt_tokens_details", None), getattr(usage, "completion_tokens_details", None)
    return Usage(
        count(usage, "prompt_tokens"), count(usage, "completion_tokens"), count(asked, "cached_tokens"),
        count(asked, "cache_write_tokens"), count(made, "reasoning_tokens"),
    )  # fmt: skip
