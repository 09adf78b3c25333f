"""Whether the run's provider answers: where it does not, or refuses whatever it is sent, the rest goes the same way."""

from collections.abc import Iterable

from evaluator.journal import AttemptLine
from evaluator.running.attempt import Made
from evaluator.running.trial import Trial
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.wording import plural

_SILENT = 20  # calls given up before any was answered: the provider is not there
_REFUSED = 5  # fixtures: that many prompts are not all odd, whatever the server says of them

Held = tuple[Trial, Made]


class Reached:
    """What is known of a provider from the calls of a run; `lines` are those made by earlier processes.

    What it refuses before it has answered any call is held back. Once one is answered, it was those prompts; if none
    is, it is the settings: the run ends, and nothing is written of those calls, so a resumed run makes them.
    """

    def __init__(self, lines: Iterable[AttemptLine]) -> None:
        self._answers = any(map(_answered, lines))
        self._heard, self._given_up = False, 0
        self._held: list[Held] = []

    def answered(self, now: bool = True) -> list[Held]:
        """A call was answered (`now`: by this process); returns what was held back, to be kept."""
        self._answers, self._heard = True, self._heard or now
        held, self._held = self._held, []
        return held

    def given_up(self, line: AttemptLine) -> None:
        """A call was lost after all its tries; raises `ToolError` where many were, and this process had no answer.

        Every other trial would take its full patience.
        """
        self._given_up += not self._heard
        if self._given_up >= _SILENT:
            what = f"none of the first {_SILENT} calls was answered"
            raise ToolError(what, line.error, "Look at the model's server, then --resume the run.")

    def holds(self, trial: Trial, made: Made) -> bool:
        """Whether a call that was refused is held back."""
        if not self._answers:
            self._held.append((trial, made))
        return not self._answers

    @property
    def in_doubt(self) -> bool:
        """Whether calls of so many fixtures are held back that none is to be begun while others may be answered yet."""
        return len({trial.fixture for trial, _ in self._held}) >= _REFUSED

    def end(self) -> None:
        """No call is under way any more; raises `ToolError` where some are held back: none was ever answered."""
        if self._held:
            fixtures, line = {trial.fixture for trial, _ in self._held}, self._held[-1][1].line
            what = f"the provider has answered no call yet, and refuses those of {plural(len(fixtures), 'fixture')}"
            remedy = f"{line.error}. Check model and settings; if it is these prompts, run others (--only)."
            raise ToolError(what, line.model, remedy)


def _answered(line: AttemptLine) -> bool:
    return line.discarded in (None, Discard.REFUSAL) or line.served_model is not None
