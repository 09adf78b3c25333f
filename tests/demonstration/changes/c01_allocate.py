"""A bug of a few lines: a share of weight zero got a cent."""

from tests.demonstration.history import MARA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=101,
    shape=Shape.SQUASH,
    author=MARA,
    merged=at("2026-02-02 10:12"),
    title="Never allocate a cent to a weight of zero",
    body="""
`Money.allocate` hands the cents that do not divide to the first shares, whatever their weights are. A
free item at the top of a bundle so ends up with a price of one cent, and the invoice shows it.

Hand the rest out only among the shares whose weight is more than zero, still from the first one on.
A negative weight makes no sense: raise `ValueError` with the message "weights must not be negative".
""",
    commits=(
        Commit(
            "Never allocate a cent to a weight of zero",
            (
                Replace(
                    "src/billing/money.py",
                    '''        """Split by weights without losing a cent; the first shares get the rest."""
        total = sum(weights)
''',
                    '''\
        """Split by weights without losing a cent; the first shares of some weight get the rest."""
        if any(weight < 0 for weight in weights):
            raise ValueError("weights must not be negative")
        total = sum(weights)
''',
                ),
                Replace(
                    "src/billing/money.py",
                    """        for index in range(rest):
            shares[index] += 1
""",
                    """        weighty = [index for index, weight in enumerate(weights) if weight]
        for index in weighty[:rest]:
            shares[index] += 1
""",
                ),
                Append(
                    "tests/test_money.py",
                    """def test_allocate_gives_nothing_to_a_weight_of_zero():
    assert euros(101).allocate([0, 1, 1]) == [euros(0), euros(51), euros(50)]


def test_allocate_refuses_negative_weights():
    with pytest.raises(ValueError, match="weights must not be negative"):
        euros(100).allocate([2, -1])
""",
                ),
            ),
        ),
    ),
)
