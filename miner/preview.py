"""`miner harvest --dry-run`: what the log alone says of the merged changes that would be looked at."""

from collections.abc import Callable
from dataclasses import dataclass

from miner.asked import Options, chosen_of, opening
from miner.candidate import with_tip_author
from miner.git import Objects
from miner.rejection import Rejection
from miner.screen import reject_unread, split


@dataclass(frozen=True)
class Preview:
    """The rejection of each change, newest first, None where contents decide; and how many were passed over."""

    rejections: list[Rejection | None]
    passed_over: int


def preview(options: Options, say: Callable[[str], None] = lambda _: None) -> Preview:
    """Read no contents of files and write nothing; raises `ToolError` as `harvest` does."""
    with opening(options, say) as opened:
        chosen = chosen_of(opened, options)
        with Objects(opened.git) as objects:
            authored = [with_tip_author(change, objects.read) for change in chosen.changes]
        opened.finished()
    found = [change.rejection or reject_unread(change, split(change), options.limits) for change in authored]
    return Preview(found, chosen.passed_over)
