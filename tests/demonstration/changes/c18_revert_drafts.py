"""No fixture: a revert."""

from tests.demonstration.changes import c17_drafts
from tests.demonstration.history import IDA, Change, Commit, Shape, at, undo

CHANGE = Change(
    number=136,
    shape=Shape.SQUASH,
    author=IDA,
    merged=at("2026-03-20 09:00"),
    title='Revert "Count drafts in what is outstanding, on request"',
    body="""
This reverts commit {reverted}.

The auditors read the page too, and drafts are not outstanding.
""",
    reverts=c17_drafts.CHANGE.number,
    commits=(Commit("Revert", undo(c17_drafts.CHANGE)),),
)
