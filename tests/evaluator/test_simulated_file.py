"""`simulated:FILE.yaml`: what a file may say, what is drawn, and that every reply is scored as what it was drawn as."""

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from evaluator.appliers import granted, leniency
from evaluator.bench import TaskBench
from evaluator.faults.model import Damaged, Label, Site
from evaluator.formats import FORMATS
from evaluator.formats.model import EditFormat, Leniency
from evaluator.formats.renamed import Renamed
from evaluator.messages import Message
from evaluator.models import model_named
from evaluator.models.drawn import Drawn
from evaluator.models.expected import expected
from evaluator.models.mistakes import VARIANTS, Mistakes, stand_ins
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.models.spec import DETAILS, ON_IMPOSSIBLE, SimulationFile, is_last, load_simulation
from evaluator.running.attempt import Attempt, make_attempt
from evaluator.scoring import Score, score_reply
from evaluator.taxonomy import Category, Detail, Discard
from evaluator.trials import is_finished
from miner.errors import ToolError
from miner.fixtures import Task
from miner.record import Impossible
from miner.roles import Role, role_of
from miner.tokens import count_tokens

CAP = 8_000
PAGE = Path(__file__).parents[2] / "docs" / "simulated.md"
Bench = Callable[[Task], TaskBench]


def spec(**keys: object) -> SimulationFile:
    return SimulationFile.model_validate({"schema": 1, **keys})


def drawn(seed: int = 1, **keys: object) -> Drawn:
    return Drawn(spec(**keys), "simulated:test.yaml", seed)


def request(task: Task, name: str = "whole_file", attempt: int = 1, repeat: int = 1) -> Request:
    return Request((Message("user", "do it"),), CAP, task, FORMATS[name], repeat, attempt)


# --- the file

BAD = [
    ("schema: 2", "schema: Input should be 1"),
    ("default: {}", "schema: Field required"),
    ("schema: 1\nrates: {}", "rates: Extra inputs are not permitted"),
    ("schema: 1\ndefault: {truncate: 0.1}", "default.truncate: Extra inputs are not permitted"),
    ("schema: 1\ndefault: {truncated: 1.1}", "default.truncated.rate: Input should be less than or equal to 1"),
    ("schema: 1\ndefault: {truncated: -0.1}", "default.truncated.rate: Input should be greater than or equal to 0"),
    ("schema: 1\ndefault: {truncated: .nan}", "default.truncated.rate: Input should be"),
    ("schema: 1\ndefault: {truncated: often}", "default.truncated.rate: Input should be a valid number"),
    ("schema: 1\ndefault: {truncated: true}", "default.truncated.rate: Input should be a valid number"),
    ("schema: 1\nformats: {udiff: {malformed: {removed: 0.1}}}", "formats.udiff.malformed: Value error, 'removed' is"),
    ("schema: 1\nformats: {udiff: {malformed: {rate: 0.1}}}", "'rate' is no detail that can be simulated: no_edit"),
    ("schema: 1\nformats: {udiff: {wrong_change: {tests_timeout: 0.1}}}", "can be simulated: tests_fail, no_effect"),
    ("schema: 1\nformats: {udiff: {truncated: 0.6, malformed: 0.5}}", "udiff: Value error, the rates sum to 1.1"),
    ("schema: 1\ndefault: {truncated: 0.6, infra_error: 0.3, refusal: 0.2}", "the rates sum to 1.1, more than 1"),
    ("schema: 1\nimpossible: {reported: 0.8, edited_anyway: 0.1}", "reported and the other rates sum to 0.9, not to 1"),
    ("schema: 1\nimpossible: {removed: 0.1}", "impossible.removed: Extra inputs are not permitted"),
    ("schema: 1\nimpossible: {edited_anyway: 0.7, no_effect: 0.7}", "the rates sum to 1.4, more than 1"),
    ("schema: 1\nretries: 2", "retries"),
    ("schema: 1\nretries: []", "retries"),
    ("schema: 1\nlatency: {median_ms: -1}", "latency.median_ms: Input should be greater than or equal to 0"),
    ("schema: 1\ntokens: {factor: 2}", "tokens.factor: Input should be a valid dictionary"),
    ("schema: 1\nserved_model: {name: a, after_attempt: 0}", "served_model.after_attempt: Input should be greater"),
    ("schema: 1\nserved_model: {name: 'a b'}", "served_model.name: String should match"),
    ("schema: 1\nlatency: {spread: 1000}", "latency.spread: Input should be less than or equal to 10"),
    ("schema: 1\ntokens: {factor: {median: 1.0e+300}}", "tokens.factor.median: Input should be less than or equal"),
    ("schema: 1\nformats: {whole-file: {wrong_change: 1}}", "rates of an unknown edit format, whole-file"),
    ("schema: 2001-99-99", "month must be in 1..12"),
    ("schema: !!int one", "invalid literal for int()"),
    ("- a list", "Input should be a valid dictionary"),
    ("schema: [1", "unreadable simulation"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), BAD)
def test_a_bad_file_is_refused_by_the_key_that_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "model.yaml"
    path.write_text(text)
    with pytest.raises(ToolError) as refused:
        model_named(f"simulated:{path}", [], [], 1)
    assert said in str(refused.value)
    assert str(path) in str(refused.value)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ToolError, match=r"cannot read the simulation: nowhere\.yaml"):
        model_named("simulated:nowhere.yaml", [], [], 1)


def test_the_example_of_the_page_loads_and_sums_as_it_says(tmp_path: Path) -> None:
    example = re.search(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    path = tmp_path / "model.yaml"
    path.write_text(example[1], encoding="utf-8")
    loaded = load_simulation(path)
    assert set(SimulationFile.model_fields) - {"schema_"} == loaded.model_fields_set - {"schema_"}, "it shows every key"
    assert expected(loaded, "whole_file", 1).verdicts[None] == pytest.approx(0.76)
    assert expected(loaded, "never heard of", 1).verdicts[None] == pytest.approx(0.94)
    assert expected(loaded, "whole_file", 1, impossible=True).verdicts[None] == pytest.approx(0.8)
    assert model_named(f"simulated:{path}", [], [], 1).simulated


# --- drawing

EVEN = {"truncated": 0.15, "malformed": 0.15, "wrong_change": 0.15, "refusal": 0.1}


def outcomes(model: Drawn, tasks: list[Task], name: str = "whole_file", **more: int) -> list[object]:
    return [model.outcome(request(task, name, **more), more.get("attempt", 1)) for task in tasks]


def test_draws_are_the_same_again_in_any_order(checked_in: list[Task]) -> None:
    once = outcomes(drawn(default=EVEN), checked_in)
    again = outcomes(drawn(default=EVEN), checked_in[::-1])[::-1]
    assert once == again
    replies = [drawn(default={"truncated": 0.5}).reply(request(task)) for task in checked_in]
    assert replies[::-1] == [drawn(default={"truncated": 0.5}).reply(request(task)) for task in checked_in[::-1]]
    assert len(set(map(str, once))) > 2


def test_seed_fixture_name_repeat_and_attempt_draw_anew(checked_in: list[Task]) -> None:
    model = drawn(default=EVEN)
    kinds = [
        outcomes(model, checked_in), outcomes(model.seeded(2), checked_in), outcomes(model, checked_in, "udiff"),
        outcomes(model, checked_in, repeat=2), outcomes(model, checked_in, attempt=2),
    ]  # fmt: skip
    assert len({tuple(map(str, kind)) for kind in kinds}) == len(kinds)


def test_two_names_of_one_format_have_its_rates_and_fail_independently(checked_in: list[Task]) -> None:
    model = drawn(formats={"whole_file": {"wrong_change": 0.3}}, default={"truncated": 1})
    both: Counter[tuple[bool, bool]] = Counter()
    other = Renamed(FORMATS["whole_file"], "whole_file, again")
    for seed in range(200):
        for task in checked_in:
            one, two = request(task), replace(request(task), format=other)
            pair = tuple(model.seeded(seed).outcome(asked, 1).category is not None for asked in (one, two))
            both[pair] += 1
    total = 200 * len(checked_in)
    # Four standard errors of .09, .21 and .49 of 5,400.
    assert both[True, True] / total == pytest.approx(0.09, abs=0.016)
    assert both[True, False] / total == pytest.approx(0.21, abs=0.023)
    assert both[False, True] / total == pytest.approx(0.21, abs=0.023)


def test_provider_faults_are_no_evidence(checked_in: list[Task]) -> None:
    for key, reason in {"infra_error": Discard.INFRA_ERROR, "refusal": Discard.REFUSAL}.items():
        with pytest.raises(NoEvidence) as nothing:
            drawn(default={key: 1}).reply(request(checked_in[0]))
        assert nothing.value.reason is reason
    late = drawn(default={"infra_error": 1}, after_first_token=1).reply(request(checked_in[0]))
    assert late.stop_reason == "timeout"


def test_tokens_and_latency_are_as_the_file_says(checked_in: list[Task]) -> None:
    task = checked_in[0]
    plain = drawn().reply(request(task))
    own = count_tokens(plain.text)
    assert (plain.output_tokens, plain.latency_ms, plain.input_tokens) == (own, 400 + 12 * own, count_tokens("do it"))
    tokens = {"factor": {"median": 2}, "reasoning": {"median": 100}}
    billed = drawn(tokens=tokens, latency={"median_ms": 50, "ms_per_token": 1}).reply(request(task))
    assert (billed.output_tokens, billed.latency_ms) == (2 * own + 100, 2 * own + 150)
    spread = [drawn(s, latency={"median_ms": 500, "spread": 0.5, "ms_per_token": 0}) for s in range(200)]
    latencies = sorted(model.reply(request(task)).latency_ms for model in spread)
    assert latencies[0] < 300 < 420 < latencies[100] < 600 < 900 < latencies[-1]


def test_truncation_is_dealt_and_never_met(checked_in: list[Task]) -> None:
    huge = {"reasoning": {"median": 1_000_000}}
    for task in checked_in[:5]:
        right = drawn(tokens=huge).reply(request(task))
        assert (right.stop_reason, right.output_tokens) == ("stop", CAP - 1)
        cut = drawn(default={"truncated": 1}).reply(request(task))
        assert (cut.stop_reason, cut.output_tokens) == ("length", CAP)


def test_the_served_model_changes_when_it_is_told_to(checked_in: list[Task]) -> None:
    model = drawn(served_model={"name": "a", "then": "b", "after_attempt": 2})
    served = [model.reply(request(checked_in[0], attempt=n)).served_model for n in (1, 2, 3)]
    assert served == ["simulated:a", "simulated:a", "simulated:b"]
    assert drawn().reply(request(checked_in[0])).served_model == "simulated:test.yaml"


# --- making

EVERY = [Label(category, detail) for category in Category for detail in (None, *DETAILS[category])]


def standard(fmt: EditFormat) -> Leniency:
    return leniency(granted("standard", [fmt]), fmt)


def scored(bench: TaskBench, fmt: EditFormat, reply: Reply) -> Score:
    others = [other for other in FORMATS.values() if other is not fmt]
    return score_reply(
        reply.text, reply.stop_reason, fmt, others, bench.task, bench.tree, bench.run_tests, standard(fmt)
    )


def rates_of(label: Label) -> dict[str, object]:
    assert label.category is not None
    return {label.category.value: {label.detail.value: 1} if label.detail else 1}


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("mistakes", [Mistakes(), Mistakes(faults=())], ids=["by the faults", "by last resort"])
def test_every_category_is_possible_on_every_task_in_every_format(
    checked_in: list[Task], truth_bench: Bench, name: str, mistakes: Mistakes
) -> None:
    for category in Category:
        model = Drawn(spec(default={category.value: 1}), "m", 1, mistakes)
        for task in checked_in[::6]:
            assert scored(truth_bench(task), FORMATS[name], model.reply(request(task, name))).category is category


@pytest.mark.parametrize("label", EVERY, ids=str)
def test_every_label_a_file_may_name_keeps_its_category(
    checked_in: list[Task], truth_bench: Bench, label: Label
) -> None:
    for task, name in zip(checked_in[::4], [*FORMATS] * 5, strict=False):
        model = drawn(default=rates_of(label))
        assert scored(truth_bench(task), FORMATS[name], model.reply(request(task, name))).category is label.category


class Emptied:
    """A fault of the tests' own: the first file that is emptied, where the change set has two files."""

    name = "emptied"
    labels = (Label(Category.UNINTENDED_CHANGE, Detail.REMOVED),)
    needs_tests = False

    def damages(self, site: Site, random: Random) -> Iterator[Damaged]:
        if len(site.task.after) > 1:
            yield Damaged(site.task.before, {**site.task.after, min(site.task.after): b""}, self.labels[0])


class TestsNeeded(Emptied):
    """The same, but it says that it runs tests."""

    __test__ = False
    needs_tests = True


def test_a_fault_of_the_label_makes_the_reply_and_another_of_its_category_stands_in(checked_in: list[Task]) -> None:
    label = Label(Category.UNINTENDED_CHANGE, Detail.REMOVED)
    mistakes = Mistakes([Emptied()])
    kinds = set()
    for task in checked_in:
        made = mistakes.reply(task, FORMATS["whole_file"], label, 0)
        assert made.label.category is Category.UNINTENDED_CHANGE
        assert (made.label.detail is Detail.REMOVED) is (len(task.after) > 1)
        kinds.add(made.label.detail)
        assert Mistakes([TestsNeeded()]).reply(task, FORMATS["udiff"], label, 0).label.detail is Detail.ADDED
    assert kinds == {Detail.REMOVED, Detail.ADDED}


def test_replies_are_made_once(checked_in: list[Task]) -> None:
    mistakes, label = Mistakes(), Label(Category.WRONG_CHANGE, Detail.TESTS_FAIL)
    made = [mistakes.reply(checked_in[0], FORMATS["udiff"], label, n) for n in range(VARIANTS)]
    assert all(mistakes.reply(checked_in[0], FORMATS["udiff"], label, n) is made[n] for n in range(VARIANTS))


@pytest.mark.parametrize("label", EVERY, ids=str)
def test_what_ends_a_trial_never_stands_for_what_is_retried(label: Label) -> None:
    found = list(stand_ins(label, False, Random(1)))
    assert found[0] == label or label.detail is None
    assert all(other.category is label.category for other in found)
    if not is_last(label):
        assert not any(is_last(other) for other in found)
    assert len(found) == len(set(found))


def ending(task: Task, bench: TaskBench, model: Drawn, name: str, budget: int) -> list[object]:
    attempt, found = Attempt(bench, FORMATS[name], 1, (Message("user", "do it"),), standard(FORMATS[name])), []
    while True:
        line = make_attempt(attempt, model, CAP).line
        assert line.discarded is not Discard.HARNESS_ERROR, line.error
        found.append(line.discarded or line.failure_category)
        if is_finished([line], budget):
            return found
        attempt = replace(attempt, number=attempt.number + 1)


def test_a_wrong_location_that_is_not_possible_still_ends_the_task_as_misapplied(
    checked_in: list[Task], truth_bench: Bench
) -> None:
    """whole_file has no anchors. Retried stand-ins must not make the row rarer than the file says."""
    keys = {"default": {"misapplied": {"wrong_location": 0.4}}}
    mistakes, of = Mistakes(), spec(**keys)
    ends: Counter[object] = Counter()
    for seed in range(4):
        for task in checked_in:
            ends[ending(task, truth_bench(task), Drawn(of, "m", seed, mistakes), "whole_file", 3)[-1]] += 1
    share = ends[Category.MISAPPLIED] / ends.total()
    assert share == pytest.approx(0.4, abs=4 * (0.24 / ends.total()) ** 0.5)  # .4 ** 3 = .064 were it drawn again
    assert set(ends) == {Category.MISAPPLIED, None}


def test_tasks_end_as_expected_through_the_whole_line(checked_in: list[Task], truth_bench: Bench) -> None:
    keys = {
        "default": {"truncated": 0.2, "not_applied": 0.2, "misapplied": 0.1, "wrong_change": 0.15, "infra_error": 0.1},
        "retries": 0.5,
    }
    mistakes, of = Mistakes(), spec(**keys)
    ends: Counter[object] = Counter()
    for seed in range(3):
        for task in checked_in:
            ends[ending(task, truth_bench(task), Drawn(of, "m", seed, mistakes), "search_replace", 3)[-1]] += 1
    for verdict, probability in expected(of, "search_replace", 3).verdicts.items():
        error = (probability * (1 - probability) / ends.total()) ** 0.5
        assert abs(ends[verdict] / ends.total() - probability) < 4 * error + 1e-9, verdict


# --- impossible tasks


def made_impossible(task: Task) -> Task:
    """The task without its files, another of the tree shown in their place."""
    withheld = [path for path, content in task.before.items() if content is not None]
    paths = sorted(task.store.blobs(task.fixture.starting_tree))
    sources = [p for p in paths if p.endswith(".py") and role_of(p) is Role.SOURCE and p not in withheld]
    record = Impossible(of=task.id, withheld=withheld, shown=sources[:2], repeats=1)
    return replace(task, fixture=task.fixture.model_copy(update={"impossible": record}))


@pytest.mark.parametrize("detail", ON_IMPOSSIBLE)
@pytest.mark.parametrize("name", list(FORMATS))
def test_impossible_tasks_end_as_the_file_says(checked_in: list[Task], name: str, detail: Detail) -> None:
    task = made_impossible(next(t for t in checked_in if any(t.before.values())))
    bench = TaskBench(task, threading.Lock())  # no test is run on an impossible task
    reported = scored(bench, FORMATS[name], drawn(default={"truncated": 1}).reply(request(task, name)))
    assert (reported.category, reported.applied) == (None, False)
    edited = scored(bench, FORMATS[name], drawn(impossible={detail.value: 1}).reply(request(task, name)))
    assert edited.category is Category.WRONG_CHANGE
    assert edited.detail is detail or detail is Detail.NO_EFFECT  # which needs a fault of the tables
    for row in (Category.TRUNCATED, Category.MALFORMED, Category.NOT_APPLIED):
        assert scored(bench, FORMATS[name], drawn(impossible={row.value: 1}).reply(request(task, name))).category is row
