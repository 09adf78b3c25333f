"""All faults of the text of a reply."""

from evaluator.faults import combined, cut_off, misnamed, misplaced, tolerated, unfit, unread, without_effect
from evaluator.faults.model import ReplyFault

REPLY_FAULTS: tuple[ReplyFault, ...] = (
    *cut_off.FAULTS, *unread.FAULTS, *misnamed.FAULTS, *unfit.FAULTS, *misplaced.FAULTS, *without_effect.FAULTS,
    *tolerated.FAULTS, *combined.FAULTS,
)  # fmt: skip
