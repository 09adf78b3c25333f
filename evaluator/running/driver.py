"""The driver of a run: two pools of workers, one for model calls and one for scoring and tests.

Only the driver writes. A call's reply is stored before it is scored, so what was paid for is never asked again; an
attempt's line is added once it is scored.
"""

import contextlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from datetime import UTC, datetime
from queue import Empty, SimpleQueue

from evaluator.bench import TaskBench
from evaluator.formats.model import EditFormat
from evaluator.journal import AttemptLine, Journal, Kept, RunFile
from evaluator.models import close_model, stop_waiting
from evaluator.models.model import Model, Refused, Reply
from evaluator.prices import costs
from evaluator.running.attempt import Attempt, Made, Scores, Terms, scored, without_evidence
from evaluator.running.budget import Budget
from evaluator.running.diff import tree_diff
from evaluator.running.order import blocks, by_trial, following
from evaluator.running.reached import Held, Reached
from evaluator.running.trial import Place, Trial
from evaluator.sentence import sentence
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.parallel import pool
from miner.progress import lasting

_WAKE = 0.5  # seconds between two looks at whether a signal came, or the time is over

Progress = Callable[[AttemptLine], None]


@dataclass(frozen=True)
class _Called:
    """A call has ended, or was cancelled before it began."""

    trial: Trial
    attempt: Attempt
    future: Future[Reply]


@dataclass(frozen=True)
class _Scored:
    """A reply was scored."""

    trial: Trial
    future: Future[Made]


@dataclass(frozen=True)
class Extras:
    """What a run may be given besides: `scores` to score equal replies of simulations once; `again` to make calls anew
    that were given up; `keep`, which gets every attempt that was made; `say`, for warnings.
    """

    scores: Scores | None = None
    again: bool = False
    keep: Callable[[Made], None] | None = None
    say: Callable[[str], None] = lasting


def run(
    settings: RunFile, formats: Mapping[str, EditFormat], benches: Mapping[str, TaskBench], model: Model,
    journal: Journal, workers: int, progress: Progress, test_workers: int | None = None, extras: Extras = Extras(),
) -> None:  # fmt: skip
    """Make every attempt that the journal does not hold yet, until all are made or the settings' money or time is used.

    `formats` has those that the settings name; their names there are those of the run. Both pools are of threads;
    `test_workers` None: as many as cores. Raises `ToolError`, then and on Ctrl-C with every reply that came stored.
    """
    driver = _Driver(settings, formats, benches, model, journal, progress, extras)
    test_workers = test_workers or os.cpu_count() or 1
    try:
        with pool(workers) as calls, pool(test_workers) as tests:
            try:
                driver.drive(calls, tests, 2 * workers + test_workers)
            except BaseException:
                try:
                    driver.keep_arrived()
                finally:
                    with contextlib.suppress(Exception):  # let no call keep the process waiting
                        close_model(model)
                raise
    except BaseException:
        driver.keep_arrived(scores=False)  # tests that were killed meanwhile tell nothing
        raise


class _Driver:
    def __init__(
        self, settings: RunFile, formats: Mapping[str, EditFormat], benches: Mapping[str, TaskBench], model: Model,
        journal: Journal, progress: Progress, extras: Extras,
    ) -> None:  # fmt: skip
        self.settings, self.formats, self.benches = settings, formats, benches
        self.model, self.journal, self.progress, self.extras = model, journal, progress, extras
        self.terms = Terms.of(settings)
        self.budget = Budget(settings.max_spend_usd, settings.max_seconds)
        self.budget.spent = sum(line.paid_usd or 0 for line in journal.lines)
        self.budget.calls = sum(line.paid_usd is not None for line in journal.lines)
        self.served = next((line.served_model for line in journal.lines if line.served_model), None)
        self.warned = False
        self.reached = Reached(journal.lines)
        self.has_truth = {line.fixture for line in journal.lines}
        self.done: SimpleQueue[_Called | _Scored] = SimpleQueue()
        self.calling: set[Future[Reply]] = set()
        self.scoring = 0
        self.over = False  # no call may be begun any more
        self.ready: deque[Trial] = deque()
        self.late: deque[Trial] = deque()
        self.openings = self._openings()

    def drive(self, calls: Executor, tests: Executor, most: int) -> None:
        """Make what there is to make, at most so many attempts at once."""
        self.calls, self.tests, self.most = calls, tests, most
        while True:
            self._fill()
            if not self.calling and not self.scoring:
                self.reached.end()
                return
            with contextlib.suppress(Empty):
                event = self.done.get(timeout=_WAKE)
                self._called(event) if isinstance(event, _Called) else self._scored(event)
            if self.budget.is_late or (self.budget.usd is not None and self.budget.spent >= self.budget.usd):
                self._end()

    def keep_arrived(self, scores: bool = True) -> None:
        """Keep what came while the run was being ended: replies, which are paid for, and attempts that were scored.

        Where one cannot be written (the disk is full) the next is tried, which may be smaller; then it is raised.
        """
        failed: ToolError | None = None
        while not self.done.empty():
            event = self.done.get()
            if event.future.cancelled() or event.future.exception() is not None:
                continue
            try:
                if isinstance(event, _Called):
                    self.journal.store(event.attempt.key, event.future.result())
                elif scores:
                    made = event.future.result()
                    self._write(made.line, made.kept)
            except ToolError as error:
                failed = error
        if failed is not None:
            raise failed

    def _openings(self) -> Iterator[Trial]:
        """Every unfinished trial, in the order of the blocks; those whose call was lost are put off to the end."""
        settings, made = self.settings, by_trial(self.journal.lines)
        fixtures = [*settings.fixtures, *settings.impossible]
        for block in blocks(fixtures, settings.formats, settings.repeats, settings.seed):
            place = Place(block, settings, self.benches)
            for name in block.formats:
                lines = made.pop((block.fixture, name, block.repeat), [])
                after = following(lines, settings.attempts, settings.retry_on, self.extras.again)
                if after is None:
                    continue
                trial = Trial(place, self.formats[name], lines, after)
                if after.late:
                    self.late.append(trial)
                else:
                    yield trial

    def _fill(self) -> None:
        """Begin what may be begun."""
        while len(self.calling) + self.scoring < self.most and not self.reached.in_doubt:
            if not self.over and not self.budget.allows(len(self.calling)):
                if self.calling:
                    return  # they may turn out cheaper than the mean
                self._end()
            trial = self.ready.popleft() if self.ready else next(self.openings, None)
            if trial is None:
                if not self.late:
                    return
                trial = self.late.popleft()
            self._begin(trial)

    def _begin(self, trial: Trial) -> None:
        """Score the reply that is stored already, or call the model; or, where no call may be made, say so."""
        reply = self.journal.stored(trial.key)
        if reply is None and self.over:
            self._leave(trial)
            return
        try:
            attempt = trial.attempt(self.journal)
        except ToolError:
            raise
        except Exception as error:  # as where a reply cannot be scored: our bug says nothing about a format
            self._write(self._blank(trial, Discard.HARNESS_ERROR, f"{type(error).__name__}: {error}"))
            return
        if reply is not None:
            self._keep(self.reached.answered(now=False))
            self._score(trial, attempt, reply)
            return
        call = self.calls.submit(self.model.reply, attempt.request(self.settings.cap))
        self.calling.add(call)
        call.add_done_callback(lambda future: self.done.put(_Called(trial, attempt, future)))

    def _called(self, event: _Called) -> None:
        trial, attempt, future = event.trial, event.attempt, event.future
        self.calling.discard(future)
        if future.cancelled():
            self.ready.appendleft(trial)
            return
        error = future.exception()
        if error is None:
            reply = future.result()
            self.journal.store(attempt.key, reply)
            self._score(trial, attempt, reply)
            self._keep(self.reached.answered())
        elif isinstance(error, ToolError) or not isinstance(error, Exception):
            raise error
        else:
            made = without_evidence(attempt, self.model.name, None, error, self.terms)
            if made.line.discarded is Discard.BUDGET_EXHAUSTED:
                self._end()  # it was: or else this call would be made again at once
            self.budget.pay(made.line.paid_usd)
            if not isinstance(error, Refused) or not self.reached.holds(trial, made):
                self._unanswered(trial, made)

    def _unanswered(self, trial: Trial, made: Made) -> None:
        """Keep an attempt whose call gave no evidence."""
        self._add(trial, made)
        if made.line.discarded is Discard.REFUSAL:
            self._keep(self.reached.answered())
        elif made.line.discarded is Discard.INFRA_ERROR and not self.model.simulated:
            self.reached.given_up(made.line)

    def _keep(self, held: Iterable[Held]) -> None:
        for trial, made in held:
            self._add(trial, made)

    def _score(self, trial: Trial, attempt: Attempt, reply: Reply) -> None:
        self.budget.pay(costs(self.settings.price, reply).paid)
        self.scoring += 1
        job = self.tests.submit(scored, attempt, reply, self.model.name, self.terms, self.extras.scores)
        job.add_done_callback(lambda future: self.done.put(_Scored(trial, future)))

    def _scored(self, event: _Scored) -> None:
        self.scoring -= 1
        trial, made = event.trial, event.future.result()
        if trial.fixture not in self.has_truth and self.extras.scores is None:
            self.has_truth.add(trial.fixture)
            task = made.attempt.bench.task
            self.journal.keep_truth(trial.fixture, tree_diff(task.before, task.after))
        self._add(trial, made)

    def _add(self, trial: Trial, made: Made) -> None:
        """Keep an attempt, and go on with its trial."""
        line = self._write(made.line, made.kept)
        if self.extras.keep is not None:
            self.extras.keep(made)
        trial.lines.append(line)
        after = following(trial.lines, self.settings.attempts, self.settings.retry_on)
        if after is None:
            return
        trial.goes_on(line, made.kept.reply, after)
        (self.late if after.late else self.ready).append(trial)

    def _write(self, line: AttemptLine, kept: Kept | None = None) -> AttemptLine:
        kept = kept or Kept((), "", sentence=sentence(line))
        line = line.model_copy(update={"ended": datetime.now(UTC).isoformat(timespec="milliseconds")})
        self.journal.add(line, kept)
        self.progress(line)
        self.served = self.served or line.served_model
        if line.served_model not in (None, self.served) and not self.warned:
            self.warned = True
            names = f"{line.served_model} after {self.served}"
            self.extras.say(f"warning: the provider served {names}: the formats will not be compared")
        return line

    def _end(self) -> None:
        """Money or time is used up: begin no call any more."""
        if not self.over:
            self.over = True
            for call in list(self.calling):
                call.cancel()
            stop_waiting(self.model)  # what is in flight goes on to its end

    def _leave(self, trial: Trial) -> None:
        """Say of a trial that the run ended before it did, once; a later run makes the attempt."""
        if trial.lines and trial.lines[-1].discarded is Discard.BUDGET_EXHAUSTED:
            return
        self._write(self._blank(trial, Discard.BUDGET_EXHAUSTED, "the run's money or time was used up"))

    def _blank(self, trial: Trial, why: Discard, error: str) -> AttemptLine:
        """The line of an attempt that was not asked for."""
        fixture, fmt, repeat, attempt, call = trial.key
        return AttemptLine(
            fixture=fixture, format=fmt, model=self.model.name, repeat=repeat, attempt=attempt, call=call, valid=False,
            discarded=why, error=error,
        )  # fmt: skip
