"""What came from a run's workers and is not kept yet: until it is, a signal or a full disk may end the run."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue

from evaluator.journal import Journal, Key
from evaluator.models.model import Model, NoEvidence, Reply
from evaluator.running.attempt import Attempt, Made, Terms, without_evidence
from evaluator.running.keeping import Keeper
from evaluator.running.trial import Trial
from evaluator.taxonomy import Discard
from miner.errors import ToolError


@dataclass(frozen=True)
class Called:
    """A call has ended, or was cancelled before it began."""

    trial: Trial
    attempt: Attempt
    future: Future[Reply]


@dataclass(frozen=True)
class Scored:
    """A reply was scored."""

    trial: Trial
    future: Future[Made]


class Arrived:
    """Takes replies from the threads that ask for them, and what has ended, in its order."""

    def __init__(self, journal: Journal, keeper: Keeper, model: Model, terms: Terms) -> None:
        self._journal, self._keeper, self._model, self._terms = journal, keeper, model, terms
        self._ended: SimpleQueue[Called | Scored] = SimpleQueue()
        self._replies: dict[Key, Reply] = {}  # not stored yet

    def ask(self, attempt: Attempt) -> Reply:
        """Call the model, in a thread of the pool."""
        reply: object = self._model.reply(attempt.request(self._terms.cap))
        if not isinstance(reply, Reply):  # another package's model gave it
            raise TypeError(f"the model gave a {type(reply).__name__}, and no Reply")
        self._replies[attempt.key] = reply
        return reply

    def tell(self, event: Called | Scored) -> None:
        """Something has ended."""
        self._ended.put(event)

    def next(self, seconds: float) -> Called | Scored | None:
        """What ended longest ago; None where nothing does in so many seconds."""
        try:
            return self._ended.get(timeout=seconds)
        except Empty:
            return None

    def store(self, key: Key) -> None:
        """Store the reply of a call."""
        self._journal.store(key, self._replies[key])
        del self._replies[key]

    def keep(self, scores: bool = True) -> None:
        """Keep what came while the run was being ended: replies, which are paid for, and attempts that were scored.

        Where one cannot be written (the disk is full) the next is tried, which may be smaller; then it is raised.
        """
        failed: ToolError | None = None
        for keep in self._left(scores):
            try:
                keep()
            except ToolError as error:
                failed = error
        if failed is not None:
            raise failed

    def _left(self, scores: bool) -> Iterator[Callable[[], object]]:
        """What keeps each. Of a refusal, which is paid for too, that is its attempt: its text is no reply to be scored.

        Where a reply could not be scored, that may be because the signal has ended our git, too: it is scored later.
        """
        for key in list(self._replies):
            yield partial(self.store, key)
        while not self._ended.empty():
            event = self._ended.get()
            error = None if event.future.cancelled() else event.future.exception()
            if isinstance(event, Called):
                if isinstance(error, NoEvidence) and error.reply is not None:
                    made = without_evidence(event.attempt, self._model.name, None, error, self._terms)
                    yield partial(self._keeper.write, made)
            elif scores and error is None and not event.future.cancelled():
                made = event.future.result()
                if made.line.discarded is not Discard.HARNESS_ERROR:
                    yield partial(self._keeper.write, made)
