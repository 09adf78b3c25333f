import json

import pytest

from billing.money import Money
from billing.settings import Settings
from billing.settlement import (
    Batch,
    BatchClosed,
    Conflict,
    NotFound,
    NotSettled,
    Payment,
    Response,
    SettlementClient,
    TransientGatewayError,
)


class Gateway:
    """A transport that gives the answers it was told to, and keeps what it was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        self.pauses = []

    def __call__(self, request, timeout):
        self.requests.append(request)
        status, data = self.answers.pop(0)
        return Response(status, json.dumps(data).encode())

    def client(self, **values):
        settings = Settings({f"settlement.{name}": value for name, value in values.items()}, environ={})
        return SettlementClient(self, settings, self.pauses.append)


OPEN = Batch("b1", "open")
PAYMENT = Payment("stl_2026_000042", Money(1250, "EUR"), "2026-0001")


def echo(payment):
    return 201, payment.payload()


def test_open_batch():
    gateway = Gateway((201, {"id": "b1", "state": "open"}))
    assert gateway.client().open_batch("February") == OPEN
    assert json.loads(gateway.requests[0].body) == {"name": "February"}


def test_add_sends_the_payment():
    gateway = Gateway(echo(PAYMENT))
    assert gateway.client().add(OPEN, PAYMENT) == PAYMENT
    assert gateway.requests[0].url.endswith("/batches/b1/payments")


def test_nothing_is_added_to_a_closed_batch():
    with pytest.raises(BatchClosed):
        Gateway().client().add(Batch("b1", "closed"), PAYMENT)


def test_references_are_checked():
    with pytest.raises(ValueError, match="not a reference: '42'"):
        Gateway().client().add(OPEN, Payment("42", Money(1, "EUR"), "2026-0001"))


def test_get_is_repeated_on_transient_errors():
    gateway = Gateway((503, {}), (502, {}), (200, {"id": "b1", "state": "open"}))
    assert gateway.client().batch("b1") == OPEN
    assert gateway.pauses == [0.5, 1.0]


def test_get_gives_up_in_the_end():
    gateway = Gateway((503, {"message": "busy"}), (503, {"message": "busy"}))
    with pytest.raises(TransientGatewayError, match="503: busy"):
        gateway.client(retries=1).batch("b1")


def test_errors_have_types():
    with pytest.raises(NotFound):
        Gateway((404, {})).client().batch("b1")
    with pytest.raises(Conflict):
        Gateway((409, {})).client().close_batch("b1")


def test_pages_are_read_until_one_is_not_full():
    items = [echo(PAYMENT)[1]] * 2
    gateway = Gateway((200, {"items": items}), (200, {"items": items[:1]}))
    assert len(gateway.client(page_size=2).payments("b1")) == 3


def test_wait_gives_up():
    answers = [(200, {"id": "b1", "state": "closed"})] * 20
    with pytest.raises(NotSettled):
        Gateway(*answers).client().wait("b1")


def test_reconcile_names_what_is_wrong():
    gateway = Gateway((200, {"items": [PAYMENT.payload()]}))
    expected = {"stl_2026_000042": Money(1, "EUR"), "stl_2026_000043": Money(1, "EUR")}
    assert gateway.client().reconcile("b1", expected) == {
        "stl_2026_000042": "wrong amount",
        "stl_2026_000043": "missing",
    }


def test_requests_are_signed_when_there_is_a_key():
    gateway = Gateway((200, {}), (200, {}))
    gateway.client(key="k").get("/health")
    gateway.client().get("/health")
    assert ["X-Signature" in request.headers for request in gateway.requests] == [True, False]
