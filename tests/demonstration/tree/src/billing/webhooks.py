"""What the gateway tells us: signed events, handed to whoever asked for them."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable

SIGNATURE_HEADER = "X-Gateway-Signature"

Handler = Callable[[dict], None]


class InvalidSignature(Exception):
    """The event does not come from the gateway."""


def sign(body: bytes, secret: str) -> str:
    """The signature of a body, in hex."""
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def verify(body: bytes, signature: str, secret: str) -> None:
    """Raise InvalidSignature unless the body was signed with the secret."""
    if not hmac.compare_digest(sign(body, secret), signature):
        raise InvalidSignature("the signature does not match")


class Dispatcher:
    """Hands events to handlers by their type."""

    def __init__(self, secret: str) -> None:
        self.secret = secret
        self.handlers: dict[str, list[Handler]] = {}
        self.seen: set[str] = set()

    def on(self, kind: str, handler: Handler) -> None:
        """Call the handler for each event of a kind."""
        self.handlers.setdefault(kind, []).append(handler)

    def receive(self, body: bytes, headers: dict[str, str]) -> bool:
        """Handle one delivery; False when it was handled before."""
        verify(body, headers.get(SIGNATURE_HEADER, ""), self.secret)
        event = json.loads(body)
        if event["id"] in self.seen:
            return False
        self.seen.add(event["id"])
        for handler in self.handlers.get(event["type"], []):
            handler(event)
        return True

    def kinds(self) -> list[str]:
        """The kinds of event that somebody listens to."""
        return sorted(self.handlers)


def payment_reference(event: dict) -> str:
    """The reference of the payment that an event is about."""
    data = event.get("data", {})
    reference = data.get("reference") or data.get("payment", {}).get("reference")
    if not reference:
        raise ValueError(f"event {event.get('id')} names no payment")
    return reference


def is_final(event: dict) -> bool:
    """Whether nothing more will follow for the payment."""
    return event["type"] in {"payment.settled", "payment.failed", "payment.refunded"}
