import json

import pytest

from billing import webhooks
from billing.webhooks import Dispatcher, InvalidSignature

SECRET = "s3cret"


def delivery(**event):
    body = json.dumps(event).encode()
    return body, {webhooks.SIGNATURE_HEADER: webhooks.sign(body, SECRET)}


def test_events_reach_their_handlers():
    received = []
    dispatcher = Dispatcher(SECRET)
    dispatcher.on("payment.settled", received.append)
    assert dispatcher.receive(*delivery(id="e1", type="payment.settled"))
    assert [event["id"] for event in received] == ["e1"]


def test_an_event_is_handled_once():
    dispatcher = Dispatcher(SECRET)
    assert dispatcher.receive(*delivery(id="e1", type="payment.settled"))
    assert not dispatcher.receive(*delivery(id="e1", type="payment.settled"))


def test_strangers_are_turned_away():
    body, _ = delivery(id="e1", type="payment.settled")
    with pytest.raises(InvalidSignature):
        Dispatcher(SECRET).receive(body, {webhooks.SIGNATURE_HEADER: "00"})


def test_payment_reference_is_in_one_of_two_places():
    assert webhooks.payment_reference({"data": {"reference": "r"}}) == "r"
    assert webhooks.payment_reference({"data": {"payment": {"reference": "r"}}}) == "r"
