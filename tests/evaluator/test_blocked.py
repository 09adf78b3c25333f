"""`BLOCKED: why`: read in every format, beside no edit only; nothing else is taken for it."""

import pytest

from evaluator.blocked import blocked
from evaluator.formats import FORMATS
from evaluator.formats.model import Unreadable
from evaluator.messages import first_messages
from miner.fixtures import Task


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("BLOCKED: no such file", "no such file"),
        ("I looked at it.\n\nBLOCKED:  add.py is not shown \r\nSorry.", "add.py is not shown"),
        ("```\nBLOCKED: no file\n```", "no file"),
        ("BLOCKED:", None),
        ("BLOCKED:   \nnothing", None),
        (" BLOCKED: indented", None),
        ("It is BLOCKED: by a file", None),
        ("blocked: lower case", None),
        ("BLOCKED: why", None),  # the note's own line, as a small model gave it back
        ("BLOCKED: why\n\n## How to answer\n\nAnswer with one JSON list of edits.\n", None),
        ("BLOCKED: <why>.", None),
        ("BLOCKED: `Why?`", None),
        ("BLOCKED: ...", None),
        ('BLOCKED: "add.py" is not shown', '"add.py" is not shown'),
        ("BLOCKED: why not?", "why not?"),
        ("BLOCKED: why\nBLOCKED: add.py is not shown", "add.py is not shown"),
        ("", None),
    ],
)
def test_what_says_why(reply: str, why: str | None) -> None:
    assert blocked(reply) == why


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_is_told_the_way_out_alike_and_reads_no_edit_in_it(name: str, checked_in: list[Task]) -> None:
    assert "\nBLOCKED: why\n" in first_messages(checked_in[0], FORMATS[name].instructions())[1].content
    for reply in ("BLOCKED: why", "BLOCKED: why\n", "Sorry.\n\nBLOCKED: src/a.py is not shown.\n"):
        assert isinstance(FORMATS[name].parse(reply, frozenset(t.name for t in FORMATS[name].tolerances)), Unreadable)
