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
    assert "search_replace@one resolves MORE than search_replace@two: +100.0 points" in " ".join(done.out.split())
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
    assert "**one and two differ in: prices.**" in out
    assert "**one and three differ in: rescored replies.**" in out


def test_what_may_differ_is_said(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    warm = {"call": CallSettings(temperature=1.0), "applier": {"search_replace": ["indentation"]}}
    cold = {"applier": {"search_replace": []}}
    one, two = on_disk(*journal("+", run=cold), name="one"), on_disk(*journal("+", run=warm), name="two")
    assert "**one and two differ in: temperature, tolerances.**" in evaluator("compare", one, two).out


def test_a_run_given_twice_is_a_usage_error(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    one = on_disk(*journal("+"))
    assert evaluator("compare", one, one).code == 2


def test_runs_of_the_same_name_stand_under_their_paths(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, tmp_path: Path
) -> None:
    one = on_disk(*journal(*["+"] * 9), name="run")
    (tmp_path / "b").mkdir()
    two = on_disk(*journal(*["-"] * 9), name="b/run")
    assert f"search_replace@{one} " in evaluator("compare", one, two).out.replace("\n   ", " ")
