"""What a client's error says of the provider's answer; every client has its own way of holding it."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from evaluator.models.pacing import asked_wait

# What gRPC calls the failures that HTTP has a status for: https://grpc.io/docs/guides/status-codes
_OF_GRPC = {
    "INVALID_ARGUMENT": 400, "FAILED_PRECONDITION": 400, "OUT_OF_RANGE": 400, "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403, "NOT_FOUND": 404, "RESOURCE_EXHAUSTED": 429,
}  # fmt: skip
# Google says in the body how long to wait: https://cloud.google.com/apis/design/errors
_DELAY = re.compile(r"[\"']retryDelay[\"']:\s*[\"'](\d+(?:\.\d+)?)s[\"']")


def status_of(error: Exception) -> int | None:
    """The HTTP status that the provider answered with, None where it did not answer."""
    if isinstance(status := getattr(error, "status_code", None), int):
        return status
    cause = _cause(error)
    if isinstance(response := getattr(cause, "response", None), Mapping):  # AWS
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        return status if isinstance(status, int) else None
    code = getattr(cause, "code", None)
    return _OF_GRPC.get(getattr(code(), "name", "")) if callable(code) else None


def said_by(error: Exception) -> str | None:
    """The message of the provider's answer, or of an error event of its stream, where there is one."""
    for body in _bodies(_cause(error)):
        inner = body.get("error", body.get("Error", body))
        said = inner.get("message", inner.get("Message")) if isinstance(inner, Mapping) else inner
        if isinstance(said, str):
            return said
    details = getattr(_cause(error), "details", None)  # of gRPC
    said = details() if callable(details) else getattr(_cause(error), "error", None)  # of Ollama
    return said if isinstance(said, str) else None


def wait_of(error: Exception) -> float | None:
    """The seconds that the answer asks to wait for; any-llm reads them for 429 only, and not of every client."""
    for headers in _headers(_cause(error)):
        if (wait := asked_wait(headers.get("retry-after"))) is not None:
            return wait
    if (wait := asked_wait(getattr(error, "retry_after", None))) is not None:
        return wait
    delay = _DELAY.search(str(error))
    return float(delay[1]) if delay else None


def redirected_to(error: Exception) -> str:
    """Where the answer says that the call should go, empty where it does not."""
    return next((str(to) for headers in _headers(_cause(error)) if (to := headers.get("location"))), "")


def _headers(cause: Any) -> Iterator[Mapping[str, str]]:
    response = getattr(cause, "response", None)
    if isinstance(response, Mapping):  # AWS
        yield response.get("ResponseMetadata", {}).get("HTTPHeaders", {})
        return
    for holder in (response, getattr(cause, "raw_response", None), cause):
        if isinstance(headers := getattr(holder, "headers", None), Mapping):
            yield headers


def _cause(error: Exception) -> Any:
    return getattr(error, "original_exception", None) or error


def _bodies(cause: Any) -> Iterator[Mapping[str, Any]]:
    for name in ("body", "details", "response"):
        body = getattr(cause, name, None)
        if isinstance(body, str):
            try:
                body = json.loads(body)
            except ValueError:
                continue
        if isinstance(body, Mapping):
            yield body
