"""What has been heard of a streamed reply so far, whatever the wire format."""

from dataclasses import dataclass, field

from evaluator.models.limits import BYTES_PER_TOKEN
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.taxonomy import Discard, StopReason
from miner.tokens import count_tokens


@dataclass(frozen=True)
class Usage:
    """Token counts as the provider says (None: it does not): cached and written ones are of the input, reasoning of
    the output."""

    input: int | None
    output: int | None
    cached: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None


@dataclass
class Heard:
    """Grows event by event. `ended`: the provider has said why it stopped; what comes after that is only counts."""

    pieces: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    ended: bool = False
    stop: StopReason | None = None
    refused: str | None = None
    served: str = ""
    usage: Usage | None = None
    timed_out: bool = False
    too_long: bool = False  # for any cap: the rest was not heard
    size: int = 0  # characters, shown or reasoned

    def say(self, text: str) -> None:
        """A piece of the reply."""
        if text:
            self.pieces.append(text)
            self.size += len(text)

    def think(self, text: str) -> None:
        """A piece of reasoning."""
        if text:
            self.reasoning.append(text)
            self.size += len(text)

    @property
    def begun(self) -> bool:
        """Whether a token came, shown or reasoned."""
        return bool(self.pieces or self.reasoning)


@dataclass(frozen=True)
class Times:
    """Of the call that succeeded, in seconds: all of it, and until its first token."""

    whole: float
    first_token: float | None


def reply_of(heard: Heard, times: Times, request: Request, tries: int, seeded: bool) -> Reply:
    """The reply; raises `NoEvidence` where the provider declined. What it does not count is counted here."""
    text, usage = joined(heard.pieces)[: BYTES_PER_TOKEN * request.cap], heard.usage or Usage(None, None)
    stop: StopReason | None = "timeout" if heard.timed_out else "length" if heard.too_long else heard.stop
    asked, made = usage.input, usage.output
    input_counted_here = not asked  # no prompt has no tokens
    if not asked:
        asked = sum(count_tokens(m.content) for m in request.messages)
    counted_here = False
    if not made or not heard.ended:  # a count that came before the end is not whole
        counted_here = True
        made = max(count_tokens(text) + count_tokens(joined(heard.reasoning)), made or 0)
    reply = Reply(
        text, stop, max(asked, (usage.cached or 0) + (usage.cache_write or 0)), made,
        _ms(times.whole), heard.served, usage.cached, usage.cache_write, usage.reasoning if heard.ended else None,
        None if times.first_token is None else _ms(times.first_token), tries, seeded, counted_here,
        input_counted_here,
    )  # fmt: skip
    if heard.refused is not None:
        why = heard.refused or "the provider says that the model declined"
        raise NoEvidence(Discard.REFUSAL, why, tries, reply)
    return reply


def joined(pieces: list[str]) -> str:
    """The whole text. JSON may split a character above U+FFFF over two events, or hold half of one."""
    text = "".join(pieces)
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
