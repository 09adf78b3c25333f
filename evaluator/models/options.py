"""What each provider's own client is made with: the address, no limit, no retry and no redirect of its own.

any-llm hands what it does not know itself on to the client, and every client has its own names for these. Without
them some clients ask again by themselves (which is paid for twice), give up a model that thinks for a minute, or
follow a redirect with prompt and key to a host that nobody named.
"""

import json
import re
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import httpx
    from any_llm import AnyLLM

_Options = Callable[[str | None], dict[str, Any]]
_NEVER = 86_400.0  # seconds; our limits end a call, the client's would cut long replies off
_NO_KEY = "none"  # servers that check no key want one sent nevertheless
_GENERATED = ("openai", "anthropic", "groq", "together", "cerebras.cloud.sdk", "fireworks")  # with one generator
# These are asked with the credentials of a cloud account, which a key of ours would take the place of.
_OF_AN_ACCOUNT = ("bedrock", "sagemaker", "vertexai", "vertexaianthropic")
_MORE_KEYS = {"ollama": "OLLAMA_API_KEY"}  # its client reads that by itself


def key_variables(kind: "type[AnyLLM]") -> list[str]:
    """The environment variables that may hold the provider's key; any-llm names some in one text."""
    named = re.split(r"/| and ", f"{kind.ENV_API_KEY_NAME}/{_MORE_KEYS.get(kind.PROVIDER_NAME, '')}")
    return [name for name in named if name not in ("", "None")]


def stand_in_key(provider: str, url: str | None) -> str | None:
    """What to send in place of a key where there is none: a word for a server of one's own, else nothing."""
    return _NO_KEY if url and provider not in _OF_AN_ACCOUNT else None


def client_options(provider: str, kind: "type[AnyLLM]", url: str | None) -> dict[str, Any]:
    """The arguments to make the provider's client with, beside key and address."""
    from any_llm.providers.anthropic.base import BaseAnthropicProvider
    from any_llm.providers.openai.base import BaseOpenAIProvider

    usual = _unlimited if issubclass(kind, BaseOpenAIProvider | BaseAnthropicProvider) else _nothing
    options = _OWN.get(provider, usual)(url)
    if kind.MAX_RETRIES_SUPPORT != "unsupported":
        options["max_retries"] = 0
    return options


def stay_there(client: "AnyLLM") -> None:
    """Have the client follow no redirect where its options cannot say so: those that are generated as OpenAI's is."""
    for name, held in list(vars(client).items()):
        package = next((p for p in _GENERATED if f"{type(held).__module__}.".startswith(f"{p}.")), None)
        if package is not None and hasattr(held, "with_options"):
            http = import_module(package).DefaultAsyncHttpxClient(follow_redirects=False)
            setattr(client, name, held.with_options(http_client=http))


def _plain_http() -> "httpx.AsyncClient":
    import httpx

    limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)  # as many as there are workers
    return httpx.AsyncClient(timeout=None, follow_redirects=False, limits=limits)


def _nothing(url: str | None) -> dict[str, Any]:  # noqa: ARG001
    return {}


def _with_url(url: str | None) -> dict[str, Any]:
    """Where any-llm does not hand the address on itself."""
    return {"base_url": url} if url else {}


def _unlimited(url: str | None) -> dict[str, Any]:  # noqa: ARG001
    return {"timeout": _NEVER}


def _untold(url: str | None) -> dict[str, Any]:
    return {"timeout": _NEVER, **_with_url(url)}


def _cohere(url: str | None) -> dict[str, Any]:
    return {"timeout": _NEVER, "httpx_client": _plain_http(), **_with_url(url)}


def _mistral(url: str | None) -> dict[str, Any]:  # noqa: ARG001
    return {"async_client": _plain_http(), "timeout_ms": int(_NEVER * 1000)}


def _ollama(url: str | None) -> dict[str, Any]:  # noqa: ARG001
    return {"follow_redirects": False}


def _gemini(url: str | None) -> dict[str, Any]:  # noqa: ARG001
    return {"http_options": _google_http()}


def _vertexai(url: str | None) -> dict[str, Any]:
    return {"http_options": _google_http(**_with_url(url))}


def _google_http(**more: str) -> Any:
    # Its own limit would be told to the server as a header, so there is none but httpx's.
    return import_module("google.genai.types").HttpOptions(httpx_async_client=_plain_http(), **more)


def _azure(url: str | None) -> dict[str, Any]:  # noqa: ARG001
    return {"retry_total": 0, "read_timeout": _NEVER, "permit_redirects": False}


def _aws(url: str | None) -> dict[str, Any]:  # noqa: ARG001
    settings = import_module("botocore.config").Config
    return {"config": settings(retries={"total_max_attempts": 1}, read_timeout=_NEVER, max_pool_connections=100)}


def _watsonx(url: str | None) -> dict[str, Any]:  # noqa: ARG001
    return {"retry_status_codes": [], "validate": False}  # any-llm keeps `max_retries` from it


def _xai(url: str | None) -> dict[str, Any]:
    # Its channel's own settings ask again up to four times.
    options: dict[str, Any] = {
        "timeout": _NEVER,
        "channel_options": [("grpc.enable_retries", 0), ("grpc.service_config", json.dumps({}))],
    }
    if url is None:
        return options
    return options | {"api_host": urlsplit(url).netloc, "use_insecure_channel": url.startswith("http:")}


_OWN: dict[str, _Options] = {
    "azure": _azure, "bedrock": _aws, "cerebras": _untold, "cohere": _cohere, "gemini": _gemini, "groq": _untold,
    "mistral": _mistral, "ollama": _ollama, "otari": _nothing, "sagemaker": _aws, "together": _unlimited,
    "vertexai": _vertexai, "vertexaianthropic": _untold, "watsonx": _watsonx, "xai": _xai,
}  # fmt: skip
