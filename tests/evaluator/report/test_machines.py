"""What machines read: report.json by its schema, CSV, JUnit XML."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.build import build
from evaluator.report.csv_file import as_csv
from evaluator.report.junit_file import as_junit
from evaluator.report.model import ReportFile
from evaluator.report.schema import schema
from evaluator.taxonomy import Category, Detail, Discard
from miner.record import as_data

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]
SCHEMA = Path(__file__).parents[3] / "docs/report.schema.json"


def test_the_published_schema_is_of_the_model_as_it_is() -> None:
    assert SCHEMA.read_text() == schema(), "python -m evaluator.report.schema > docs/report.schema.json"


SHAPES = {
    "with repeats and discards": (["+-", "+?", "s+", "??"], {"repeats": 2, "cost_usd": 0.1}),
    "refused": (["+-", "+"], {}),
    "of one format": (["+"], {}),
    "empty": (["  "], {}),
}


@pytest.mark.parametrize(("rows", "more"), SHAPES.values(), ids=SHAPES)
def test_every_report_is_what_the_schema_says_and_reads_back(
    journal: Journal, rows: list[str], more: dict[str, object]
) -> None:
    report = build(*journal(*rows, **more), margin=0.1)
    data = json.loads(json.dumps(as_data(report), allow_nan=False))
    jsonschema.validate(data, json.loads(SCHEMA.read_text()))
    assert ReportFile.model_validate(data) == report


def test_csv_has_a_row_an_attempt_and_every_field(journal: Journal) -> None:
    _, lines = journal("s+", "-?")
    rows = list(csv.DictReader(io.StringIO(as_csv(lines), newline="")))
    assert len(rows) == 4
    assert set(rows[0]) == set(AttemptLine.model_fields) - {"schema_"}
    assert (rows[0]["failure_category"], rows[0]["valid"], rows[0]["cost_usd"]) == ("unintended_change", "True", "")
    assert rows[0]["unintended_changes"] == "a.py::f"
    assert rows[3]["discarded"] == "infra_error"


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x")']


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_of_a_model_or_repository_is_a_formula(journal: Journal, text: str) -> None:
    _, (line,) = journal("-", feedback=text, unintended_changes=(text,), error=text)
    (row,) = csv.DictReader(io.StringIO(as_csv([line]), newline=""))
    assert {row["feedback"], row["unintended_changes"], row["error"]} == {f"'{text}"}


@given(st.text(st.characters(), max_size=40))
def test_any_text_can_be_written_as_csv_and_begins_no_formula(text: str) -> None:
    line = AttemptLine(fixture="r/1", format="f", model="m", repeat=1, attempt=1, valid=False, feedback=text)
    written = as_csv([line])
    written.encode()
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert not row["feedback"].startswith(("=", "+", "-", "@", "\t", "\r"))


def cases(run: RunFile, lines: list[AttemptLine]) -> list[tuple[str, str, str, str | None]]:
    """Per case its suite, name, what its result is, and the result's type."""
    root = ElementTree.fromstring(as_junit(run, lines))
    return [
        (case.get("classname") or "", case.get("name") or "", result.tag if result is not None else "passed",
         result.get("type") if result is not None else None)
        for case in root.iter("testcase") for result in (list(case) or [None])
    ]  # fmt: skip


def test_junit_has_a_case_a_trial_and_fails_with_the_category(journal: Journal) -> None:
    run, lines = journal("s+", "-?", "+ ")
    assert cases(run, lines) == [
        ("search_replace", "r/0-x", "failure", "unintended_change"),
        ("search_replace", "r/1-x", "failure", "wrong_change"),
        ("search_replace", "r/2-x", "passed", None), ("whole_file", "r/0-x", "passed", None),
        ("whole_file", "r/1-x", "error", "infra_error"), ("whole_file", "r/2-x", "skipped", None),
    ]  # fmt: skip
    text = as_junit(run, lines)
    assert 'message="unintended_change, removed: Something was removed' in text
    assert "unintended: a.py::f" in text
    assert '<testsuites name="m, set dddddddddddd" tests="6" failures="2" errors="1" skipped="1"' in text


def test_what_only_money_or_the_provider_kept_from_evidence_is_skipped(journal: Journal) -> None:
    run, lines = journal("?", "?")
    kinds = (Discard.REFUSAL, Discard.BUDGET_EXHAUSTED)
    lines = [line.model_copy(update={"discarded": kind}) for line, kind in zip(lines, kinds, strict=True)]
    assert [result for _, _, result, _ in cases(run, lines)] == ["skipped", "skipped"]


def test_impossible_tasks_and_repeats_have_cases_of_their_own(journal: Journal) -> None:
    run, lines = journal("+", "-", repeats=2, run={"impossible": ["r/9-impossible"]})
    assert [name for _, name, _, _ in cases(run, lines)] == [
        "r/0-x repeat 1", "r/0-x repeat 2", "r/9-impossible repeat 1", "r/9-impossible repeat 2",
    ]  # fmt: skip


@given(st.text(st.characters(), max_size=40))
def test_whatever_a_model_wrote_is_well_formed_xml(text: str) -> None:
    run = RunFile(
        set_digest="d" * 64, cap=1, model=text, simulated=False, formats=["f"], attempts=1, seed=1, fixtures=["r/1"],
        started="", version="",
    )  # fmt: skip
    line = AttemptLine(
        fixture="r/1", format="f", model="m", repeat=1, attempt=1, valid=False, feedback=text,
        failure_category=Category.NOT_APPLIED, detail=Detail.ANCHOR_MISSING,
    )  # fmt: skip
    assert len(cases(run, [line])) == 1
