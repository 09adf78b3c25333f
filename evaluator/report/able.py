"""What a set could have shown of pairs that are not distinguishable, and by which disagreement that is worked out."""

from collections.abc import Sequence

from evaluator.report.model import Shows
from evaluator.report.wording import percent
from miner.wording import plural


def share_taken(shows: Sequence[Shows]) -> str:
    """The share of tasks that what pairs show is worked out at: the one seen, or, where none disagreed, a supposed one.

    A pair that disagrees on no task says nothing of how many it would disagree on, so a share is supposed, and said.
    """
    supposed = [show for show in shows if show.assumed]
    if not supposed:
        return "at the share of tasks that they disagree on"
    guess = percent(supposed[0].disagreeing)
    if len(supposed) == len(shows):
        return f"supposing that they disagree on {guess} of tasks, as here on none,"
    which = "disagrees" if len(supposed) == 1 else "disagree"
    on_none = f"{plural(len(supposed), 'pair')} that {which} on none"
    return f"at the share of tasks that they disagree on ({guess} is supposed for {on_none})"
