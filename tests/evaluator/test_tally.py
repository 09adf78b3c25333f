"""How a run stands, line by line: a table of what was added and what stands; and against counting everything anew."""

from dataclasses import astuple
from datetime import date

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from evaluator.journal import AttemptLine, Price, RunFile
from evaluator.statistics.comparison import compare, outcomes
from evaluator.statistics.sequential import e_value
from evaluator.statistics.wilson import rate
from evaluator.tally import Tally
from evaluator.taxonomy import Category, Detail, Discard, Signal
from evaluator.trials import trials

FORMATS = ["a", "b", "c"]
WRONG = {"failure_category": Category.WRONG_CHANGE, "detail": Detail.TESTS_FAIL}
MALFORMED = {"failure_category": Category.MALFORMED, "detail": Detail.NO_EDIT}
INFRA = {"discarded": Discard.INFRA_ERROR}
BUDGET = {"discarded": Discard.BUDGET_EXHAUSTED}


def settings(**changes: object) -> RunFile:
    base = RunFile(
        set_digest="0", cap=100, model="m", simulated=False, formats=FORMATS, attempts=2, seed=1,
        fixtures=["r/1-x", "r/2-x", "r/3-x"], impossible=["r/9-x-impossible"], started="", version="0",
        price=Price(model="m", as_of=date(2026, 1, 1), input=1, output=1),
    )  # fmt: skip
    return base.model_copy(update=changes)


def line(fixture: int, fmt: str, attempt: int = 1, repeat: int = 1, call: int = 1, **rest: object) -> AttemptLine:
    name = f"r/{fixture}-x" + "-impossible" * (fixture == 9)
    return AttemptLine(fixture=name, format=fmt, model="m", repeat=repeat, attempt=attempt, call=call, valid=False,
                       paid_usd=0.5, **rest)  # type: ignore[arg-type]  # fmt: skip


# What was added, and of format `a`: resolved, failed, discarded, attempts; then trials ended.
CASES: dict[str, tuple[list[AttemptLine], tuple[int, int, int, int], int]] = {
    "nothing": ([], (0, 0, 0, 0), 0),
    "resolved": ([line(1, "a")], (1, 0, 0, 1), 1),
    "failed, and not to be retried": ([line(1, "a", **WRONG)], (0, 1, 0, 1), 1),
    "failed, to be retried": ([line(1, "a", **MALFORMED)], (0, 0, 0, 1), 0),
    "retried and resolved": ([line(1, "a", **MALFORMED), line(1, "a", 2)], (1, 0, 0, 2), 1),
    "no attempt left": ([line(1, "a", **MALFORMED), line(1, "a", 2, **MALFORMED)], (0, 1, 0, 2), 1),
    "discarded": ([line(1, "a", **INFRA)], (0, 0, 1, 1), 1),
    "called again": ([line(1, "a", **INFRA), line(1, "a", call=2)], (1, 0, 0, 2), 1),
    "called again in vain": ([line(1, "a", **INFRA), line(1, "a", call=2, **INFRA)], (0, 0, 1, 2), 1),
    "called again, to be retried": ([line(1, "a", **INFRA), line(1, "a", call=2, **MALFORMED)], (0, 0, 0, 2), 0),
    "impossible tasks are in no rate": ([line(9, "a"), line(1, "a")], (1, 0, 0, 2), 2),
    "repeats": ([line(1, "a"), line(1, "a", repeat=2, **WRONG)], (1, 1, 0, 2), 2),
    "another format": ([line(1, "b"), line(1, "c", **WRONG)], (0, 0, 0, 0), 2),
}


@pytest.mark.parametrize("case", CASES)
def test_what_stands(case: str) -> None:
    lines, stands, ended = CASES[case]
    tally = Tally(settings(repeats=2))
    for one in lines:
        tally.add(one)
    a = tally.formats["a"]
    assert (a.resolved, a.failed, a.discarded, a.attempts) == stands
    assert (tally.ended, tally.planned, tally.attempts) == (ended, 4 * 3 * 2, len(lines))
    assert (tally.ended_impossible, tally.planned_impossible) == ("impossible" in case, 3 * 2)
    assert tally.paid == pytest.approx(0.5 * len(lines))


def test_another_signal_may_cause_a_retry() -> None:
    tally = Tally(settings(retry_on=[Signal.TESTS]))
    tally.add(line(1, "a", signal=Signal.TESTS, **WRONG))
    tally.add(line(1, "b", **MALFORMED))
    assert (tally.ended, tally.formats["b"].failed) == (1, 1)


def test_what_money_left_no_room_for_ends_a_trial_now_and_is_made_in_the_next_process() -> None:
    left = line(1, "a", **BUDGET)
    tally = Tally(settings())
    tally.add(left)
    assert (tally.ended, tally.formats["a"].discarded) == (1, 1)
    assert Tally(settings(), [left]).ended == 0


def test_pairs_are_of_complete_blocks_of_the_first_repeat() -> None:
    tally = Tally(settings(repeats=2))
    first = tally.pairs[0]
    for one in (line(1, "a"), line(1, "b", **WRONG), line(2, "a"), line(2, "b", **WRONG), line(2, "c", **INFRA)):
        tally.add(one)
    assert (first.first, first.second, first.only_first) == ("a", "b", 0), "no block has all three"
    tally.add(line(1, "c"))
    assert (first.only_first, first.only_second, first.e) == (1, 0, 1)
    tally.add(line(2, "c", call=2))
    assert (first.only_first, first.e) == (2, e_value(2, 0))
    for fmt, rest in (("a", {}), ("b", WRONG), ("c", {})):
        tally.add(line(1, fmt, repeat=2, **rest))
        tally.add(line(9, fmt, **rest))
    assert first.only_first == 2, "neither another repeat nor an impossible task counts"


def test_unpriced_is_not_nothing() -> None:
    assert Tally(settings(price=None)).paid is None
    assert Tally(settings()).paid == 0


ENDS = st.sampled_from([{}, WRONG, INFRA])


@hypothesis_settings(deadline=None)  # the first look at scipy loads it
@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from(FORMATS), ENDS), max_size=30))
def test_one_by_one_is_as_all_anew(made: list[tuple[int, str, dict[str, object]]]) -> None:
    """Calls in any order, each trial's later ones taking the place of earlier ones."""
    calls: dict[tuple[int, str], int] = {}
    tally, lines = Tally(settings()), []
    for fixture, fmt, rest in made:
        calls[fixture, fmt] = calls.get((fixture, fmt), 0) + 1
        lines.append(line(fixture, fmt, call=calls[fixture, fmt], **rest))
        tally.add(lines[-1])
    done = trials(lines)
    for name, standing in tally.formats.items():
        own = [t for t in done if t.format == name]
        counted = rate(sum(t.resolved for t in own), sum(t.has_evidence for t in own))
        assert standing.resolved == sum(t.resolved for t in own)
        assert standing.discarded == sum(not t.has_evidence for t in own)
        assert (standing.interval is None) is (counted is None)
        if counted is not None:
            assert standing.interval is not None
            assert astuple(standing.interval) == pytest.approx((counted.value, counted.low, counted.high), abs=1e-9)
    if len(done) == 9:
        for pair, anew in zip(tally.pairs, compare(FORMATS, outcomes(FORMATS, done)).pairs, strict=True):
            assert (pair.only_first, pair.only_second) == (anew.split.only_first, anew.split.only_second)


def test_repeats_make_the_interval_no_narrower_than_what_they_tell() -> None:
    """Tasks that always come out the same tell as much at ten repeats as at one; those that do not, more."""
    same, within = Tally(settings(repeats=10)), Tally(settings(repeats=10))
    for repeat in range(1, 11):
        for fixture in (1, 2, 3):
            same.add(line(fixture, "a", repeat=repeat, **(WRONG if fixture == 1 else {})))
            within.add(line(fixture, "a", repeat=repeat, **(WRONG if repeat % 3 == fixture % 3 else {})))
    three = rate(2, 3)
    assert three is not None
    alike, found = same.formats["a"].interval, within.formats["a"].interval
    assert alike is not None
    assert astuple(alike) == pytest.approx((2 / 3, three.low, three.high))
    assert found is not None
    assert found.high - found.low < (three.high - three.low) / 2


def test_the_commonest_reason_is_of_trials_that_are_still_discarded() -> None:
    tally = Tally(settings())
    assert tally.commonest_discard is None
    for n, error in enumerate(["503", "503", "garbage"], 1):
        tally.add(line(n, "a", error=error, **INFRA))
    assert tally.commonest_discard == ("infra_error: 503", 2, 3)
    tally.add(line(1, "a", call=2, error="garbage", **INFRA))
    assert tally.commonest_discard == ("infra_error: garbage", 2, 3)
    for n in range(1, 4):
        tally.add(line(n, "a", call=3))
    assert tally.commonest_discard is None
