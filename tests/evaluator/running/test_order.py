"""Blocks, seeds, and what a trial needs next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.journal import AttemptLine
from evaluator.running.order import Next, blocks, by_trial, counted, following, model_seed
from evaluator.taxonomy import Category, Detail, Discard, Signal


def line(attempt: int = 1, call: int = 1, **more: object) -> AttemptLine:
    return AttemptLine(
        fixture="r/1", format="udiff", model="m", repeat=1, attempt=attempt, call=call, valid=False
    ).model_copy(update=more)


RETRIED = {"failure_category": Category.MALFORMED, "detail": Detail.NO_EDIT}
WRONG = {"failure_category": Category.WRONG_CHANGE, "detail": Detail.TESTS_FAIL}
INFRA, BUDGET = {"discarded": Discard.INFRA_ERROR}, {"discarded": Discard.BUDGET_EXHAUSTED}
NEXT = {
    "nothing made": ([], Next(1, 1)),
    "resolved": ([line()], None),
    "a failure that shows": ([line(**RETRIED)], Next(2, 1)),
    "a failure that shows, the budget used": ([line(1, **RETRIED), line(2, **RETRIED), line(3, **RETRIED)], None),
    "a failure in hidden tests": ([line(**WRONG)], None),
    "in tests that show, when not asked for": ([line(**WRONG, signal=Signal.TESTS)], None),
    "a lost call": ([line(**INFRA)], Next(1, 2, late=True)),
    "a lost call of a retry": ([line(1, **RETRIED), line(2, **INFRA)], Next(2, 2, late=True)),
    "lost twice": ([line(1, 1, **INFRA), line(1, 2, **INFRA)], None),
    "lost, then failed": ([line(1, 1, **INFRA), line(1, 2, **RETRIED)], Next(2, 1)),
    "no money": ([line(**BUDGET)], Next(1, 2)),
    "no money for a retry": ([line(1, **RETRIED), line(2, **BUDGET)], Next(2, 2)),
    "lost, then no money": ([line(1, 1, **INFRA), line(1, 2, **BUDGET)], Next(1, 3)),
    "lost, no money, lost": ([line(1, 1, **INFRA), line(1, 2, **BUDGET), line(1, 3, **INFRA)], None),
    "no money, lost": ([line(1, 1, **BUDGET), line(1, 2, **INFRA)], Next(1, 3, late=True)),
    "refused": ([line(discarded=Discard.REFUSAL)], None),
    "a line taken out": ([line(2, **RETRIED)], Next(1, 1)),
    "a line taken out in the middle": ([line(1, **RETRIED), line(3)], Next(2, 1)),
    "our bug": ([line(discarded=Discard.HARNESS_ERROR)], None),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "wanted"), NEXT.values(), ids=NEXT)
def test_what_a_trial_needs_next(lines: list[AttemptLine], wanted: Next | None) -> None:
    assert following(lines, budget=3) == wanted
    assert following(lines[::-1], budget=3) == wanted, "whatever their order"


def test_what_was_given_up_is_made_again_when_asked_for() -> None:
    lost = [line(1, 1, **INFRA), line(1, 2, **INFRA)]
    assert following(lost, 3, again=True) == Next(1, 3, late=True)
    assert following([line(discarded=Discard.REFUSAL)], 3, again=True) is None
    refused = line(discarded=Discard.HARNESS_ERROR, error="400: no such model")
    assert following([refused], 3, again=True) == Next(1, 2, late=True)
    for came in ({"input_tokens": 9}, {"output_tokens": 9}, {"served_model": "m"}, {"stop_reason": "stop"}):
        assert following([refused.model_copy(update=came)], 3, again=True) is None, "its reply is stored"


def test_tests_that_show_are_retried_when_asked_for() -> None:
    assert following([line(**WRONG, signal=Signal.TESTS)], 3, [Signal.TESTS]) == Next(2, 1)
    assert following([line(**RETRIED)], 3, [Signal.TESTS]) is None


def test_the_conversation_is_made_of_the_last_call_of_every_attempt_before() -> None:
    lines = [line(2, 1, **INFRA), line(1, 1, **INFRA), line(1, 2, **RETRIED), line(2, 2, **RETRIED)]
    assert [(a.attempt, a.call) for a in counted(lines, 3)] == [(1, 2), (2, 2)]
    assert [(a.attempt, a.call) for a in counted(lines, 2)] == [(1, 2)]


@given(
    st.lists(st.text("abc", min_size=1), unique=True, max_size=5), st.lists(st.text("xyz", min_size=1), unique=True),
    st.integers(1, 4), st.integers(),
)  # fmt: skip
def test_every_block_comes_once_with_every_format_and_the_seed_decides_the_order(
    fixtures: list[str], formats: list[str], repeats: int, seed: int
) -> None:
    found = list(blocks(fixtures, formats, repeats, seed))
    assert sorted((b.fixture, b.repeat) for b in found) == sorted((f, r + 1) for f in fixtures for r in range(repeats))
    assert all(sorted(b.formats) == sorted(formats) for b in found)
    assert found == list(blocks(fixtures, formats, repeats, seed))


def test_formats_and_blocks_are_shuffled() -> None:
    fixtures, formats = [f"r/{n}" for n in range(50)], ["a", "b", "c"]
    found = list(blocks(fixtures, formats, 2, 1))
    assert len({b.formats for b in found}) == 6, "every order of the formats"
    assert {b.repeat for b in found[:50]} == {1, 2}, "repeats are not one after the other"
    assert found != list(blocks(fixtures, formats, 2, 2))


def test_every_repeat_has_a_seed_of_its_own_that_servers_take() -> None:
    seeds = [model_seed(seed, repeat) for seed in range(20) for repeat in range(1, 21)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert model_seed(7, 2) == model_seed(7, 2)


def test_attempts_are_put_together_by_trial() -> None:
    other = line(format="whole_file")
    assert by_trial([line(), other, line(2)]) == {
        ("r/1", "udiff", 1): [line(), line(2)], ("r/1", "whole_file", 1): [other],
    }  # fmt: skip
