"""Where lines that are not quite the file's fit, by which steps, and what becomes of the lines around them."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.formats.index import Text
from evaluator.formats.ladder import SHARED, Fit, dressed, fits
from evaluator.formats.model import STRICT
from evaluator.formats.renewal import aligned, renewed

ALL = frozenset(step.name for step in SHARED)
FILE = ["def f():", "    a = 1", "    if a:", "        return 'x'  ", "", "class C:", "\tdef g(self):", "\t\treturn 1",
        "}", "end\r", "}"]  # fmt: skip
PLACED: dict[str, tuple[list[str], tuple[int, ...], tuple[str, ...]]] = {
    "exact": (["    a = 1", "    if a:"], (1,), ()),
    "exact, twice": (["}"], (8, 10), ()),
    "exact wins over looser places": (["    a = 1"], (1,), ()),
    "not there": (["nothing"], (), ()),
    "half a line": (["    a = "], (), ()),
    "carriage return only in the file": (["end"], (9,), ("line_endings",)),
    "carriage return only in the anchor": (["def f():\r", "    a = 1\r"], (0,), ("line_endings",)),
    "trailing blanks in the file": (["        return 'x'"], (3,), ("trailing_space",)),
    "trailing blanks in the anchor": (["class C:  "], (5,), ("trailing_space",)),
    "smart quotes": (["        return ‘x’  "], (3,), ("lookalikes",)),
    "smart quotes and trailing blanks": (["        return ‘x’"], (3,), ("trailing_space", "lookalikes")),
    "no-break spaces": (["\u00a0\u00a0\u00a0 a = 1"], (1,), ("lookalikes",)),
    "blank line first": (["", "    a = 1"], (1,), ("blank_lines",)),
    "blank lines last": (["    a = 1", "", "  "], (1,), ("blank_lines",)),
    "blank lines only": ([" ", "\t"], (), ()),
    "not indented": (["a = 1", "if a:", "    return 'x'"], (1,), ("trailing_space", "indentation")),
    "indented too far": (["  def f():", "      a = 1"], (0,), ("indentation",)),
    "indented unevenly": (["def f():", "  a = 1"], (), ()),
    "a brace anywhere": (["  }"], (8, 10), ("indentation",)),
    "blanks for tabs": (["    def g(self):", "        return 1"], (6,), ("indent_units",)),
    "two blanks for tabs": (["  def g(self):", "    return 1"], (6,), ("indent_units",)),
    "blanks for tabs, and shifted": (["class C:", "    def g(self):"], (5,), ("indent_units",)),
    "tabs for blanks": (["\ta = 1", "\tif a:", "\t\treturn 'x'  "], (1,), ("indent_units",)),
}  # fmt: skip


@pytest.mark.parametrize(("anchor", "places", "steps"), PLACED.values(), ids=PLACED.keys())
def test_an_anchor_is_placed_at_the_mildest_steps(
    anchor: list[str], places: tuple[int, ...], steps: tuple[str, ...]
) -> None:
    found = fits(FILE, anchor, ALL)
    assert (found.places, found.steps) == (places, steps)


@pytest.mark.parametrize(("anchor", "places", "steps"), PLACED.values(), ids=PLACED.keys())
def test_a_step_that_is_not_admitted_is_not_taken(
    anchor: list[str], places: tuple[int, ...], steps: tuple[str, ...]
) -> None:
    assert fits(FILE, anchor, STRICT).places == (() if steps else places)
    for step in steps:
        assert step not in fits(FILE, anchor, ALL - {step}).steps
    assert fits(FILE, anchor, frozenset(steps)).places == places


RENEWED: dict[str, tuple[list[str], list[str], list[str], list[str]]] = {
    "kept lines are the file's own": (
        ["a  ", "b\t", "c "], ["a", "b", "c"], ["a", "new", "c"], ["a  ", "new", "c "]),
    "one line in the middle is kept": (["a ", "b ", "c "], ["a", "b", "c"], ["x", "b", "y"], ["x", "b ", "y"]),
    "a line that moves is new": (["a ", "b "], ["a", "b"], ["b", "a"], ["b", "a "]),
    "new lines end as the old": (["a\r", "b\r"], ["a", "b"], ["a", "x", "b"], ["a\r", "x\r", "b\r"]),
    "new lines end as the old, plain": (["a", "b"], ["a\r", "b\r"], ["a\r", "x\r"], ["a", "x"]),
    "mixed endings stay": (["a\r", "b", "c\r"], ["a", "b", "c"], ["a", "b", "x", "c"], ["a\r", "b", "x\r", "c\r"]),
    "new lines shift with the anchor": (
        ["    if a:", "        b"], ["if a:", "    b"], ["if a:", "", "    c", "  "],
        ["    if a:", "", "        c", "  "]),
    "new lines shift back": (["if a:", "  b"], ["   if a:", "     b"], ["   x", "  y"], ["x", "  y"]),
    "new lines get tabs": (["\ta", "\t\tb"], ["    a", "        b"], ["    a", "        c", "  x"],
                           ["\ta", "\t\tc", "  x"]),
    "blank lines that are not there are not added": (["a", "z"], ["", "a", ""], ["", "b", ""], ["b"]),
    "blank lines that are new are": (["a", "z"], ["", "a"], ["", "a", "", "b"], ["a", "", "b"]),
    "a byte order mark stays": (["\ufeffa", "b"], ["a", "b"], ["x", "b"], ["\ufeffx", "b"]),
    "all goes": (["a "], ["a"], [], []),
}


@pytest.mark.parametrize(("text", "anchor", "new", "result"), RENEWED.values(), ids=RENEWED.keys())
def test_a_tolerance_rewrites_only_what_the_edit_changes(
    text: list[str], anchor: list[str], new: list[str], result: list[str]
) -> None:
    fit = fits(text, anchor, ALL)
    assert fit.places == (0,)
    size = len(anchor) - sum(fit.skipped)
    assert renewed(anchor, new, fit, text[:size]) == result


def test_what_fits_to_the_letter_is_taken_to_the_letter() -> None:
    assert renewed(["a\r"], ["b"], Fit((0,)), ["a\r"]) == ["b"]


@pytest.mark.parametrize(
    ("new", "replaced", "around", "lines"),
    [(["a"], ["b\r"], [], ["a\r"]), (["a\r"], ["b"], [], ["a"]), (["a"], [], ["x\r", "y\r", "z"], ["a\r"]),
     (["a"], ["b\r", "c"], ["x\r"], ["a"]), (["a\r"], [], [], ["a"])],
)  # fmt: skip
def test_new_lines_are_dressed_as_most_around(
    new: list[str], replaced: list[str], around: list[str], lines: list[str]
) -> None:
    assert dressed(new, replaced, around) == lines


SHORT = ["", " ", "a", " a", "\ta", "    a", "a ", "a\r", "b", "  b", "‘", "'", "\fx"]
LINES = st.lists(st.sampled_from(SHORT), max_size=8)


@settings(max_examples=400, deadline=None)
@given(lines=LINES, edits=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), LINES), max_size=4),
       anchor=LINES.filter(bool))  # fmt: skip
def test_a_text_that_was_edited_is_searched_as_a_fresh_one(
    lines: list[str], edits: list[tuple[int, int, list[str]]], anchor: list[str]
) -> None:
    text = Text(lines)
    for first, last, new in edits:
        fits(text, anchor, ALL)
        first, last = sorted((min(first, len(text.lines)), min(last, len(text.lines))))
        text.replace(first, last, new)
        lines = [*lines[:first], *new, *lines[last:]]
    assert text.lines == lines
    found, fresh = fits(text, anchor, ALL), fits(lines, anchor, ALL)
    assert (found.places, found.steps, found.skipped) == (fresh.places, fresh.steps, fresh.skipped)


@settings(max_examples=400, deadline=None)
@given(lines=LINES, anchor=LINES.filter(bool))
def test_the_letter_is_every_place_where_the_lines_stand(lines: list[str], anchor: list[str]) -> None:
    wanted = [n for n in range(len(lines)) if lines[n : n + len(anchor)] == anchor]
    assert list(fits(lines, anchor, STRICT).places) == wanted


@settings(max_examples=400, deadline=None)
@given(lines=LINES, first=st.integers(0, 7), size=st.integers(1, 4), change=st.sampled_from(["    ", "\t", "  "]))
def test_a_shift_of_lines_of_the_file_is_undone(lines: list[str], first: int, size: int, change: str) -> None:
    quoted = lines[first : first + size]
    if not any(line.strip() for line in quoted):
        return
    fit = fits(lines, [change + line for line in quoted], ALL)
    assert fit.places
    if first in fit.places and "indentation" in fit.steps and fit.places == (first,):
        there = lines[first : first + len(quoted) - sum(fit.skipped)]
        solid = [line for line in quoted if line.strip()]
        assert [fit.shift(change + line).lstrip(" \t") for line in solid] == [line.lstrip(" \t") for line in solid]
        assert renewed([change + line for line in quoted], [change + line for line in quoted], fit, there) == there


@settings(max_examples=400, deadline=None)
@given(old=LINES, new=LINES)
def test_aligned_lines_are_equal_and_in_order(old: list[str], new: list[str]) -> None:
    found = aligned(old, new)
    pairs = [(n, at) for n, at in enumerate(found) if at is not None]
    assert all(new[n] == old[at] for n, at in pairs)
    assert [at for _, at in pairs] == sorted({at for _, at in pairs})


def test_where_lines_come_from_is_known_after_edits() -> None:
    text = Text(["a", "b", "c", "d"])
    text.replace(1, 2, ["x", "y"])  # a x y c d
    assert [text.before(0, 1), text.before(1, 3), text.before(0, 3), text.before(3, 5)] == [
        (0, 1), None, (0, 1), (2, 4)]  # fmt: skip
    assert [text.before(0, 0), text.before(1, 1), text.before(3, 3), text.before(5, 5)] == [
        (0, 0), (1, 1), (2, 2), (4, 4)]  # fmt: skip
    assert Text([]).before(0, 0) == (0, 0)


HOSTILE: dict[str, tuple[list[str], list[str]]] = {
    "one line throughout": (["a"] * 50_000, ["a"] * 20_000 + ["b"]),
    "one line, other indentations": ([" " * (n % 3) + "a" for n in range(50_000)], ["  a"] * 20_000),
    "two lines in turn": (["a", "b"] * 25_000, ["b", "a"] * 9_000 + ["a"]),
    "blank lines": ([""] * 50_000, [" "] * 20_000 + ["x"]),
    "late difference in a shift": (["a"] * 50_000, ["  a"] * 20_000 + [" a"]),
    "distinct": ([f"    line {n}" for n in range(50_000)], [f"\tline {n}" for n in range(20_000, 0, -1)]),
}


@pytest.mark.parametrize(("lines", "anchor"), HOSTILE.values(), ids=HOSTILE.keys())
def test_no_lines_take_long(lines: list[str], anchor: list[str]) -> None:
    started = time.perf_counter()
    fits(lines, anchor, ALL)
    aligned(lines, anchor)
    assert time.perf_counter() - started < 20, "quadratic time would be minutes"
