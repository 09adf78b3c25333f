"""Why a reply ended, in the provider's words, where any-llm leaves them out or takes them for `stop`.

A reply without a stop reason looks like a broken connection: it would be asked for, and paid, several times.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from any_llm import AnyLLM

_AS_STOP = frozenset({"stop", "complete", "stop_sequence"})


def keep_endings(client: "AnyLLM") -> None:
    """Have the client's chunks say the provider's own reason, in small letters, where any-llm knows none for it."""
    said = _SAID.get(client.PROVIDER_NAME)
    if said is None:
        return
    from any_llm.types.completion import ChoiceDelta, ChunkChoice

    convert: Any = client._convert_completion_chunk_response

    def converted(response: Any, **more: Any) -> Any:
        chunk = convert(response, **more)
        reason = (said(response) or "").lower()
        if reason and not chunk.choices:
            chunk.choices.append(ChunkChoice(index=0, delta=ChoiceDelta(), finish_reason="stop"))
            chunk.choices[0].finish_reason = reason
        for choice in chunk.choices[:1]:
            if reason and reason not in _AS_STOP and choice.finish_reason in (None, "stop"):
                choice.finish_reason = reason
        return chunk

    client._convert_completion_chunk_response = converted  # type: ignore[method-assign]


def _of_gemini(response: Any) -> str | None:
    reason = response.candidates[0].finish_reason if response.candidates else None
    return getattr(reason, "name", None)


def _of_cohere(event: Any) -> str | None:
    return event.delta.finish_reason if event.type == "message-end" and event.delta else None


def _of_ollama(line: Any) -> str | None:
    return line.done_reason if line.done else None


def _of_azure(update: Any) -> str | None:
    """any-llm leaves out a choice whose delta is empty, as the last one's is."""
    return update.choices[0].finish_reason if update.choices else None


_SAID: dict[str, Callable[[Any], str | None]] = {
    "gemini": _of_gemini, "vertexai": _of_gemini, "cohere": _of_cohere, "ollama": _of_ollama,
    "azure": _of_azure,
}  # fmt: skip
