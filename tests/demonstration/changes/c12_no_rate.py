"""No fixture: source without a test."""

from tests.demonstration.history import IDA, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=123,
    shape=Shape.SQUASH,
    author=IDA,
    merged=at("2026-03-04 17:25"),
    title="List the known currencies when a rate is missing",
    body="Support asks every time which currencies there are. Put them into the error.",
    commits=(
        Commit(
            "List the known currencies when a rate is missing",
            (
                Replace(
                    "src/billing/exchange.py",
                    """        raise KeyError(f"no rate for {currency} on {DAY}")
""",
                    """        known = ", ".join(sorted(RATES))
        raise KeyError(f"no rate for {currency} on {DAY}, only for {known}")
""",
                ),
            ),
        ),
    ),
)
