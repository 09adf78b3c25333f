"""Whether the run's provider answers: where it does not, or refuses whatever it is sent, the rest goes the same way."""

from collections import Counter
from collections.abc import Iterable

from evaluator.journal import AttemptLine
from evaluator.models.model import Unreachable
from evaluator.running.attempt import Made
from evaluator.running.order import has_reply
from evaluator.running.trial import Trial
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.wording import plural

_SILENT = 20  # calls given up before any was answered: the provider is not there
_ABSENT = 3  # of them, where nothing was there to answer: each has taken its full patience
_REFUSED = 5  # fixtures: that many prompts are not all odd, whatever the server says of them

Held = tuple[Trial, Made]


class Reached:
    """What is known of a provider from the calls of a run; `lines` are those made by earlier processes.

    What it refuses before it has answered any call is held back. Once one is answered, it was those prompts; if none
    is, it is the settings: the run ends, and nothing is written of those calls, so a resumed run makes them.
    """

    def __init__(self, lines: Iterable[AttemptLine], base_url: str | None = None, simulated: bool = False) -> None:
        """`base_url` is the address that was given; what a simulation does not answer is what it was told to do."""
        self._base_url, self._simulated = base_url, simulated
        self._answers, self._heard = False, False
        self._given_up = self._absent = 0
        self._lost: Counter[str] = Counter()  # why calls gave no evidence
        self._held: list[Held] = []
        for line in lines:
            self._answers |= _answered(line)
            self._count(line)

    def answered(self, now: bool = True) -> list[Held]:
        """A call was answered (`now`: by this process); returns what was held back, to be kept."""
        self._answers, self._heard = True, self._heard or now
        held, self._held = self._held, []
        return held

    def unanswered(self, line: AttemptLine, error: BaseException) -> None:
        """A call gave no evidence, and was kept; raises `ToolError` where this process had no answer to many that were
        given up, or to a few that reached nothing. Every other trial would take its full patience.
        """
        self._count(line)
        if self._heard or self._simulated or line.discarded is not Discard.INFRA_ERROR:
            return
        self._given_up += 1
        self._absent += isinstance(error, Unreachable)
        if self._given_up >= _SILENT or self._absent >= _ABSENT:
            raise self._none_answered(f"none of the first {plural(self._given_up, 'call')} was answered")

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
        """No call is under way any more; raises `ToolError` where none was ever answered: some are held back, or all
        were lost.
        """
        if self._held:
            fixtures, line = {trial.fixture for trial, _ in self._held}, self._held[-1][1].line
            what = f"the provider has answered no call yet, and refuses those of {plural(len(fixtures), 'fixture')}"
            remedy = f"{line.error}. Check model and settings; if it is these prompts, run others (--only)."
            raise ToolError(what, line.model, remedy)
        if self._lost and not self._answers and not self._simulated:
            total = self._lost.total()
            none = "the only call was not" if total == 1 else f"none of the {total:,} calls was"
            raise self._none_answered(f"{none} answered")

    def _count(self, line: AttemptLine) -> None:
        if line.discarded in (Discard.INFRA_ERROR, Discard.HARNESS_ERROR) and line.prompt_digest:  # it was asked for
            self._lost[line.error or line.discarded.value] += 1

    def _none_answered(self, what: str) -> ToolError:
        why, count = self._lost.most_common(1)[0]
        mostly = "" if count == self._lost.total() else f" ({count:,} of {self._lost.total():,})"
        check = "Look at the model's server or program"
        if self._absent:
            check = "Check the network and the server"
            if self._base_url is not None:
                check = f"Check --base-url {self._base_url}: if it is wrong, start a new run. If not, start the server"
        return ToolError(what, f"{why}{mostly}", f"{check}, then go on with `evaluator run --resume RUN --again`.")


def _answered(line: AttemptLine) -> bool:
    return line.discarded in (None, Discard.REFUSAL) or has_reply(line)
