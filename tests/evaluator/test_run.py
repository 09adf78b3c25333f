"""The engine: what is asked, kept, made again; models are small fakes, trees are real."""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS, others
from evaluator.formats.model import STRICT
from evaluator.formats.renamed import Renamed
from evaluator.journal import AttemptLine, DiskJournal, MemoryJournal, RunFile, read_attempts, reply_path
from evaluator.memo import Memo
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.models.simulated import Article
from evaluator.running.attempt import Attempt, Scores, make_attempt
from evaluator.running.driver import run
from evaluator.taxonomy import Category, Detail, Discard
from miner.errors import ToolError
from miner.fixtures import Task

CAP = 8_000
Key = tuple[str, str, int]


class Asked:
    """Passes requests on to an answer, and keeps them."""

    name = "fake"
    simulated = True

    def __init__(self, answer: Callable[[Request], Reply]) -> None:
        self.answer, self.requests, self.lock = answer, [], threading.Lock()

    def reply(self, request: Request) -> Reply:
        with self.lock:
            self.requests.append(request)
        return self.answer(request)

    @property
    def keys(self) -> list[Key]:
        return [(r.task.id, r.format.name, r.attempt) for r in self.requests]


def said(text: str, stop: str | None = "stop", tokens: int = 5) -> Reply:
    return Reply(text, stop, 1, tokens, 2, "fake-1")  # type: ignore[arg-type]


def right(request: Request) -> Reply:
    return said(request.format.encode(request.task.before, request.task.after))


def right_at_last(request: Request) -> Reply:
    return said(f"prose {request.attempt}") if request.attempt < 3 else right(request)


class Setting:
    def __init__(self, tasks: Sequence[Task], bench: Callable[[Task], TaskBench], folder: Path) -> None:
        self.benches = {task.id: bench(task) for task in tasks}
        self.folder = folder
        self.settings = RunFile(
            set_digest="0", cap=CAP, model="fake", simulated=True, formats=list(FORMATS), attempts=3, seed=1,
            fixtures=[task.id for task in tasks], started="", version="",
        )  # fmt: skip

    def run(self, model: Asked, after: Callable[[AttemptLine], None] = lambda line: None) -> list[AttemptLine]:
        journal = DiskJournal(self.folder, self.settings)
        try:
            run(self.settings, FORMATS, self.benches, model, journal, 2, after)
        finally:
            journal.close()
        return read_attempts(self.folder / "attempts.jsonl")


@pytest.fixture
def setting(checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], tmp_path: Path) -> Setting:
    return Setting(checked_in[:4], truth_bench, tmp_path / "run")


def in_order(lines: Sequence[AttemptLine]) -> list[AttemptLine]:
    """The attempts in an order of their own, without their times."""
    untimed = [line.model_copy(update={"ended": ""}) for line in lines]
    return sorted(untimed, key=lambda a: (a.fixture, a.format, a.repeat, a.attempt, a.call))


def test_every_fixture_meets_every_format_once_when_all_goes_well(setting: Setting) -> None:
    model = Asked(right)
    lines = setting.run(model)
    wanted = {(fixture, name, 1) for fixture in setting.benches for name in FORMATS}
    assert Counter(model.keys) == Counter(wanted)
    assert [line for line in lines if line.failure_category is not None or not line.valid] == []


def test_a_retry_continues_the_conversation_with_the_reply_and_its_fault(setting: Setting) -> None:
    model = Asked(right_at_last)
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


def test_the_budget_of_attempts_ends_a_trial(setting: Setting) -> None:
    lines = setting.run(Asked(lambda request: said("prose")))
    assert {line.attempt for line in lines} == {1, 2, 3}
    assert {line.failure_category for line in lines} == {Category.MALFORMED}


def test_hidden_tests_never_cause_a_retry(setting: Setting) -> None:
    lines = setting.run(Asked(lambda r: said(r.format.encode(r.task.before, dict.fromkeys(r.task.before, b"#\n")))))
    assert {line.attempt for line in lines} == {1}


@pytest.mark.parametrize(
    ("stop", "tokens", "category"),
    [("length", 5, Category.TRUNCATED), ("stop", CAP, Category.TRUNCATED), ("stop", CAP - 1, None), (None, 0, None)],
    ids=["stopped at the length", "all tokens used", "one token left", "stop unknown"],
)
def test_the_cap_is_read_from_the_stop_reason_and_the_tokens(
    setting: Setting, stop: str | None, tokens: int, category: Category | None
) -> None:
    lines = setting.run(Asked(lambda request: said(right(request).text, stop, tokens)))
    assert {line.failure_category for line in lines} == {category}
    assert {line.applied for line in lines} == {category is None}


def broken(request: Request) -> Reply:
    raise ZeroDivisionError("of ours")


def unanswered(request: Request) -> Reply:
    raise NoEvidence(Discard.REFUSAL, "declined")


@pytest.mark.parametrize(
    ("answer", "reason", "error"),
    [(broken, Discard.HARNESS_ERROR, "ZeroDivisionError: of ours"), (unanswered, Discard.REFUSAL, "declined")],
    ids=["our bug", "no evidence"],
)
def test_what_says_nothing_of_the_format_is_discarded_and_named(
    setting: Setting, answer: Callable[[Request], Reply], reason: Discard, error: str
) -> None:
    lines = setting.run(Asked(answer))
    assert len(lines) == len(FORMATS) * len(setting.benches), "not tried again"
    assert {(a.discarded, a.error, a.failure_category) for a in lines} == {(reason, error, None)}


def test_a_bug_while_scoring_keeps_the_reply(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    def explode(changed: object) -> None:
        raise KeyError("lost")

    for bench in setting.benches.values():
        monkeypatch.setitem(bench.__dict__, "run_tests", explode)
    lines = setting.run(Asked(right))
    assert {(a.discarded, a.error, a.output_tokens) for a in lines} == {(Discard.HARNESS_ERROR, "KeyError: 'lost'", 5)}
    for a in lines:
        path = reply_path(setting.folder / "replies", a.fixture, a.format, a.repeat, a.attempt)
        assert path.stat().st_size > 0


def test_a_fault_of_the_tool_ends_the_run_and_keeps_what_was_made(setting: Setting) -> None:
    def answer(request: Request) -> Reply:
        if len(model.requests) > 5:
            raise ToolError("no key", "model", "Set it.")
        return right(request)

    model = Asked(answer)
    with pytest.raises(ToolError, match="no key"):
        setting.run(model)
    answered, model.requests = model.keys[:5], []
    second = Asked(right)
    assert len(setting.run(second)) == len(FORMATS) * len(setting.benches)
    assert not {*answered} & {*second.keys}, "what was answered is stored, if not scored yet"
    assert len(answered) + len(second.keys) == len(FORMATS) * len(setting.benches)


@pytest.mark.parametrize("stop_after", [1, 7, 20])
def test_an_interrupted_run_resumed_equals_an_unbroken_one_and_asks_nothing_twice(
    setting: Setting, checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], tmp_path: Path,
    stop_after: int,
) -> None:  # fmt: skip
    whole = Setting(checked_in[:4], truth_bench, tmp_path / "whole").run(Asked(right_at_last))
    made: list[AttemptLine] = []

    def interrupt(line: AttemptLine) -> None:
        made.append(line)
        if len(made) == stop_after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        setting.run(Asked(right_at_last), interrupt)
    kept = read_attempts(setting.folder / "attempts.jsonl")
    assert len(kept) == stop_after
    second = Asked(right_at_last)
    lines = setting.run(second)
    assert in_order(lines) == in_order(whole)
    assert not {(a.fixture, a.format, a.attempt) for a in kept} & set(second.keys)
    assert len(second.keys) == len(whole) - stop_after
    third = Asked(right_at_last)
    assert setting.run(third) == lines
    assert third.keys == []


def test_a_resumed_trial_goes_on_with_the_conversation_it_had(setting: Setting) -> None:
    unbroken: dict[Key, Request] = {}

    def keep(request: Request) -> Reply:
        unbroken[request.task.id, request.format.name, request.attempt] = request
        return right_at_last(request)

    lines = setting.run(Asked(keep))
    path = setting.folder / "attempts.jsonl"
    rows = path.read_bytes().splitlines(keepends=True)
    kept = [row for row, a in zip(rows, lines, strict=True) if a.attempt < 3]
    path.write_bytes(b"".join(kept))
    second = Asked(right_at_last)
    setting.run(second)
    assert {key[2] for key in second.keys} == {3}
    for key, request in zip(second.keys, second.requests, strict=True):
        assert request.messages == unbroken[key].messages


def test_a_missing_reply_of_a_trial_to_go_on_with_is_an_error(setting: Setting) -> None:
    setting.run(Asked(lambda request: said("prose")))
    path = setting.folder / "attempts.jsonl"
    first = path.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(first)
    line = read_attempts(path)[0]
    reply_path(setting.folder / "replies", line.fixture, line.format, 1, line.attempt).unlink()
    with pytest.raises(ToolError, match="a stored reply is missing"):
        setting.run(Asked(right))


def test_a_run_is_the_same_whatever_the_order_it_was_dealt_in(setting: Setting) -> None:
    model = Article(list(setting.benches), list(FORMATS), seed=1)
    first = setting.run(Asked(model.reply))
    setting.settings = setting.settings.model_copy(update={"seed": 2})
    (setting.folder / "attempts.jsonl").unlink()
    assert in_order(setting.run(Asked(model.reply))) == in_order(first)
    assert {a.detail for a in first} >= {Detail.STOP_LENGTH}


def test_one_format_runs_under_two_names(checked_in: list[Task], truth_bench: Callable[[Task], TaskBench]) -> None:
    whole = FORMATS["whole_file"]
    formats = {name: Renamed(whole, name) for name in ("first", "second")}
    settings = RunFile(
        set_digest="0", cap=CAP, model="fake", simulated=True, formats=list(formats), attempts=3, seed=1,
        fixtures=[task.id for task in checked_in[:3]], started="", version="",
    )  # fmt: skip
    model, journal = Asked(lambda r: right(r) if r.format.name == "first" else said("prose")), MemoryJournal()
    run(settings, formats, {t.id: truth_bench(t) for t in checked_in[:3]}, model, journal, 2, lambda line: None)
    ends = {(a.format, a.attempt): a.failure_category for a in journal.lines}
    malformed = Category.MALFORMED
    assert ends == {("first", 1): None, ("second", 1): malformed, ("second", 2): malformed, ("second", 3): malformed}
    assert {r.messages[1].content for r in model.requests if r.format.name == "first"} == {
        r.messages[1].content for r in model.requests if r.format.name == "second"
    }


def test_equal_replies_are_scored_once_where_scores_are_remembered_and_alike(
    checked_in: list[Task], truth_bench: Callable[[Task], TaskBench]
) -> None:
    bench, fmt = truth_bench(checked_in[0]), FORMATS["unified_diff"]
    made = []
    bench.__dict__["run_tests"] = lambda changed: made.append(changed) or TaskBench.run_tests(bench, changed)
    scores: Scores = Memo(100)
    attempts = [
        Attempt(bench, one, number, (), STRICT) for one in (fmt, Renamed(fmt, "again")) for number in (1, 1, 2, 3)
    ]
    remembered = [make_attempt(a, Asked(right), CAP, scores).line for a in attempts]
    assert len(made) == 2, "first attempts are also held to the letter, later ones are not"
    assert remembered == [make_attempt(a, Asked(right), CAP).line for a in attempts]
    assert make_attempt(attempts[0], Asked(lambda r: said(right(r).text, "length")), CAP, scores).line.detail is (
        Detail.STOP_LENGTH
    )


def test_a_format_under_another_name_is_no_other_format(checked_in: list[Task], truth_bench) -> None:
    again = Renamed(FORMATS["search_replace"], "again")
    assert "search_replace" not in [fmt.name for fmt in others(again)]
    assert len(others(again)) == len(FORMATS) - 1
    task = checked_in[0]
    for fmt in (FORMATS["search_replace"], again):
        written = fmt.encode(task.before, task.after)
        assert fmt.parse(written) == FORMATS["search_replace"].parse(written)
        assert fmt.instructions() == FORMATS["search_replace"].instructions()
        assert fmt.tolerances == FORMATS["search_replace"].tolerances
