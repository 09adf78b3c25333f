"""What a failed request means: try again, no evidence, or the end of the run."""

import re
from collections.abc import Collection
from urllib.parse import urlsplit

from evaluator.models.absent import absence
from evaluator.models.answers import redirected_to, said_by, status_of, wait_of
from evaluator.models.model import NoEvidence, Refused
from evaluator.taxonomy import Discard
from miner.errors import ToolError

_REDIRECTS = frozenset({301, 302, 303, 307, 308})  # never followed: key and prompt are for the address that was given
_AGAIN = frozenset({408, 409, 425})
_BY_PROMPT = frozenset({400, 403, 413, 422})  # refusals that may be of one prompt alone: too long, filtered on the way
_SHOWN = 500  # characters of a provider's message
_SECRET = 8  # characters; what is shorter is no key, and may stand in any message
# A complaint about a value is no refusal of the option; only these words are.
_REFUSED = re.compile(r"unsupported|not supported|unrecogni|unknown|unexpected|extra|not permitted|not allowed|both")

# As Google, Cohere and AWS say it; any-llm knows how others do.
_TOO_LONG = re.compile(r"(?i)exceeds the maximum number of tokens|too many (?:input )?tokens|input is too long")


class Again(Exception):
    """The provider or the network failed; asking again may help, after `wait` seconds where it said so."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(message)


class Absent(Again):
    """Nothing listens at the address, or its host is unknown."""


class Limited(Again):
    """The provider limits the rate (429): everyone has to wait."""


class Silent(Again):
    """No token came within the time limit."""


def refused_option(error: Exception, sent: Collection[str]) -> str | None:
    """Which of the options that were sent for our sake alone the provider does not know, or None.

    A request without it is as good, so it is left out from then on. `sent` holds names as the wire has them.
    """
    from any_llm.exceptions import UnsupportedParameterError

    if isinstance(error, UnsupportedParameterError):
        return error.parameter_name if error.parameter_name in sent else None
    if getattr(error, "status_code", None) not in (None, 400, 422):
        return None
    if getattr(error, "status_code", None) is None and not _is_ours(error):
        return None
    if (param := getattr(error, "param", None)) in sent and _REFUSED.search(str(error).lower()):
        return str(param)
    named = {m.start(): name for name in sent for m in re.finditer(rf"\b{name}\b", str(error))}
    return named[min(named)] if named and _REFUSED.search(str(error).lower()) else None


def meaning(error: Exception, name: str, answered: bool, key: str = "", where: str = "") -> Exception:
    """What to raise in place of what a request of the model `name` failed with.

    `answered`: whether any request of this model was. Before that, what no prompt explains is wrong with all of them.
    Some servers say which `key` they were sent: it is told to no one. `where` is what to ask of the address that was
    given, where the server knows no such path.
    """
    from any_llm.exceptions import (
        AnyLLMError,
        ContentFilterError,
        ContextLengthExceededError,
        UnsupportedParameterError,
    )

    status, text = status_of(error), _shown(error, key)
    if isinstance(error, UnsupportedParameterError):
        return ToolError("the provider does not support a setting", name, f"{text}. Leave it out.")
    if _is_ours(error):
        return ToolError("the provider's client does not accept the call", name, f"{text}. Check the settings.")
    if not isinstance(error, AnyLLMError):
        return _lost(error, text)
    if (isinstance(error, ContextLengthExceededError) or _TOO_LONG.search(text)) and said_by(error):
        return NoEvidence(Discard.HARNESS_ERROR, f"the prompt does not fit the model: {text}")
    if status in _REDIRECTS and not answered:
        remedy = f"It is not followed: give the address it leads to as --base-url. {_host(redirected_to(error))}"
        return ToolError(f"the server redirects the call ({status})", name, remedy.rstrip())
    if status is None or status < 400:
        return _lost(error, text)  # the network, or a stream that is garbage or ends in an error
    if status == 429 and error.code != "insufficient_quota":
        return Limited(text, wait_of(error))
    if status in _AGAIN or status >= 500:
        return Again(text, wait_of(error))
    if status in (401, 402, 429):
        return ToolError("the provider refuses the account", name, f"{text}. Check the API key and its credit.")
    if isinstance(error, ContentFilterError):
        return NoEvidence(Discard.REFUSAL, text)
    if not answered and status not in _BY_PROMPT:
        remedy = f"{text}. Check model and settings. {where if status == 404 else ''}"
        return ToolError(f"the provider refuses the first call ({status})", name, remedy.rstrip())
    return Refused(f"{status}: {text}")


def _lost(error: Exception, text: str) -> Again:
    """A request that the network lost, with why where nothing was there to hear it."""
    why = absence(error)
    return Again(text) if why is None else Absent(f"{why}: {text}")


def _host(url: str) -> str:
    """Scheme and host of an address; the rest may hold what is no one's business."""
    parts = urlsplit(url)
    return f"({parts.scheme}://{parts.hostname})" if parts.hostname else ""


def _is_ours(error: Exception) -> bool:
    """Whether the client refused the arguments, before anything was sent. Garbage can raise a `TypeError`, too."""
    cause = getattr(error, "original_exception", None) or error
    return isinstance(cause, NotImplementedError) or (isinstance(cause, TypeError) and " argument '" in str(cause))


def _shown(error: Exception, key: str) -> str:
    """What went wrong, in one line, in the provider's words where it has any, without the key."""
    text = " ".join((said_by(error) or str(error)).split()).rstrip(".") or type(error).__name__
    if len(key) >= _SECRET:
        text = text.replace(key, "(the API key)")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
