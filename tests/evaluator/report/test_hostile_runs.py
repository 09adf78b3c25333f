"""Reports of damaged and strange runs, and of names that would break tables, headings and XML."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import jsonschema
import pytest
from markdown_it import MarkdownIt

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.build import build
from evaluator.report.screen import as_markdown
from evaluator.report.tables import table
from evaluator.sentence import sentence
from evaluator.taxonomy import Category, Detail

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]
OnDisk = Callable[..., Path]
Evaluator = Callable[..., SimpleNamespace]
SCHEMA = json.loads((Path(__file__).parents[3] / "docs/report.schema.json").read_text())
NASTY = "x|y`<b>\x1b[31m*_\u202e\n# H\n\n| a | b |\r\n=1+1\u2028z"

REPORTED: dict[str, dict[str, object]] = {
    "a line of another fixture": {"fixture": "other/1-x"}, "of a format that is unknown now": {"format": "gone"},
    "of a repeat that was not asked for": {"repeat": 7}, "of an attempt beyond the budget": {"attempt": 9},
    "without a detail": {"failure_category": Category.MALFORMED, "attempt": 3},
    "of an odd detail": {"failure_category": Category.MALFORMED, "detail": Detail.TESTS_FAIL, "attempt": 3},
    "of no prompt": {"input_tokens": 0, "cached_tokens": 5}, "of nasty text": {"error": NASTY, "served_model": NASTY},
    "of huge numbers": {"latency_ms": 10**18, "output_tokens": 10**18, "cost_usd": 1e300},
}  # fmt: skip


@pytest.mark.parametrize("strange", REPORTED.values(), ids=REPORTED)
def test_a_strange_line_is_reported_in_every_form(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, tmp_path: Path, strange: dict[str, object]
) -> None:
    run, lines = journal("+-", "-?", "s+")
    place = on_disk(run, [*lines, lines[1].model_copy(update=strange)])
    done = evaluator("report", place, "--junit", tmp_path / "j.xml", "--csv", tmp_path / "a.csv")
    assert done.code == 0, done.err
    jsonschema.validate(json.loads((place / "report.json").read_text()), SCHEMA)
    ElementTree.parse(tmp_path / "j.xml")


DAMAGED: dict[str, tuple[dict[str, object], dict[str, object], str]] = {
    "no formats": ({"formats": []}, {}, "unreadable run"), "no repeats": ({"repeats": 0}, {}, "unreadable run"),
    "no attempts": ({"attempts": 0}, {}, "unreadable run"), "no cap": ({"cap": 0}, {}, "unreadable run"),
    "a fixture that leads elsewhere": ({"fixtures": ["../x"]}, {}, "unreadable run"),
    "an impossible one that does": ({"impossible": ["/etc/x"]}, {}, "unreadable run"),
    "a format that leads elsewhere": ({"formats": ["../x"]}, {}, "unreadable run"),
    "repeat 0": ({}, {"repeat": 0}, "damaged line"), "attempt 0": ({}, {"attempt": 0}, "damaged line"),
    "a cost below 0": ({}, {"cost_usd": -1.0}, "damaged line"),
}  # fmt: skip


@pytest.mark.parametrize(("settings", "fields", "said"), DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize("command", [["report"], ["gate", "--min-resolved", "0"]], ids=["report", "gate"])
def test_what_no_run_can_be_is_an_expected_error_and_passes_no_gate(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, command: list[str], settings: dict[str, object],
    fields: dict[str, object], said: str,
) -> None:  # fmt: skip
    run, lines = journal("++", "++", run=settings)
    place = on_disk(run, [line.model_copy(update=fields) for line in lines])
    done = evaluator(command[0], place, *command[1:])
    assert (done.code, said in done.err) == (1, True), done.err


def test_no_name_ends_a_heading_or_a_cell(journal: Journal) -> None:
    run, lines = journal("s?", "s?")
    lines = [line.model_copy(update={
        "served_model": NASTY, "error": NASTY, "unintended_changes": (NASTY,) if line.unintended_changes else (),
        "edit_steps": (NASTY,), "strict_applied": False,
    }) for line in lines]  # fmt: skip
    text = as_markdown(build(run.model_copy(update={"model": NASTY}), lines))
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert [t.tag for t in tokens if t.type == "heading_open"].count("h1") == 1
    assert sum(t.type == "table_open" for t in tokens) == sum(row.startswith("|--") for row in text.splitlines())
    rows: list[int] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append(0)
        rows[-1:] = [rows[-1] + (token.type in ("th_open", "td_open"))] if rows else []
        if token.type == "table_close":
            assert len(set(rows)) == 1
            rows = []


def test_a_cell_is_one_line_whatever_stands_in_it() -> None:
    assert table(["a|b"], [["  of which"], ["x \r\n y\u2028z"]]) == (
        "| a\\|b       |\n|------------|\n|   of which |\n| x y z      |\n"
    )


def test_a_line_that_no_version_explains_is_said_as_it_is(journal: Journal) -> None:
    _, (line,) = journal("-")
    odd = {"failure_category": Category.MALFORMED, "detail": Detail.TESTS_FAIL}
    assert sentence(line.model_copy(update=odd)) == "Ended as malformed, tests_fail."
    assert sentence(line.model_copy(update={"detail": None})) == "Ended as wrong_change, without a detail."
