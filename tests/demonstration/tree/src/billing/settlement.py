"""The client of the payment gateway.

The gateway keeps payments in batches: open one, add payments,
close it, and ask until it is settled. Nothing here knows about
invoices beyond their numbers, and nothing here keeps state: what
the gateway says is the truth, and every method asks it anew.

Errors are exceptions of the family of GatewayError. An answer of
502, 503 or 504 is a TransientGatewayError: the gateway, or what
stands before it, was busy or away, and may say yes later.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field
from datetime import date

from billing.money import Money
from billing.settings import Settings

BASE = "https://gateway.example/v2"
AGENT = "billing/0.4"

TRANSIENT = frozenset({502, 503, 504})
FINAL = frozenset({"settled", "failed"})

REFERENCE = re.compile(r"stl_\d{4}_\d{6}")
LEGACY = re.compile(r"STL-(\d+)/(\d{2})")

MAX_POLLS = 20
MAX_BATCH = 500
MAX_NOTE = 140


class GatewayError(Exception):
    """The gateway said no."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(
            f"{status}: {message}"
        )
        self.status = status
        self.message = message


class TransientGatewayError(GatewayError):
    """The gateway may say yes later."""


class NotFound(GatewayError):
    """The gateway does not know it."""


class Conflict(GatewayError):
    """It was done before."""


class BatchClosed(Exception):
    """Nothing can be added any more."""


class NotSettled(Exception):
    """It takes longer than we wait."""


@dataclass(frozen=True)
class Request:
    """What goes to the gateway."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes = b""


@dataclass(frozen=True)
class Response:
    """What comes back."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(
        default_factory=dict
    )


Transport = Callable[
    [Request, float], Response
]


@dataclass(frozen=True)
class Payment:
    """One payment of a batch."""

    reference: str
    amount: Money
    invoice: str
    note: str = ""

    def payload(self) -> dict:
        """As the gateway reads it."""
        return {
            "reference": self.reference,
            "amount": self.amount.minor,
            "currency": self.amount.currency,
            "invoice": self.invoice,
            "note": self.note[:MAX_NOTE],
        }

    @classmethod
    def read(cls, data: dict) -> Payment:
        """From the gateway's form."""
        return cls(
            data["reference"],
            Money(
                data["amount"],
                data["currency"],
            ),
            data["invoice"],
            data.get("note", ""),
        )


@dataclass(frozen=True)
class Batch:
    """What the gateway knows of a batch."""

    id: str
    state: str
    count: int = 0
    opened: str = ""

    @property
    def is_open(self) -> bool:
        """Whether payments can be added."""
        return self.state == "open"

    @property
    def is_final(self) -> bool:
        """Whether nothing changes any more."""
        return self.state in FINAL

    @classmethod
    def read(cls, data: dict) -> Batch:
        """From the gateway's form."""
        return cls(
            data["id"],
            data["state"],
            data.get("count", 0),
            data.get("opened", ""),
        )


@dataclass(frozen=True)
class Refund:
    """Money that went back."""

    id: str
    reference: str
    amount: Money
    reason: str = ""

    @classmethod
    def read(cls, data: dict) -> Refund:
        """From the gateway's form."""
        return cls(
            data["id"],
            data["reference"],
            Money(
                data["amount"],
                data["currency"],
            ),
            data.get("reason", ""),
        )


@dataclass(frozen=True)
class Payout:
    """Money that reached our bank."""

    id: str
    day: date
    amount: Money
    fee: Money

    @property
    def net(self) -> Money:
        """What is on the account."""
        return self.amount - self.fee

    @classmethod
    def read(cls, data: dict) -> Payout:
        """From the gateway's form."""
        currency = data["currency"]
        return cls(
            data["id"],
            date.fromisoformat(data["day"]),
            Money(data["amount"], currency),
            Money(data["fee"], currency),
        )


@dataclass(frozen=True)
class Mandate:
    """A customer's leave to collect from an account."""

    customer: str
    account: str
    granted: date
    active: bool = True

    @classmethod
    def read(cls, data: dict) -> Mandate:
        """From the gateway's form."""
        return cls(
            data["customer"],
            data["account"],
            date.fromisoformat(data["granted"]),
            data.get("active", True),
        )


@dataclass(frozen=True)
class Dispute:
    """A payment that the customer's bank took back.

    It is open until we contest or accept it, and decided by
    the bank: won or lost. Silence until the deadline loses it.
    """

    id: str
    reference: str
    amount: Money
    state: str
    deadline: date

    def days_left(self, today: date) -> int:
        """Days left to answer; zero when it is too late."""
        return max(0, (self.deadline - today).days)

    @classmethod
    def read(cls, data: dict) -> Dispute:
        """From the gateway's form."""
        return cls(
            data["id"],
            data["reference"],
            Money(data["amount"], data["currency"]),
            data["state"],
            date.fromisoformat(data["deadline"]),
        )


@dataclass
class Exchange:
    """One request and its answer."""

    method: str
    url: str
    status: int


def reference(year: int, serial: int) -> str:
    """A reference in the form of today."""
    return f"stl_{year}_{serial:06d}"


def is_reference(text: str) -> bool:
    """Whether it is in the form of today."""
    return bool(REFERENCE.fullmatch(text))


def check_payment(payment: Payment) -> None:
    """Raise ValueError for a bad payment."""
    if not is_reference(payment.reference):
        raise ValueError(
            "not a reference: "
            f"{payment.reference!r}"
        )
    if payment.amount.minor <= 0:
        raise ValueError(
            "a payment is more than zero"
        )
    if not payment.invoice:
        raise ValueError(
            "a payment is for an invoice"
        )


class SettlementClient:
    """Talks to the payment gateway.

    The transport takes a request and a number of seconds, and
    returns the response; it raises nothing for an error status.
    Production gives one that speaks HTTP over a kept connection,
    tests give one of their own with the answers written down.

    The pause is what waits between tries, in seconds. Every
    request and its status is kept in `exchanges`, oldest first,
    each try on its own.
    """

    def __init__(
        self,
        transport: Transport,
        settings: Settings | None = None,
        pause: Callable = time.sleep,
    ) -> None:
        self._transport = transport
        self._pause = pause
        self.exchanges: list[Exchange] = []
        self._configure(
            settings or Settings()
        )

    def _configure(self, settings: Settings) -> None:
        """Read what can be set."""
        self.timeout = settings.get(
            "settlement.timeout", 30
        )
        self.retries = settings.get(
            "settlement.retries", 2
        )
        self.backoff = settings.get(
            "settlement.backoff", 0.5
        )
        self.page_size = settings.get(
            "settlement.page_size", 50
        )
        self.key = settings.get(
            "settlement.key", ""
        )
        self.base = settings.get(
            "settlement.base", BASE
        )

    # Requests

    def _headers(self, body: bytes) -> dict[str, str]:
        """The headers of a request."""
        headers = {
            "User-Agent": AGENT,
            "Accept": "application/json",
        }
        if body:
            headers["Content-Type"] = (
                "application/json"
            )
        if self.key:
            headers["X-Signature"] = (
                self._sign(body)
            )
        return headers

    def _sign(self, body: bytes) -> str:
        """The signature of a body."""
        return hmac.new(
            self.key.encode(),
            body,
            hashlib.sha256,
        ).hexdigest()

    def _request(
        self,
        method: str,
        path: str,
        payload: dict | None = None,
    ) -> Request:
        """Put a request together.

        The keys of the payload are sorted, so that the same
        payload always has the same signature.
        """
        body = b""
        if payload is not None:
            body = json.dumps(
                payload, sort_keys=True
            ).encode()
        return Request(
            method,
            self.base + path,
            self._headers(body),
            body,
        )

    def _record(self, request: Request, response: Response) -> None:
        """Keep what was said."""
        self.exchanges.append(
            Exchange(
                request.method,
                request.url,
                response.status,
            )
        )

    def _decode(self, response: Response) -> dict:
        """The body, or the error in it."""
        if response.status >= 400:
            raise self._error(response)
        if not response.body:
            return {}
        return json.loads(response.body)

    def _error(self, response: Response) -> GatewayError:
        """The error that a response is."""
        message = self._message(response)
        status = response.status
        if status in TRANSIENT:
            return TransientGatewayError(
                status, message
            )
        if status == 404:
            return NotFound(status, message)
        if status == 409:
            return Conflict(status, message)
        return GatewayError(status, message)

    def _message(self, response: Response) -> str:
        """What the gateway says is wrong."""
        try:
            data = json.loads(response.body)
        except ValueError:
            return "no message"
        if not isinstance(data, dict):
            return "no message"
        return data.get(
            "message", "no message"
        )

    def get(self, path: str) -> dict:
        """Read, again when it may help."""
        request = self._request("GET", path)
        tries = self.retries + 1
        for attempt in range(tries):
            response = self._transport(
                request, self.timeout
            )
            self._record(request, response)
            if response.status not in TRANSIENT:
                break
            if attempt < self.retries:
                self._pause(
                    self.backoff * 2**attempt
                )
        return self._decode(response)

    def post(self, path: str, payload: dict) -> dict:
        """Write, and return the answer."""
        request = self._request(
            "POST", path, payload
        )
        response = self._transport(
            request, self.timeout
        )
        self._record(request, response)
        return self._decode(response)

    def delete(self, path: str) -> None:
        """Take something away."""
        request = self._request(
            "DELETE", path
        )
        response = self._transport(
            request, self.timeout
        )
        self._record(request, response)
        self._decode(response)

    def pages(self, path: str) -> Iterator[dict]:
        """The items of all the pages, asked for as needed.

        A page that is not full is the last one. When the number
        of items is a multiple of the page size, the last page
        is empty, which costs one more request and no harm.
        """
        size = self.page_size
        page = 1
        while True:
            data = self.get(
                f"{path}?page={page}"
                f"&size={size}"
            )
            items = data.get("items", [])
            yield from items
            if len(items) < size:
                return
            page += 1

    # Batches

    def open_batch(self, name: str) -> Batch:
        """Start a batch."""
        data = self.post(
            "/batches", {"name": name}
        )
        return Batch.read(data)

    def batch(self, batch_id: str) -> Batch:
        """Ask for a batch."""
        return Batch.read(
            self.get(f"/batches/{batch_id}")
        )

    def batches(self, state: str = "") -> list[Batch]:
        """All batches, or those in a state."""
        found = [
            Batch.read(item)
            for item in self.pages("/batches")
        ]
        if not state:
            return found
        return [
            batch
            for batch in found
            if batch.state == state
        ]

    def close_batch(self, batch_id: str) -> Batch:
        """Let the gateway settle it; no way back from here.

        Settling takes minutes to hours. `wait` is for scripts;
        the service itself listens for the gateway's events.
        """
        data = self.post(
            f"/batches/{batch_id}/close", {}
        )
        return Batch.read(data)

    def drop_batch(self, batch_id: str) -> bool:
        """Forget a batch; False if unknown."""
        try:
            self.delete(f"/batches/{batch_id}")
        except NotFound:
            return False
        return True

    def wait(self, batch_id: str, every: float = 5.0) -> Batch:
        """Ask until a batch is final: settled or failed.

        Raises NotSettled after MAX_POLLS questions. The batch
        goes on at the gateway all the same; ask again later.
        """
        for _ in range(MAX_POLLS):
            batch = self.batch(batch_id)
            if batch.is_final:
                return batch
            self._pause(every)
        raise NotSettled(batch_id)

    # Payments

    def add(self, batch: Batch, payment: Payment) -> Payment:
        """Add a payment to an open batch."""
        if not batch.is_open:
            raise BatchClosed(batch.id)
        check_payment(payment)
        data = self.post(
            f"/batches/{batch.id}/payments",
            payment.payload(),
        )
        return Payment.read(data)

    def add_all(
        self,
        batch: Batch,
        payments: list[Payment],
    ) -> list[Payment]:
        """Add payments, one by one, in the order given.

        Stops at the first one that fails, with those before it
        added. Call `reconcile` to find out which these are.
        """
        if len(payments) > MAX_BATCH:
            raise ValueError(
                "too many for one batch: "
                f"{len(payments)}"
            )
        return [
            self.add(batch, payment)
            for payment in payments
        ]

    def payments(self, batch_id: str) -> list[Payment]:
        """The payments of a batch."""
        path = f"/batches/{batch_id}/payments"
        return [
            Payment.read(item)
            for item in self.pages(path)
        ]

    def payment(self, reference: str) -> Payment:
        """Ask for a payment."""
        return Payment.read(
            self.get(f"/payments/{reference}")
        )

    def cancel(self, reference: str) -> bool:
        """Cancel; False if it is too late."""
        path = f"/payments/{reference}"
        try:
            self.post(f"{path}/cancel", {})
        except Conflict:
            return False
        return True

    def total(self, batch_id: str, currency: str) -> Money:
        """What a batch adds up to."""
        total = Money.zero(currency)
        for payment in self.payments(batch_id):
            total = total + payment.amount
        return total

    def find(self, batch_id: str, invoice: str) -> list[Payment]:
        """The payments for an invoice."""
        return [
            payment
            for payment in self.payments(
                batch_id
            )
            if payment.invoice == invoice
        ]

    # Refunds

    def refund(
        self,
        reference: str,
        amount: Money,
        reason: str = "",
    ) -> Refund:
        """Give money back."""
        if amount.minor <= 0:
            raise ValueError(
                "a refund is more than zero"
            )
        data = self.post(
            f"/payments/{reference}/refunds",
            {
                "amount": amount.minor,
                "currency": amount.currency,
                "reason": reason,
            },
        )
        return Refund.read(data)

    def refunds(self, reference: str) -> list[Refund]:
        """What was given back so far."""
        path = f"/payments/{reference}/refunds"
        return [
            Refund.read(item)
            for item in self.pages(path)
        ]

    def refundable(self, reference: str) -> Money:
        """What can still be given back."""
        left = self.payment(reference).amount
        for refund in self.refunds(reference):
            left = left - refund.amount
        return left

    # Payouts

    def payouts(self, first: date, last: date) -> list[Payout]:
        """The payouts of some days."""
        found = [
            Payout.read(item)
            for item in self.pages("/payouts")
        ]
        return [
            payout
            for payout in found
            if first <= payout.day <= last
        ]

    def fees(self, first: date, last: date, currency: str) -> Money:
        """What the gateway kept."""
        total = Money.zero(currency)
        for payout in self.payouts(first, last):
            if payout.fee.currency == currency:
                total = total + payout.fee
        return total

    def reconcile(
        self,
        batch_id: str,
        expected: dict[str, Money],
    ) -> dict[str, str]:
        """What is wrong with a batch, by reference.

        Each payment that we expected is either there with the
        right amount, or in the result: as missing, or with the
        wrong amount. One that nobody expected is there too.
        """
        problems = {}
        seen = set()
        for payment in self.payments(batch_id):
            name = payment.reference
            seen.add(name)
            if name not in expected:
                problems[name] = "unexpected"
            elif expected[name] != payment.amount:
                problems[name] = "wrong amount"
        for name in expected:
            if name not in seen:
                problems[name] = "missing"
        return problems

    # Mandates

    def mandate(self, customer: str) -> Mandate:
        """The customer's leave to collect from an account.

        Raises NotFound for a customer who never gave one.
        """
        return Mandate.read(self.get(f"/mandates/{customer}"))

    def grant_mandate(self, customer: str, account: str) -> Mandate:
        """Note that a customer lets us collect.

        The account is an IBAN, spaces allowed. What the gateway
        returns has the account masked: only the last four digits.
        """
        compact = account.replace(" ", "").upper()
        if not 15 <= len(compact) <= 34 or not compact.isalnum():
            raise ValueError(f"not an account: {account!r}")
        data = self.post(
            "/mandates",
            {"customer": customer, "account": compact},
        )
        return Mandate.read(data)

    def revoke_mandate(self, customer: str) -> bool:
        """Note that a customer took it back; False if unknown."""
        try:
            self.delete(f"/mandates/{customer}")
        except NotFound:
            return False
        return True

    # Disputes

    def disputes(self, state: str = "") -> list[Dispute]:
        """The disputes of all payments, or those in a state.

        The oldest deadline comes first, so that whoever works
        through the list starts with the most urgent one.
        """
        found = [
            Dispute.read(item)
            for item in self.pages("/disputes")
        ]
        found.sort(key=lambda dispute: (dispute.deadline, dispute.id))
        if not state:
            return found
        return [item for item in found if item.state == state]

    def contest(self, dispute: Dispute, evidence: list[str]) -> Dispute:
        """Answer a dispute with the names of uploaded documents.

        Raises ValueError when there is nothing to answer with, or
        when the dispute was decided already.
        """
        if not evidence:
            raise ValueError("evidence is needed to contest a dispute")
        if dispute.state != "open":
            raise ValueError(f"dispute {dispute.id} is {dispute.state}")
        data = self.post(
            f"/disputes/{dispute.id}/evidence",
            {"documents": sorted(set(evidence))},
        )
        return Dispute.read(data)

    def accept(self, dispute: Dispute) -> Dispute:
        """Give in: the customer keeps the money."""
        data = self.post(f"/disputes/{dispute.id}/accept", {})
        return Dispute.read(data)

    # Imports from before 2024

    def _migrate_legacy_ref(self, text: str) -> str:
        """STL-42/23 is stl_2023_000042."""
        match = LEGACY.fullmatch(text)
        if match is None:
            return text
        serial, year = match.groups()
        return reference(
            2000 + int(year), int(serial)
        )

    def import_legacy_batch(self, name: str, rows: list[dict]) -> Batch:
        """Send a batch kept in a file of the old service.

        A row has a reference (of either form), an amount as
        text, a currency and an invoice. The batch is closed at
        the end, so that nobody adds to it by accident.
        """
        batch = self.open_batch(name)
        for row in rows:
            payment = Payment(
                self._migrate_legacy_ref(
                    row["reference"]
                ),
                Money.parse(
                    row["amount"],
                    row["currency"],
                ),
                row["invoice"],
            )
            self.add(batch, payment)
        return self.close_batch(batch.id)

    # Reports

    def log(self) -> list[str]:
        """What was said, a line each."""
        return [
            f"{item.method} {item.url} "
            f"{item.status}"
            for item in self.exchanges
        ]

    def failures(self) -> int:
        """How many requests went wrong."""
        return sum(
            item.status >= 400
            for item in self.exchanges
        )

    def healthy(self) -> bool:
        """Whether the gateway answers."""
        try:
            data = self.get("/health")
        except GatewayError:
            return False
        return data.get("status") == "ok"
