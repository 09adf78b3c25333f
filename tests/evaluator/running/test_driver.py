"""The driver: what is asked, kept and discarded; models are small fakes, trees are real."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS
from evaluator.formats.renamed import Renamed
from evaluator.journal import (
    AttemptLine,
    MemoryJournal,
    RunFile,
    load_run,
    read_attempts,
    read_transcript,
    reply_path,
    transcript_path,
)
from evaluator.journal.places import truth_path
from evaluator.messages import prompt_digest
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.models.simulated import Article
from evaluator.running.driver import run
from evaluator.running.order import model_seed
from evaluator.taxonomy import Category, Detail, Discard, Signal
from evaluator.trials import trials
from miner.errors import ToolError
from miner.fixtures import Task

CAP = 8_000
Answers = dict[str, Callable[..., Reply]]


def test_every_fixture_meets_every_format_once_when_all_goes_well(a_run, asked, answers: Answers) -> None:
    setting, model = a_run(), asked(answers["right"])
    lines = setting.run(model)
    wanted = {(fixture, name, 1) for fixture in setting.benches for name in FORMATS}
    assert Counter(model.keys) == Counter(wanted)
    assert [line for line in lines if line.failure_category is not None or not line.valid] == []


def test_a_retry_continues_the_conversation_with_the_reply_and_its_fault(a_run, asked, answers: Answers) -> None:
    setting, model = a_run(2), asked(answers["right_at_last"])
    lines = setting.run(model)
    assert len(lines) == 3 * len(FORMATS) * len(setting.benches)
    by_key = dict(zip(model.keys, model.requests, strict=True))
    for fixture in setting.benches:
        first, third = by_key[fixture, "whole_file", 1], by_key[fixture, "whole_file", 3]
        assert third.messages[:2] == first.messages
        assert [m.role for m in third.messages] == ["system", "user", "assistant", "user", "assistant", "user"]
        assert third.messages[2].content == "prose 1"
        assert third.messages[4].content == "prose 2"
        assert "No file was found" in third.messages[5].content


def test_what_a_retry_is_told_is_chosen(a_run, asked, answers: Answers) -> None:
    setting, model = a_run(1, feedback="none"), asked(answers["right_at_last"])
    lines = setting.run(model)
    assert {line.feedback for line in lines} == {""}
    assert all("No file was found" not in request.messages[-1].content for request in model.requests)


def test_the_signals_that_cause_a_retry_are_chosen(a_run, asked, answers: Answers) -> None:
    lines = a_run(1, retry_on=["applier"]).run(asked(answers["right_at_last"]))
    assert {(line.attempt, line.signal) for line in lines} == {(1, Signal.PARSER)}


def test_the_budget_of_attempts_ends_a_trial(a_run, asked, answers: Answers) -> None:
    lines = a_run(2).run(asked(lambda request: answers["said"]("prose")))
    assert {line.attempt for line in lines} == {1, 2, 3}
    assert {line.failure_category for line in lines} == {Category.MALFORMED}


def test_hidden_tests_never_cause_a_retry(a_run, asked, answers: Answers) -> None:
    def comment(r: Request) -> Reply:
        return answers["said"](r.format.encode(r.task.before, dict.fromkeys(r.task.before, b"#\n")))

    lines = a_run(2, retry_on=list(Signal)).run(asked(comment))
    assert {(line.attempt, line.signal) for line in lines} == {(1, None)}


@pytest.mark.parametrize(
    ("stop", "tokens", "category"),
    [("length", 5, Category.TRUNCATED), ("stop", CAP, Category.TRUNCATED), ("stop", CAP - 1, None), (None, 0, None)],
    ids=["stopped at the length", "all tokens used", "one token left", "stop unknown"],
)
def test_the_cap_is_read_from_the_stop_reason_and_the_tokens(
    a_run, asked, answers: Answers, stop: str | None, tokens: int, category: Category | None
) -> None:
    lines = a_run(1).run(asked(lambda request: answers["said"](answers["right"](request).text, stop, tokens)))
    assert {line.failure_category for line in lines} == {category}
    assert {line.applied for line in lines} == {category is None}


def test_tokens_that_were_counted_here_say_nothing_of_the_cap(a_run, asked, answers: Answers) -> None:
    lines = a_run(1).run(asked(lambda r: answers["said"](answers["right"](r).text, "stop", CAP, counted_here=True)))
    assert {(line.failure_category, line.output_tokens, line.counted_here) for line in lines} == {(None, CAP, True)}


def test_a_run_whose_provider_never_answers_ends_and_keeps_what_it_found(a_run, asked, answers: Answers) -> None:
    setting, model = a_run(4), asked(Lossy(answers["right"], 1, 1))
    model.simulated = False
    with pytest.raises(ToolError, match="none of the first 20 calls was answered: 503"):
        setting.run(model)
    assert len(read_attempts(setting.folder / "attempts.jsonl")) == 20
    found = trials(setting.run(model))
    assert all(trial.resolved for trial in found), "it goes on where it ended"
    assert len(found) == 4 * len(FORMATS)


def test_one_answer_is_enough_for_a_run_to_go_on(a_run, asked, answers: Answers) -> None:
    first: list[Request] = []

    def answer(request: Request) -> Reply:
        if not first:
            first.append(request)
            return answers["right"](request)
        raise NoEvidence(Discard.INFRA_ERROR, "no answer")

    model = asked(answer)
    model.simulated = False
    lines = a_run(4).run(model, workers=1)
    assert sum(line.discarded is None for line in lines) == 1
    assert len(trials(lines)) == 4 * len(FORMATS)


def broken(request: Request) -> Reply:
    raise ZeroDivisionError("of ours")


def unanswered(request: Request) -> Reply:
    raise NoEvidence(Discard.REFUSAL, "declined", tries=2)


def ending(request: Request) -> Reply:
    sys.exit(0)


@pytest.mark.parametrize(
    ("answer", "reason", "error", "tries"),
    [
        (broken, Discard.HARNESS_ERROR, "ZeroDivisionError: of ours", 1),
        (unanswered, Discard.REFUSAL, "declined", 2),
        (ending, Discard.HARNESS_ERROR, "SystemExit: 0", 1),
        (lambda request: None, Discard.HARNESS_ERROR, "TypeError: the model gave a NoneType, and no Reply", 1),
    ],
    ids=["our bug", "a refusal", "a package's exit", "a package's nothing"],
)
def test_what_says_nothing_of_the_format_is_discarded_and_named(
    a_run, asked, answer: Callable[[Request], Reply], reason: Discard, error: str, tries: int
) -> None:
    setting = a_run(2)
    lines = setting.run(asked(answer))
    assert len(lines) == len(FORMATS) * len(setting.benches), "not tried again"
    assert {(a.discarded, a.error, a.failure_category, a.tries) for a in lines} == {(reason, error, None, tries)}


@pytest.mark.parametrize(
    ("bug", "said"), [(KeyError("lost"), "KeyError: 'lost'"), (SystemExit("enough"), "SystemExit: enough")]
)
def test_a_bug_while_scoring_keeps_the_reply_and_what_it_cost(
    a_run, asked, answers: Answers, bug: BaseException, said: str
) -> None:
    def explode(changed: object) -> None:
        raise bug

    setting = a_run(2)
    for bench in setting.benches.values():
        bench.__dict__["run_tests"] = explode
    lines = setting.run(asked(answers["right"]))
    assert {(a.discarded, a.error, a.output_tokens) for a in lines} == {(Discard.HARNESS_ERROR, said, 5)}
    for a in lines:
        assert reply_path(setting.folder / "replies", *a.key).stat().st_size > 0


def test_a_prompt_that_cannot_be_made_is_our_error_and_the_rest_goes_on(a_run, asked, answers: Answers) -> None:
    setting = a_run(3)
    first = next(iter(setting.benches.values()))
    first.task.__dict__["shown"] = None
    lines = setting.run(asked(answers["right"]))
    assert Counter(line.discarded for line in lines) == {None: 2 * len(FORMATS), Discard.HARNESS_ERROR: len(FORMATS)}
    del first.task.__dict__["shown"]


class Lossy:
    """Fails the first `times` calls of every attempt `number`."""

    def __init__(self, answer: Callable[[Request], Reply], number: int, times: int) -> None:
        self.answer, self.number, self.times = answer, number, times
        self.calls: Counter[tuple[str, str, int]] = Counter()
        self.lock = threading.Lock()

    def __call__(self, request: Request) -> Reply:
        key = (request.task.id, request.format.name, request.attempt)
        with self.lock:
            self.calls[key] += 1
        if request.attempt == self.number and self.calls[key] <= self.times:
            raise NoEvidence(Discard.INFRA_ERROR, "503", tries=5)
        return self.answer(request)


@pytest.mark.parametrize("number", [1, 2])
def test_a_lost_call_is_made_once_more_at_the_end(a_run, asked, answers: Answers, number: int) -> None:
    setting = a_run(3)
    lines = setting.run(asked(Lossy(answers["right_at_last"], number, 1)))
    lost = [line for line in lines if line.discarded]
    assert len(lost) == 3 * len(FORMATS)
    assert {(line.attempt, line.call) for line in lost} == {(number, 1)}
    found = trials(lines)
    assert all(trial.resolved and len(trial.attempts) == 3 and len(trial.lost) == 1 for trial in found)
    again = next(n for n, line in enumerate(lines) if line.call == 2)
    begun = {(line.fixture, line.format) for line in lines[:again]}
    assert len(begun) >= 3 * len(FORMATS) - 7, "but for those in flight, every trial was begun before"


def test_a_call_lost_twice_is_given_up_until_it_is_asked_for_again(a_run, asked, answers: Answers) -> None:
    setting, model = a_run(1), asked(Lossy(answers["right"], 1, 3))
    lines = setting.run(model)
    assert {(t.last.discarded, t.last.call, len(t.lost)) for t in trials(lines)} == {(Discard.INFRA_ERROR, 2, 1)}
    assert setting.run(model) == lines, "given up"
    assert {t.last.call for t in trials(setting.run(model, again=True))} == {3}
    found = trials(setting.run(model, again=True))
    assert {(t.resolved, t.last.call, len(t.lost)) for t in found} == {(True, 4, 3)}
    assert len(model.requests) == 4 * len(FORMATS)


def test_every_repeat_has_its_seed_the_same_for_every_format_and_tests_of_its_own(
    a_run, asked, answers: Answers
) -> None:
    setting, model = a_run(2, repeats=3), asked(answers["right"])
    lines = setting.run(model)
    assert len(lines) == 2 * 3 * len(FORMATS)
    assert {(r.repeat, r.seed) for r in model.requests} == {(n, model_seed(1, n)) for n in (1, 2, 3)}
    assert {(a.repeat, a.seed) for a in lines} == {(n, model_seed(1, n)) for n in (1, 2, 3)}


def test_no_seed_is_sent_where_none_is_wanted(a_run, asked, answers: Answers) -> None:
    model = asked(answers["right"])
    lines = a_run(1, call={"seeded": False}).run(model)
    assert {r.seed for r in model.requests} == {None} == {line.seed for line in lines}


def test_the_digest_of_the_prompt_is_that_of_what_was_sent_and_equal_for_every_format(
    a_run, asked, answers: Answers
) -> None:
    model = asked(answers["right_at_last"])
    lines = a_run(2).run(model)
    sent = {(r.task.id, prompt_digest(r.messages)) for r in model.requests}
    assert len(sent) == 2
    assert {(a.fixture, a.prompt_digest) for a in lines} == sent


def test_a_run_is_the_same_whatever_the_order_it_was_dealt_in(a_run, asked, untimed) -> None:
    first, second = a_run(4, "first"), a_run(4, "second", seed=2)
    model = Article(list(first.benches), list(FORMATS), seed=1)
    lines = first.run(asked(model.reply))
    seedless = [[a.model_copy(update={"seed": None}) for a in untimed(some)]
                for some in (lines, second.run(asked(model.reply)))]  # fmt: skip
    assert seedless[0] == seedless[1]
    assert {a.detail for a in lines} >= {Detail.STOP_LENGTH}


def test_the_same_simulated_run_twice_is_identical_but_for_times(a_run, asked, untimed) -> None:
    """With one worker a pool, in its order too; with many, up to order."""
    runs = [a_run(3, str(n), seed=7) for n in range(2)]
    model = Article(list(runs[0].benches), list(FORMATS), seed=1)
    first, second = (setting.run(asked(model.reply), workers=8) for setting in runs)
    assert untimed(first) == untimed(second)
    for line in first:
        for path in (reply_path, transcript_path):
            texts = {path(setting.folder / "replies", *line.key).read_bytes() for setting in runs}
            assert len(texts) == 1
    assert {load_run(setting.folder).model_dump_json() for setting in runs} == {runs[0].settings.model_dump_json()}


def test_what_there_is_to_read_of_an_attempt_is_kept(a_run, asked, answers: Answers) -> None:
    setting = a_run(1)
    lines = setting.run(asked(answers["right_at_last"]))
    last = next(line for line in lines if line.format == "search_replace" and line.attempt == 3)
    kept = read_transcript(transcript_path(setting.folder / "replies", *last.key))
    assert kept.sentence == "Resolved: the tests pass, and nothing unintended changed."
    assert kept.diff.startswith("--- ")
    assert kept.diff == truth_path(setting.folder / "replies", last.fixture).read_text()
    assert kept.tests == "all passed"
    assert [m.role for m in kept.messages] == ["system", "user", "assistant", "user", "assistant", "user"]


def test_calls_wait_for_no_test_and_few_attempts_are_under_way(a_run, asked, answers: Answers) -> None:
    """Slow tests: calls go on meanwhile, but not without end; never more test runs at once than test workers."""
    setting = a_run(4)
    model, running, most = asked(answers["right"]), [0], [0]
    lock, ahead = threading.Lock(), [0]

    def slow(bench: TaskBench) -> Callable[..., object]:
        def run_slowly(laid: object) -> object:
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
            time.sleep(0.02)
            with lock:
                running[0] -= 1
            return type(bench)._run(bench, laid)  # type: ignore[arg-type]

        return run_slowly

    for bench in setting.benches.values():
        bench.__dict__["_run"] = slow(bench)
    done: list[AttemptLine] = []

    def after(line: AttemptLine) -> None:
        done.append(line)
        ahead[0] = max(ahead[0], len(model.requests) - len(done))

    setting.run(model, after, workers=3)
    assert most[0] <= 2
    assert 3 < ahead[0] <= 2 * 3 + 2


def test_another_served_model_is_said_at_once_and_once(a_run, asked, answers: Answers) -> None:
    setting = a_run(2)
    model = asked(lambda r: Reply(answers["right"](r).text, "stop", 1, 5, 2, f"m-{r.format.name == 'udiff'}"))
    setting.run(model)
    (said,) = setting.said
    assert "served" in said
    assert "not be compared" in said
    other = a_run(2, "other")
    other.run(asked(answers["right"]))
    assert other.said == []


def test_one_format_runs_under_two_names(
    checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], asked, answers: Answers
) -> None:
    whole = FORMATS["whole_file"]
    formats = {name: Renamed(whole, name) for name in ("first", "second")}
    settings = RunFile(
        set_digest="0", cap=CAP, model="fake", simulated=True, formats=list(formats), attempts=3, seed=1,
        fixtures=[task.id for task in checked_in[:3]], started="", version="",
    )  # fmt: skip
    journal = MemoryJournal()
    model = asked(lambda r: answers["right"](r) if r.format.name == "first" else answers["said"]("prose"))
    run(settings, formats, {t.id: truth_bench(t) for t in checked_in[:3]}, model, journal, 2, lambda line: None)
    ends = {(a.format, a.attempt): a.failure_category for a in journal.lines}
    malformed = Category.MALFORMED
    assert ends == {("first", 1): None, ("second", 1): malformed, ("second", 2): malformed, ("second", 3): malformed}
    assert {r.messages[1].content for r in model.requests if r.format.name == "first"} == {
        r.messages[1].content for r in model.requests if r.format.name == "second"
    }
