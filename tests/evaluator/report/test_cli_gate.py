"""`evaluator gate`: on the bound, per format, and never passed for want of evidence."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluator.journal import AttemptLine, RunFile

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]
OnDisk = Callable[..., Path]
Evaluator = Callable[..., SimpleNamespace]

# 19/20 resolved: .764-.991; 10/20: .299-.701, with 2/20 silent: .028-.301
ROWS = [*["++"] * 10, *["+s"] * 2, *["+-"] * 7, "--"]
GATES = {
    "the bound holds": (["search_replace=0.75"], [], [], 0),
    "the point holds and the bound does not": (["search_replace=0.8"], [], [], 1),
    "asked of the point": (["search_replace=0.8"], [], ["--point"], 0),
    "every format": (["0.75"], [], [], 1),
    "every other format": (["0.75", "whole_file=0.25"], [], [], 0),
    "silent, by the upper bound": ([], ["whole_file=0.2"], [], 1),
    "silent, by the point": ([], ["whole_file=0.2"], ["--point"], 0),
    "both, one fails": (["search_replace=0.75"], ["whole_file=0.2"], [], 1),
}


def asked(least: list[str], most: list[str]) -> list[str]:
    return [word for option, given in (("--min-resolved", least), ("--max-silent", most))
            for one in given for word in (option, one)]  # fmt: skip


@pytest.mark.parametrize(("least", "most", "more", "code"), GATES.values(), ids=GATES)
def test_gates(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, least: list[str], most: list[str], more: list[str],
    code: int,
) -> None:  # fmt: skip
    assert evaluator("gate", on_disk(*journal(*ROWS)), *asked(least, most), *more).code == code


@pytest.mark.parametrize(
    ("row", "option", "share"), [("+", "--min-resolved", "0.7"), ("s", "--max-silent", "0.7")], ids=["least", "most"]
)
def test_a_demand_that_is_just_met_is_met(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, row: str, option: str, share: str
) -> None:
    """The mean of three times .7 is .6999999999999998 in floating point."""
    place = on_disk(*journal(*[*[row] * 7, *["-"] * 3] * 3, repeats=10))
    assert evaluator("gate", place, option, share, "--point").code == 0


def test_a_run_that_two_models_served_passes_no_gate(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    run, lines = journal(*ROWS)
    lines[-1] = lines[-1].model_copy(update={"served_model": "another"})
    done = evaluator("gate", on_disk(run, lines), "--min-resolved", "0")
    assert done.code == 1
    assert "one served model" in done.out


def test_what_failed_is_a_table_and_nothing_else(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    out = evaluator("gate", on_disk(*journal(*ROWS)), *asked(["0.75"], ["whole_file=0.2"])).out
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in out.splitlines()]
    assert rows[2:] == [
        ["whole_file", "resolved >= 0.75", "0.299 (lower bound; point 0.500)"],
        ["whole_file", "silent <= 0.2", "0.301 (upper bound; point 0.100)"],
    ]


def test_no_evidence_fails_whatever_is_asked(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    place = on_disk(*journal("?+", "?+"))
    done = evaluator("gate", place, *asked(["search_replace=0"], ["search_replace=1"]), "--point")
    assert done.code == 1
    assert done.out.count("no evidence") == 2


def test_a_run_that_has_not_ended_fails(evaluator: Evaluator, journal: Journal, on_disk: OnDisk) -> None:
    done = evaluator("gate", on_disk(*journal(*["++"] * 30, "+")), *asked(["0.5"], []))
    assert done.code == 1
    assert "61 of 62 trials" in done.out


def test_a_simulated_run_may_pass_and_is_said_to_be_one(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk
) -> None:
    simulated = {"simulated": True, "model": "simulated:perfect"}
    done = evaluator("gate", on_disk(*journal(*["++"] * 30, run=simulated)), *asked(["0.5"], []))
    assert done.code == 0
    assert done.out.splitlines() == ["simulated: says nothing about any model", "passed: 2 of 2 demands"]


@pytest.mark.parametrize("options", [[], asked(["udiff=0.5"], []), asked(["80"], []), asked(["x"], []),
                                     asked(["nan"], []), asked([], ["0.1", "0.2"])], ids=" ".join)  # fmt: skip
def test_what_makes_no_sense_is_a_usage_error(
    evaluator: Evaluator, journal: Journal, on_disk: OnDisk, options: list[str]
) -> None:
    assert evaluator("gate", on_disk(*journal("++")), *options).code == 2
