"""The faults: one file a family, one row a fault here. `inject` makes replies whose label is known."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from evaluator.faults.model import RESOLVED, Damaged, FileFault, Injected, Label, ReplyFault, Site
from evaluator.faults.replies import REPLY_FAULTS
from evaluator.formats.model import CannotExpress, EditFormat

FILE_FAULTS: tuple[FileFault, ...] = ()

__all__ = ["FILE_FAULTS", "REPLY_FAULTS", "RESOLVED", "Damaged", "Injected", "Label", "Site", "inject"]


def inject(fault: FileFault | ReplyFault, site: Site, fmt: EditFormat, seed: str, most: int = 1) -> Iterator[Injected]:
    """At most `most` replies of a format with the fault. Equal seeds give equal damage, in every format alike."""
    random = Random(f"{seed}\0{fault.name}\0{site.task.id}")
    if hasattr(fault, "replies"):
        yield from islice(fault.replies(site, fmt, random), most)
        return
    for damaged in islice(fault.damages(site, random), most):
        text = fmt.encode(damaged.before, damaged.after)
        if not isinstance(text, CannotExpress):
            yield Injected(text, damaged.label)
