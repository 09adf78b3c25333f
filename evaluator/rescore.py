"""The stored replies of a run scored again with today's code: what comes to another verdict. No model is called."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from evaluator.appliers import leniency
from evaluator.bench import TaskBench
from evaluator.formats.model import EditFormat
from evaluator.journal import AttemptLine, Journal, Kept, RunFile, StoredRun
from evaluator.memo import Memo
from evaluator.models.model import Reply
from evaluator.running.attempt import Attempt, Made, Terms, scored
from evaluator.running.diff import tree_diff
from evaluator.running.order import TrialKey, by_trial
from evaluator.taxonomy import Discard, signal_of
from evaluator.trials import is_finished
from miner.errors import ToolError
from miner.parallel import first_done, pool

_REPEATS = 32  # fixtures and repeats whose test runs are remembered
# What scoring says besides the verdict.
_SCORED = (
    "valid", "unintended_changes", "unintended_kinds", "excused", "applied", "edits", "edits_applied", "tests",
    "edit_steps", "strict_applied", "feedback",
)  # fmt: skip


@dataclass(frozen=True)
class Again:
    """An attempt and what its reply comes to now; `new` is `old` where there is no reply to score."""

    old: AttemptLine
    new: AttemptLine
    scored: bool

    @property
    def differs(self) -> bool:
        """Whether it comes to another verdict."""
        return verdict(self.old) != verdict(self.new)

    @property
    def besides(self) -> list[str]:
        """What else scoring says otherwise."""
        found = [name for name in _SCORED if getattr(self.old, name) != getattr(self.new, name)]
        return [*found, "signal"] if _signal(self.old) != _signal(self.new) else found


@dataclass(frozen=True)
class Changed:
    """An attempt of another verdict. `note`: what of its trial would have gone on otherwise."""

    again: Again
    note: str


def verdict(line: AttemptLine) -> str:
    """`resolved`, `category/detail`, or the kind of discard."""
    if line.discarded is not None:
        return line.discarded.value
    if line.failure_category is None:
        return "resolved"
    return f"{line.failure_category}/{line.detail}" if line.detail else line.failure_category.value


def rescore(
    stored: StoredRun, formats: Mapping[str, EditFormat], benches: Mapping[str, TaskBench], into: Journal | None,
    workers: int,
) -> Iterator[Again]:  # fmt: skip
    """Every attempt of a run, in order, as it is and as it would be; kept in `into`, if that is given.

    Attempts whose call gave no reply stay as they are, `harness_error` with a reply is scored again. Raises `ToolError`
    where a reply is gone or was changed, or where a fixture or format is not known.
    """
    with pool(workers) as executor:
        ahead: deque[tuple[AttemptLine, Reply | None, Kept, Future[Made] | None]] = deque()

        def finish() -> Again:
            line, reply, kept, future = ahead.popleft()
            if future is None or reply is None:
                _keep(into, line, None, kept)
                return Again(line, line, False)
            first_done({future})
            made = future.result()
            new = made.line.model_copy(update={"ended": line.ended})
            _keep(into, new, reply, made.kept, made.attempt.bench)
            return Again(line, line if new == line else new, True)  # most are equal, and are held once

        for line, attempt, reply, kept in _attempts(stored, formats, benches):
            future = None
            if attempt is not None and reply is not None:
                future = executor.submit(scored, attempt, reply, line.model, Terms.of(stored.settings))
            ahead.append((line, reply, kept, future))
            if len(ahead) >= 4 * workers:
                yield finish()
        while ahead:
            yield finish()


def changed(settings: RunFile, found: Sequence[Again]) -> list[Changed]:
    """The attempts of another verdict, by fixture, format, repeat and attempt."""
    trials = by_trial(again.old for again in found)
    return [
        Changed(again, _note(settings, trials[_trial(again.old)], again))
        for again in sorted(found, key=lambda a: a.old.key) if again.differs
    ]  # fmt: skip


def resolved(lines: Sequence[AttemptLine]) -> Counter[str]:
    """How many trials every format resolved, as these lines say."""
    last = (max(trial, key=lambda a: (a.attempt, a.call)) for trial in by_trial(lines).values())
    return Counter(line.format for line in last if verdict(line) == "resolved")


def _attempts(
    stored: StoredRun, formats: Mapping[str, EditFormat], benches: Mapping[str, TaskBench]
) -> Iterator[tuple[AttemptLine, Attempt | None, Reply | None, Kept]]:
    repeats: Memo[tuple[str, int], TaskBench] = Memo(_REPEATS)
    for line in stored.lines:
        reply = stored.reply(line) if line.discarded in (None, Discard.HARNESS_ERROR) else None
        kept = stored.kept(line) or Kept((), "")
        if reply is None:
            yield line, None, None, kept
            continue
        if line.fixture not in benches or line.format not in formats:
            what = f"an attempt of what the run does not name ({line.fixture}, {line.format})"
            raise ToolError(what, stored.folder / "attempts.jsonl", "Give a folder that `evaluator run` wrote.")
        bench, fmt = _bench(repeats, benches, line), formats[line.format]
        yield line, Attempt(
            bench, fmt, line.attempt, tuple(kept.messages), leniency(stored.settings.applier, fmt), line.repeat,
            line.call, line.seed, line.prompt_digest,
        ), reply, kept  # fmt: skip


def _bench(
    repeats: Memo[tuple[str, int], TaskBench], benches: Mapping[str, TaskBench], line: AttemptLine
) -> TaskBench:  # fmt: skip
    """The fixture's bench; another repeat runs its tests anew, as in a run."""
    first = benches[line.fixture]
    return first if line.repeat == 1 else repeats.get((line.fixture, line.repeat), first.afresh)


def _keep(
    into: Journal | None, line: AttemptLine, reply: Reply | None, kept: Kept, bench: TaskBench | None = None
) -> None:  # fmt: skip
    if into is None:
        return
    if reply is not None:
        into.store(line.key, reply)
    if bench is not None:
        into.keep_truth(line.fixture, tree_diff(bench.task.before, bench.task.after))
    into.add(line, replace(kept, reply=reply.text if reply else ""))


def _trial(line: AttemptLine) -> TrialKey:
    return line.fixture, line.format, line.repeat


def _signal(line: AttemptLine) -> str | None:
    """The signal; older runs did not say it."""
    return line.signal or signal_of(line.failure_category, line.detail)


def _note(settings: RunFile, trial: Sequence[AttemptLine], again: Again) -> str:
    """What the new verdict would have changed of what came after it; what did come stays."""
    later = len({line.attempt for line in trial if line.attempt > again.old.attempt})
    ends = is_finished([again.new], settings.attempts, settings.retry_on)
    if later and ends:
        return f"would have spared {later} more attempt{'s' * (later > 1)}"
    if not later and not ends and is_finished([again.old], settings.attempts, settings.retry_on):
        return "would have caused another attempt"
    return ""


