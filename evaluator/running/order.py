"""What a run makes, in which order, and what a trial needs next. Pure."""

import hashlib
import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine
from evaluator.taxonomy import DEFAULT_SIGNALS, Discard, Signal
from evaluator.trials import is_finished

CALLS = 2  # of one attempt: a call that gave no evidence is made once more, at the end of the run
_SEEDS = 2**31 - 1  # some servers take no larger ones

TrialKey = tuple[str, str, int]  # fixture, format, repeat


@dataclass(frozen=True)
class Block:
    """One fixture and repeat over all formats, in the order in which they are begun."""

    fixture: str
    repeat: int
    formats: tuple[str, ...]


@dataclass(frozen=True)
class Next:
    """The attempt that a trial needs next, both from 1. `late`: to be made at the end of the run."""

    attempt: int
    call: int
    late: bool = False


def blocks(fixtures: Sequence[str], formats: Sequence[str], repeats: int, seed: int) -> Iterator[Block]:
    """Every block once, in random order, its formats shuffled: drift of a provider hits all formats alike."""
    shuffle = random.Random(seed)
    order = [(fixture, repeat) for fixture in fixtures for repeat in range(1, repeats + 1)]
    shuffle.shuffle(order)
    for fixture, repeat in order:
        yield Block(fixture, repeat, tuple(shuffle.sample(formats, len(formats))))


def model_seed(seed: int, repeat: int) -> int:
    """What the model is sent as its seed: another for every repeat (from 1), the same for every format."""
    first = int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8])
    return (first + repeat) % _SEEDS


def by_trial(lines: Iterable[AttemptLine]) -> dict[TrialKey, list[AttemptLine]]:
    """The attempts of every trial."""
    found: dict[TrialKey, list[AttemptLine]] = {}
    for line in lines:
        found.setdefault((line.fixture, line.format, line.repeat), []).append(line)
    return found


def following(
    lines: Sequence[AttemptLine], budget: int, retry_on: Collection[Signal] = DEFAULT_SIGNALS, again: bool = False
) -> Next | None:  # fmt: skip
    """What a trial with these attempts needs next; None where it has its verdict, or no evidence is to be had.

    A call that ended as `infra_error` is made once more, with `again` however often it was made; with `again` also one
    that the provider refused for a reason of the request's (`harness_error` without a reply). An attempt that the run's
    money or clock left no room for is made as soon as there is some. One whose line was taken out of the journal comes
    first: its stored reply is scored again.
    """
    made = {line.attempt for line in lines}
    if gap := next((number for number in range(1, len(made) + 1) if number not in made), None):
        return Next(gap, 1)
    if not lines:
        return Next(1, 1)
    last = max(lines, key=lambda a: (a.attempt, a.call))
    if last.discarded is Discard.BUDGET_EXHAUSTED:
        return Next(last.attempt, last.call + 1)
    if last.discarded is Discard.INFRA_ERROR:
        calls = sum(a.attempt == last.attempt and a.discarded is Discard.INFRA_ERROR for a in lines)
        return Next(last.attempt, last.call + 1, late=True) if again or calls < CALLS else None
    if again and last.discarded is Discard.HARNESS_ERROR and not has_reply(last):
        return Next(last.attempt, last.call + 1, late=True)
    return None if is_finished(lines, budget, retry_on) else Next(last.attempt + 1, 1)


def has_reply(line: AttemptLine) -> bool:
    """Whether the call had a reply, which is stored: every one's prompt has tokens, but in some packages' models."""
    return bool(line.input_tokens or line.output_tokens or line.served_model or line.stop_reason)


def counted(lines: Iterable[AttemptLine], before: int) -> list[AttemptLine]:
    """The last call of every attempt before that number, in order: what the conversation is made of."""
    calls = {line.attempt: line for line in sorted(lines, key=lambda a: a.call)}
    return [calls[number] for number in sorted(calls) if number < before]
