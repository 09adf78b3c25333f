"""No fixture: a plain branch was merged, no pull request."""

from tests.demonstration.history import MARA, Change, Commit, Replace, Shape, at

CHANGE = Change(
    shape=Shape.BRANCH_MERGE,
    branch="maintenance/1.x",
    author=MARA,
    merged=at("2026-03-06 18:02"),
    title="Merge branch 'maintenance/1.x'",
    commits=(
        Commit(
            "Name the gateway's support line",
            (
                Replace(
                    "docs/settlement.md",
                    "References look like",
                    """When a batch hangs for more than a day, write to support@gateway.example with its id.

References look like""",
                ),
            ),
        ),
    ),
)
