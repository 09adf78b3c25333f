"""The counts of a report, and its text."""

import pytest

from evaluator.journal import AttemptLine, RunFile, TaskFacts
from evaluator.report.build import build
from evaluator.report.counts import Crossed, all_counts
from evaluator.report.screen import as_markdown
from evaluator.taxonomy import Category, Detail, Discard, is_retried
from evaluator.trials import is_finished, trials
from miner.strata import Stratum

RUN = RunFile(
    set_digest="d" * 64, cap=8000, model="simulated:x", simulated=True, formats=["whole_file", "unified_diff"],
    attempts=3, seed=1, fixtures=[f"r/{n}-x" for n in range(8)], started="", version="0",
)  # fmt: skip


def line(n: int, fmt: str = "whole_file", attempt: int = 1, **fields: object) -> AttemptLine:
    blank = AttemptLine(fixture=f"r/{n}-x", format=fmt, model="m", repeat=1, attempt=attempt, valid=False)
    return blank.model_copy(update=fields)


RESOLVED = {"valid": True, "applied": True, "served_model": "simulated:x"}
LINES = [
    line(0, **RESOLVED),
    line(1, failure_category=Category.TRUNCATED, detail=Detail.STOP_LENGTH),
    line(1, attempt=2, **RESOLVED),
    line(2, attempt=3, failure_category=Category.NOT_APPLIED, detail=Detail.ANCHOR_MISSING),
    line(3, valid=True, applied=True, failure_category=Category.UNINTENDED_CHANGE, detail=Detail.REMOVED,
         unintended_changes=("a::b",)),
    line(4, applied=True, failure_category=Category.WRONG_CHANGE, detail=Detail.TESTS_FAIL),
    line(5, attempt=3, failure_category=Category.MALFORMED, detail=Detail.NO_EDIT),
    line(6, attempt=3, applied=True, failure_category=Category.MISAPPLIED, detail=Detail.BROKEN_SYNTAX),
    line(7, discarded=Discard.INFRA_ERROR),
]  # fmt: skip


def test_six_rows_and_resolved_sum_to_the_tasks_with_evidence() -> None:
    whole = all_counts(RUN, LINES)[0]
    assert whole.trials == 7
    assert sum(whole.failed.values()) + whole.resolved == 7
    assert whole.resolved == 2
    assert whole.failed == dict.fromkeys(Category, 1) | {Category.TRUNCATED: 0}
    assert whole.first[Category.TRUNCATED] == 1
    assert sum(whole.first.values()) + whole.first_resolved == 7


def test_retries_are_attempts_and_never_tasks() -> None:
    assert all_counts(RUN, LINES)[0].attempts == 8


def test_apply_rate_counts_attempts_that_reached_the_applier() -> None:
    whole = all_counts(RUN, LINES)[0]
    assert (whole.applied, whole.reached_applier) == (5, 6)


def test_a_silent_defect_passes_its_tests() -> None:
    assert all_counts(RUN, LINES)[0].silent == 1


def test_tests_are_crossed_with_unintended_changes_where_they_were_run() -> None:
    said = {(True, ()): 4, (True, ("a::b",)): 3, (False, ()): 2, (False, ("a::b",)): 1}
    lines = [
        line(n, tests="pass" if good else "fail", applied=True, unintended_changes=over)
        for n, (good, over) in enumerate(cell for cell, count in said.items() for _ in range(count))
    ]  # fmt: skip
    run = RUN.model_copy(update={"fixtures": [f"r/{n}-x" for n in range(10)]})
    assert all_counts(run, lines)[0].crossed == Crossed(4, 3, 2, 1)


def test_a_change_that_is_excused_is_no_defect_and_is_flagged() -> None:
    excused = line(0, **RESOLVED, unintended_changes=("a::b",), excused=("a::b",))
    whole = all_counts(RUN, [excused])[0]
    assert (whole.resolved, whole.silent, whole.strict_would_change) == (1, 0, 1)


def test_discarded_trials_are_in_no_rate_and_have_bounds() -> None:
    report = build(RUN, LINES)
    assert report.formats[0].discarded == {Discard.INFRA_ERROR: 1}
    assert report.formats[0].bounds == pytest.approx((0.0715, 0.6943), abs=1e-3)  # Wilson's of 2 and of 3 of 8
    assert "1 (7-69%)" in as_markdown(report)


def test_a_format_without_trials_has_no_evidence_and_null_rates() -> None:
    report = build(RUN, LINES)
    row = next(row for row in as_markdown(report).splitlines() if row.startswith("| unified_diff"))
    assert [cell.strip() for cell in row.split("|")[2:-1]] == [*["no evidence"] * 4, "0"]
    assert report.formats[1].this_set is None
    assert report.formats[1].apply_rate is None


def test_a_simulation_is_headed_as_one_and_a_model_is_not() -> None:
    assert "simulated: says nothing about any model" in as_markdown(build(RUN, LINES))
    real = RUN.model_copy(update={"simulated": False})
    assert "says nothing about any model" not in as_markdown(build(real, LINES))


def test_an_unfinished_run_and_a_changed_served_model_are_said() -> None:
    changed = [*LINES, line(0, "unified_diff", served_model="simulated:y", valid=True)]
    text = as_markdown(build(RUN, changed))
    assert "Unfinished: 9 of 16" in text
    assert "served model changed" in text


def test_attempts_that_the_run_does_not_name_are_said_and_in_no_number() -> None:
    foreign = [LINES[0].model_copy(update=named) for named in ({"fixture": "x/1-x"}, {"format": "another"})]
    text, own = as_markdown(build(RUN, [*LINES, *foreign])), as_markdown(build(RUN, LINES))
    said = "**Warning: 2 attempts of fixtures or formats that run.yaml does not name: in no number.**\n"
    assert text.replace(said, "", 1).split() == own.split()
    assert said in text


def test_a_trial_that_has_begun_and_not_ended_is_not_counted_as_failed() -> None:
    report = build(RUN, [line(0, failure_category=Category.TRUNCATED, detail=Detail.STOP_LENGTH)])
    assert report.formats[0].trials == 0
    assert "Unfinished: 0 of 16" in as_markdown(report)


def test_lines_of_formats_and_repeats_that_the_run_has_not_are_in_no_number() -> None:
    strange = [line(0, "udiff", **RESOLVED), line(0).model_copy(update={"repeat": 2})]
    assert build(RUN, [*LINES, *strange]).formats == build(RUN, LINES).formats


def test_groups_count_the_tasks_of_their_size_change_and_tags() -> None:
    sizes = {"r/0-x": Stratum.PAST, "r/1-x": Stratum.PAST, "r/2-x": Stratum.PAST, "r/3-x": Stratum.INSIDE}
    facts = {
        name: TaskFacts(
            stratum=size, large=size is Stratum.INSIDE, rewrite_tokens=1, tags=["crlf"] if "2" in name else []
        )
        for name, size in sizes.items()
    }
    whole = build(RUN.model_copy(update={"tasks": facts}), LINES).formats[0]
    found = {row.name: (row.resolved.k, row.resolved.n) for row in (*whole.sizes, *whole.change, *whole.tags)}
    assert found == {"inside": (0, 1), "near": (0, 0), "past": (2, 3), "small": (2, 3), "large": (0, 1), "crlf": (0, 1)}


SIGNALS = [
    (Category.TRUNCATED, Detail.STOP_LENGTH, True), (Category.MALFORMED, Detail.BAD_BLOCK, True),
    (Category.NOT_APPLIED, Detail.ANCHOR_MISSING, True), (Category.MISAPPLIED, Detail.BROKEN_SYNTAX, True),
    (Category.MISAPPLIED, Detail.WRONG_LOCATION, False), (Category.UNINTENDED_CHANGE, Detail.REMOVED, False),
    (Category.WRONG_CHANGE, Detail.TESTS_FAIL, False), (None, None, False),
]  # fmt: skip


@pytest.mark.parametrize(("category", "detail", "retried"), SIGNALS)
def test_only_what_production_sees_causes_a_retry(
    category: Category | None, detail: Detail | None, retried: bool
) -> None:
    assert is_retried(category, detail) is retried


def test_a_trial_ends_with_its_verdict_its_discard_or_its_budget() -> None:
    cut = {"failure_category": Category.TRUNCATED, "detail": Detail.STOP_LENGTH}
    assert not is_finished([], 3)
    assert not is_finished([line(0, **cut)], 3)
    assert is_finished([line(0, attempt=3, **cut)], 3)
    assert is_finished([line(0, discarded=Discard.REFUSAL)], 3)
    assert is_finished([line(0, **RESOLVED)], 3)


def test_the_last_attempt_decides() -> None:
    second = next(t for t in trials(reversed(LINES)) if t.fixture == "r/1-x")
    assert second.resolved
