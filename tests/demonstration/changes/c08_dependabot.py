"""No fixture: a bot, and packaging only."""

from tests.demonstration.history import DEPENDABOT, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=114,
    shape=Shape.SQUASH,
    author=DEPENDABOT,
    merged=at("2026-02-23 05:02"),
    title="Bump pytest from 8.0 to 8.3 in the tests group",
    body="""
Bumps the lower bound of pytest in the dependency group `tests` from 8 to 8.3.

Signed-off-by: dependabot[bot] <support@github.com>
""",
    commits=(
        Commit(
            "Bump pytest",
            (Replace("pyproject.toml", 'tests = ["pytest>=8"]', 'tests = ["pytest>=8.3"]'),),
        ),
    ),
)
