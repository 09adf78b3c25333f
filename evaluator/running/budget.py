"""What a run may spend: money and time. Pure but for the clock that it is given."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from miner.errors import ToolError

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_PART = re.compile(r"(\d+(?:\.\d+)?)([smhd]?)")


@dataclass
class Budget:
    """What is left of a run's money (USD) and time (seconds); None: no limit.

    A call's cost is known when it has ended. Those in flight are taken at the mean so far, so what is spent beyond the
    limit is at most what the calls then in flight cost above the mean. Before any has ended there is one at a time.
    """

    usd: float | None = None
    seconds: float | None = None
    clock: Callable[[], float] = time.monotonic
    spent: float = 0.0
    calls: int = 0  # whose cost is in `spent`
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    def pay(self, usd: float | None) -> None:
        """A call has ended, and cost so much (None: nothing is known to have been charged)."""
        if usd is not None:
            self.spent += usd
            self.calls += 1

    def allows(self, in_flight: int) -> bool:
        """Whether one more call may be begun while so many are in flight."""
        if self.is_late:
            return False
        if self.usd is None:
            return True
        if not self.calls:
            return in_flight == 0 and self.usd > 0
        mean = self.spent / self.calls
        return self.spent < self.usd and self.spent + mean * (in_flight + 1) <= self.usd

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self.seconds is not None and self.clock() - self.started >= self.seconds


def seconds(text: str) -> float:
    """A length of time such as `90m`, `2h`, `1h30m` or `600` (seconds), in seconds; raises `ToolError`."""
    parts = _PART.findall(text.strip())
    if not parts or "".join(number + unit for number, unit in parts) != text.strip():
        raise ToolError("no length of time", text, "Give one such as 90m, 2h, 1h30m or 600 (seconds).")
    total = sum(float(number) * _UNITS[unit] for number, unit in parts)
    if total <= 0:
        raise ToolError("no length of time", text, "It must be more than 0.")
    return total
