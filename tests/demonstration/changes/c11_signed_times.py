"""A rewrite of a small module: most lines change."""

from tests.demonstration.history import RUBEN, Change, Commit, Replace, Shape, Write, at

SOURCE = '''"""What the gateway tells us: signed events with a time, handed to whoever asked for them.

The header looks like `t=1770026400,v1=5257a8...`: the second of the signature and the signature
of that second, a dot and the body. While a secret is exchanged, there is one signature for each.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

SIGNATURE_HEADER = "X-Gateway-Signature"
VERSION = "v1"
TOLERANCE = 300
REMEMBERED = 10_000
FINAL = frozenset({"payment.settled", "payment.failed", "payment.refunded"})


class InvalidSignature(Exception):
    """The event does not come from the gateway."""


class Expired(InvalidSignature):
    """The event was signed too long ago, or too far ahead."""


@dataclass(frozen=True)
class Event:
    """Something that happened at the gateway."""

    id: str
    kind: str
    data: dict

    @property
    def is_final(self) -> bool:
        """Whether nothing more will follow for the payment."""
        return self.kind in FINAL

    @property
    def reference(self) -> str:
        """The reference of the payment that the event is about."""
        found = self.data.get("reference") or self.data.get("payment", {}).get("reference")
        if not found:
            raise ValueError(f"event {self.id} names no payment")
        return found

    @classmethod
    def read(cls, body: bytes) -> Event:
        """The event in the body of a delivery."""
        data = json.loads(body)
        return cls(data["id"], data["type"], data.get("data", {}))


Handler = Callable[[Event], None]


def signature(body: bytes, secret: str, second: int) -> str:
    """The signature of a body at a second, in hex."""
    signed = str(second).encode() + b"." + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def sign(body: bytes, secrets: Iterable[str], second: int) -> str:
    """The header of a delivery, with a signature for each secret."""
    parts = [f"t={second}"]
    parts += [f"{VERSION}={signature(body, secret, second)}" for secret in secrets]
    return ",".join(parts)


def parse(header: str) -> tuple[int, list[str]]:
    """The second and the signatures in a header; other versions are passed over."""
    pairs = [part.strip().partition("=") for part in header.split(",")]
    seconds = [value for name, _, value in pairs if name == "t" and value.isdecimal()]
    if len(seconds) != 1:
        raise InvalidSignature("the header has no time")
    return int(seconds[0]), [value for name, _, value in pairs if name == VERSION]


def verify(body: bytes, header: str, secrets: Iterable[str], now: int) -> None:
    """Raise InvalidSignature unless the body was signed with one of the secrets just now."""
    second, found = parse(header)
    if abs(now - second) > TOLERANCE:
        raise Expired(f"signed {now - second} seconds ago")
    wanted = [signature(body, secret, second) for secret in secrets]
    if not any(hmac.compare_digest(one, other) for one in wanted for other in found):
        raise InvalidSignature("the signature does not match")


class Dispatcher:
    """Hands events to handlers by their kind, each event once."""

    def __init__(self, secrets: Iterable[str], clock: Callable[[], float]) -> None:
        self.secrets = tuple(secrets)
        self.clock = clock
        self.handlers: dict[str, list[Handler]] = {}
        self.seen: OrderedDict[str, None] = OrderedDict()

    def on(self, kind: str, handler: Handler) -> None:
        """Call the handler for each event of a kind; `payment.*` is for all that begin so."""
        self.handlers.setdefault(kind, []).append(handler)

    def receive(self, body: bytes, headers: dict[str, str]) -> bool:
        """Handle one delivery; False when it was handled before."""
        verify(body, headers.get(SIGNATURE_HEADER, ""), self.secrets, int(self.clock()))
        event = Event.read(body)
        if event.id in self.seen:
            return False
        for handler in self.handlers_for(event.kind):
            handler(event)
        self._remember(event.id)
        return True

    def handlers_for(self, kind: str) -> list[Handler]:
        """The handlers of a kind, then those of its family."""
        family = kind.partition(".")[0] + ".*"
        return [*self.handlers.get(kind, []), *self.handlers.get(family, [])]

    def kinds(self) -> list[str]:
        """The kinds of event that somebody listens to."""
        return sorted(self.handlers)

    def _remember(self, id: str) -> None:
        self.seen[id] = None
        if len(self.seen) > REMEMBERED:
            self.seen.popitem(last=False)
'''

TESTS = """import json

import pytest

from billing import webhooks
from billing.webhooks import Dispatcher, Event, Expired, InvalidSignature

NOW = 1_770_026_400


def delivery(secrets=("s3cret",), second=NOW, **event):
    body = json.dumps(event).encode()
    return body, {webhooks.SIGNATURE_HEADER: webhooks.sign(body, secrets, second)}


def dispatcher(*secrets):
    return Dispatcher(secrets or ("s3cret",), clock=lambda: NOW + 0.5)


def test_events_reach_their_handlers():
    received = []
    mine = dispatcher()
    mine.on("payment.settled", received.append)
    assert mine.receive(*delivery(id="e1", type="payment.settled"))
    assert received == [Event("e1", "payment.settled", {})]


def test_a_family_of_events():
    received = []
    mine = dispatcher()
    mine.on("payment.*", received.append)
    mine.receive(*delivery(id="e1", type="payment.settled"))
    mine.receive(*delivery(id="e2", type="batch.closed"))
    assert [event.id for event in received] == ["e1"]


def test_an_event_is_handled_once():
    mine = dispatcher()
    assert mine.receive(*delivery(id="e1", type="payment.settled"))
    assert not mine.receive(*delivery(id="e1", type="payment.settled"))


def test_an_event_whose_handler_failed_comes_again():
    def fail(event):
        raise RuntimeError(event.id)

    mine = dispatcher()
    mine.on("payment.settled", fail)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            mine.receive(*delivery(id="e1", type="payment.settled"))


def test_strangers_are_turned_away():
    with pytest.raises(InvalidSignature, match="does not match"):
        dispatcher().receive(*delivery(("other",), id="e1", type="payment.settled"))


@pytest.mark.parametrize("header", ["", "v1=00", "t=soon,v1=00"])
def test_headers_without_a_time(header):
    with pytest.raises(InvalidSignature, match="the header has no time"):
        webhooks.parse(header)


@pytest.mark.parametrize("second", [NOW - 301, NOW + 301])
def test_old_deliveries_are_turned_away(second):
    with pytest.raises(Expired):
        dispatcher().receive(*delivery(second=second, id="e1", type="payment.settled"))


def test_secrets_can_be_exchanged():
    assert dispatcher("new", "old").receive(*delivery(("old",), id="e1", type="payment.settled"))


def test_payment_reference_is_in_one_of_two_places():
    assert Event("e1", "payment.settled", {"reference": "r"}).reference == "r"
    assert Event("e1", "payment.settled", {"payment": {"reference": "r"}}).reference == "r"


def test_final_events():
    kinds = ("payment.settled", "payment.created")
    assert [Event("e1", kind, {}).is_final for kind in kinds] == [True, False]
"""

CHANGE = Change(
    number=121,
    shape=Shape.SQUASH,
    author=RUBEN,
    merged=at("2026-03-03 10:51"),
    title="Refuse old webhook deliveries and allow two secrets",
    body="""
Whoever records a delivery can send it to us again for ever, and we cannot exchange the secret without
losing events. The gateway's new header solves both: `t=<second>,v1=<hex>,v1=<hex>...`, where each signature
is the HMAC-SHA256 of the second, a dot and the body, one for each secret.

Rewrite `webhooks` for it: `sign(body, secrets, second)` makes the header, `parse(header)` returns the
second and the list of `v1` signatures, or raises `InvalidSignature("the header has no time")`, and
`verify(body, header, secrets, now)` raises `Expired` (an `InvalidSignature`) more than 300 seconds before
or after, and `InvalidSignature("the signature does not match")` where no secret fits. `Dispatcher(secrets,
clock)` takes several secrets and a function that returns the time.

Events become a frozen dataclass `Event(id, kind, data)`, the data empty where a body has none, with the
properties `reference` (from `payment_reference`) and `is_final`; handlers get these. A handler for
`payment.*` gets all events that begin with `payment.`, after the handlers of the exact kind. An event
counts as handled only once its handlers are through, and only the last 10,000 ids are remembered.
""",
    commits=(
        Commit(
            "Refuse old webhook deliveries and allow two secrets",
            (
                Write("src/billing/webhooks.py", SOURCE),
                Write("tests/test_webhooks.py", TESTS),
                Replace(
                    "CHANGELOG.md",
                    "## Unreleased\n\n",
                    "## Unreleased\n\n- Webhooks carry the time of their signature; old ones are refused.\n",
                ),
            ),
        ),
    ),
)
