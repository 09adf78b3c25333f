"""The faults: one file a family, one row a fault here. `inject` makes replies whose label is known."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from evaluator.faults import (
    additions,
    bytes,
    elision,
    elsewhere,
    impossible,
    inside,
    neighbours,
    order,
    replies,
    symbols,
    syntax,
    together,
)  # fmt: skip
from evaluator.faults.model import RESOLVED, Damaged, FileFault, Injected, Label, ReplyFault, Site
from evaluator.formats.model import CannotExpress, EditFormat

FILE_FAULTS: tuple[FileFault, ...] = (
    *additions.FAULTS, *symbols.FAULTS, *neighbours.FAULTS, *order.FAULTS, *bytes.FAULTS, *elision.FAULTS,
    *syntax.FAULTS, *inside.FAULTS, *elsewhere.FAULTS, *together.FAULTS, *impossible.FAULTS,
)  # fmt: skip
REPLY_FAULTS: tuple[ReplyFault, ...] = (*bytes.BY_FORMAT, *replies.REPLY_FAULTS)

__all__ = ["FILE_FAULTS", "REPLY_FAULTS", "RESOLVED", "Damaged", "Injected", "Label", "Site", "inject"]


def inject(fault: FileFault | ReplyFault, site: Site, fmt: EditFormat, seed: str, most: int = 1) -> Iterator[Injected]:
    """At most `most` replies of a format with the fault. Equal seeds give equal damage, in every format alike."""
    random = Random(f"{seed}\0{fault.name}\0{site.task.id}")
    if hasattr(fault, "replies"):
        yield from islice(fault.replies(site, fmt, random), most)
        return
    written = ((fmt.encode(damaged.before, damaged.after), damaged.label) for damaged in fault.damages(site, random))
    replies = (Injected(text, label) for text, label in written if not isinstance(text, CannotExpress))
    yield from islice(replies, most)
