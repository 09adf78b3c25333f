"""A deprecated function is removed, another takes its place."""

from tests.demonstration.history import MARA, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=163,
    shape=Shape.PULL_REQUEST,
    branch="mara/no-floats",
    author=MARA,
    merged=at("2026-05-04 11:34"),
    title="Replace Money.from_float by Money.from_major",
    body="""
`Money.from_float` has been deprecated since the start, and it still loses cents: 0.29 euros become 28
cents.

Remove it. In its place comes `Money.from_major(value, currency)`, which takes a `Decimal` or an `int` of
whole units and is exact: a value with more decimals than the currency has raises `ValueError("too many
decimals for EUR: 0.295")`, with the currency and the value. A `float` raises `TypeError("use Decimal for
money, not float")`.
""",
    commits=(
        Commit(
            "Replace Money.from_float by Money.from_major",
            (
                Replace(
                    "src/billing/money.py",
                    '''    def from_float(cls, value: float, currency: str) -> Money:
        """Deprecated: floats lose cents. Use `parse`."""
        return cls(int(value * 10 ** exponent(currency)), currency)
''',
                    '''    def from_major(cls, value: Decimal | int, currency: str) -> Money:
        """An amount of whole units, exactly."""
        if isinstance(value, float):
            raise TypeError("use Decimal for money, not float")
        minor = Decimal(value).scaleb(exponent(currency))
        if minor != int(minor):
            raise ValueError(f"too many decimals for {currency}: {value}")
        return cls(int(minor), currency)
''',
                ),
                Replace(
                    "tests/test_money.py",
                    """def test_from_float_cuts_off():
    assert Money.from_float(12.5, "EUR") == euros(1250)
""",
                    """def test_from_major_is_exact():
    assert Money.from_major(Decimal("0.29"), "EUR") == euros(29)
    assert Money.from_major(Decimal("-12.50"), "EUR") == euros(-1250)
    assert Money.from_major(12, "JPY") == Money(12, "JPY")


def test_from_major_does_not_round():
    with pytest.raises(ValueError, match="too many decimals for EUR: 0.295"):
        Money.from_major(Decimal("0.295"), "EUR")


def test_floats_are_not_money():
    with pytest.raises(TypeError, match="use Decimal for money, not float"):
        Money.from_major(0.29, "EUR")
    assert not hasattr(Money, "from_float")
""",
                ),
                Replace(
                    "CHANGELOG.md",
                    "## Unreleased\n\n",
                    "## Unreleased\n\n- `Money.from_float` is gone; use `Money.from_major`.\n",
                ),
            ),
        ),
    ),
)
