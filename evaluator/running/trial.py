"""A trial while it runs: its block's bench and prompt, opened when first needed, and the attempt to make next."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from evaluator.appliers import leniency
from evaluator.bench import TaskBench
from evaluator.feedback import retry_message
from evaluator.formats.model import EditFormat
from evaluator.journal import AttemptLine, Journal, RunFile
from evaluator.messages import Message, prompt_digest, shared_part, with_instructions
from evaluator.running.attempt import Attempt
from evaluator.running.order import Block, Next, counted, model_seed


@dataclass(frozen=True)
class Place:
    """A block's bench and prompt: shared by its trials, read when the first of them needs it, gone with the last."""

    block: Block
    settings: RunFile
    benches: Mapping[str, TaskBench]

    @cached_property
    def bench(self) -> TaskBench:
        """The fixture's bench; another repeat runs its tests anew."""
        found = self.benches[self.block.fixture]
        return found if self.block.repeat == 1 else found.afresh()

    @cached_property
    def prompt(self) -> str:
        """What the prompt begins with in every format."""
        return shared_part(self.bench.task, self.settings.show_tests, self.settings.context)

    @cached_property
    def digest(self) -> str:
        """The digest of what every format shares."""
        return prompt_digest(with_instructions(self.prompt, ""))

    @cached_property
    def seed(self) -> int | None:
        """What the model is sent as its seed."""
        return model_seed(self.settings.seed, self.block.repeat) if self.settings.call.seeded else None


@dataclass
class Trial:
    """A trial that is not finished. `lines` are all that were made of it, `next` is what it needs.

    `talk` is the conversation up to the next attempt, where this process has led it.
    """

    place: Place
    format: EditFormat
    lines: list[AttemptLine]
    next: Next
    talk: tuple[Message, ...] | None = None

    @property
    def fixture(self) -> str:
        """The fixture's id."""
        return self.place.block.fixture

    @property
    def key(self) -> tuple[str, str, int, int, int]:
        """What names its next call within the run."""
        return self.fixture, self.format.name, self.place.block.repeat, self.next.attempt, self.next.call

    def attempt(self, journal: Journal) -> Attempt:
        """The next attempt; raises `ToolError` where a reply that the conversation needs is gone."""
        place = self.place
        if self.talk is None:
            self.talk = with_instructions(place.prompt, self.format.instructions())
            for line in counted(self.lines, self.next.attempt):
                self.talk = continued(self.talk, journal.reply(line), line)
        return Attempt(
            place.bench, self.format, self.next.attempt, self.talk, leniency(place.settings.applier, self.format),
            place.block.repeat, self.next.call, place.seed, place.digest,
        )  # fmt: skip

    def goes_on(self, line: AttemptLine, reply: str, after: Next) -> None:
        """Take the attempt that was just made into the trial, which needs another."""
        if after.late:  # nothing of it is held until then
            self.talk, self.place = None, replace(self.place)
        elif self.talk is not None and after.attempt > line.attempt:
            self.talk = continued(self.talk, reply, line)
        self.next = after


def continued(talk: tuple[Message, ...], reply: str, line: AttemptLine) -> tuple[Message, ...]:
    """The conversation after an attempt that is made again, with what its `feedback` says."""
    return (*talk, Message("assistant", reply), retry_message(line.feedback))
