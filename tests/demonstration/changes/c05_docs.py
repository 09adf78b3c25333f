"""No fixture: documentation only."""

from tests.demonstration.history import TOMAS, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=108,
    shape=Shape.SQUASH,
    author=TOMAS,
    merged=at("2026-02-12 09:05"),
    title="Explain reversals in the ledger's page",
    body="New colleagues look for a way to delete an entry. Explain that there is none, and why.",
    commits=(
        Commit(
            "Explain reversals",
            (
                Replace(
                    "docs/ledger.md",
                    "Accounts are numbered by kind",
                    """\
An entry is never deleted. `Ledger.reverse` writes a second entry with the sides changed, so that the
journal shows both the mistake and who corrected it when.

Accounts are numbered by kind""",
                ),
            ),
        ),
    ),
)
