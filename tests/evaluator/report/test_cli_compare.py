"""`evaluator compare`: runs that asked the same of the same model, and nothing else, in one table."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluator.journal import AttemptLine, CallSettings, Price, RunFile

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]
OnDisk = Callable[..., Path]
Evaluator = Callable[..., SimpleNamespace]


def test_the_same_format_of_two_runs_stands_under_both_names(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk
) -> None:
    one, two = on_disk(*journal(*["+"] * 9), name="one"), on_disk(*journal(*["-"] * 9), name="two")
    done = evaluator("compare", one, two)
    assert done.code == 0, done.err
    assert "search_replace@A resolves MORE than search_replace@B: +100.0 points" in " ".join(done.out.split())
    assert not (one / "report.md").exists(), "nothing is written"


def test_other_formats_keep_their_names_and_blocks_are_those_of_all(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk
) -> None:
    run, lines = journal(*["+-"] * 7, "??")
    parts = [
        on_disk(run.model_copy(update={"formats": [name]}), [a for a in lines if a.format == name], name)
        for name in run.formats
    ]
    (report,) = json.loads(evaluator("compare", *parts, "--json").out)
    assert [f["name"] for f in report["formats"]] == ["search_replace", "whole_file"]
    assert (report["blocks"], report["complete"], report["pairs"][0]["winner"]) == (8, 7, "search_replace")


def test_other_models_are_other_tables(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    one = on_disk(*journal(*["++"] * 4), name="one")
    two = on_disk(*journal(*["--"] * 4, served_model="m-2", run={"cap": 1}), name="two")
    out = evaluator("compare", one, two).out
    assert out.count("\n| format ") == 2
    assert "@" not in out
    assert "Different models are different tables" in out


OTHER: dict[str, tuple[dict[str, object], str]] = {
    "set": ({"set_digest": "e" * 64}, "set (dddd"), "cap": ({"cap": 1}, "cap (8000 and 1)"),
    "attempts": ({"attempts": 1}, "attempts a task (3 and 1)"), "feedback": ({"feedback": "none"}, "feedback"),
    "context": ({"context": 2}, "files shown besides (0 and 2)"), "tests": ({"show_tests": True}, "tests shown"),
    "signals": ({"retry_on": []}, "signals that cause a retry"), "fixtures": ({"fixtures": ["r/0-x"]}, "fixtures"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "said"), OTHER.values(), ids=OTHER)
def test_runs_that_differ_in_more_than_the_format_are_refused(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, change: dict[str, object], said: str
) -> None:
    one, two = on_disk(*journal("+", "+"), name="one"), on_disk(*journal("+", "+", run=change), name="two")
    done = evaluator("compare", one, two)
    assert (done.code, done.out) == (1, "")
    assert f"the runs differ in more than the format: {said}" in done.err


def test_other_repeats_are_refused(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    one, two = on_disk(*journal("+", "+"), name="one"), on_disk(*journal(*"++++", repeats=2), name="two")
    assert "repeats (1 and 2)" in evaluator("compare", one, two).err


def test_another_prompt_of_a_fixture_is_refused(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    one = on_disk(*journal("+", prompt_digest="a"), name="one")
    two = on_disk(*journal("+", prompt_digest="b"), name="two")
    assert "another prompt of r/0-x" in evaluator("compare", one, two).err


def test_a_run_that_noted_no_prompts_hides_no_difference_of_others(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk
) -> None:
    runs = [on_disk(*journal("+", prompt_digest=digest), name=f"run{digest}") for digest in ("", "a", "b")]
    assert "another prompt of r/0-x: runa and runb" in evaluator("compare", *runs).err


def test_other_prices_and_rescored_replies_are_said(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    dear = Price(model="m", as_of=date(2026, 1, 1), input=1, output=2)
    one, two = on_disk(*journal("+"), name="one"), on_disk(*journal("+", run={"price": dear}), name="two")
    three = on_disk(*journal("+", run={"rescored_from": "one"}), name="three")
    out = evaluator("compare", one, two, three).out
    assert "**A and B differ in: prices.**" in out
    assert "**A and C differ in: rescored replies.**" in out


def test_what_may_differ_is_said(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    warm = {"call": CallSettings(temperature=1.0), "applier": {"search_replace": ["indentation"]}}
    cold = {"applier": {"search_replace": []}}
    one, two = on_disk(*journal("+", run=cold), name="one"), on_disk(*journal("+", run=warm), name="two")
    assert "**A and B differ in: temperature, tolerances.**" in evaluator("compare", one, two).out


def test_a_run_given_twice_is_a_usage_error(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    one = on_disk(*journal("+"))
    assert evaluator("compare", one, one).code == 2


def test_runs_of_the_same_name_stand_under_their_paths(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, tmp_path: Path
) -> None:
    one = on_disk(*journal(*["+"] * 9), name="run")
    (tmp_path / "b").mkdir()
    two = on_disk(*journal(*["-"] * 9), name="b/run")
    assert f"\n- A: {one}\n- B: {two}\n" in evaluator("compare", one, two).out


# A row a block of search_replace, whole_file and unified_diff; B's are these with whole_file ahead nowhere.
IN_A = [*["+-+"] * 9, *["+++"] * 6]
IN_B = [*["+++"] * 9, *["+++"] * 6]


def test_a_format_of_two_runs_comes_first_with_a_family_of_its_own(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk
) -> None:
    runs = on_disk(*journal(*IN_A), name="old"), on_disk(*journal(*IN_B), name="new")
    out, full = (evaluator("compare", *runs, *more).out for more in ([], ["--full"]))
    assert "\n- A: old\n- B: new\n" in out
    assert "**whole_file@B resolves MORE than whole_file@A; of search_replace, unified_diff no run " in (
        " ".join(out.split())
    )
    (row,) = [line for line in out.splitlines() if line.startswith("| whole_file ")]
    assert [cell.strip() for cell in row.split("|")[1:-1]] == [
        "whole_file", "A, B", "40%, 100%", "+60.0 [28.3, 80.2]", ".012", "MORE: B",
    ]  # fmt: skip
    assert "1. whole_file@B resolves MORE than whole_file@A: +60.0 points" in out
    assert "4-7. " in out, "of the other pairs the winners, in one sentence"
    assert "`--full`" in out
    assert "report.md" not in out
    assert "over the pairs of one format in two runs (3), and by itself over all others (12)" in " ".join(out.split())
    assert full.count("resolves MORE than") > out.count("resolves MORE than")


def test_the_json_has_every_pair_its_family_and_the_letters(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk
) -> None:
    runs = on_disk(*journal(*IN_A), name="old"), on_disk(*journal(*IN_B), name="new")
    (report,) = json.loads(evaluator("compare", *runs, "--json").out)
    assert [(run["letter"], run["name"]) for run in report["compared_runs"]] == [("A", "old"), ("B", "new")]
    assert len(report["pairs"]) == 15
    across = [pair for pair in report["pairs"] if pair["across_runs"]]
    assert [pair["first"] for pair in across] == ["search_replace@A", "whole_file@A", "unified_diff@A"]
    assert [pair["p_holm"] for pair in across] == pytest.approx([1, 3 * 2 / 2**9, 1])
    others = [pair["p_holm"] for pair in report["pairs"] if not pair["across_runs"] and pair["winner"]]
    assert others == pytest.approx([12 * 2 / 2**9] * 4), "9 to nothing each; the last is adjusted as the first"
    assert {pair["shows"]["pairs"] for pair in across if pair["shows"]} == {3}
    assert {pair["shows"]["pairs"] for pair in report["pairs"] if not pair["across_runs"] and pair["shows"]} == {12}


def test_where_no_run_is_shown_to_differ_that_is_the_bottom_line(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk
) -> None:
    one, two = on_disk(*journal(*["+-"] * 12), name="one"), on_disk(*journal(*["+-"] * 11, "--"), name="two")
    out = " ".join(evaluator("compare", one, two).out.split())
    assert "**No format is shown to resolve more in one run than in another (2 pairs, 12 tasks: " in out
