"""`evaluator run`: every format over every fixture of a set, under the same prompts and trees.

Workers call models and score; only the driver writes, so an interrupted run loses no finished attempt.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from evaluator.appliers import leniency
from evaluator.bench import TaskBench
from evaluator.feedback import retry_message, told
from evaluator.formats import others
from evaluator.formats.model import STRICT, EditFormat, Leniency
from evaluator.formats.renamed import own_name
from evaluator.journal import AttemptLine, Journal, RunFile
from evaluator.memo import Memo
from evaluator.messages import Message, first_messages
from evaluator.models.model import Model, NoEvidence, Reply, Request
from evaluator.scoring import Score, applies, score_reply
from evaluator.taxonomy import Category, Discard, StopReason
from evaluator.trials import is_finished
from miner.errors import ToolError
from miner.parallel import first_done, pool

REPEAT = 1  # repeats come later; the field is on disk from the start


@dataclass(frozen=True)
class Attempt:
    """One attempt to make: the trial and the conversation so far."""

    bench: TaskBench
    format: EditFormat
    number: int
    messages: tuple[Message, ...]
    leniency: Leniency = STRICT


@dataclass(frozen=True)
class Made:
    """An attempt that was made."""

    attempt: Attempt
    line: AttemptLine
    reply: str


@dataclass(frozen=True)
class Judged:
    """A reply's score, and whether its format's specification to the letter applied it (None: not asked)."""

    score: Score
    strictly: bool | None


Progress = Callable[[AttemptLine], None]
# What a judgement depends on: task, format, reply, stop reason, tolerances, and whether it is a first attempt.
Scores = Memo[tuple[str, str, str, StopReason | None, Leniency, bool], Judged]


def run(settings: RunFile, formats: Mapping[str, EditFormat], benches: Mapping[str, TaskBench], model: Model,
        journal: Journal, workers: int, progress: Progress, scores: Scores | None = None) -> None:  # fmt: skip
    """Make every attempt that the journal does not hold yet.

    `formats` has those that the settings name; their names there are those of the run. `scores` is for simulations,
    which give the same replies over and over: equal ones are then scored once.
    """
    waiting: set[Future[Made]] = set()
    todo = _openings(settings, formats, benches, journal)
    with pool(workers) as executor:

        def submit(attempt: Attempt) -> None:
            waiting.add(executor.submit(make_attempt, attempt, model, settings.cap, scores))

        while True:
            while len(waiting) < 2 * workers and (attempt := next(todo, None)) is not None:
                submit(attempt)
            if not waiting:
                return
            finished, waiting = first_done(waiting)
            for future in finished:
                made = future.result()
                journal.add(made.line, made.attempt.messages, made.reply)
                progress(made.line)
                if not is_finished([made.line], settings.attempts):
                    submit(_next(made))


def _openings(
    settings: RunFile, formats: Mapping[str, EditFormat], benches: Mapping[str, TaskBench], journal: Journal
) -> Iterator[Attempt]:  # fmt: skip
    """The first missing attempt of every unfinished trial: blocks in random order, formats shuffled within."""
    made: dict[tuple[str, str, int], list[AttemptLine]] = {}
    for line in journal.lines:
        made.setdefault((line.fixture, line.format, line.repeat), []).append(line)
    shuffle = random.Random(settings.seed)
    fixtures = [*settings.fixtures, *settings.impossible]
    shuffle.shuffle(fixtures)
    for fixture in fixtures:
        names = list(settings.formats)
        shuffle.shuffle(names)
        for name in names:
            done, fmt = made.get((fixture, name, REPEAT), []), formats[name]
            if not is_finished(done, settings.attempts):
                granted = leniency(settings.applier, fmt)
                opening = first_messages(benches[fixture].task, fmt.instructions(), settings.show_tests)
                yield _continued(Attempt(benches[fixture], fmt, 1, opening, granted), done, journal)


def _continued(attempt: Attempt, done: Sequence[AttemptLine], journal: Journal) -> Attempt:
    """The attempt that follows those that were made of a trial, which began with `attempt`."""
    for line in sorted(done, key=lambda a: a.attempt):
        attempt = _next(Made(attempt, line, journal.reply(line)))
    return attempt


def _next(made: Made) -> Attempt:
    messages = (*made.attempt.messages, Message("assistant", made.reply), retry_message(made.line.feedback))
    return replace(made.attempt, number=made.attempt.number + 1, messages=messages)


def make_attempt(attempt: Attempt, model: Model, cap: int, scores: Scores | None = None) -> Made:
    """Call the model and score its reply."""
    request = Request(attempt.messages, cap, attempt.bench.task, attempt.format, REPEAT, attempt.number)
    blank = AttemptLine(
        fixture=attempt.bench.task.id, format=attempt.format.name, model=model.name, repeat=REPEAT,
        attempt=attempt.number, valid=False,
    )  # fmt: skip
    reply: Reply | None = None
    try:
        reply = model.reply(request)
        judged = _judged(attempt, reply, cap, scores)
    except NoEvidence as error:
        return Made(attempt, _discarded(blank, reply, error.reason, str(error)), reply.text if reply else "")
    except ToolError:
        raise
    except Exception as error:  # our bug says nothing about a format: the trial is discarded, and named
        message = f"{type(error).__name__}: {error}"
        return Made(attempt, _discarded(blank, reply, Discard.HARNESS_ERROR, message), reply.text if reply else "")
    score = judged.score
    line = blank.model_copy(update=_call(reply) | {
        "valid": score.valid, "unintended_changes": score.unintended, "unintended_kinds": score.kinds,
        "excused": score.excused,
        "failure_category": score.category,
        "detail": score.detail, "applied": score.applied, "edits": score.edits,
        "edits_applied": score.edits_applied, "tests": score.tests.value if score.tests else None,
        "feedback": told("error", score, attempt.bench.tree), "signal": score.signal,
        "edit_steps": score.steps if any(score.steps) else (),
        "strict_applied": judged.strictly,
    })  # fmt: skip
    return Made(attempt, line, reply.text)


def _judged(attempt: Attempt, reply: Reply, cap: int, scores: Scores | None) -> Judged:
    stop = "length" if reply.stop_reason == "stop" and reply.output_tokens >= cap else reply.stop_reason

    def judge() -> Judged:
        fmt, bench = attempt.format, attempt.bench
        score = score_reply(
            reply.text, stop, fmt, others(fmt), bench.task, bench.tree, bench.run_tests, attempt.leniency
        )
        return Judged(score, _strictly(attempt, reply, score))

    if scores is None:
        return judge()
    first = attempt.number == 1
    key = (attempt.bench.task.id, own_name(attempt.format), reply.text, stop, attempt.leniency, first)
    return scores.get(key, judge)


def _strictly(attempt: Attempt, reply: Reply, score: Score) -> bool | None:
    """Whether a first attempt applies to the letter of its format's specification, where it reached the applier."""
    if attempt.number > 1 or (not score.edits and score.category is not Category.MALFORMED):
        return None
    if score.applied and not any(score.steps):
        return True
    return applies(reply.text, attempt.format, attempt.bench.tree)


def _call(reply: Reply) -> dict[str, object]:
    return {
        "output_tokens": reply.output_tokens, "input_tokens": reply.input_tokens, "latency_ms": reply.latency_ms,
        "served_model": reply.served_model or None, "stop_reason": reply.stop_reason,
    }  # fmt: skip


def _discarded(blank: AttemptLine, reply: Reply | None, reason: Discard, message: str) -> AttemptLine:
    return blank.model_copy(update=(_call(reply) if reply else {}) | {"discarded": reason, "error": message})
