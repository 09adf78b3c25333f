import pytest

from miner.prompt import clean_body, prompt_text, slug

BODIES = {
    "plain text stays": ("Do it.\n\nThen stop.", "Do it.\n\nThen stop."),
    "a template comment goes": ("<!-- Thanks\nfor the pull request -->\nDo it.", "Do it."),
    "several comments go": ("a <!-- x --> b\n<!-- y -->\nc", "a  b\n\nc"),
    "closing trailers go": ("Do it.\n\nSigned-off-by: A <a@b>\nCo-authored-by: B <b@c>\n", "Do it."),
    "a change id goes": ("Do it.\n\nChange-Id: I0123", "Do it."),
    "a ruler before trailers goes": ("Do it.\n\n---------\n\nCo-authored-by: B <b@c>", "Do it."),
    "a trailer inside the text stays": (
        "Signed-off-by: A\nis what to print",
        "Signed-off-by: A\nis what to print",
    ),
    "issue references stay": ("Fixes #12", "Fixes #12"),
    "code stays": ("```python\nx = 1\n```", "```python\nx = 1\n```"),
    "CRLF becomes LF": ("a\r\n\r\nb\r\n", "a\n\nb"),
    "blank lines are joined": ("a\n\n\n\n\nb", "a\n\nb"),
    "trailing blanks go": ("a   \nb\t", "a\nb"),
    "nothing stays nothing": ("<!-- only -->\n", ""),
}
TITLES = [
    ("Retry posts on 503", "retry-posts-on-503"),
    ("Fix: `a.b` (again) (#12)", "fix-a-b-again"),
    ("Größe und Änderung", "gre-und-nderung"),
    ("修复", "change"),
    ("", "change"),
    ("../../etc/passwd", "etc-passwd"),
    ("A\nB\tC", "a-b-c"),
    ("x" * 60, "x" * 48),
    ("respect the day in ledger trial balance whenever asked", "respect-the-day-in-ledger-trial-balance"),
]


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES.keys())
def test_body_is_cleaned_of_what_machines_add(body: str, expected: str) -> None:
    assert clean_body(body) == expected


@pytest.mark.parametrize(("title", "expected"), TITLES)
def test_slug_is_short_lower_case_ascii(title: str, expected: str) -> None:
    assert slug(title) == expected
    assert len(slug(title)) <= 48


def test_prompt_is_the_title_as_heading_above_the_body() -> None:
    assert prompt_text("Add  a thing (#7)", "Because.\n") == "# Add a thing\n\nBecause.\n"


def test_prompt_without_body_is_the_heading_alone() -> None:
    assert prompt_text("Add a thing", "") == "# Add a thing\n"
