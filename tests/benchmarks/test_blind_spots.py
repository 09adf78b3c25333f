"""Random edits say truly what they touched, and what is named beyond that is found."""

import random

import pytest

from benchmarks.blind_spots import check
from benchmarks.random_edits import Edit, random_edit
from miner.symbols.languages.python import PYTHON

TEXT = b"import a\r\n\n\ndef f():\n    return 1\n\n\nclass A:\n    x = 1\n\n    def m(self): pass\nlast = 2"
KINDS = ("insert byte", "delete byte", "replace byte", "line end", "duplicate line", "delete line", "indent line",
         "move line", "swap lines")  # fmt: skip


def edits(kind: str) -> list[Edit]:
    dice = random.Random(kind)
    found = [edit for edit in (random_edit(TEXT, dice) for _ in range(900)) if edit.kind == kind]
    assert len(found) > 50
    return found


def without(text: bytes, ranges: tuple[tuple[int, int], ...]) -> bytes:
    for start, end in sorted(ranges, reverse=True):
        text = text[:start] + text[end:]
    return text


@pytest.mark.parametrize("kind", KINDS)
def test_an_edit_touches_nothing_but_the_ranges_that_it_says(kind) -> None:
    for edit in edits(kind):
        assert without(TEXT, edit.old) == without(edit.text, edit.new)
    assert any(edit.text != TEXT for edit in edits(kind))


@pytest.mark.parametrize("kind", ["duplicate line", "delete line", "move line", "swap lines"])
def test_an_edit_of_whole_lines_keeps_the_others_as_they_are(kind) -> None:
    for edit in edits(kind):
        lines = set(TEXT.split(b"\n"))
        assert set(edit.text.split(b"\n")) <= lines | {a + b for a in lines for b in lines}  # the last has no end


def test_what_an_edit_says_it_touched_is_compared_with_what_is_named() -> None:
    at = TEXT.index(b"1\n")
    text = TEXT[:at] + b"2" + TEXT[at + 1 :]
    place = (at, at + 1)
    assert check("a.py", TEXT, Edit("honest", text, (place,), (place,)), PYTHON) == (True, [])
    comparable, findings = check("a.py", TEXT, Edit("elsewhere", text, ((0, 1),), ((0, 1),)), PYTHON)
    assert comparable
    assert [(f.check, f.names) for f in findings] == [("other extents", ("modified f",))]


def test_an_edit_that_changes_nothing_is_a_miss() -> None:
    _, findings = check("a.py", TEXT, Edit("none", TEXT, ((0, 1),), ((0, 1),)), PYTHON)
    assert [finding.check for finding in findings] == ["miss"]


def test_texts_that_do_not_parse_are_not_comparable() -> None:
    comparable, findings = check("a.py", TEXT, Edit("broken", TEXT + b"(", ((0, 1),), ((0, 1),)), PYTHON)
    assert (comparable, findings) == (False, [])
