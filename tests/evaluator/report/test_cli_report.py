"""`evaluator report` as people type it: the article's arithmetic, the files it writes, the row for METRICS.md."""

import csv
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.build import build
from evaluator.report.metrics import append, condition, metrics_rows, stopping

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]
OnDisk = Callable[..., Path]
Evaluator = Callable[..., SimpleNamespace]


@pytest.mark.parametrize("both", [0, 40, 80, 116])
@pytest.mark.parametrize("against", [0, 1, 6, 20])
def test_at_120_fixtures_three_points_are_never_distinguishable(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, both: int, against: int
) -> None:
    """Net 4 of 120 (3.3 points), at whatever disagreement: p >= .125."""
    ahead = against + 4
    both = min(both, 120 - ahead - against)
    rows = [*["+-"] * ahead, *["-+"] * against, *["++"] * both]
    done = evaluator("report", on_disk(*journal(*rows, *["--"] * (120 - len(rows)))))
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert f"search_replace over whole_file: NOT DISTINGUISHABLE: +{100 * 4 / 120:.1f} points" in said
    assert "Not the same as equal" in said


def test_fourteen_percent_against_none_is_distinguishable(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk
) -> None:
    """17 of 120 trials cut off, and none: McNemar's exact p is 1.53e-5."""
    place = on_disk(*journal(*["+-"] * 17, *["++"] * 103))
    done = evaluator("report", place)
    assert "search_replace resolves MORE than whole_file: +14.2 points [8.2, 21.5]" in " ".join(done.out.split())
    (pair,) = json.loads((place / "report.json").read_text())["pairs"]
    assert pair["p_holm"] == pytest.approx(1.53e-5, abs=1e-7)
    assert [pair["difference"][end] for end in ("low", "high")] == pytest.approx([0.0817, 0.2152], abs=1e-4)


def test_all_files_are_written_and_the_one_screen_is_printed(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, tmp_path: Path
) -> None:
    place = on_disk(*journal("+-", "+s"))
    (place / "replies").mkdir()
    done = evaluator("report", place, "--junit", tmp_path / "j.xml", "--csv", tmp_path / "a.csv")
    assert done.code == 0, done.err
    whole = (place / "report.md").read_text()
    screen = whole.partition("\nResolved: the tests pass")[0]
    assert done.out.startswith(screen)
    assert "## How tasks ended" in whole
    assert "## " not in done.out
    files = f"\nAll of it: {place / 'report.html'} and report.md; every prompt and reply: {place / 'replies'}\n"
    assert files in done.out
    full = evaluator("report", place, "--full")
    assert full.out.startswith(whole + files)
    assert full.out.endswith(f"{files}\n{screen.split(chr(10) * 2)[1]}\n"), "what scrolled off is said again"
    assert (place / "report.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "j.xml").read_text().count("<testcase") == 4
    assert len(list(csv.reader((tmp_path / "a.csv").open(newline="")))) == 5
    as_json = evaluator("report", place, "--json")
    assert as_json.out == (place / "report.json").read_text()


def test_a_run_of_before_that_noted_no_sizes_is_reported_without_them(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk
) -> None:
    place = on_disk(*journal("+-"))
    text = (place / "run.yaml").read_text().partition("repeats:")[0]
    (place / "run.yaml").write_text(text)
    done = evaluator("report", place, "--full")
    assert done.code == 0, done.err
    assert "| inside       | no evidence    | no evidence |" in done.out


USAGE = [
    ["--append", "M.md"], ["--stop-when", "pass>0.7"], ["--stop-when", "pass>=7"], ["--until", "soon"],
    ["--stop-when", ""], ["--until", ""], ["--equivalent-within", "0"], ["--equivalent-within", "100"],
]  # fmt: skip


@pytest.mark.parametrize("options", USAGE, ids=" ".join)
def test_what_makes_no_sense_is_a_usage_error_before_anything_is_written(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, options: list[str]
) -> None:
    place = on_disk(*journal("+-"))
    assert evaluator("report", place, *options).code == 2
    assert not (place / "report.md").exists()


def test_a_row_a_format_is_appended_and_nothing_else_is_changed(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, tmp_path: Path
) -> None:
    place, metrics = on_disk(*journal("++", "+-", edits=4, edits_applied=3, cost_usd=0.25)), tmp_path / "METRICS.md"
    for change in ("first | one", "second"):
        done = evaluator("report", place, "--row", change, "--append", metrics)
        assert done.code == 0, done.err
    rows = metrics.read_text().splitlines()
    assert len(rows) == 6, "one header, two rows a run"
    assert rows[2].replace("\\|", "/").split(" | ") == [
        "| 2026-01-02", "first / one", "m", "dddddddddddd", "search_replace", "2/2 100% [34, 100]", "6/8 75%", "1.00",
        "$0.25 |",
    ]  # fmt: skip
    assert " | whole_file | 1/2 50% [9, 91] | - | " in rows[3], "a rewrite has no anchors to miss"
    assert rows[4].startswith("| 2026-01-02 | second |")


def test_rows_that_are_there_are_not_appended_again_and_it_is_said(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, tmp_path: Path
) -> None:
    place, metrics = on_disk(*journal("++", "+-")), tmp_path / "METRICS.md"
    first = evaluator("report", place, "--row", "x", "--append", metrics)
    before = metrics.read_bytes()
    again = evaluator("report", place, "--row", "x", "--append", metrics)
    assert "already" not in first.out
    assert f"2 rows of this run are in {metrics} already: not appended again" in again.out
    assert metrics.read_bytes() == before
    assert append(metrics, [*metrics.read_text().splitlines(keepends=True)[2:], "| new |\n"]) == 1


PARTS = {"all of a set": (2, "dddddddddddd"), "a part": (10, "dddddddddddd (2 of 10)"), "an old run": (None, "d" * 12)}


@pytest.mark.parametrize(("tasks", "said"), PARTS.values(), ids=PARTS)
def test_a_part_of_a_set_is_no_row_of_the_set(journal: Journal, tasks: int | None, said: str) -> None:
    rows = metrics_rows(build(*journal("++", "+-", run={"set_tasks": tasks})), "x")
    assert {row.split(" | ")[3] for row in rows} == {said}


def test_over_repeats_a_row_counts_tasks_that_are_known(journal: Journal) -> None:
    rows = metrics_rows(build(*journal("++", "++", "+-", "++", "+?", "++", repeats=2)), "x")
    assert [row.split(" | ")[5].partition("%")[0] for row in rows] == ["3/3 100", "1/2 50"]


@pytest.mark.parametrize("before", ["# Notes\n", "# Notes", "# Notes\n\n", "| a |\n|---|\n| 1 |\n"])
def test_in_a_file_of_other_things_the_table_begins_anew(tmp_path: Path, before: str) -> None:
    file = tmp_path / "M.md"
    file.write_text(before)
    append(file, ["| row |\n"])
    append(file, ["| row 2 |\n"])
    text = file.read_text()
    assert text.startswith(before)
    assert text.count("| date | change |") == 1
    assert "\n\n| date | change |" in text
    assert text.endswith("| row |\n| row 2 |\n")


def test_a_file_with_crlf_keeps_it(tmp_path: Path) -> None:
    file = tmp_path / "M.md"
    file.write_bytes(b"# Notes\r\n")
    append(file, ["| row |\n"])
    assert append(file, ["| row |\n"]) == 0
    append(file, ["| row 2 |\n"])
    assert file.read_bytes().count(b"\n") == file.read_bytes().count(b"\r\n")
    assert file.read_bytes().endswith(b"|\r\n| row |\r\n| row 2 |\r\n")


REFUSED = {"simulated": ({"simulated": True}, "+-", "a simulated run is no measurement"),
           "unfinished": ({}, "+", "the run is not finished")}  # fmt: skip


@pytest.mark.parametrize(("settings", "last", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_measurement_gets_no_row(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, tmp_path: Path, settings: dict[str, object], last: str,
    said: str,
) -> None:  # fmt: skip
    place = on_disk(*journal("+-", last, run=settings))
    done = evaluator("report", place, "--row", "x", "--append", tmp_path / "M.md")
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert not (tmp_path / "M.md").exists()


def test_a_row_without_a_file_is_printed(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    out = evaluator("report", on_disk(*journal("+-")), "--row", "x").out
    assert out.splitlines()[-1].startswith("| 2026-01-02 | x | m |")


def test_a_stopping_condition_holds_on_the_lower_bound(journal: Journal) -> None:
    report = build(*journal(*["++"] * 7, *["+-"] * 13))  # 20/20: .839-1; 7/20: .181-.567
    said = stopping(report, condition("pass >= 0.7"), date(2026, 12, 31), date(2026, 12, 30))
    assert said == [
        "pass >= 0.7: holds, stop: search_replace, lower bound 0.839 (point 1.000).",
        "pass >= 0.7: does not hold, go on: whole_file, lower bound 0.181 (point 0.350).",
        "until 2026-12-31: go on, 1 day left.",
    ]
    assert stopping(report, None, date(2026, 12, 31), date(2026, 12, 31)) == [
        "until 2026-12-31: the date has come, stop."
    ]
    ten = build(*journal(*"+++++++---"))
    assert "does not hold" in stopping(ten, condition("pass>=.5"), None, date(2026, 1, 1))[0], "a point gate would pass"


def test_over_repeats_the_condition_is_on_every_repeat(journal: Journal) -> None:
    (said,) = stopping(build(*journal(*"+-" * 20, repeats=2)), condition("pass>=0.4"), None, date(2026, 1, 1))
    assert said.endswith("lower bound 0.000 (point 0.000).")
