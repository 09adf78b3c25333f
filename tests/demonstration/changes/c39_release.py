"""No fixture: the release, straight to main."""

from tests.demonstration.history import MARA, Change, Commit, Replace, Shape, at

CHANGE = Change(
    shape=Shape.DIRECT,
    author=MARA,
    merged=at("2026-06-19 17:00"),
    title="Release 0.5.0",
    commits=(
        Commit(
            "Release 0.5.0",
            (
                Replace("src/billing/__init__.py", '"0.4.0"', '"0.5.0"'),
                Replace("CHANGELOG.md", "## Unreleased\n\n", "## Unreleased\n\n## 0.5.0 (2026-06-19)\n\n"),
            ),
        ),
    ),
)
