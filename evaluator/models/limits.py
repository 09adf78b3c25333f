"""How long a call may take, in seconds, and how long its reply may be."""

from dataclasses import dataclass

# A reply of more than that for every token of the cap is no reply, whatever its server counts, and fills the memory.
BYTES_PER_TOKEN = 64
_BASE = 60.0
_SLOWEST = 20.0  # tokens a second


@dataclass(frozen=True)
class Limits:
    """The whole call's limit, and that of its first token: some providers reason for long before they show any."""

    whole: float
    first_token: float

    @property
    def silence(self) -> str:
        """What to say of a call that no token came of in time."""
        return f"no token within {self.first_token:.0f} seconds (half of --timeout, which a slow server needs greater)"


def limits(cap: int, asked: float | None) -> Limits:
    """The limits of a call: what was asked for, or a minute and the cap at 20 tokens a second.

    Half of it is the first token's.
    """
    whole = asked if asked is not None else _BASE + cap / _SLOWEST
    return Limits(whole, whole / 2)
