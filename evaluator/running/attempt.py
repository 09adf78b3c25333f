"""One attempt: what is asked, and what a reply comes to."""

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from tempfile import gettempdir

from evaluator.bench import TaskBench, Tested, digest_of
from evaluator.feedback import told
from evaluator.formats import others
from evaluator.formats.model import STRICT, EditFormat, Leniency
from evaluator.formats.renamed import own_name
from evaluator.journal import AttemptLine, Feedback, Kept, Key, Price, RunFile
from evaluator.marks import dumped, marks
from evaluator.memo import Memo
from evaluator.messages import Message
from evaluator.models.model import Model, NoEvidence, Reply, Request
from evaluator.prices import costs
from evaluator.running.diff import tree_diff
from evaluator.scoring import Score, Tests, applies, score_reply
from evaluator.sentence import sentence
from evaluator.signals import seen, with_seen
from evaluator.taxonomy import Category, Discard, StopReason
from miner.errors import ToolError
from miner.symbols.files import Files

_OF_THE_MACHINE = {
    errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN,
}  # fmt: skip


@dataclass(frozen=True)
class Terms:
    """What of a run's settings every attempt depends on."""

    cap: int
    feedback: Feedback = "error"
    show_tests: bool = False
    price: Price | None = None

    @classmethod
    def of(cls, settings: RunFile) -> "Terms":
        """Those of a run."""
        return cls(settings.cap, settings.feedback, settings.show_tests, settings.price)


@dataclass(frozen=True)
class Attempt:
    """One attempt to make: the trial and the conversation so far. `digest` is that of the prompt's shared part."""

    bench: TaskBench
    format: EditFormat
    number: int
    messages: tuple[Message, ...]
    leniency: Leniency = STRICT
    repeat: int = 1
    call: int = 1
    seed: int | None = None
    digest: str = ""

    @property
    def key(self) -> Key:
        """What names the call within its run."""
        return self.bench.task.id, self.format.name, self.repeat, self.number, self.call

    def request(self, cap: int) -> Request:
        """What the model is asked."""
        return Request(self.messages, cap, self.bench.task, self.format, self.repeat, self.number, self.seed)


@dataclass(frozen=True)
class Made:
    """An attempt that was made: its line, what of it is kept to be read, and the files that it changed."""

    attempt: Attempt
    line: AttemptLine
    kept: Kept
    files: Files = field(default_factory=dict)


@dataclass(frozen=True)
class Judged:
    """A reply's score, what the tests said, and whether its format to the letter applied it (None: not asked)."""

    score: Score
    tested: Tested | None
    strictly: bool | None


# What a judgement depends on: task, format, reply, stop reason, tolerances, and whether it is a first attempt.
Scores = Memo[tuple[str, str, str, StopReason | None, Leniency, bool], Judged]


def make_attempt(attempt: Attempt, model: Model, cap: int, scores: Scores | None = None) -> Made:
    """Call the model and score its reply."""
    try:
        reply = model.reply(attempt.request(cap))
    except ToolError:
        raise
    except Exception as error:
        return without_evidence(attempt, model.name, None, error)
    return scored(attempt, reply, model.name, Terms(cap), scores)


def scored(attempt: Attempt, reply: Reply, model: str, terms: Terms, scores: Scores | None = None) -> Made:
    """What a reply comes to, whenever it was given. With `scores` nothing is kept to be read."""
    try:
        judged = _judged(attempt, reply, terms, scores)
        score = judged.score
        line = _line(attempt, model, _call(reply, terms) | {
            "valid": score.valid, "unintended_changes": score.unintended, "unintended_kinds": score.kinds,
            "excused": score.excused, "failure_category": score.category, "detail": score.detail,
            "applied": score.applied, "edits": score.edits, "edits_applied": score.edits_applied,
            "tests": score.tests.value if score.tests else None, "strict_applied": judged.strictly,
            "feedback": told(terms.feedback, score, attempt.bench.tree), "signal": score.signal,
            "edit_steps": score.steps if any(score.steps) else (),
        })  # fmt: skip
        kept = Kept(attempt.messages, reply.text) if scores else _kept(attempt, reply, line, judged)
    except ToolError:
        raise
    except (Exception, SystemExit) as error:  # another package's format must not end us in silence
        return without_evidence(attempt, model, reply, error, terms)
    return Made(attempt, line, kept, score.files)


def without_evidence(
    attempt: Attempt, model: str, reply: Reply | None, error: Exception | SystemExit, terms: Terms | None = None
) -> Made:  # fmt: skip
    """An attempt that says nothing about its format: the provider's fault, or ours, which is named.

    Raises `ToolError` where every other attempt would come to the same on this machine, as where its disk is full.
    """
    if isinstance(error, OSError) and (error.errno in _OF_THE_MACHINE or not os.access(gettempdir(), os.W_OK)):
        remedy = f"{error.strerror}. Mend that, then go on with `evaluator run --resume`."
        raise ToolError("the machine cannot go on", error.filename or gettempdir(), remedy) from error
    if isinstance(error, NoEvidence):
        reply = reply or error.reply  # a refusal, which was paid for
        why: dict[str, object] = {"discarded": error.reason, "error": str(error), "tries": error.tries}
    else:
        why = {"discarded": Discard.HARNESS_ERROR, "error": f"{type(error).__name__}: {error}"}
    called = _call(reply, terms or Terms(0)) if reply else {}
    line = _line(attempt, model, why | called)
    return Made(attempt, line, Kept(attempt.messages, reply.text if reply else "", sentence=sentence(line)))


def _line(attempt: Attempt, model: str, more: dict[str, object]) -> AttemptLine:
    fixture, fmt, repeat, number, call = attempt.key
    made = AttemptLine(
        fixture=fixture, format=fmt, model=model, repeat=repeat, attempt=number, call=call, valid=False,
        seed=attempt.seed, prompt_digest=attempt.digest,
    )  # fmt: skip
    return made.model_copy(update=more)


def _judged(attempt: Attempt, reply: Reply, terms: Terms, scores: Scores | None) -> Judged:
    at_cap = reply.output_tokens >= terms.cap and not reply.counted_here
    stop = "length" if reply.stop_reason == "stop" and at_cap else reply.stop_reason

    def judge() -> Judged:
        fmt, bench = attempt.format, attempt.bench
        score = score_reply(
            reply.text, stop, fmt, others(fmt), bench.task, bench.tree, bench.run_tests, attempt.leniency
        )
        tested = bench.tested(score.files) if score.tests else None
        if tested is not None and tested.verdict is not Tests.PASS:
            shown, required = bench.visible(terms.show_tests), bench.proof.required
            score = with_seen(score, seen(tested.verdict, tested.failing, tested.output, required, shown))
        return Judged(score, tested, _strictly(attempt, reply, score))

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


def _call(reply: Reply, terms: Terms) -> dict[str, object]:
    cost = costs(terms.price, reply)
    unsent: dict[str, object] = {} if reply.seeded else {"seed": None}  # the provider takes none
    return unsent | {
        "output_tokens": reply.output_tokens, "input_tokens": reply.input_tokens, "latency_ms": reply.latency_ms,
        "served_model": reply.served_model or None, "stop_reason": reply.stop_reason,
        "cached_tokens": reply.cached_tokens, "cache_write_tokens": reply.cache_write_tokens,
        "reasoning_tokens": reply.reasoning_tokens, "first_token_ms": reply.first_token_ms, "tries": reply.tries,
        "counted_here": reply.counted_here, "input_counted_here": reply.input_counted_here,
        "cost_usd": cost.canonical, "paid_usd": cost.paid,
    }  # fmt: skip


def _kept(attempt: Attempt, reply: Reply, line: AttemptLine, judged: Judged) -> Kept:
    files, tested = judged.score.files, judged.tested or Tested(Tests.PASS)
    read: Callable[[str], bytes | None] = attempt.bench.tree.read

    def draw() -> tuple[str, str]:
        before = {path: read(path) for path in files}
        return tree_diff(before, files), dumped(marks(before, files, line.unintended_changes, line.excused))

    key = (digest_of(files), line.unintended_changes, line.excused)
    diff, marked = attempt.bench.drawn.get(key, draw)  # formats of a block often write the same
    return Kept(attempt.messages, reply.text, diff, tested.output, sentence(line, tested.failing), marked)
