"""A bug of one line among blocks that look alike."""

from tests.demonstration.history import RUBEN, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=181,
    shape=Shape.SQUASH,
    author=RUBEN,
    merged=at("2026-06-03 10:05"),
    title="Treat an unknown payment as too late to cancel",
    body="""
The gateway forgets payments after a year, and then answers 404 to a cancellation. `SettlementClient.cancel`
lets that `NotFound` through, although its callers only want to know whether the payment was cancelled.

Return False for it, as for a `Conflict`. All other errors are raised as before.
""",
    commits=(
        Commit(
            "Treat an unknown payment as too late to cancel",
            (
                Replace(
                    "src/billing/settlement.py",
                    """        except Conflict:
            return False
""",
                    """        except (Conflict, NotFound):
            return False
""",
                ),
                Append(
                    "tests/test_settlement.py",
                    """\
@pytest.mark.parametrize("status, cancelled", [(200, True), (409, False), (404, False)])
def test_cancel_tells_whether_it_worked(status, cancelled):
    assert Gateway((status, {})).client().cancel("stl_2025_000042") is cancelled


def test_cancel_does_not_hide_other_errors():
    with pytest.raises(GatewayError, match="403: no"):
        Gateway((403, {"message": "no"})).client().cancel("stl_2025_000042")
""",
                ),
                Replace(
                    "tests/test_settlement.py",
                    "    Conflict,\n    NotFound,\n",
                    "    Conflict,\n    GatewayError,\n    NotFound,\n",
                ),
            ),
        ),
    ),
)
