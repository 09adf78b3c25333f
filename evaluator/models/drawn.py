"""`simulated:FILE.yaml`: mistakes drawn at the rates of a file, independently for every attempt."""

from functools import lru_cache
from random import Random

from evaluator.faults.model import RESOLVED, Injected
from evaluator.formats.model import EditFormat
from evaluator.formats.renamed import own
from evaluator.models.mistakes import VARIANTS, Mistakes
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.models.spec import Outcome, SimulationFile, Spread, chances, is_last
from evaluator.taxonomy import Discard
from miner.tokens import count_tokens


class Drawn:
    """A simulated model of a file. Draws depend on seed, fixture, format name, repeat and attempt, on nothing else."""

    simulated = True

    def __init__(self, spec: SimulationFile, name: str, seed: int, mistakes: Mistakes | None = None) -> None:
        self.spec, self.name, self.seed = spec, name, seed
        self.mistakes = mistakes or Mistakes()

    def seeded(self, seed: int) -> "Drawn":
        """The same model drawing anew; the replies that were made are kept."""
        return Drawn(self.spec, self.name, seed, self.mistakes)

    def reply(self, request: Request) -> Reply:
        """The right answer, or a mistake; raises `NoEvidence` for the provider's."""
        random = self._random(request, request.attempt)
        outcome = self._outcome(request)
        random.random()  # what the outcome was drawn with
        if isinstance(outcome, Discard):
            raise NoEvidence(outcome, f"simulated {outcome.value}")
        made = self.mistakes.reply(request.task, own(request.format), outcome, random.randrange(VARIANTS))
        tokens = self._tokens(made, request.cap, random)
        latency = self.spec.latency
        start = _log_normal(Spread(median=latency.median_ms, spread=latency.spread), random)
        served = f"simulated:{self.spec.served_model.on(request.attempt)}" if self.spec.served_model else self.name
        return Reply(
            made.text, made.stop, sum(_count(message.content) for message in request.messages), tokens,
            round(start + latency.ms_per_token * tokens), served,
        )  # fmt: skip

    def outcome(self, request: Request, attempt: int) -> Outcome:
        """What is drawn for an attempt, whatever went before."""
        drawn = self._random(request, attempt).random()
        for chance in chances(self.spec, rated(self.spec, request.format), attempt, request.task.impossible):
            drawn -= chance.probability
            if drawn < 0:
                return chance.outcome
        return RESOLVED

    def _outcome(self, request: Request) -> Outcome:
        """What is drawn; or again what should have ended the trial, where only a stand-in of it was possible.

        A place that an anchor fits twice is not in every file: a mistake that is retried stands in for it, and is
        repeated, so that the trial ends in the same category.
        """
        for attempt in range(1, request.attempt):
            earlier = self.outcome(request, attempt)
            if is_last(earlier):
                return earlier
        return self.outcome(request, request.attempt)

    def _random(self, request: Request, attempt: int) -> Random:
        parts = (self.seed, request.task.id, request.format.name, request.repeat, attempt)
        return Random("\0".join(map(str, parts)))

    def _tokens(self, made: Injected, cap: int, random: Random) -> int:
        """Output tokens. Truncation is dealt, never met: any other reply counts as inside the cap, however long."""
        billed = self.spec.tokens
        factor, reasoning = _log_normal(billed.factor, random), _log_normal(billed.reasoning, random)
        if made.stop == "length":
            return cap
        return min(round(_count(made.text) * factor + reasoning), cap - 1)


def rated(spec: SimulationFile, fmt: EditFormat) -> str:
    """The name that a format's rates stand under: its name in the run, else its own."""
    return fmt.name if fmt.name in spec.formats else own(fmt).name


@lru_cache(maxsize=512)
def _count(text: str) -> int:
    return count_tokens(text)


def _log_normal(of: Spread, random: Random) -> float:
    return of.median * random.lognormvariate(0, of.spread)
