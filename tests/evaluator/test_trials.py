import pytest

from evaluator.journal import AttemptLine
from evaluator.taxonomy import Category, Detail, Discard
from evaluator.trials import is_finished, trials


def line(attempt: int = 1, fixture: str = "r/1-x", fmt: str = "whole_file", **fields: object) -> AttemptLine:
    blank = AttemptLine(fixture=fixture, format=fmt, model="m", repeat=1, attempt=attempt, valid=False)
    return blank.model_copy(update=fields)


CUT = {"failure_category": Category.TRUNCATED, "detail": Detail.STOP_LENGTH}
UNASKED = {"failure_category": Category.UNINTENDED_CHANGE, "unintended_changes": ("a::b",), "applied": True}
ENDINGS: dict[str, tuple[list[AttemptLine], bool, bool, bool]] = {
    "resolved at once": ([line(valid=True)], True, True, False),
    "resolved in the end": ([line(**CUT), line(2, valid=True)], True, True, False),
    "failed in the end": ([line(**CUT), line(2, **CUT)], True, False, False),
    "discarded": ([line(discarded=Discard.REFUSAL)], False, False, False),
    "discarded after a failure": ([line(**CUT), line(2, discarded=Discard.INFRA_ERROR)], False, False, False),
    "silent": ([line(valid=True, **UNASKED)], True, False, True),
    "unintended, and tests fail": ([line(**UNASKED)], True, False, False),
    "silent once, loud in the end": ([line(valid=True, **UNASKED), line(2, **CUT)], True, False, False),
}


@pytest.mark.parametrize(("made", "evidence", "resolved", "silent"), ENDINGS.values(), ids=ENDINGS.keys())
def test_the_last_attempt_is_the_verdict(
    made: list[AttemptLine], evidence: bool, resolved: bool, silent: bool
) -> None:
    [trial] = trials(reversed(made))
    assert [a.attempt for a in trial.attempts] == sorted(a.attempt for a in made)
    assert (trial.has_evidence, trial.resolved, trial.silent_defect) == (evidence, resolved, silent)


def test_a_trial_is_one_fixture_under_one_format() -> None:
    lines = [line(), line(fmt="unified_diff"), line(fixture="r/2-x"), line(2), line(repeat=2)]
    assert [(t.fixture, t.format, len(t.attempts)) for t in trials(lines)] == [
        ("r/1-x", "whole_file", 2), ("r/1-x", "unified_diff", 1), ("r/2-x", "whole_file", 1),
        ("r/1-x", "whole_file", 1),
    ]  # fmt: skip
    assert trials([]) == []


@pytest.mark.parametrize(
    ("made", "budget", "finished"),
    [
        ([], 3, False), ([line(**CUT)], 3, False), ([line(**CUT)], 1, True),
        ([line(2, **CUT), line(**CUT)], 3, False), ([line(3, **CUT), line(**CUT)], 3, True),
        ([line(valid=True)], 3, True), ([line(discarded=Discard.BUDGET_EXHAUSTED)], 3, True),
        ([line(**UNASKED)], 3, True),
        ([line(failure_category=Category.MISAPPLIED, detail=Detail.BROKEN_SYNTAX)], 3, False),
        ([line(failure_category=Category.MISAPPLIED, detail=Detail.WRONG_LOCATION)], 3, True),
        ([line(failure_category=Category.WRONG_CHANGE, detail=Detail.NO_EFFECT)], 3, True),
    ],
)  # fmt: skip
def test_a_trial_goes_on_while_a_signal_says_so_and_the_budget_lasts(
    made: list[AttemptLine], budget: int, finished: bool
) -> None:
    assert is_finished(made, budget) is finished
