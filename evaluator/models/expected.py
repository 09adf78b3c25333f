"""What a run of `simulated:FILE` must report, worked out exactly from the file alone."""

from collections import defaultdict
from dataclasses import dataclass

from evaluator.faults.model import RESOLVED
from evaluator.models.spec import Outcome, SimulationFile, chances, is_last
from evaluator.taxonomy import Category, Discard

Ending = Category | Discard | None  # a category, no evidence, or None: resolved


@dataclass(frozen=True)
class Expected:
    """The distribution of one trial: probabilities that sum to 1.

    `first` is of first attempts, `verdicts` of trials, `attempts` of how many attempts a trial takes.
    """

    first: dict[Ending, float]
    verdicts: dict[Ending, float]
    attempts: dict[int, float]

    @property
    def discarded(self) -> float:
        """The probability that a trial ends without evidence."""
        return _discarded(self.verdicts)

    def share(self, ending: Category | None) -> float | None:
        """The probability of a verdict among the trials with evidence, which rates are of; None where none has any."""
        return self.verdicts.get(ending, 0.0) / (1 - self.discarded) if self.discarded < 1 else None

    @property
    def mean_attempts(self) -> float:
        """Attempts a trial, discarded ones included."""
        return sum(number * probability for number, probability in self.attempts.items())


def expected(spec: SimulationFile, format_name: str, budget: int, impossible: bool = False) -> Expected:
    """What becomes of a trial of the format with a budget of attempts, retried on the default signals.

    Exact on every set, whichever details its tasks allow (see `evaluator.models.mistakes`); but for `attempts`, which
    supposes that every label that the file names is possible. Tasks that the format cannot express are not covered.
    """
    first: dict[Ending, float] = defaultdict(float)
    verdicts: dict[Ending, float] = defaultdict(float)
    attempts: dict[int, float] = defaultdict(float)
    reached = 1.0
    for number in range(1, budget + 1):
        onward = 0.0
        for outcome, probability in _mix(spec, format_name, number, impossible):
            if number == 1:
                first[_ending(outcome)] += probability
            if is_last(outcome) or number == budget:
                verdicts[_ending(outcome)] += reached * probability
                attempts[number] += reached * probability
            else:
                onward += probability
        reached *= onward
    return Expected(dict(first), dict(verdicts), dict(attempts))


def _mix(spec: SimulationFile, name: str, attempt: int, impossible: bool) -> list[tuple[Outcome, float]]:
    found = [(chance.outcome, chance.probability) for chance in chances(spec, name, attempt, impossible)]
    return [*found, (RESOLVED, max(1 - sum(probability for _, probability in found), 0.0))]


def _ending(outcome: Outcome) -> Ending:
    return outcome if isinstance(outcome, Discard) else outcome.category


def _discarded(verdicts: dict[Ending, float]) -> float:
    return sum(probability for ending, probability in verdicts.items() if isinstance(ending, Discard))
