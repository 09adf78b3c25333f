from dataclasses import replace

import pytest

from evaluator.formats import FORMATS
from evaluator.formats.model import CannotExpress, Unreadable
from evaluator.messages import first_messages
from evaluator.models import model_named
from evaluator.models.model import Request
from evaluator.models.simulated import ARTICLE, Article, Fault, Perfect, deal
from miner.fixtures import Task
from miner.tokens import count_tokens

IDS = [f"r/{n}-x" for n in range(30)]


def request(task: Task, name: str, cap: int = 8_000, attempt: int = 1) -> Request:
    fmt = FORMATS[name]
    return Request(first_messages(task, fmt.instructions()), cap, task, fmt, 1, attempt)


@pytest.mark.parametrize("size", range(12, 31))
@pytest.mark.parametrize("name", list(ARTICLE))
def test_a_fixture_is_dealt_one_fault_and_most_are_dealt_none(name: str, size: int) -> None:
    dealt = deal(IDS[:size], name, seed=3)
    assert set(dealt) < set(IDS[:size])
    assert len(dealt) <= size // 2
    for fault, rate in ARTICLE[name].items():
        assert rate < 0.03 or fault in dealt.values(), "every fault of 3% or more shows"


def test_dealing_depends_on_seed_and_format_and_not_on_the_order_of_fixtures() -> None:
    dealt = deal(IDS, "whole_file", seed=1)
    assert deal(IDS[::-1], "whole_file", seed=1) == dealt
    assert deal(IDS, "whole_file", seed=2) != dealt
    wrong = {name: [i for i, f in deal(IDS, name, 1).items() if f is Fault.WRONG] for name in FORMATS}
    assert len({tuple(ids) for ids in wrong.values()}) > 1


def test_a_format_without_a_published_shape_meets_no_fault() -> None:
    assert deal(IDS, "mine", seed=1) == {}


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_perfect_model_says_the_truth_and_is_cut_at_the_cap_as_a_real_one_is(
    checked_in: list[Task], name: str
) -> None:
    task = checked_in[0]
    whole = Perfect().reply(request(task, name))
    assert (whole.text, whole.stop_reason) == (FORMATS[name].encode(task.before, task.after), "stop")
    assert whole.output_tokens == count_tokens(whole.text)
    cut = Perfect().reply(request(task, name, cap=20))
    assert (cut.stop_reason, cut.output_tokens) == ("length", 20)
    assert whole.text.startswith(cut.text)
    assert 0 < count_tokens(cut.text) <= 20


def with_fault(tasks: list[Task], name: str, fault: Fault) -> tuple[Article, Task]:
    model = Article([task.id for task in tasks], list(FORMATS), seed=1)
    return model, next(task for task in tasks if model.dealt[name].get(task.id) is fault)


def test_dealt_truncation_ends_inside_the_reply_at_the_cap(checked_in: list[Task]) -> None:
    model, task = with_fault(checked_in, "whole_file", Fault.TRUNCATED)
    for attempt in (1, 2, 3):
        reply = model.reply(request(task, "whole_file", attempt=attempt))
        assert (reply.stop_reason, reply.output_tokens) == ("length", 8_000)
        truth = FORMATS["whole_file"].encode(task.before, task.after)
        assert truth.startswith(reply.text)
        assert len(reply.text) < len(truth)


@pytest.mark.parametrize("name", ["unified_diff", "search_replace"])
def test_a_first_attempt_that_does_not_apply_is_followed_by_the_truth(checked_in: list[Task], name: str) -> None:
    model, task = with_fault(checked_in, name, Fault.NOT_APPLIED_FIRST)
    truth = FORMATS[name].encode(task.before, task.after)
    assert model.reply(request(task, name)).text != truth
    assert model.reply(request(task, name, attempt=2)).text == truth


def test_without_dealt_truncation_a_reply_counts_as_inside_the_cap_however_small(checked_in: list[Task]) -> None:
    model = Article([], list(FORMATS), seed=1)
    for task in checked_in:
        reply = model.reply(request(task, "whole_file", cap=50))
        assert (reply.stop_reason, reply.output_tokens) == ("stop", 49)
        assert reply.text == FORMATS["whole_file"].encode(task.before, task.after)


@pytest.mark.parametrize("name", ["simulated:article", "simulated:perfect"])
def test_simulated_models_say_so_and_are_served_under_their_name(checked_in: list[Task], name: str) -> None:
    model = model_named(name, IDS, list(FORMATS.values()), 1)
    assert model.simulated
    assert model.reply(request(checked_in[0], "whole_file")).served_model == model.name == name


@pytest.mark.parametrize("name", list(FORMATS))
def test_what_the_format_cannot_express_is_answered_without_an_edit(checked_in: list[Task], name: str) -> None:
    task = replace(checked_in[0])
    path = min(task.after)
    vars(task).update(before={path: b"caf\xe9\n"}, after={path: b"th\xe9\n"})
    assert isinstance(FORMATS[name].encode(task.before, task.after), CannotExpress)
    elsewhere = Fault.NOT_APPLIED, Fault.EDITED  # a path outside the tree; dealt to impossible tasks alone
    models = [Perfect(), *(article_dealing(fault, task, name) for fault in Fault if fault not in elsewhere)]
    for model in models:
        assert isinstance(FORMATS[name].parse(model.reply(request(task, name)).text), Unreadable)


def article_dealing(fault: Fault, task: Task, name: str) -> Article:
    model = Article([], [name], 1)
    model.dealt[name] = {task.id: fault}
    return model
