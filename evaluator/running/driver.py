"""The driver of a run: two pools of workers, one for model calls and one for scoring and tests.

Only the driver writes. A call's reply is stored before it is scored, so what was paid for is never asked again; an
attempt's line is added once it is scored.
"""

import contextlib
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor, Future

from evaluator.bench import TaskBench
from evaluator.formats.model import EditFormat
from evaluator.journal import Journal, Key, RunFile
from evaluator.models import close_model, stop_waiting
from evaluator.models.model import Model, Refused, Reply
from evaluator.prices import costs
from evaluator.running.agenda import Agenda
from evaluator.running.arrived import Arrived, Called, Scored
from evaluator.running.attempt import Attempt, Made, Terms, scored, without_evidence
from evaluator.running.budget import Budget
from evaluator.running.keeping import Extras, Keeper, Progress
from evaluator.running.reached import Held, Reached
from evaluator.running.trial import Trial
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.parallel import pool

_WAKE = 0.5  # seconds between two looks at whether a signal came, or the time is over


def run(
    settings: RunFile, formats: Mapping[str, EditFormat], benches: Mapping[str, TaskBench], model: Model,
    journal: Journal, workers: int, progress: Progress, test_workers: int | None = None, extras: Extras = Extras(),
) -> None:  # fmt: skip
    """Make every attempt that the journal does not hold yet, until all are made or the settings' money or time is used.

    `formats` has those that the settings name; their names there are those of the run. Both pools are of threads;
    `test_workers` None: as many as cores. Raises `ToolError`, then and on Ctrl-C with every reply that came stored.
    """
    agenda = Agenda(settings, formats, benches, journal.lines, extras.again)
    driver = _Driver(settings, agenda, model, journal, Keeper(journal, model.name, progress, extras), extras)
    test_workers = test_workers or os.cpu_count() or 1
    try:
        with pool(workers) as calls, pool(test_workers) as tests:
            try:
                driver.drive(calls, tests, 2 * workers + test_workers)
            except BaseException:
                try:
                    driver.arrived.keep()
                finally:
                    with contextlib.suppress(Exception):  # let no call keep the process waiting
                        close_model(model)
                raise
    except BaseException:
        driver.arrived.keep(scores=False)  # tests that were killed meanwhile tell nothing
        raise


class _Driver:
    def __init__(
        self, settings: RunFile, agenda: Agenda, model: Model, journal: Journal, keeper: Keeper, extras: Extras
    ) -> None:  # fmt: skip
        self.settings, self.agenda, self.model, self.journal = settings, agenda, model, journal
        self.keeper, self.scores, self.terms = keeper, extras.scores, Terms.of(settings)
        self.budget = Budget(settings.max_spend_usd, settings.max_seconds)
        self.budget.spent = sum(line.paid_usd or 0 for line in journal.lines)
        self.budget.calls = sum(line.paid_usd is not None for line in journal.lines)
        self.reached = Reached(journal.lines, settings.call.base_url, model.simulated)
        self.counted = set(filter(self._count, journal.waiting()))
        self.arrived = Arrived(journal, keeper, model, self.terms)
        self.calling: set[Future[Reply]] = set()
        self.scoring = 0
        self.over = False  # no call may be begun any more

    def _count(self, key: Key) -> bool:
        """Count a reply that an earlier process has stored, if it is whole: it was paid for, and is an answer."""
        if (reply := self.journal.stored(key)) is None:
            return False
        self.budget.pay(costs(self.settings.price, reply).paid)
        self.reached.answered(now=False)
        return True

    def drive(self, calls: Executor, tests: Executor, most: int) -> None:
        """Make what there is to make, at most so many attempts at once."""
        self.calls, self.tests, self.most = calls, tests, most
        while True:
            self._fill()
            if not self.calling and not self.scoring:
                self.reached.end()
                return
            event = self.arrived.next(_WAKE)
            if isinstance(event, Called):
                self._called(event)
            elif event is not None:
                self._scored(event)
            if self.budget.is_late or (self.budget.usd is not None and self.budget.spent >= self.budget.usd):
                self._end()

    def _fill(self) -> None:
        """Begin what may be begun."""
        while len(self.calling) + self.scoring < self.most and not self.reached.in_doubt:
            if not self.over and not self.budget.allows(len(self.calling)):
                if self.calling:
                    return  # they may turn out cheaper than the mean
                self._end()
            trial = self.agenda.next()
            if trial is None:
                return
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
        except (Exception, SystemExit) as error:  # our bug says nothing about a format
            self.keeper.leave(trial, Discard.HARNESS_ERROR, f"{type(error).__name__}: {error}")
            return
        if reply is not None:
            self._score(trial, attempt, reply)
            return
        call = self.calls.submit(self.arrived.ask, attempt)
        self.calling.add(call)
        call.add_done_callback(lambda future: self.arrived.tell(Called(trial, attempt, future)))

    def _called(self, event: Called) -> None:
        trial, attempt, future = event.trial, event.attempt, event.future
        self.calling.discard(future)
        if future.cancelled():
            self.agenda.put_back(trial)
            return
        error = future.exception()
        if error is None:
            reply = future.result()
            self.arrived.store(attempt.key)
            self._score(trial, attempt, reply)
            self._keep(self.reached.answered())
        elif isinstance(error, ToolError) or not isinstance(error, Exception | SystemExit):
            raise error
        else:
            made = without_evidence(attempt, self.model.name, None, error, self.terms)
            if made.line.discarded is Discard.BUDGET_EXHAUSTED:
                self._end()  # it was: or else this call would be made again at once
            self.budget.pay(made.line.paid_usd)
            if not isinstance(error, Refused) or not self.reached.holds(trial, made):
                self._unanswered(trial, made, error)

    def _unanswered(self, trial: Trial, made: Made, error: BaseException) -> None:
        """Keep an attempt whose call gave no evidence."""
        self._add(trial, made)
        if made.line.discarded is Discard.REFUSAL:
            self._keep(self.reached.answered())
        else:
            self.reached.unanswered(made.line, error)

    def _keep(self, held: Iterable[Held]) -> None:
        for trial, made in held:
            self._add(trial, made)

    def _score(self, trial: Trial, attempt: Attempt, reply: Reply) -> None:
        if attempt.key not in self.counted:
            self.budget.pay(costs(self.settings.price, reply).paid)
        self.scoring += 1
        job = self.tests.submit(scored, attempt, reply, self.model.name, self.terms, self.scores)
        job.add_done_callback(lambda future: self.arrived.tell(Scored(trial, future)))

    def _scored(self, event: Scored) -> None:
        self.scoring -= 1
        trial, made = event.trial, event.future.result()
        self.keeper.keep_truth(made)
        self._add(trial, made)

    def _add(self, trial: Trial, made: Made) -> None:
        """Keep an attempt, and go on with its trial."""
        self.agenda.made(trial, self.keeper.keep(made), made.kept.reply)

    def _end(self) -> None:
        """Money or time is used up: begin no call any more."""
        if not self.over:
            self.over = True
            for call in list(self.calling):
                call.cancel()
            stop_waiting(self.model)  # what is in flight goes on to its end

    def _leave(self, trial: Trial) -> None:
        """Say of a trial that the run ended before it did, once; a later run makes the attempt."""
        if not trial.lines or trial.lines[-1].discarded is not Discard.BUDGET_EXHAUSTED:
            self.keeper.leave(trial, Discard.BUDGET_EXHAUSTED, "the run's money or time was used up")
