"""Signals: how they are named, and when tests that an agent sees are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.scoring import Score, Tests
from evaluator.signals import Seen, parse_signals, seen, visible_failing, with_seen
from evaluator.taxonomy import DEFAULT_SIGNALS, Category, Detail, Signal
from miner.errors import ToolError


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("stop,parser,applier,syntax", list(DEFAULT_SIGNALS)),
        ("tests, stop", [Signal.STOP, Signal.TESTS]),
        ("parser,parser", [Signal.PARSER]),
        ("none", []),
    ],
)
def test_signals_are_named_in_any_order(text: str, signals: list[Signal]) -> None:
    assert parse_signals(text) == signals


@pytest.mark.parametrize(
    ("text", "named"), [("stop,test", "test"), ("", "''"), ("stop,", "'stop,'"), ("none,stop", "none")]
)
def test_an_unknown_signal_is_refused_by_name_with_those_that_exist(text: str, named: str) -> None:
    with pytest.raises(ToolError) as raised:
        parse_signals(text)
    assert str(raised.value).startswith(f"unknown signal: {named}. Name some of stop, parser, applier, syntax, tests")


@given(st.lists(st.sampled_from(Signal), min_size=1))
def test_what_is_named_is_read_back(signals: list[Signal]) -> None:
    assert set(parse_signals(",".join(signals))) == set(signals)


OLD, NEW, OTHER = "t.py::test_old", "t.py::test_new", "t.py::test_other"
RUNS: dict[str, tuple[tuple[Tests, list[str], list[str]], Seen]] = {
    "a visible one fails": ((Tests.FAIL, [OLD, NEW], [OLD]), Seen((OLD,))),
    "only hidden ones fail": ((Tests.FAIL, [NEW], [OLD]), Seen()),
    "none is visible": ((Tests.FAIL, [OLD, NEW], []), Seen()),
    "all are visible, so their output is, too": ((Tests.FAIL, [NEW], [OLD, NEW]), Seen((NEW,), output="E")),
    "time is up, and all are visible": ((Tests.TIMEOUT, [OLD, NEW], [OLD, NEW]), Seen((), timed_out=True, output="E")),
    "time is up, perhaps in a hidden one": ((Tests.TIMEOUT, [OLD, NEW], [OLD]), Seen()),
}


@pytest.mark.parametrize(("run", "found"), RUNS.values(), ids=RUNS)
def test_what_an_agent_sees_of_a_run(run: tuple[Tests, list[str], list[str]], found: Seen) -> None:
    verdict, failing, visible = run
    assert seen(verdict, failing, "E", [OLD, NEW], visible) == found


@given(st.sets(st.text(max_size=3)), st.sets(st.text(max_size=3)), st.sets(st.text(max_size=3)))
def test_nothing_hidden_is_ever_seen(failing: set[str], required: set[str], visible: set[str]) -> None:
    found = seen(Tests.FAIL, failing, "output", required, visible)
    assert set(found.failing) <= visible & failing
    assert not found.output or required <= visible


def test_visible_failing_is_sorted() -> None:
    assert visible_failing([OTHER, OLD, NEW], {OLD, OTHER, "gone"}) == (OLD, OTHER)


FAILS = Seen((OLD,), output="E")
SCORES: dict[str, tuple[Score, Seen, Signal | None]] = {
    "tests fail": (Score(Category.WRONG_CHANGE, Detail.TESTS_FAIL), FAILS, Signal.TESTS),
    "no effect, where what turns was shown": (Score(Category.WRONG_CHANGE, Detail.NO_EFFECT), FAILS, Signal.TESTS),
    "an unintended change that they see": (Score(Category.UNINTENDED_CHANGE, Detail.REMOVED), FAILS, Signal.TESTS),
    "in the wrong place": (Score(Category.MISAPPLIED, Detail.WRONG_LOCATION), FAILS, Signal.TESTS),
    "out of time": (Score(Category.WRONG_CHANGE, Detail.TESTS_TIMEOUT), Seen(timed_out=True), Signal.TESTS),
    "they see nothing": (Score(Category.WRONG_CHANGE, Detail.TESTS_FAIL), Seen(), None),
    "it is resolved": (Score(None), FAILS, None),
    "it says that it is blocked": (Score(Category.WRONG_CHANGE, Detail.GAVE_UP), FAILS, None),
    "the applier told it already": (
        Score(Category.NOT_APPLIED, Detail.ANCHOR_MISSING, signal=Signal.APPLIER, feedback="No."), FAILS,
        Signal.APPLIER),
}  # fmt: skip


@pytest.mark.parametrize(("score", "found", "signal"), SCORES.values(), ids=SCORES)
def test_visible_tests_give_a_signal_and_change_no_category(score: Score, found: Seen, signal: Signal | None) -> None:
    after = with_seen(score, found)
    assert (after.category, after.detail) == (score.category, score.detail)
    assert after.signal is signal
    assert bool(after.feedback) is (signal is not None)


def test_many_failing_tests_are_counted() -> None:
    many = tuple(f"t.py::test_{n:02}" for n in range(25))
    words = with_seen(Score(Category.WRONG_CHANGE, Detail.TESTS_FAIL), Seen(many)).feedback
    assert "test_09 and 15 more." in words
    assert "test_10" not in words
