"""Rare strata first, over lines."""

import pytest

from miner.errors import ToolError
from miner.rare import Rare, rare_strata
from miner.record import HarvestLine
from miner.rejection import Rejection
from miner.strata import Definition

# number, rewrite tokens (cap 1000), change fraction, more; newest first
HISTORY = [
    ("i1", 100, 0.1, {}),
    ("p1", 2000, 0.1, {}),
    ("p2", 2000, 0.2, {}),
    ("screened out", 2000, 0.9, {"rejection": Rejection.TOO_LARGE}),
    ("p3", 2000, 0.1, {"rejection": Rejection.FLAKY, "settings": "x"}),
    ("docs", None, None, {"rejection": Rejection.NO_SOURCE_CHANGE, "changes_source": False}),
    ("l1", 100, 0.9, {"fixture": "x/l1", "proved": True}),
    ("pl", 1501, 0.51, {}),
    ("n1", 1500, 0.5, {}),
    ("bug", None, None, {"rejection": Rejection.INTERNAL_ERROR}),
]
LINES = [
    HarvestLine(
        number=number, commit=f"{place:040x}", date="2026-01-01T00:00:00Z", title="t", rewrite_tokens=tokens,
        change_fraction=fraction, **({"changes_source": True} | more),
    )
    for place, (number, tokens, fraction, more) in enumerate(HISTORY)
]  # fmt: skip

FIRST = [
    ("large", 3, ["l1", "pl", "i1"]),
    ("large", 1, ["l1"]),
    ("past", 9, ["p1", "p2", "p3", "pl", "i1", "l1", "n1"]),
    ("large,past", 4, ["l1", "p1", "pl", "p2"]),  # in turn; pl is large and past
    ("past,large", 4, ["p1", "l1", "p2", "pl"]),
    ("near", 2, ["n1", "i1"]),
    ("inside", 2, ["i1", "l1"]),
]


@pytest.mark.parametrize(("want", "last", "numbers"), FIRST)
def test_candidates_of_the_strata_come_first_in_turn_then_the_newest(want: str, last: int, numbers: list[str]) -> None:
    rare = rare_strata(want, 1000, Definition())
    assert rare is not None
    assert [line.number for line in rare.first(LINES, last)] == numbers


def test_counts_of_the_history() -> None:
    assert dict(Rare(("large",), 1000, Definition()).counts(LINES)) == {
        "inside": [2, 2, 1, 1], "near": [1, 1, 0, 0], "past": [5, 4, 1, 0], "large": [3, 2, 1, 1],
    }  # fmt: skip


def test_bounds_are_those_of_the_definition() -> None:
    rare = Rare(("large",), 1000, Definition(inside_below=0.05, past_above=0.09, large_above=0.05))
    assert [line.number for line in LINES if rare.of(line) == {"past", "large"}] == [
        "i1", "p1", "p2", "screened out", "p3", "l1", "pl", "n1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("want", "word"), [("huge", "huge"), ("large,", "nothing"), ("Large", "Large"), ("", "nothing")]
)
def test_word_that_is_no_stratum_is_refused(want: str, word: str) -> None:
    with pytest.raises(ToolError, match=f"not a stratum: {word}. Strata are inside, near, past, large"):
        rare_strata(want, 8000, Definition())


def test_spaces_and_repetitions_do_not_matter() -> None:
    rare = rare_strata("large, past,large", 8000, Definition())
    assert rare is not None
    assert rare.strata == ("large", "past")
