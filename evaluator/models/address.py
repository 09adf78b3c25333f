"""How the address of a provider's API ends, which a person gives as `--base-url`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from any_llm import AnyLLM

# What their clients add themselves.
_ADDED = {"gemini": "the version", "mistral": "/v1", "ollama": "/v1", "cohere": "/v2", "groq": "/openai/v1"}


def address_question(client: "AnyLLM", url: str | None) -> str:
    """What to ask of the address where the server knows no such path (404); empty where none was given."""
    from any_llm.providers.anthropic.base import BaseAnthropicProvider
    from any_llm.providers.openai.base import BaseOpenAIProvider

    if url is None:
        return ""
    added = _ADDED.get(client.PROVIDER_NAME) or ("/v1" if isinstance(client, BaseAnthropicProvider) else None)
    if added:
        wanted = f"without {added}, which is added here"
    elif isinstance(client, BaseOpenAIProvider):
        wanted = "most servers of OpenAI's API want /v1"
    else:
        wanted = "its documentation says how"
    return f"Does --base-url {url} end as the server wants it ({wanted})?"
