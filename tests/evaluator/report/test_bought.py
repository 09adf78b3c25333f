from evaluator.journal import AttemptLine
from evaluator.report.bought import Bought, bought
from evaluator.taxonomy import Category, Detail, Discard


def line(format_: str = "udiff", **more: object) -> AttemptLine:
    known = {"fixture": "a/1", "format": format_, "model": "m", "repeat": 1, "attempt": 1, "valid": True,
             "applied": True, "strict_applied": False, "edit_steps": ("trailing_space",)}  # fmt: skip
    return AttemptLine.model_validate(known | more)


def test_only_first_attempts_that_the_letter_did_not_apply_count() -> None:
    lines = [
        line(), line(strict_applied=True), line(attempt=2, strict_applied=None), line(applied=False),
        line(discarded=Discard.HARNESS_ERROR), line("other", edit_steps=()),
    ]  # fmt: skip
    assert bought(["udiff", "other"], lines) == [Bought("udiff", "trailing_space", 1, 1, 0, 0)]


def test_an_attempt_counts_with_every_tolerance_that_it_took() -> None:
    misapplied = {"failure_category": Category.MISAPPLIED, "detail": Detail.WRONG_LOCATION}
    lines = [
        line(edit_steps=("", "trailing_space+indentation")),
        line(edit_steps=("indentation", "indentation"), **misapplied),
        line(failure_category=Category.UNINTENDED_CHANGE), line(failure_category=Category.WRONG_CHANGE),
    ]  # fmt: skip
    assert bought(["udiff"], lines) == [
        Bought("udiff", "indentation", 2, 1, 1, 0), Bought("udiff", "trailing_space", 3, 1, 0, 1),
    ]  # fmt: skip
