"""What a run would take, worked out before anything is spent (docs/planning.md). Nothing here calls a model.

Tokens are o200k's, times are of calls alone: no tests, no back-off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import chain

from evaluator.formats.model import CannotExpress, EditFormat
from evaluator.journal import Price
from evaluator.messages import shared_part, with_instructions
from evaluator.models.last_resort import BLOCKED
from evaluator.prices import Costs, costs
from evaluator.statistics.power import CanShow, can_show
from miner.fixtures import Task
from miner.tokens import count_tokens

FIRST_TOKEN = 2.0  # seconds
FEEDBACK, FEEDBACK_MOST = 100, 2_000  # tokens of what a retry is told
CACHED_FROM = 1_024  # tokens; of shorter prefixes providers cache nothing


@dataclass(frozen=True)
class Assumed:
    """What a plan rests on.

    `retries`: the share of attempts that another one follows. `overhead`: a reply's tokens over those of the bare
    right answer. `rate`: output tokens a second of one call. `workers`: calls at once.
    """

    cap: int
    attempts: int = 3
    repeats: int = 1
    workers: int = 2
    retries: float = 0.1
    overhead: float = 1.3
    rate: float = 60.0


@dataclass(frozen=True)
class Size:
    """A task in a format, in tokens: of the prompt what is shared with other formats and what is not; the answer.

    `answer` None: the format cannot express it.
    """

    fixture: str
    impossible: bool
    shared: int
    own: int
    answer: int | None

    @property
    def prompt(self) -> int:
        """All of the prompt."""
        return self.shared + self.own


@dataclass(frozen=True)
class Use:
    """Calls and tokens, of a trial or of many. Cached and cache-write tokens are of the input."""

    calls: float = 0.0
    input_tokens: float = 0.0
    cached_tokens: float = 0.0
    cache_write_tokens: float = 0.0
    output_tokens: float = 0.0

    def seconds_at(self, rate: float) -> float:
        """How long the calls take one after another, at so many output tokens a second."""
        return self.output_tokens / rate + self.calls * FIRST_TOKEN


@dataclass(frozen=True)
class Amount:
    """What is used, what it costs, and how many seconds it takes."""

    use: Use
    costs: Costs
    seconds: float


@dataclass(frozen=True)
class FormatPlan:
    """A format over a set. Counted once, whatever the repeats: tasks it cannot express, answers longer than the cap."""

    name: str
    expected: Amount
    most: Amount
    cannot_express: int
    past_cap: int


@dataclass(frozen=True)
class Plan:
    """All formats, each and together, and what the set can show of them."""

    formats: tuple[FormatPlan, ...]
    expected: Amount
    most: Amount
    shows: tuple[CanShow, ...]


def measured(task: Task, formats: Sequence[EditFormat], show_tests: bool, context: int) -> dict[str, Size]:
    """What a task takes in each format, as the run would put it."""
    shared = shared_part(task, show_tests, context)
    alike = None
    found = {}
    for fmt in formats:
        system, user = with_instructions(shared, fmt.instructions())
        alike = alike if alike is not None else count_tokens(system.content) + count_tokens(shared)
        own = count_tokens(user.content[user.shared :])
        found[fmt.name] = Size(task.id, task.impossible, alike, own, _answer(task, fmt))
    return found


def _answer(task: Task, fmt: EditFormat) -> int | None:
    if task.impossible:
        return count_tokens(BLOCKED)
    encoded = fmt.encode(task.before, task.after)
    return None if isinstance(encoded, CannotExpress) else count_tokens(encoded)


def planned(sizes: Mapping[str, Sequence[Size]], assumed: Assumed, price: Price | None) -> Plan:
    """The plan of a run, from the size of every task in each of its formats."""
    expected = {name: _all_expected(found, len(sizes), assumed) for name, found in sizes.items()}
    most = {name: [_most(size, assumed) for size in found] for name, found in sizes.items()}
    formats = tuple(
        FormatPlan(
            name, _amount(expected[name], assumed, price), _amount(most[name], assumed, price),
            sum(size.answer is None for size in found), sum((size.answer or 0) > assumed.cap for size in found),
        )
        for name, found in sizes.items()
    )  # fmt: skip
    possible = max((sum(not size.impossible for size in found) for found in sizes.values()), default=0)
    return Plan(
        formats, _amount(list(chain(*expected.values())), assumed, price),
        _amount(list(chain(*most.values())), assumed, price), tuple(can_show(possible, len(sizes))),
    )  # fmt: skip


def _all_expected(sizes: Sequence[Size], formats: int, assumed: Assumed) -> list[Use]:
    known = [size.answer for size in sizes if size.answer is not None]
    usual = sum(known) / len(known) if known else assumed.cap
    return [_expected(size, usual if size.answer is None else size.answer, formats, assumed) for size in sizes]


def _expected(size: Size, answer: float, formats: int, assumed: Assumed) -> Use:
    """A trial as it is supposed to go: what cannot come out right takes every attempt.

    The first call of a block writes the shared prefix to the cache and the others read it. Which format that is, is
    chance, so each bears its part.
    """
    hopeless = size.answer is None or size.answer > assumed.cap
    chances = [1.0 if hopeless else assumed.retries**n for n in range(assumed.attempts)]
    calls = sum(chances)
    reply = min(answer * assumed.overhead, assumed.cap)
    carried = sum(chance * n for n, chance in enumerate(chances)) * (reply + FEEDBACK)
    written = size.shared / formats if size.shared >= CACHED_FROM else 0.0
    read = size.shared * calls - written if written else 0.0
    return Use(calls, size.prompt * calls + carried, read, written, reply * calls)


def _most(size: Size, assumed: Assumed) -> Use:
    """A trial at its dearest: every attempt taken, every reply at the cap, all input written to a cache, none read."""
    carried = sum(range(assumed.attempts)) * (assumed.cap + FEEDBACK_MOST)
    prompts = size.prompt * assumed.attempts + carried
    return Use(assumed.attempts, prompts, 0.0, prompts, assumed.attempts * assumed.cap)


def _amount(trials: Sequence[Use], assumed: Assumed, price: Price | None) -> Amount:
    """Trials made `repeats` times by all workers, no sooner than the longest of them."""
    use = Use(*(sum(of) * assumed.repeats for of in zip(*map(astuple, trials), strict=True)))
    longest = max((trial.seconds_at(assumed.rate) for trial in trials), default=0.0)
    return Amount(use, costs(price, use), max(use.seconds_at(assumed.rate) / assumed.workers, longest))
