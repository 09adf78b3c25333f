"""`evaluator run`: every format over every fixture of a set, under the same prompts and trees.

Workers call models and score; only the driver writes, so an interrupted run loses no finished attempt.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from evaluator.appliers import leniency
from evaluator.bench import TaskBench
from evaluator.formats import FORMATS, format_named
from evaluator.formats.model import STRICT, EditFormat, Leniency
from evaluator.journal import AttemptLine, Journal, RunFile, reply_path
from evaluator.messages import Message, first_messages, retry_message
from evaluator.models.model import Model, NoEvidence, Reply, Request
from evaluator.scoring import Score, applies, score_reply
from evaluator.taxonomy import Category, Discard
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


Progress = Callable[[AttemptLine], None]


def run(settings: RunFile, benches: dict[str, TaskBench], model: Model, journal: Journal, workers: int,
        progress: Progress) -> None:  # fmt: skip
    """Make every attempt that the journal does not hold yet."""
    waiting: set[Future[Made]] = set()
    todo = _openings(settings, benches, journal)
    with pool(workers) as executor:
        while True:
            while len(waiting) < 2 * workers and (attempt := next(todo, None)) is not None:
                waiting.add(executor.submit(make_attempt, attempt, model, settings.cap))
            if not waiting:
                return
            finished, waiting = first_done(waiting)
            for future in finished:
                made = future.result()
                journal.add(made.line, made.attempt.messages, made.reply)
                progress(made.line)
                if not is_finished([made.line], settings.attempts):
                    waiting.add(executor.submit(make_attempt, _next(made), model, settings.cap))


def _openings(settings: RunFile, benches: dict[str, TaskBench], journal: Journal) -> Iterator[Attempt]:
    """The first missing attempt of every unfinished trial: blocks in random order, formats shuffled within."""
    shuffle = random.Random(settings.seed)
    fixtures = list(settings.fixtures)
    shuffle.shuffle(fixtures)
    for fixture in fixtures:
        names = list(settings.formats)
        shuffle.shuffle(names)
        for name in names:
            done = [a for a in journal.lines if (a.fixture, a.format, a.repeat) == (fixture, name, REPEAT)]
            if not is_finished(done, settings.attempts):
                fmt = format_named(name)
                granted = leniency(settings.applier, fmt)
                opening = first_messages(benches[fixture].task, fmt.instructions(), settings.show_tests)
                yield _continued(Attempt(benches[fixture], fmt, 1, opening, granted), done, journal)


def _continued(attempt: Attempt, done: Sequence[AttemptLine], journal: Journal) -> Attempt:
    """The attempt that follows those that were made of a trial, which began with `attempt`."""
    for line in sorted(done, key=lambda a: a.attempt):
        path = reply_path(journal.replies, line.fixture, line.format, line.repeat, line.attempt)
        try:
            text = path.read_bytes().decode("utf-8", "surrogateescape")
        except OSError as error:
            raise ToolError("a stored reply is missing", path, f"{error.strerror}. Start a new run.") from None
        attempt = _next(Made(attempt, line, text))
    return attempt


def _next(made: Made) -> Attempt:
    messages = (*made.attempt.messages, Message("assistant", made.reply), retry_message(made.line.feedback))
    return replace(made.attempt, number=made.attempt.number + 1, messages=messages)


def make_attempt(attempt: Attempt, model: Model, cap: int) -> Made:
    """Call the model and score its reply."""
    request = Request(attempt.messages, cap, attempt.bench.task, attempt.format, REPEAT, attempt.number)
    blank = AttemptLine(
        fixture=attempt.bench.task.id, format=attempt.format.name, model=model.name, repeat=REPEAT,
        attempt=attempt.number, valid=False,
    )  # fmt: skip
    reply: Reply | None = None
    try:
        reply = model.reply(request)
        score = _score(attempt, reply, cap)
    except NoEvidence as error:
        return Made(attempt, _discarded(blank, reply, error.reason, str(error)), reply.text if reply else "")
    except ToolError:
        raise
    except Exception as error:  # our bug says nothing about a format: the trial is discarded, and named
        message = f"{type(error).__name__}: {error}"
        return Made(attempt, _discarded(blank, reply, Discard.HARNESS_ERROR, message), reply.text if reply else "")
    line = blank.model_copy(update=_call(reply) | {
        "valid": score.valid, "unintended_changes": score.unintended, "unintended_kinds": score.kinds,
        "excused": score.excused,
        "failure_category": score.category,
        "detail": score.detail, "applied": score.applied, "edits": score.edits,
        "edits_applied": score.edits_applied, "tests": score.tests.value if score.tests else None,
        "feedback": score.feedback, "edit_steps": score.steps if any(score.steps) else (),
        "strict_applied": _strictly(attempt, reply, score),
    })  # fmt: skip
    return Made(attempt, line, reply.text)


def _score(attempt: Attempt, reply: Reply, cap: int) -> Score:
    stop = "length" if reply.stop_reason == "stop" and reply.output_tokens >= cap else reply.stop_reason
    others = [fmt for name, fmt in FORMATS.items() if name != attempt.format.name]
    bench = attempt.bench
    return score_reply(
        reply.text, stop, attempt.format, others, bench.task, bench.tree, bench.run_tests, attempt.leniency
    )


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
