"""Going on with a run under another time limit: only where no call would have ended otherwise."""

from collections.abc import Callable

import pytest

from evaluator.journal import CallSettings, DiskJournal, RunFile
from evaluator.models.model import Reply, Request
from evaluator.running.going_on import check_timeout
from miner.errors import ToolError

LIMIT = 20.0  # seconds
CASES = {
    "nothing was cut, a longer one": ({}, 60, None),
    "nothing was cut, a shorter one": ({}, 3, None),
    "it is the same": ({"stop": "timeout"}, LIMIT, None),
    "a reply was cut": ({"stop": "timeout"}, 60, "2 attempts ended by the run's time limit: --timeout"),
    "a reply took longer": ({"latency": 4_000}, 3, "2 attempts took longer than that: --timeout"),
    "its first token did": ({"first": 1_600}, 3, "2 attempts took longer than that: --timeout"),
    "as long as allowed": ({"latency": 4_000, "first": 2_000}, 4, None),
}


def timed(stop: str = "stop", latency: int = 100, first: int | None = None) -> Callable[[Request], Reply]:
    return lambda request: Reply("prose", stop, 1, 5, latency, "fake-1", first_token_ms=first)  # type: ignore[arg-type]


@pytest.mark.parametrize("scored", [True, False], ids=["scored", "only stored"])
@pytest.mark.parametrize(("reply", "limit", "said"), CASES.values(), ids=CASES.keys())
def test_another_time_limit(a_run, asked, reply: dict, limit: float, said: str | None, scored: bool) -> None:
    call = CallSettings(timeout_seconds=LIMIT)
    setting = a_run(1, formats=["udiff", "whole_file"], attempts=1, call=call)
    setting.run(asked(timed(**reply)))
    if not scored:
        (setting.folder / "attempts.jsonl").unlink()
    before: RunFile = setting.settings
    now = before.model_copy(update={"call": call.model_copy(update={"timeout_seconds": limit})})
    with DiskJournal(setting.folder, before) as journal:
        if said is None:
            check_timeout(before, now, journal)
        else:
            with pytest.raises(ToolError, match=said):
                check_timeout(before, now, journal)
