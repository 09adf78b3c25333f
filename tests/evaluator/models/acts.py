"""What a model server on loopback does with a request, and the parts that events of several formats are made of."""

import json
from dataclasses import dataclass, field
from typing import Any

OPENAI, ANTHROPIC = "openai", "anthropic"
GEMINI, MISTRAL, OLLAMA, COHERE, GROQ = "gemini", "mistral", "ollama", "cohere", "groq"
BEDROCK = "bedrock"
# What each calls the ends that an act can have.
STOPS = {
    OPENAI: {"stop": "stop", "length": "length", "refusal": "content_filter"},
    ANTHROPIC: {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"},
    GEMINI: {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"},
    BEDROCK: {"stop": "end_turn", "length": "max_tokens", "refusal": "content_filtered"},
    COHERE: {"stop": "COMPLETE", "length": "MAX_TOKENS"},
}


@dataclass(frozen=True)
class Act:
    """What is done with a request.

    `stop` is one of stop, length, refusal, or what the wire format calls it itself; None: it never ends in one.
    `hang`, `reset`: that many events are sent before, 0: none, not even headers. `cut`: the body ends there, as if it
    were whole. `drip`: seconds between events. `garbage`: the body in place of events.
    """

    text: str = "fine"
    stop: str | None = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: dict[str, Any] = field(default_factory=dict)
    reasoning: str = ""
    served: str = ""
    hang: int | None = None
    reset: int | None = None
    cut: int | None = None
    drip: float = 0
    garbage: bytes = b""
    input_tokens: int = 100
    output_tokens: int = 7
    cached: int = 0
    written: int = 0
    reasoned: int | None = None
    counts: bool = True
    pieces: int = 4


def split(text: str, pieces: int) -> list[str]:
    size = max(-(-len(text) // pieces), 1)
    return [text[n : n + size] for n in range(0, len(text), size)]


def data(content: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(content)}\n\n".encode()


def openai_usage(act: Act) -> dict[str, Any]:
    return {
        "prompt_tokens": act.input_tokens, "completion_tokens": act.output_tokens,
        "total_tokens": act.input_tokens + act.output_tokens,
        "prompt_tokens_details": {"cached_tokens": act.cached, "cache_write_tokens": act.written},
        "completion_tokens_details": {"reasoning_tokens": act.reasoned},
    }  # fmt: skip
