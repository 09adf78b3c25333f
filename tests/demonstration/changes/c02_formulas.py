"""A file with CRLF line endings."""

from tests.demonstration.history import RUBEN, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=103,
    shape=Shape.PULL_REQUEST,
    branch="ruben/no-formulas",
    author=RUBEN,
    merged=at("2026-02-05 14:40"),
    title="Keep spreadsheets from running what customers write",
    body="""
The accountants open our CSV files in a spreadsheet, and a spreadsheet takes a cell that begins with `=`,
`+`, `-` or `@` for a formula. A customer can choose a name that does something there.

Make `exports.cell` put an apostrophe before text that begins with one of these four characters. Amounts
and days are ours, so a negative amount stays a plain number.
""",
    commits=(
        Commit(
            "Put an apostrophe before what looks like a formula",
            (
                Replace(
                    "src/billing/exports.py",
                    """    return str(value)


""",
                    """    text = str(value)
    return "'" + text if text.startswith(FORMULA_STARTS) else text


""",
                ),
                Replace(
                    "src/billing/exports.py",
                    """DELIMITER = ";"
""",
                    """DELIMITER = ";"
FORMULA_STARTS = ("=", "+", "-", "@")
""",
                ),
            ),
        ),
        Commit(
            "Test with a nasty customer",
            (
                Append(
                    "tests/test_exports.py",
                    """def test_text_is_never_a_formula():
    assert [exports.cell(text) for text in ("=1+1", "@sum", "+49", "-", "a=b")] == [
        "'=1+1",
        "'@sum",
        "'+49",
        "'-",
        "a=b",
    ]


def test_negative_amounts_stay_numbers():
    assert exports.cell(Money(-1050, "EUR")) == "-10,50"
""",
                ),
            ),
        ),
    ),
)
