import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.symbols.lines import allowed_ranges, changed_blocks, covers, range_name, unintended_ranges

TEXT = "a\nb\nc\nd\ne\n"
CHANGES = {
    "nothing": (TEXT, []),
    "a line": ("a\nb\nX\nd\ne\n", ["<lines 3-3>"]),
    "two lines": ("a\nX\nY\nd\ne\n", ["<lines 2-3>"]),
    "two places": ("X\nb\nc\nd\nY\n", ["<lines 1-1>", "<lines 5-5>"]),
    "a line gone": ("a\nb\nd\ne\n", ["<lines 3-3>"]),
    "a line added": ("a\nb\nX\nc\nd\ne\n", ["<lines after 2>"]),
    "a line added on top": ("X\n" + TEXT, ["<lines after 0>"]),
    "a line added at the end": (TEXT + "X\n", ["<lines after 5>"]),
    "all gone": ("", ["<lines 1-5>"]),
    "final newline gone": ("a\nb\nc\nd\ne", ["<lines 5-5>"]),
    "one line ending": ("a\nb\r\nc\nd\ne\n", ["<lines 2-2>"]),
    "a blank at a line end": ("a\nb\nc \nd\ne\n", ["<lines 3-3>"]),
}
COVERS = [
    ([], 0, 1, False),
    (["<lines 1-3>"], 0, 3, True),
    (["<lines 1-3>"], 1, 2, True),
    (["<lines 1-3>"], 2, 4, False),
    (["<lines 1-2>", "<lines 3-3>"], 0, 3, True),
    (["<lines 2-3>"], 1, 1, True),
    (["<lines 2-3>"], 3, 3, True),
    (["<lines 2-3>"], 0, 0, False),
    (["<lines 2-3>"], 4, 4, False),
    (["<lines after 2>"], 2, 2, True),
    (["<lines after 2>"], 1, 1, False),
    (["<lines after 2>"], 1, 2, False),
    (["f", "<lines x-y>"], 0, 0, False),
]


@pytest.mark.parametrize(("after", "expected"), CHANGES.values(), ids=CHANGES.keys())
def test_ranges_of_a_change(after: str, expected: list[str]) -> None:
    assert allowed_ranges(TEXT, after) == expected
    assert unintended_ranges(TEXT, after, []) == expected


@pytest.mark.parametrize(("allowed", "first", "last", "expected"), COVERS)
def test_ranges_that_are_covered(allowed: list[str], first: int, last: int, expected: bool) -> None:
    assert covers(allowed, first, last) is expected


@pytest.mark.parametrize(
    ("first", "last", "name"), [(0, 1, "<lines 1-1>"), (2, 5, "<lines 3-5>"), (0, 0, "<lines after 0>")]
)
def test_range_names_count_from_one(first: int, last: int, name: str) -> None:
    assert range_name(first, last) == name


def test_change_outside_the_allowed_lines_is_named() -> None:
    assert unintended_ranges(TEXT, "X\nb\nY\nd\ne\n", ["<lines 3-3>"]) == ["<lines 1-1>"]


texts = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=9).map("\n".join)


@given(texts, texts)
def test_blocks_turn_the_one_text_into_the_other(before: str, after: str) -> None:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    rebuilt, place = [], 0
    for i1, i2, j1, j2 in changed_blocks(before, after):
        rebuilt += old[place:i1] + new[j1:j2]
        place = i2
    assert "".join(rebuilt + old[place:]) == after


@given(texts, texts)
def test_any_change_is_seen_and_covered_by_its_own_ranges(before: str, after: str) -> None:
    assert (unintended_ranges(before, after, []) == []) is (before == after)
    assert unintended_ranges(before, after, allowed_ranges(before, after)) == []
