"""What `expected` says of a file, against hand-made sums, every sequence of outcomes, and draws."""

import itertools
import sys
from collections import Counter
from pathlib import Path

import pytest

from evaluator import cli
from evaluator.faults.model import RESOLVED
from evaluator.formats import FORMATS
from evaluator.models.drawn import Drawn
from evaluator.models.expected import Ending, expected
from evaluator.models.model import Request
from evaluator.models.spec import SimulationFile, chances
from evaluator.taxonomy import Category, Discard, is_retried
from miner import errors
from miner.fixtures import Task

C, D = Category, Discard


def spec(**keys: object) -> SimulationFile:
    return SimulationFile.model_validate({"schema": 1, **keys})


# rates, retries, budget -> verdicts and attempts, worked out by hand
BY_HAND = [
    ({}, 1, 3, {None: 1}, {1: 1}),
    ({"truncated": 1}, 1, 3, {C.TRUNCATED: 1}, {3: 1}),
    ({"truncated": 1}, 0, 3, {None: 1}, {2: 1}),
    # A fifth fails to apply on each attempt: .2 x .2 x .2 of tasks end so.
    ({"not_applied": 0.2}, 1, 3, {C.NOT_APPLIED: 0.008, None: 0.992}, {1: 0.8, 2: 0.16, 3: 0.04}),
    # Each attempt half as often: .2 x .1 x .05.
    ({"not_applied": 0.2}, 0.5, 3, {C.NOT_APPLIED: 0.001, None: 0.999}, {1: 0.8, 2: 0.18, 3: 0.02}),
    ({"not_applied": 0.2}, [0.5], 3, {C.NOT_APPLIED: 0.002, None: 0.998}, {1: 0.8, 2: 0.18, 3: 0.02}),
    ({"malformed": 0.5}, [1, 0.2], 3, {C.MALFORMED: 0.025, None: 0.975}, {1: 0.5, 2: 0.25, 3: 0.25}),
    # Hidden tests and the allowed list are no signals.
    ({"wrong_change": 0.2, "unintended_change": 0.1}, 1, 3,
     {C.WRONG_CHANGE: 0.2, C.UNINTENDED_CHANGE: 0.1, None: 0.7}, {1: 1}),
    # .1 is wrong at once; .5 comes to a second attempt, of which a tenth is wrong: .1 + .05, and .25 stay cut off.
    ({"truncated": 0.5, "wrong_change": 0.1}, 1, 2,
     {C.TRUNCATED: 0.25, C.WRONG_CHANGE: 0.15, None: 0.6}, {1: 0.5, 2: 0.5}),
    # One row, two ways: a wrong location ends the task, broken syntax is tried again.
    ({"misapplied": {"wrong_location": 0.2, "broken_syntax": 0.2}}, 1, 2, {C.MISAPPLIED: 0.28, None: 0.72},
     {1: 0.8, 2: 0.2}),
    ({"misapplied": 0.2}, 1, 2, {C.MISAPPLIED: 0.04, None: 0.96}, {1: 0.8, 2: 0.2}),
    # The provider's faults end a task on any attempt, and do not become rarer.
    ({"malformed": 0.5, "infra_error": 0.1, "refusal": 0.1}, 0, 2,
     {D.INFRA_ERROR: 0.15, D.REFUSAL: 0.15, None: 0.7}, {1: 0.5, 2: 0.5}),
]  # fmt: skip


@pytest.mark.parametrize(("rates", "retries", "budget", "verdicts", "attempts"), BY_HAND)
def test_by_hand(
    rates: dict[str, object], retries: object, budget: int, verdicts: dict[Ending, float], attempts: dict[int, float]
) -> None:
    found = expected(spec(default=rates, retries=retries), "whole_file", budget)
    assert {e: p for e, p in found.verdicts.items() if p} == pytest.approx(verdicts)
    assert {n: p for n, p in found.attempts.items() if p} == pytest.approx(attempts)
    assert found.mean_attempts == pytest.approx(sum(n * p for n, p in attempts.items()))


def test_shares_are_of_trials_with_evidence() -> None:
    found = expected(spec(default={"wrong_change": 0.2, "infra_error": 0.5}), "whole_file", 1)
    assert found.discarded == pytest.approx(0.5)
    assert found.share(C.WRONG_CHANGE) == pytest.approx(0.4)
    assert found.share(None) == pytest.approx(0.6)
    nothing = expected(spec(default={"infra_error": 1}), "whole_file", 3)
    assert nothing.share(None) is None


def test_faults_after_the_first_token_cut_off_and_are_retried() -> None:
    found = expected(spec(default={"infra_error": 0.4}, after_first_token=0.25), "whole_file", 2)
    assert found.first == pytest.approx({D.INFRA_ERROR: 0.3, C.TRUNCATED: 0.1, None: 0.6})
    assert found.verdicts == pytest.approx({D.INFRA_ERROR: 0.33, C.TRUNCATED: 0.01, None: 0.66})


def test_impossible_tasks_have_rates_of_their_own() -> None:
    of = spec(default={"truncated": 1}, impossible={"edited_anyway": 0.2, "malformed": 0.2}, retries=0)
    found = expected(of, "whole_file", 2, impossible=True)
    assert found.verdicts == pytest.approx({C.WRONG_CHANGE: 0.2, None: 0.8})


MIXED = spec(
    default={
        "truncated": 0.11, "malformed": {"no_edit": 0.07, "bad_block": 0.02}, "not_applied": 0.05,
        "misapplied": {"wrong_location": 0.06, "elision": 0.03}, "unintended_change": 0.08,
        "wrong_change": {"gave_up": 0.02, "tests_fail": 0.1}, "infra_error": 0.05, "refusal": 0.02,
    },
    retries=[0.7, 0.4], after_first_token=0.3,
)  # fmt: skip


@pytest.mark.parametrize("budget", [1, 2, 3, 4])
def test_every_sequence_of_outcomes_summed_up(budget: int) -> None:
    mixes = []
    for attempt in range(1, budget + 1):
        mix = [(chance.outcome, chance.probability) for chance in chances(MIXED, "x", attempt)]
        mixes.append([*mix, (RESOLVED, 1 - sum(p for _, p in mix))])
    verdicts: Counter[Ending] = Counter()
    for sequence in itertools.product(*mixes):
        probability = 1.0
        for _, p in sequence:
            probability *= p
        kept = [o for o, _ in sequence]
        ends = (o for o in kept if isinstance(o, Discard) or not is_retried(o.category, o.detail))
        last = next(ends, kept[-1])
        verdicts[last if isinstance(last, Discard) else last.category] += probability
    found = expected(MIXED, "x", budget)
    assert found.verdicts == pytest.approx(dict(verdicts))
    assert sum(found.verdicts.values()) == pytest.approx(1)
    assert sum(found.attempts.values()) == pytest.approx(1)


def test_draws_tend_to_it(checked_in: list[Task]) -> None:
    task, draws = checked_in[0], 20_000
    firsts = Counter[Ending]()
    for seed in range(draws):
        outcome = Drawn(MIXED, "m", seed).outcome(Request((), 8000, task, FORMATS["udiff"], 1, 1), 1)
        firsts[outcome if isinstance(outcome, Discard) else outcome.category] += 1
    for ending, probability in expected(MIXED, "udiff", 3).first.items():
        error = (probability * (1 - probability) / draws) ** 0.5
        assert abs(firsts[ending] / draws - probability) < 4 * error, ending


def test_retries_improve() -> None:
    shares = [expected(MIXED, "x", budget).share(None) for budget in (1, 2, 3, 4)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]
    harder = MIXED.model_copy(update={"retries": 1.0})
    assert expected(harder, "x", 3).share(None) < shares[2]


def test_the_command_prints_shares_per_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.yaml"
    path.write_text("schema: 1\nformats: {udiff: {not_applied: 0.2}}\ndefault: {refusal: 0.25, wrong_change: 0.15}\n")
    monkeypatch.setattr(sys, "argv", ["evaluator", "expect", str(path), "--attempts", "2"])
    assert errors.run_command_line(cli.app, "evaluator") == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["not_applied", "20.000%", "4.000%", "4.000%"] in rows
    assert ["resolved", "80.000%", "96.000%", "96.000%"] in rows
    assert ["wrong_change", "15.000%", "15.000%", "20.000%"] in rows
    assert ["refusal", "25.000%", "25.000%", "-"] in rows
    assert ["attempts", "a", "trial:", "1.2000"] in rows
