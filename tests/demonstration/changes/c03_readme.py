"""No fixture: a commit straight to main, no pull request."""

from tests.demonstration.history import MARA, Change, Commit, Replace, Shape, at

CHANGE = Change(
    shape=Shape.DIRECT,
    author=MARA,
    merged=at("2026-02-06 08:55"),
    title="Say in the README how to install",
    commits=(
        Commit(
            "Say in the README how to install",
            (
                Replace(
                    "README.md",
                    "Run the tests with `python -m pytest`.\n",
                    """\
Install with `python -m pip install --group tests -e .`, run the tests with `python -m pytest`.
""",
                ),
            ),
        ),
    ),
)
