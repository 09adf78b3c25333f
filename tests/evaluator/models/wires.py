"""The wire formats that the loopback server speaks: what is asked where, and how it is answered."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.evaluator.models.acts import ANTHROPIC, BEDROCK, COHERE, GEMINI, GROQ, MISTRAL, OLLAMA, OPENAI, Act
from tests.evaluator.models.own_events import (
    bedrock_events,
    cohere_events,
    gemini_events,
    groq_events,
    mistral_events,
    ollama_events,
)
from tests.evaluator.models.usual_events import anthropic_events, openai_events


@dataclass(frozen=True)
class Wire:
    """One format: paths that are asked in it, the base URL's path, its events, and what an error looks like."""

    path: str
    base: str
    events: Callable[[Act, dict[str, Any]], Iterator[bytes]]
    error: Callable[[Act, dict[str, Any]], dict[str, Any]]
    kind: str = "text/event-stream"


def _nested(act: Act, error: dict[str, Any]) -> dict[str, Any]:
    return {"error": error}


WIRES = {
    OPENAI: Wire("/v1/chat/completions", "/v1", openai_events, _nested),
    ANTHROPIC: Wire("/v1/messages", "", anthropic_events, lambda act, error: {"type": "error", "error": error}),
    GEMINI: Wire(
        "/gemini/v1(beta)?/models/some-model:streamGenerateContent[?]alt=sse", "/gemini", gemini_events,
        lambda act, error: {"error": {"code": act.status, "status": "SOME_STATUS", **error}},
    ),
    MISTRAL: Wire(
        "/mistral/v1/chat/completions", "/mistral", mistral_events, lambda act, error: {"object": "error", **error}
    ),
    OLLAMA: Wire(
        "/ollama/api/chat", "/ollama", ollama_events, lambda act, error: {"error": error["message"]},
        "application/x-ndjson",
    ),
    COHERE: Wire("/cohere/v2/chat", "/cohere", cohere_events, lambda act, error: {"id": "e1", **error}),
    BEDROCK: Wire(
        "/bedrock/model/some-model/converse-stream", "/bedrock", bedrock_events, lambda act, error: error,
        "application/vnd.amazon.eventstream",
    ),
    GROQ: Wire("/groq/openai/v1/chat/completions", "/groq", groq_events, _nested),
}  # fmt: skip


def wire_of(path: str) -> str | None:
    """The wire format that is asked for at a path."""
    return next((name for name, wire in WIRES.items() if re.fullmatch(wire.path, path)), None)
