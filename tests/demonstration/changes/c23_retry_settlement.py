"""The motivating change: only `SettlementClient.post` is modified, in a file of 860 lines."""

from tests.demonstration.history import MARA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=149,
    shape=Shape.PULL_REQUEST,
    branch="mara/retry-settlement",
    author=MARA,
    merged=at("2026-04-08 10:30"),
    title="Retry settlement posts on transient gateway errors",
    body="""
Last week the gateway answered 503 for two minutes, and every batch that we opened then was lost. The
gateway recognises a repeated post by its body, so it is safe to send one again.

Make `SettlementClient.post` try again when the gateway answers 502, 503 or 504, as `get` does: up to
`self.retries` further tries of the same request, with a pause of `self.backoff` seconds before the first of
them, doubled each time, through `self._pause`. Each try is recorded. When the last try fails too, the
`TransientGatewayError` is raised without another pause. All other errors are raised at once.
""",
    commits=(
        Commit(
            "Show that one 503 loses a batch",
            (
                Append(
                    "tests/test_settlement.py",
                    """def test_post_is_repeated_on_transient_errors():
    gateway = Gateway((503, {}), (504, {}), (201, {"id": "b1", "state": "open"}))
    client = gateway.client()
    assert client.open_batch("February") == OPEN
    assert gateway.pauses == [0.5, 1.0]
    assert len(set(request.body for request in gateway.requests)) == 1
    assert [exchange.status for exchange in client.exchanges] == [503, 504, 201]


def test_post_gives_up_in_the_end():
    gateway = Gateway((503, {"message": "busy"}), (502, {"message": "still busy"}))
    with pytest.raises(TransientGatewayError, match="502: still busy"):
        gateway.client(retries=1).open_batch("February")
    assert gateway.pauses == [0.5]


def test_post_is_not_repeated_on_other_errors():
    gateway = Gateway((409, {"message": "there is one"}))
    with pytest.raises(Conflict, match="409: there is one"):
        gateway.client().open_batch("February")
    assert gateway.pauses == []


def test_post_is_not_repeated_when_there_are_no_retries():
    gateway = Gateway((503, {"message": "busy"}))
    with pytest.raises(TransientGatewayError):
        gateway.client(retries=0).open_batch("February")
    assert len(gateway.requests) == 1
""",
                ),
            ),
        ),
        Commit(
            "Retry settlement posts on transient gateway errors",
            (
                Replace(
                    "src/billing/settlement.py",
                    '''        """Write, and return the answer."""
        request = self._request(
            "POST", path, payload
        )
        response = self._transport(
            request, self.timeout
        )
        self._record(request, response)
        return self._decode(response)
''',
                    '''        """Write, again when it may help; return the answer."""
        request = self._request(
            "POST", path, payload
        )
        pause = self.backoff
        for left in range(self.retries, -1, -1):
            response = self._transport(
                request, self.timeout
            )
            self._record(request, response)
            if response.status not in TRANSIENT or not left:
                break
            self._pause(pause)
            pause *= 2
        return self._decode(response)
''',
                ),
                Replace(
                    "docs/settlement.md",
                    "Reading (`get`) is repeated on transient errors; writing (`post`) is not.",
                    "Reading (`get`) and writing (`post`) are repeated on transient errors.",
                ),
            ),
        ),
    ),
)
