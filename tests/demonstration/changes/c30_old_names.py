"""No fixture: code is only deleted."""

from tests.demonstration.history import IDA, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=166,
    shape=Shape.SQUASH,
    author=IDA,
    merged=at("2026-05-07 15:30"),
    title="Remove the old names of exports",
    body="The tax office's upload page takes any name now. Remove `exports.legacy_filename` and its test.",
    commits=(
        Commit(
            "Remove the old names of exports",
            (
                Replace(
                    "src/billing/exports.py",
                    '''def legacy_filename(kind: str, year: int, month: int) -> str:
    """The old name of an export, still used by the tax office's upload page."""
    return f"{kind.upper()}{year % 100:02d}{month:02d}.CSV"


''',
                    "",
                ),
                Replace(
                    "tests/test_exports.py",
                    """def test_file_names():
    assert exports.legacy_filename("invoices", 2026, 2) == "INVOICES2602.CSV"


""",
                    "",
                ),
            ),
        ),
    ),
)
