"""One sentence per verdict, of every category, detail and reason for a discard."""

import pytest

from evaluator.journal import AttemptLine
from evaluator.sentence import _ENDS, sentence
from evaluator.taxonomy import Category, Detail, Discard


def line(**more: object) -> AttemptLine:
    return AttemptLine(
        fixture="r/1", format="udiff", model="m", repeat=1, attempt=1, valid=False, output_tokens=8000, edits=3,
        edits_applied=2, excused=("a.py::g",),
        unintended_changes=("a.py::f", "a.py::g", "b.py::h", "b.py::i", "b.py::j"),
    ).model_copy(update=more)  # fmt: skip


@pytest.mark.parametrize(("category", "detail"), _ENDS, ids=lambda value: str(value))
def test_every_verdict_is_one_sentence(category: Category, detail: Detail) -> None:
    text = sentence(line(failure_category=category, detail=detail), ["t.py::a"])
    assert text.endswith(".")
    assert "{" not in text
    assert text[0].isupper()


def test_no_detail_is_left_out() -> None:
    assert {detail for _, detail in _ENDS} == set(Detail)
    assert {category for category, _ in _ENDS} == set(Category)


SAID = {
    # Not "the limit of": counted with another vocabulary than the provider's, the cap is another number of tokens.
    "tokens": ({"failure_category": Category.TRUNCATED, "detail": Detail.STOP_LENGTH}, (), "limit, after 8,000 tokens"),
    "tokens counted here": (
        {"failure_category": Category.TRUNCATED, "detail": Detail.STOP_LENGTH, "counted_here": True}, (),
        "limit, after ~8,000 tokens (counted here, in another vocabulary than the model's)."
    ),
    "edits": ({"failure_category": Category.NOT_APPLIED, "detail": Detail.ANCHOR_MISSING}, (), "2 of 3 edits fit"),
    "format": ({"failure_category": Category.MALFORMED, "detail": Detail.BAD_BLOCK}, (), "that udiff cannot read"),
    "symbols": ({"failure_category": Category.UNINTENDED_CHANGE, "detail": Detail.REMOVED}, (),
                "unintended: a.py::f, b.py::h, b.py::i and 1 more."),
    "tests": ({"failure_category": Category.WRONG_CHANGE, "detail": Detail.TESTS_FAIL}, ("t::a", "t::b"),
              "the tests fail: t::a, t::b."),
    "unknown tests": ({"failure_category": Category.WRONG_CHANGE, "detail": Detail.TESTS_FAIL}, (), "the tests fail."),
    "resolved": ({"applied": True, "unintended_changes": (), "excused": ()}, (), "nothing unintended changed"),
    "excused": ({"applied": True}, (), "is needed by it: a.py::g."),
    "impossible": ({}, (), "the task is impossible, which it is"),
    "lost": ({"discarded": Discard.INFRA_ERROR, "error": "503 {x}"}, (), "the provider failed (503 {x})."),
    "no money": ({"discarded": Discard.BUDGET_EXHAUSTED}, (), "money or time was used up"),
}  # fmt: skip


@pytest.mark.parametrize(("more", "failing", "wanted"), SAID.values(), ids=SAID)
def test_what_is_named(more: dict[str, object], failing: tuple[str, ...], wanted: str) -> None:
    assert wanted in sentence(line(**more), failing)


@pytest.mark.parametrize("reason", list(Discard))
def test_every_discard_has_a_sentence(reason: Discard) -> None:
    assert sentence(line(discarded=reason)).startswith("No evidence: ")
