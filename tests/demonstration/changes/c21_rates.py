"""No fixture: the source that changes is generated."""

from tests.demonstration.history import IDA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=142,
    shape=Shape.SQUASH,
    author=IDA,
    merged=at("2026-03-30 08:15"),
    title="Use the exchange rates of the end of March",
    body="Run `tools/make_rates.py` for 2026-03-27, with Canadian dollars from now on.",
    commits=(
        Commit(
            "Use the exchange rates of the end of March",
            (
                Replace("src/billing/_generated_rates.py", 'DAY = "2026-01-30"', 'DAY = "2026-03-27"'),
                Replace(
                    "src/billing/_generated_rates.py", "RATES = {\n", 'RATES = {\n    "CAD": "1.4920",\n'
                ),
                Replace("src/billing/_generated_rates.py", '"USD": "1.0842"', '"USD": "1.0917"'),
                Append(
                    "tests/test_exchange.py",
                    """def test_canadian_dollars():
    assert exchange.convert(Money(10000, "EUR"), "CAD") == Money(14920, "CAD")
""",
                ),
            ),
        ),
    ),
)
