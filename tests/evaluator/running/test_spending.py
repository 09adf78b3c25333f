"""Money and time of whole runs: they end cleanly, and go on with more."""

from collections import Counter
from collections.abc import Callable
from datetime import date

import pytest

from evaluator.formats import FORMATS
from evaluator.journal import AttemptLine, Price
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.taxonomy import Discard
from evaluator.trials import trials

Answers = dict[str, Callable[..., Reply]]
PRICE = Price(model="fake", as_of=date(2026, 1, 1), input=0, output=1_000_000)  # a token costs a dollar


def spent(lines: list[AttemptLine]) -> float:
    return sum(line.paid_usd or 0 for line in lines)


@pytest.mark.parametrize(("limit", "workers"), [(22.0, 1), (60.0, 3), (7.0, 1), (0.0, 2)])
def test_a_run_ends_when_the_money_is_used_and_goes_on_with_more(
    a_run, asked, answers: Answers, untimed, limit: float, workers: int
) -> None:
    whole = a_run(4, "whole", price=PRICE).run(asked(answers["right_at_last"]))
    setting, model = a_run(4, price=PRICE, max_spend_usd=limit), asked(answers["right_at_last"])
    lines = setting.run(model, workers=workers)
    assert len(model.keys) * 5 == spent(lines)
    assert spent(lines) <= limit + 5 * (2 * workers + 2), "over by no more than what was in flight before any cost"
    left = [line for line in lines if line.discarded is Discard.BUDGET_EXHAUSTED]
    assert len({(a.fixture, a.format) for a in lines}) == 4 * len(FORMATS), "every trial is listed"
    assert {trial.last.discarded for trial in trials(lines)} == {Discard.BUDGET_EXHAUSTED}
    assert {(line.paid_usd, line.call) for line in left} == {(None, 1)}

    again = asked(answers["right_at_last"])
    assert setting.run(again, workers=workers) == lines, "with no more money nothing is made, and nothing said twice"
    assert again.keys == []

    setting.change(max_spend_usd=10_000.0)
    rest = asked(answers["right_at_last"])
    done = setting.run(rest, workers=workers)
    assert Counter([*model.keys, *rest.keys]) == Counter((a.fixture, a.format, a.attempt) for a in whole)
    evidence = [line for line in done if line.discarded is None]
    once = [line.model_copy(update={"call": 1}) for line in evidence]
    assert untimed(once) == untimed(whole)
    assert all(trial.resolved for trial in trials(done))


def test_a_run_ends_when_its_time_is_over(a_run, asked, answers: Answers) -> None:
    setting, model = a_run(4, max_seconds=1e-9), asked(answers["right"])
    lines = setting.run(model)
    assert model.keys == []
    assert Counter(line.discarded for line in lines) == {Discard.BUDGET_EXHAUSTED: 4 * len(FORMATS)}
    setting.change(max_seconds=None)
    assert all(trial.resolved and len(trial.lost) == 1 for trial in trials(setting.run(model)))


def test_a_call_that_gave_nothing_costs_nothing_and_is_made_again_with_more_money(
    a_run, asked, answers: Answers
) -> None:
    def lost(request: Request) -> Reply:
        raise NoEvidence(Discard.INFRA_ERROR, "503")

    setting = a_run(1, price=PRICE, max_spend_usd=5.0)
    assert {(line.discarded, line.paid_usd) for line in setting.run(asked(lost))} == {(Discard.INFRA_ERROR, None)}


def test_stored_replies_are_scored_though_no_money_is_left(a_run, asked, answers: Answers) -> None:
    setting = a_run(2, price=PRICE)
    setting.run(asked(answers["right"]))
    (setting.folder / "attempts.jsonl").unlink()
    setting.change(max_spend_usd=0.0)
    lines = setting.run(asked(answers["right"]))
    assert {line.discarded for line in lines} == {None}
    assert spent(lines) == 5 * 2 * len(FORMATS)


def test_replies_that_were_stored_are_spent_before_any_call_is_begun(a_run, asked, answers: Answers) -> None:
    """Of a run that was killed while many waited to be scored, and others were under way."""
    setting = a_run(2, price=PRICE)
    lines = setting.run(asked(answers["right"]), workers=1)
    (setting.folder / "attempts.jsonl").unlink()
    calls = setting.folder / "calls.jsonl"
    rows = calls.read_bytes().splitlines(keepends=True)
    calls.write_bytes(b"".join(rows[3:]))  # the first that are made again have no reply
    setting.change(max_spend_usd=5.0 * len(lines) - 15)
    model = asked(answers["right"])
    assert spent(setting.run(model)) == 5 * len(lines) - 15
    assert model.keys == []
