"""The clients of providers, as any-llm makes them, and the dialect that each is spoken to in."""

import logging
import os
from typing import TYPE_CHECKING, get_args
from urllib.parse import urlsplit

from evaluator.journal import CallSettings
from evaluator.messages import Message
from evaluator.models.completions import Completions
from evaluator.models.dialect import Dialect
from evaluator.models.messages_api import MessagesApi
from evaluator.models.options import client_options, key_variables, stand_in_key, stay_there
from miner.errors import ToolError

if TYPE_CHECKING:
    from any_llm import AnyLLM


def client_of(name: str, call: CallSettings) -> "AnyLLM":
    """The client that `PROVIDER:MODEL` is asked by; raises `ToolError` where key, package or address are missing."""
    from any_llm import AnyLLM
    from any_llm.exceptions import AnyLLMError, MissingApiKeyError

    provider = name.partition(":")[0]
    _check_url(call.base_url)
    try:
        kind = AnyLLM.get_provider_class(provider)
        _check_streams(kind, name)
        key = key_of(kind) or stand_in_key(provider, call.base_url)
        options = {} if kind.MISSING_PACKAGES_ERROR else client_options(provider, kind, call.base_url)
        client = AnyLLM.create(provider, key, call.base_url, unified_exceptions=True, **options)
    except MissingApiKeyError as error:
        raise ToolError("no API key", name, _key_remedy(provider, error.env_var_name, call.base_url)) from None
    except ImportError as error:
        remedy = f"Type: pip install 'any-llm-sdk[{provider}]' ({error.__cause__ or error})."
        raise ToolError("the provider's client is not installed", name, remedy) from None
    except (AnyLLMError, TypeError, ValueError) as error:
        raise ToolError("the provider cannot be used", name, f"{error}") from None
    stay_there(client)
    logging.getLogger("any_llm").setLevel(logging.ERROR)  # some of its clients warn with every call
    return client


def key_of(kind: "type[AnyLLM]") -> str | None:
    """The key in the provider's variable, None where there is none."""
    return next((key for name in key_variables(kind) if (key := os.environ.get(name))), None)


def _check_streams(kind: "type[AnyLLM]", name: str) -> None:
    if not (kind.SUPPORTS_COMPLETION and kind.SUPPORTS_COMPLETION_STREAMING):
        remedy = "A server that speaks OpenAI's API can be asked as openai:MODEL with --base-url."
        raise ToolError("the provider streams no replies", name, remedy)


def _key_remedy(provider: str, variables: str, url: str | None) -> str:
    said = f"Set the environment variable {variables.replace('/', ' or ')}"
    can_do_without = stand_in_key(provider, url or "http://any") is not None
    return f"{said}, or give --base-url for a server of your own." if can_do_without else f"{said}."


def _check_url(url: str | None) -> None:
    """Raises `ToolError` for what is no address, or holds a password: it is written down with the run.

    A query may hold a key too, and clients append their path to it.
    """
    if url is None:
        return
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # no IPv6 address, no port
        is_address = False
    if not is_address or any(c.isspace() or not c.isprintable() for c in url):
        raise ToolError("not a server's address", url, "Give one such as http://127.0.0.1:8000/v1.")
    if parts.username or parts.password or parts.query or parts.fragment:
        remedy = "It is recorded: leave user, password and query out. The key is read from the provider's variable."
        raise ToolError("an address with more than a server and a path", parts.hostname, remedy)


def dialect_of(client: "AnyLLM", name: str, call: CallSettings, cap: int) -> Dialect:
    """How that client is asked; raises `ToolError` for settings that it does not take."""
    from any_llm.exceptions import AnyLLMError
    from any_llm.providers.anthropic.base import BaseAnthropicProvider
    from any_llm.types.completion import ReasoningEffort

    if call.reasoning_effort not in (None, *get_args(ReasoningEffort)):
        known = ", ".join(get_args(ReasoningEffort))
        raise ToolError("unknown reasoning effort", call.reasoning_effort, f"Known: {known}.")
    model = name.partition(":")[2]
    if isinstance(client, BaseAnthropicProvider):
        native = MessagesApi(client, model, call)
        try:
            native.arguments([Message("user", "?")], cap)
        except AnyLLMError as error:
            raise ToolError("the settings do not fit the model", name, f"{error}") from None
        return native
    elsewhere = bool(call.base_url or (client.ENV_API_BASE_NAME and os.environ.get(client.ENV_API_BASE_NAME)))
    return Completions(client, model, call, elsewhere)
