"""The exact coverage that simulated runs are held against, and that a run which does not add up is noticed."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.simulated_coverage import Line, coverage, rows, runs, sums_wrong, tasks_of
from evaluator.models.expected import expected
from evaluator.models.spec import SimulationFile
from evaluator.taxonomy import Category

FIXTURES = Path(__file__).parents[2] / "fixtures"
SPEC = SimulationFile.model_validate({
    "schema": 1, "default": {"truncated": 0.2, "wrong_change": 0.2, "misapplied": 0.1, "infra_error": 0.1},
    "retries": 0.5,
})  # fmt: skip


def test_wilsons_coverage_at_120_is_as_the_statistics_page_pins_it() -> None:
    grid = [coverage(p / 1000, 120) for p in range(50, 951, 3)]
    assert 0.9345 - 1e-4 <= min(grid) < max(grid) <= 0.9655 + 1e-4
    assert min(coverage(p / 1000, 30) for p in range(50, 951)) == pytest.approx(0.921, abs=1e-3)


def test_coverage_over_discards_is_the_mixture() -> None:
    # Of two trials each is discarded half the time. Over none there is no interval; Wilson's of 1/1 is .207-1.
    assert coverage(0.1, 2, 0.5) == pytest.approx(0.5 * coverage(0.1, 1) + 0.25 * coverage(0.1, 2))
    assert coverage(0.1, 1) == pytest.approx(0.9)
    assert coverage(0.3, 1) == pytest.approx(1)


def test_a_folder_is_cycled_through_under_ids_of_their_own() -> None:
    tasks = tasks_of(FIXTURES, 60)
    assert len({task.id for task in tasks}) == 60
    assert tasks[0].before == tasks[27].before


def test_runs_add_up_and_tend_to_the_expected_shares() -> None:
    tasks, line = tasks_of(FIXTURES, 12), Line()
    reports = list(runs(SPEC, "udiff", 3, tasks, 50, line))
    assert [sums_wrong(found, 12) for found in reports] == [[]] * 50
    truth = expected(SPEC, "udiff", 3)
    for row in rows(reports, truth, 12):
        error = (row.truth * (1 - row.truth) / 600) ** 0.5
        assert abs(row.mean - row.truth) < 4 * error + 1e-9, row
        assert row.seen >= 0.7, row


def test_a_table_that_does_not_add_up_is_named() -> None:
    found = next(runs(SPEC, "udiff", 1, tasks_of(FIXTURES, 5), 1))
    assert sums_wrong(replace(found, resolved=found.resolved + 1), 5) == ["resolved + failed = tasks"]
    more = {**found.first, Category.MALFORMED: 9}
    assert sums_wrong(replace(found, first=more), 5) == ["first attempts = tasks"]
    assert sums_wrong(found, 6) == ["tasks + discarded = planned"]
