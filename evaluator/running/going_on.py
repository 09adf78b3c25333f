"""The settings that a run is gone on with: those it began with, and limits that may be others."""

from collections.abc import Iterable
from pathlib import Path

from evaluator.journal import AttemptLine, DiskJournal, RunFile, load_run
from evaluator.models.limits import limits
from evaluator.models.model import Reply
from evaluator.running.asked import check_spend
from miner.errors import ToolError
from miner.set_file import SetFile


def resumed(
    place: Path, chosen: SetFile, max_spend: float | None, max_seconds: float | None, timeout: float | None
) -> RunFile:  # fmt: skip
    """The settings of a run to go on with; a limit given now takes the place of the one it had."""
    settings = load_run(place)
    if settings.set_digest != chosen.digest:
        raise ToolError("the set has changed since the run began", place, "Start a new run.")
    given = {"max_spend_usd": max_spend, "max_seconds": max_seconds}
    settings = settings.model_copy(update={name: limit for name, limit in given.items() if limit is not None})
    if timeout is not None:
        call = settings.call.model_copy(update={"timeout_seconds": timeout})
        settings = settings.model_copy(update={"call": call})
    check_spend(settings.max_spend_usd, settings.price, settings.model)
    return settings


def check_timeout(before: RunFile, now: RunFile, journal: DiskJournal) -> None:
    """Raise `ToolError` where a call's time limit is to be another, and some call would have ended otherwise under it.

    One that the old limit has cut might have been whole, one that took longer than the new one would be cut.
    """
    if before.call.timeout_seconds == now.call.timeout_seconds:
        return
    new = limits(now.cap, now.call.timeout_seconds)
    stored = (reply for key in journal.waiting() if (reply := journal.stored(key)) is not None)
    cut, longer = 0, 0
    for answer in _answers(journal.lines, stored):
        cut += answer.stop_reason == "timeout"
        longer += (answer.latency_ms or 0) > new.whole * 1000 or (answer.first_token_ms or 0) > new.first_token * 1000
    if cut or longer:
        what = f"{cut} attempts ended by the run's time limit" if cut else f"{longer} attempts took longer than that"
        if cut + longer == 1:
            what = what.replace("attempts", "attempt")
        raise ToolError(what, "--timeout", "Others would be made under other terms: leave it out, or start a new run.")


def _answers(lines: Iterable[AttemptLine], stored: Iterable[Reply]) -> Iterable[AttemptLine | Reply]:
    yield from lines
    yield from stored
