"""The pairwise table of a report, from journals made by hand."""

import pytest

from evaluator.journal import AttemptLine, RunFile
from evaluator.report import screen as reports
from evaluator.report.pairs import Refused, as_data, as_markdown, compared, p_value
from evaluator.statistics.comparison import Comparison
from evaluator.taxonomy import Category, Detail, Discard

NAMES = ["search_replace", "whole_file", "unified_diff"]
ENDS = {
    "+": {"valid": True},
    "-": {"failure_category": Category.WRONG_CHANGE, "detail": Detail.TESTS_FAIL},
    "?": {"discarded": Discard.INFRA_ERROR},
    "c": {"failure_category": Category.TRUNCATED, "detail": Detail.STOP_LENGTH},  # retried: not the end
}


def journal(*rows: str, **fields: object) -> tuple[RunFile, list[AttemptLine]]:
    """A run of a row a block, a letter a format, and its lines."""
    names = NAMES[: max(map(len, rows))]
    settings = RunFile(
        set_digest="d" * 64, cap=8000, model="m", simulated=False, formats=names, attempts=3, seed=1,
        fixtures=[f"r/{n}-x" for n in range(len(rows))], started="", version="0",
    )  # fmt: skip
    blank = {"model": "m", "repeat": 1, "attempt": 1, "valid": False, "served_model": "m-1"}
    lines = [
        AttemptLine(fixture=f"r/{n}-x", format=name, **{**blank, **ENDS[end], **fields})
        for n, row in enumerate(rows) for name, end in zip(names, row, strict=False)
    ]  # fmt: skip
    return settings, lines


def test_a_winner_and_a_pair_that_cannot_be_told_apart_read_so() -> None:
    found = compared(*journal(*["+-+"] * 8, *["+--"], *["+++"] * 11))
    rows = as_markdown(found).splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert cells == [
        ["search_replace resolves MORE than whole_file", "20 v 11 of 20", "9 v 0", "+45.0 points", "0.012", "none"],
        ["search_replace and unified_diff: NOT DISTINGUISHABLE", "20 v 19 of 20", "1 v 0", "+5.0 points", "1.000",
         "none"],
        ["unified_diff resolves MORE than whole_file", "11 v 19 of 20", "0 v 8", "-40.0 points", "0.016", "none"],
    ]  # fmt: skip


def test_discards_are_said_to_matter_or_not() -> None:
    settings, lines = journal(*["+-"] * 6, "-?")
    text = as_markdown(compared(settings, lines))
    assert "search_replace resolves MORE than whole_file" in text
    assert "depends on discarded trials (+71.4 points to +85.7 points)" in text
    assert "6 of 7 blocks are complete" in text
    assert "holds whatever they were" in as_markdown(compared(*journal(*["+-"] * 9, "-?")))


REFUSED = {
    "a trial that was not begun": (journal("+-", "+"), "1 trial has not ended"),
    "a trial that has begun": (journal("+-", "+c"), "1 trial has not ended"),
    "a second repeat": (journal("+-", "++", repeat=2), "more than one repeat"),
}


@pytest.mark.parametrize(("run", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_compared_is_refused_with_its_reason(run: tuple[RunFile, list[AttemptLine]], why: str) -> None:
    found = compared(*run)
    assert isinstance(found, Refused)
    assert why in found.why
    assert as_markdown(found) == f"Not compared: {found.why}.\n"
    assert as_data(found) == {"refused": found.why}


def test_a_served_model_that_changed_is_refused_though_the_split_be_clear() -> None:
    settings, lines = journal(*["+-"] * 9)
    assert isinstance(compared(settings, lines), Comparison)
    changed = [*lines[:-1], lines[-1].model_copy(update={"served_model": "m-2"})]
    assert compared(settings, changed) == Refused("the served model changed within the run (m-1, m-2)")


def test_over_no_complete_block_a_difference_is_no_evidence_and_not_zero() -> None:
    found = compared(*journal("?+", "?-"))
    assert isinstance(found, Comparison)
    (row,) = [line for line in as_markdown(found).splitlines() if "NOT DISTINGUISHABLE" in line]
    assert [cell.strip() for cell in row.split("|")][4:6] == ["no evidence", "no evidence"]
    assert "0 of 2 blocks are complete" in as_markdown(found)


def test_the_report_and_its_data_hold_the_comparison() -> None:
    settings, lines = journal(*["+-"] * 6, "++", "?-")
    formats = reports.report(settings, lines, {})
    text = reports.as_markdown(settings, formats, lines)
    assert "## Which resolves more" in text
    assert "search_replace resolves MORE than whole_file" in text
    data = reports.as_data(settings, formats, lines)["comparisons"]
    assert isinstance(data, dict)
    assert (data["blocks"], data["complete"]) == (8, 7)
    (pair,) = data["pairs"]
    assert {key: pair[key] for key in ("winner", "only_first", "only_second", "blocks", "depends_on_discarded")} == {
        "winner": "search_replace", "only_first": 6, "only_second": 0, "blocks": 7, "depends_on_discarded": False,
    }  # fmt: skip
    assert (pair["p_holm"], pair["p_exact"], pair["mid_p"]) == (0.03125, 0.03125, pytest.approx(0.015625))


def test_a_run_of_one_format_has_no_pairs() -> None:
    settings, lines = journal("+", "-")
    formats = reports.report(settings, lines, {})
    assert "Which resolves more" not in reports.as_markdown(settings, formats, lines)
    assert reports.as_data(settings, formats, lines)["comparisons"] is None


@pytest.mark.parametrize(("p", "shown"), [(1, "1.000"), (0.0386, "0.039"), (0.00099, "< 0.001"), (0.001, "0.001")])
def test_small_p_values_are_not_printed_as_nothing(p: float, shown: str) -> None:
    assert p_value(p) == shown
