"""Runs of which no call is answered: they do not look finished, and where nothing is there they end soon."""

from collections.abc import Callable, Iterator

import pytest

from evaluator.journal import read_attempts
from evaluator.models.model import NoEvidence, Reply, Request, Unreachable
from evaluator.taxonomy import Discard
from miner.errors import ToolError

Answers = dict[str, Callable[..., Reply]]
TWO = ["udiff", "whole_file"]
THERE_IS_NONE = r"start a new run. If not, start the server, then go on with `evaluator run --resume RUN --again`"


def lost(error: str) -> Callable[[Request], Reply]:
    def answer(request: Request) -> Reply:
        raise NoEvidence(Discard.INFRA_ERROR, error)

    return answer


def absent(request: Request) -> Reply:
    raise Unreachable("nothing listens")


@pytest.fixture
def real(asked) -> Callable[..., object]:
    """A model that is no simulation, with that answer."""

    def make(answer: Callable[[Request], Reply]) -> object:
        model = asked(answer)
        model.simulated = False
        return model

    return make


def test_a_run_of_which_no_call_was_answered_is_an_error_however_often_it_is_gone_on_with(
    a_run, real, answers: Answers
) -> None:
    setting, model = a_run(1, formats=TWO), real(lost("503"))
    with pytest.raises(ToolError, match=r"none of the 4 calls was answered: 503\. .*--resume RUN --again"):
        setting.run(model)
    with pytest.raises(ToolError, match="none of the 4 calls was answered: 503"):
        setting.run(model)
    assert len(model.requests) == 4, "nothing was left to be made"
    assert {line.discarded for line in setting.run(real(answers["right"]), again=True)[4:]} == {None}
    assert len(setting.run(real(lost("503")))) == 6, "now some were"


def test_the_commonest_reason_is_told_with_how_often_it_was(a_run, real) -> None:
    reasons: Iterator[str] = iter(["503", "broke off", "broke off", "broke off"])
    with pytest.raises(ToolError, match=r"none of the 4 calls was answered: broke off \(3 of 4\)\. Look at"):
        a_run(1, formats=TWO).run(real(lambda request: lost(next(reasons))(request)), workers=1)


def test_prompts_that_fit_no_call_are_an_error_too(a_run, real) -> None:
    def answer(request: Request) -> Reply:
        raise NoEvidence(Discard.HARNESS_ERROR, "the prompt does not fit the model")

    with pytest.raises(ToolError, match="none of the 2 calls was answered: the prompt does not fit the model"):
        a_run(1, formats=TWO).run(real(answer))


@pytest.mark.parametrize("url", [None, "http://127.0.0.1:9/v1"])
def test_where_nothing_listens_three_calls_are_enough(a_run, real, url: str | None) -> None:
    setting, model = a_run(4, call={"base_url": url}), real(absent)
    with pytest.raises(ToolError, match="none of the first 3 calls was answered: nothing listens") as caught:
        setting.run(model, workers=1)
    assert len(read_attempts(setting.folder / "attempts.jsonl")) == 3
    check = f"Check --base-url {url}: if it is wrong, {THERE_IS_NONE}" if url else "Check the network and the server"
    assert check in str(caught.value)


def test_a_server_that_was_heard_may_be_gone_for_a_while(a_run, real, answers: Answers) -> None:
    def answer(request: Request) -> Reply:
        return answers["right"](request) if len(model.requests) == 1 else absent(request)

    model = real(answer)
    lines = a_run(2, formats=TWO).run(model, workers=1)
    assert [line.discarded for line in lines].count(Discard.INFRA_ERROR) == 6


def test_refusals_and_faults_of_simulations_are_answers(a_run, asked, real) -> None:
    def declines(request: Request) -> Reply:
        raise NoEvidence(Discard.REFUSAL, "declined")

    assert len(a_run(1, "refused", formats=TWO).run(real(declines))) == 2
    assert len(a_run(1, "simulated", formats=TWO).run(asked(absent))) == 4


def test_a_run_without_time_for_any_call_is_no_error(a_run, real, answers: Answers) -> None:
    lines = a_run(1, formats=TWO, max_seconds=1e-9).run(real(answers["right"]))
    assert {line.discarded for line in lines} == {Discard.BUDGET_EXHAUSTED}
