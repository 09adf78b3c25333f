"""The lines that encoders replace, of large files above all: true differences, and as small as the change."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.formats import FORMATS, differing
from evaluator.formats.model import Applied, Tree
from miner.symbols.lines import changed_blocks
from miner.text import split_lines

LARGE = 4_200
texts = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12).map("\n".join)


def rebuilt(before: str, after: str, blocks: list[tuple[int, int, int, int]]) -> str:
    old, new, made, place = split_lines(before), split_lines(after), [], 0
    for i1, i2, j1, j2 in blocks:
        made += old[place:i1] + new[j1:j2]
        place = i2
    return "".join(made + old[place:])


@given(texts, texts)
def test_walk_gives_a_true_difference_or_none(before: str, after: str) -> None:
    blocks = differing._walked(split_lines(before), split_lines(after))
    assert blocks is not None
    assert rebuilt(before, after, blocks) == after
    assert all(i1 < i2 or j1 < j2 for i1, i2, j1, j2 in blocks)


def lines(repeat: int) -> list[str]:
    return [f"line {n % repeat}\n" for n in range(LARGE)]


def replaced(old: list[str], at: int) -> list[str]:
    return [*old[:at], f"new {at}\n", *old[at + 1 :]]


def deleted(old: list[str], at: int) -> list[str]:
    return [*old[:at], *old[at + 2 :]]


def inserted(old: list[str], at: int) -> list[str]:
    return [*old[:at], f"new {at}\n", "and more\n", *old[at:]]


@pytest.mark.parametrize("repeat", [LARGE, 500, 20], ids=["unique", "repeats", "repeats often"])
@pytest.mark.parametrize("edit", [replaced, deleted, inserted])
def test_large_file_with_many_changes_has_as_many_blocks(repeat: int, edit) -> None:  # type: ignore[no-untyped-def]
    old = lines(repeat)
    new = old
    for at in reversed(range(10, LARGE, 100)):
        new = edit(new, at)
    blocks = differing.differing("".join(old), "".join(new))
    assert rebuilt("".join(old), "".join(new), blocks) == "".join(new)
    assert len(blocks) == LARGE // 100
    assert sum(i2 - i1 + j2 - j1 for i1, i2, j1, j2 in blocks) == 2 * len(blocks)


def test_what_does_not_meet_soon_is_the_matchers() -> None:
    before, after = "".join(lines(LARGE)), "".join(["x\n" * 200, *lines(LARGE)[5:]])
    assert differing.differing(before, after) == list(changed_blocks(before, after))


def test_small_files_are_the_matchers() -> None:
    assert differing.differing("a\nb\nc\n", "a\nc\n") == list(changed_blocks("a\nb\nc\n", "a\nc\n")) == [(1, 2, 1, 1)]


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "whole_file"])
def test_every_format_writes_a_large_change_so_that_it_comes_out(name: str) -> None:
    chance, old = random.Random(1), lines(700)
    new = old
    for at in sorted(chance.sample(range(LARGE - 5), 60), reverse=True):
        new = chance.choice([replaced, deleted, inserted])(new, at)
    before, after = "".join(old).encode(), "".join(new).encode()
    fmt = FORMATS[name]
    reply = fmt.encode({"x.txt": before}, {"x.txt": after})
    assert isinstance(reply, str)
    applied = fmt.apply(fmt.parse(reply), Tree({"x.txt": "100644"}, lambda _: before))  # type: ignore[arg-type]
    assert isinstance(applied, Applied)
    assert applied.files["x.txt"] == after
