"""Keeping what was made: an attempt's line and what of it is read, and what its run is told of it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from evaluator.journal import AttemptLine, Journal, Kept
from evaluator.running.attempt import Made, Scores
from evaluator.running.diff import tree_diff
from evaluator.running.trial import Trial
from evaluator.sentence import sentence
from evaluator.taxonomy import Discard
from miner.progress import lasting

Progress = Callable[[AttemptLine], None]


@dataclass(frozen=True)
class Extras:
    """What a run may be given besides: `scores` to score equal replies of simulations once; `again` to make calls anew
    that were given up; `keep`, which gets every attempt that was made; `say`, for warnings.
    """

    scores: Scores | None = None
    again: bool = False
    keep: Callable[[Made], None] | None = None
    say: Callable[[str], None] = lasting


class Keeper:
    """Writes the attempts of a run as they end, each once."""

    def __init__(self, journal: Journal, model: str, progress: Progress, extras: Extras) -> None:
        self._journal, self._model, self._progress, self._extras = journal, model, progress, extras
        self._served = next((line.served_model for line in journal.lines if line.served_model), None)
        self._warned = False
        self._has_truth = {line.fixture for line in journal.lines}

    def keep(self, made: Made) -> AttemptLine:
        """An attempt that ended, as it was written."""
        line = self.write(made)
        if self._extras.keep is not None:
            self._extras.keep(made)
        return line

    def write(self, made: Made) -> AttemptLine:
        """The same, for an attempt that ended while the run was being ended: it is in the journal, and nowhere else."""
        return self._write(made.line, made.kept)

    def leave(self, trial: Trial, why: Discard, error: str) -> None:
        """An attempt that was not asked for, and why."""
        fixture, fmt, repeat, attempt, call = trial.key
        line = AttemptLine(
            fixture=fixture, format=fmt, model=self._model, repeat=repeat, attempt=attempt, call=call, valid=False,
            discarded=why, error=error,
        )  # fmt: skip
        self._write(line, Kept((), "", sentence=sentence(line)))

    def keep_truth(self, made: Made) -> None:
        """The ground truth of an attempt's fixture, once, for its reader."""
        task = made.attempt.bench.task
        if task.id not in self._has_truth and self._extras.scores is None:
            self._has_truth.add(task.id)
            self._journal.keep_truth(task.id, tree_diff(task.before, task.after))

    def _write(self, line: AttemptLine, kept: Kept) -> AttemptLine:
        line = line.model_copy(update={"ended": datetime.now(UTC).isoformat(timespec="milliseconds")})
        self._journal.add(line, kept)
        self._progress(line)
        self._served = self._served or line.served_model
        if line.served_model not in (None, self._served) and not self._warned:
            self._warned = True
            names = f"{line.served_model} after {self._served}"
            self._extras.say(f"warning: the provider served {names}: the formats will not be compared")
        return line
