"""What a run has still to make, and in which order."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from evaluator.bench import TaskBench
from evaluator.formats.model import EditFormat
from evaluator.journal import AttemptLine, RunFile
from evaluator.running.order import blocks, by_trial, following
from evaluator.running.trial import Place, Trial


class Agenda:
    """The trials of a run that are not finished. One that goes on comes before those that are not begun; one whose
    call was lost comes at the end.
    """

    def __init__(
        self, settings: RunFile, formats: Mapping[str, EditFormat], benches: Mapping[str, TaskBench],
        lines: Sequence[AttemptLine], again: bool,
    ) -> None:  # fmt: skip
        """`lines` are the attempts that were made already; `again`: calls that were given up are to be made anew."""
        self._settings, self._formats, self._benches, self._again = settings, formats, benches, again
        self._ready: deque[Trial] = deque()
        self._late: deque[Trial] = deque()
        self._openings = self._opened(lines)

    def next(self) -> Trial | None:
        """The trial whose next attempt is to be made; None where there is none, until one goes on."""
        trial = self._ready.popleft() if self._ready else next(self._openings, None)
        return self._late.popleft() if trial is None and self._late else trial

    def put_back(self, trial: Trial) -> None:
        """Of a trial that was taken no attempt was made."""
        self._ready.appendleft(trial)

    def made(self, trial: Trial, line: AttemptLine, reply: str) -> None:
        """An attempt of a trial was made and kept; where it needs another, it goes on."""
        trial.lines.append(line)
        after = following(trial.lines, self._settings.attempts, self._settings.retry_on)
        if after is not None:
            trial.goes_on(line, reply, after)
            (self._late if after.late else self._ready).append(trial)

    def _opened(self, lines: Sequence[AttemptLine]) -> Iterator[Trial]:
        """Every unfinished trial, in the order of the blocks; those whose call was lost are put off to the end."""
        settings, made = self._settings, by_trial(lines)
        fixtures = [*settings.fixtures, *settings.impossible]
        for block in blocks(fixtures, settings.formats, settings.repeats, settings.seed):
            place = Place(block, settings, self._benches)
            for name in block.formats:
                known = made.pop((block.fixture, name, block.repeat), [])
                after = following(known, settings.attempts, settings.retry_on, self._again)
                if after is None:
                    continue
                trial = Trial(place, self._formats[name], known, after)
                if after.late:
                    self._late.append(trial)
                else:
                    yield trial
