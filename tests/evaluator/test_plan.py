"""Plans: what trials are supposed to take, worked out by hand, and on the checked-in fixtures."""

from dataclasses import replace
from datetime import date

import pytest

from evaluator.amounts import money
from evaluator.formats import FORMATS
from evaluator.journal import Price
from evaluator.messages import first_messages
from evaluator.models.last_resort import truth
from evaluator.plan import FEEDBACK, FEEDBACK_MOST, FIRST_TOKEN, Assumed, Plan, Size, measured, planned
from evaluator.statistics.power import can_show, smallest_difference, tasks_needed
from miner.fixtures import Task
from miner.tokens import count_tokens
from miner.wording import duration

ONE = Assumed(cap=1_000, attempts=3, repeats=1, workers=1, retries=0.0, overhead=1.0, rate=10.0)
PRICE = Price(model="m", as_of=date(2026, 1, 1), input=10, output=100, cache_read=1, cache_write=20)
SIZE = Size("a/1-x", False, shared=2_000, own=100, answer=500)


def plan(assumed: Assumed, *sizes: Size, formats: int = 1, price: Price | None = PRICE) -> Plan:
    return planned({f"f{n}": list(sizes) for n in range(formats)}, assumed, price)


# What differs from the one trial above: calls, input, cached, written, output tokens.
EXPECTED = [
    (ONE, SIZE, (1, 2_100, 0, 2_000, 500)),
    (replace(ONE, overhead=1.5), SIZE, (1, 2_100, 0, 2_000, 750)),
    (replace(ONE, overhead=3.0), SIZE, (1, 2_100, 0, 2_000, 1_000)),  # never more than the cap
    (replace(ONE, retries=0.5), SIZE, (1.75, 2_100 * 1.75 + (0.5 + 2 * 0.25) * (500 + FEEDBACK), 1_500, 2_000, 875)),
    (replace(ONE, retries=0.5, attempts=1), SIZE, (1, 2_100, 0, 2_000, 500)),
    (replace(ONE, repeats=4), SIZE, (4, 8_400, 0, 8_000, 2_000)),
    (ONE, replace(SIZE, shared=1_000), (1, 1_100, 0, 0, 500)),  # too short for a cache
    (ONE, replace(SIZE, answer=1_001), (3, 6_300 + 3 * (1_000 + FEEDBACK), 4_000, 2_000, 3_000)),  # past the cap
    (ONE, replace(SIZE, answer=None), (3, 6_300 + 3 * (1_000 + FEEDBACK), 4_000, 2_000, 3_000)),  # nothing to go by
    (ONE, replace(SIZE, impossible=True), (1, 2_100, 0, 2_000, 500)),
]


@pytest.mark.parametrize(("assumed", "size", "used"), EXPECTED)
def test_what_is_expected_of_a_trial(assumed: Assumed, size: Size, used: tuple[float, ...]) -> None:
    use = plan(assumed, size).expected.use
    found = (use.calls, use.input_tokens, use.cached_tokens, use.cache_write_tokens, use.output_tokens)
    assert found == pytest.approx(used)


def test_what_a_format_cannot_express_is_paid_for_like_the_rest_of_its_answers() -> None:
    found = plan(ONE, SIZE, replace(SIZE, answer=None))
    assert found.formats[0].cannot_express == 1
    assert found.expected.use.calls == 1 + 3
    assert found.expected.use.output_tokens == 500 + 3 * 500


def test_at_most_every_attempt_is_taken_and_its_reply_ends_at_the_cap() -> None:
    use = plan(ONE, SIZE).most.use
    assert (use.calls, use.output_tokens, use.cached_tokens) == (3, 3_000, 0)
    assert use.input_tokens == 3 * 2_100 + (1 + 2) * (1_000 + FEEDBACK_MOST)


def test_formats_share_what_a_block_writes_to_the_cache() -> None:
    found = plan(ONE, SIZE, formats=4)
    assert found.expected.use.cache_write_tokens == 2_000, "one of the four writes"
    assert found.expected.use.cached_tokens == 6_000, "and three read"


def test_costs() -> None:
    found = plan(ONE, SIZE, formats=2).expected.costs
    assert found.canonical == pytest.approx(2 * (2_100 * 10 + 500 * 100) / 1e6)
    assert found.paid == pytest.approx((2_000 * 20 + 2_000 * 1 + 200 * 10 + 1_000 * 100) / 1e6)
    assert plan(ONE, SIZE, price=None).expected.costs.paid is None
    cheap = plan(ONE, SIZE, price=replace_price(cache_write=None)).most.costs
    assert cheap.paid == pytest.approx(cheap.canonical), "where writing costs nothing more, nor does the worst case"


def replace_price(**changes: float | None) -> Price:
    return PRICE.model_copy(update=changes)


def test_time_is_that_of_the_calls_by_all_workers_and_at_least_the_longest_trial() -> None:
    one = 500 / 10 + FIRST_TOKEN
    assert plan(ONE, SIZE).expected.seconds == pytest.approx(one)
    assert plan(replace(ONE, workers=2), *[SIZE] * 6).expected.seconds == pytest.approx(3 * one)
    assert plan(replace(ONE, workers=64), SIZE, formats=3).expected.seconds == pytest.approx(one)


@pytest.mark.parametrize("retries", [0.0, 0.3, 1.0])
def test_expected_is_never_more_than_at_most(retries: float) -> None:
    found = plan(replace(ONE, retries=retries), SIZE, replace(SIZE, answer=None), replace(SIZE, answer=5_000))
    for expected, most in [(found.expected, found.most), *((f.expected, f.most) for f in found.formats)]:
        assert expected.use.calls <= most.use.calls
        assert expected.use.input_tokens <= most.use.input_tokens
        assert expected.use.output_tokens <= most.use.output_tokens
        assert (expected.costs.paid or 0) <= (most.costs.paid or 0)
        assert expected.seconds <= most.seconds


def test_what_the_set_can_show_leaves_impossible_tasks_out() -> None:
    found = plan(ONE, *[SIZE] * 120, *[replace(SIZE, impossible=True)] * 30, formats=3)
    assert found.expected.use.calls == 3 * 150
    ten = found.shows[1]
    assert ten.disagreeing == 0.10
    assert ten.smallest == (smallest_difference(120, 0.1), smallest_difference(120, 0.1, pairs=3))
    three, ten_points = (tuple(tasks_needed(d, 0.1, pairs=pairs) for pairs in (1, 3)) for d in (0.03, 0.1))
    assert ten.tasks == (three, ten_points)
    assert three[0] == 920
    assert found.shows[0].tasks[1] == (None, None), "who disagrees on 5% cannot differ by 10"
    assert can_show(120, 1) == []


@pytest.mark.parametrize("name", FORMATS)
def test_sizes_are_those_of_the_prompt_and_of_the_truth(name: str, checked_in: list[Task]) -> None:
    fmt = FORMATS[name]
    for task in checked_in[:3]:
        size = measured(task, [fmt], show_tests=True, context=1)[name]
        asked = first_messages(task, fmt.instructions(), show_tests=True, context=1)
        assert abs(size.prompt - sum(count_tokens(m.content) for m in asked)) <= 1, "where the text is cut"
        assert size.answer == count_tokens(truth(task, fmt))


def test_an_impossible_task_is_answered_shortly(impossible_ones: list[Task]) -> None:
    (size,) = measured(impossible_ones[0], [FORMATS["whole_file"]], show_tests=False, context=0).values()
    assert size.impossible
    assert 5 < (size.answer or 0) < 30


@pytest.mark.parametrize(
    ("usd", "said"), [(None, "unpriced"), (0.0, "$0.00"), (0.01234, "$0.0123"), (0.999, "$1.00"), (1234.5, "$1,234.50")]
)
def test_money(usd: float | None, said: str) -> None:
    assert money(usd) == said


TIMES = [(0, "0 s"), (89, "89 s"), (90, "2 min"), (3_540, "59 min"), (7_199, "2 h 00 min"), (9e4, "25 h 00 min")]


@pytest.mark.parametrize(("seconds", "said"), TIMES)
def test_duration(seconds: float, said: str) -> None:
    assert duration(seconds) == said
