"""Changed signatures and a class attribute in a module of 3,000 lines."""

from tests.demonstration.history import MARA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=176,
    shape=Shape.TITLED_MERGE,
    branch="mara/membership",
    author=MARA,
    merged=at("2026-05-22 16:06"),
    title="Know since when countries are in the union",
    body="""
Old invoices are corrected by today's list of members, so those to the United Kingdom before it left, and
those to Croatia before it joined, come out wrong.

Give `Jurisdiction` two class attributes, `joined: date | None = None` and `left: date | None = None` (its
last day as a member), and a class method `is_member(day)`: a country with `in_union` is a member from
`joined` on, or always where there is none; one that left was a member until that day. Croatia joined on
2013-07-01; the United Kingdom left on 2020-12-31 (the end of the transition), and `in_union` stays false
for it.

`union(day)` takes a day now and lists the members of that day, `cheapest` looks at these, and `rate` asks
for the membership on its day when the customer is a business.
""",
    commits=(
        Commit(
            "Know since when countries are in the union",
            (
                Replace(
                    "src/billing/jurisdictions.py",
                    """    in_union = False
    number_pattern = re.compile(r".+")
""",
                    """    in_union = False
    joined: date | None = None
    left: date | None = None
    number_pattern = re.compile(r".+")
""",
                ),
                Replace(
                    "src/billing/jurisdictions.py",
                    """    @classmethod
    def clean_number(""",
                    '''    @classmethod
    def is_member(cls, day: date) -> bool:
        """Whether the country is a member of the union on a day; the day it left is its last."""
        if cls.left is not None:
            return day <= cls.left
        return cls.in_union and (cls.joined is None or cls.joined <= day)

    @classmethod
    def clean_number(''',
                ),
                Replace(
                    "src/billing/jurisdictions.py",
                    """    in_union = True
    number_pattern = re.compile(r"HR""",
                    """    in_union = True
    joined = date(2013, 7, 1)
    number_pattern = re.compile(r"HR""",
                ),
                Replace(
                    "src/billing/jurisdictions.py",
                    """    number_pattern = re.compile(r"GB""",
                    """    left = date(2020, 12, 31)
    number_pattern = re.compile(r"GB""",
                ),
                Replace(
                    "src/billing/jurisdictions.py",
                    '''def union() -> list[type[Jurisdiction]]:
    """The members of the union, by name."""
    members = [jurisdiction for jurisdiction in ALL if jurisdiction.in_union]
''',
                    '''def union(day: date) -> list[type[Jurisdiction]]:
    """The members of the union on a day, by name."""
    members = [jurisdiction for jurisdiction in ALL if jurisdiction.is_member(day)]
''',
                ),
                Replace(
                    "src/billing/jurisdictions.py",
                    "    if business and jurisdiction.in_union:\n        return Decimal(0)\n",
                    "    if business and jurisdiction.is_member(day):\n        return Decimal(0)\n",
                ),
                Replace(
                    "src/billing/jurisdictions.py",
                    """    return min(union(), key""",
                    """    return min(union(day), key""",
                ),
            ),
        ),
        Commit(
            "Test members that came and went",
            (
                Append(
                    "tests/test_jurisdictions.py",
                    """@pytest.mark.parametrize(
    "code, day, member",
    [
        ("HR", date(2013, 6, 30), False),
        ("HR", date(2013, 7, 1), True),
        ("GB", date(2020, 12, 31), True),
        ("GB", date(2021, 1, 1), False),
        ("DE", date(2000, 1, 1), True),
        ("CH", DAY, False),
    ],
)
def test_membership(code, day, member):
    assert jurisdictions.find(code).is_member(day) is member
    assert (jurisdictions.find(code) in jurisdictions.union(day)) is member


def test_membership_decides_who_pays_the_tax():
    assert jurisdictions.rate("GB", "software", date(2020, 12, 31), business=True) == 0
    assert jurisdictions.rate("GB", "software", date(2021, 1, 1), business=True) == 20
    assert jurisdictions.cheapest("software", DAY).code == "LU"
""",
                ),
            ),
        ),
    ),
)
