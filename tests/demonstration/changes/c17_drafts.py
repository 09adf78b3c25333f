"""A changed signature in a module of 1,000 lines; taken back by the next change."""

from tests.demonstration.history import IDA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=133,
    shape=Shape.SQUASH,
    author=IDA,
    merged=at("2026-03-18 10:20"),
    title="Count drafts in what is outstanding, on request",
    body="""
Sales wants to see what is about to be invoiced together with what is open. Give `Book.outstanding` a second
argument `drafts: bool = False`: when true, the totals of drafts in the currency are added to the open
amounts of issued invoices. The default does what it did.
""",
    commits=(
        Commit(
            "Count drafts in what is outstanding, on request",
            (
                Replace(
                    "src/billing/invoices.py",
                    '''    def outstanding(self, currency: str = "EUR") -> Money:
        """What all customers together still have to pay."""
        found = [item for item in self.open() if item.currency == currency]
''',
                    '''    def outstanding(self, currency: str = "EUR", drafts: bool = False) -> Money:
        """What all customers together still have to pay, drafts counted in on request."""
        asked = self.open() + (self.in_state(State.DRAFT) if drafts else [])
        found = [item for item in asked if item.currency == currency]
''',
                ),
                Append(
                    "tests/test_invoices.py",
                    """def test_drafts_are_outstanding_on_request():
    book = Book()
    book.add(issued())
    book.add(draft("2026-0002"))
    book.add(Invoice("2026-0003", "ACME", DAY, "USD"))
    assert book.outstanding() == euros(4463)
    assert book.outstanding(drafts=True) == euros(8926)
""",
                ),
            ),
        ),
    ),
)
