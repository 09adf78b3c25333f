"""Merged changes sifted: where contents have to be fetched, in batches, so that each batch lacks them but once."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from miner.candidate import Screen, Sifted, bare_line, contents_of_change, rejected
from miner.errors import ToolError
from miner.parallel import in_parallel
from miner.record import HarvestLine
from miner.rejection import Rejection
from miner.sources.model import MergedChange

T = TypeVar("T")
_BATCH = 100  # changes whose contents are fetched at once

Work = MergedChange | Sifted | HarvestLine  # a change that is still to be sifted, or what became of it


@dataclass(frozen=True)
class Sifter:
    """Sifts the changes of one repository; `fetch` brings objects (see `Opened.fetch`)."""

    screen: Screen
    fetch: Callable[[Collection[str]], None]
    workers: int

    def batches(self, changes: Sequence[MergedChange]) -> Iterator[Work]:
        """The changes as they are; where contents are missing, sifted, and with all that is needed to freeze them."""
        if not self.screen.mined.incomplete:
            yield from changes
            return
        for start in range(0, len(changes), _BATCH):
            batch = changes[start : start + _BATCH]
            self.fetch(set().union(*map(contents_of_change, batch)))
            sifted = list(in_parallel(self.sift, batch, self.workers))
            passed = [each.change for each in sifted if isinstance(each, Sifted)]
            self.fetch({tree for change in passed if (tree := self.screen.mined.tree_of(change.base)) is not None})
            yield from sifted

    def sift(self, change: MergedChange) -> Sifted | HarvestLine:
        """What `Screen.sift` says of a change."""
        return guarded(bare_line(change), lambda: self.screen.sift(change))


def guarded(line: HarvestLine, step: Callable[[], T]) -> T | HarvestLine:
    """The result of a step with the change of a line; one odd change must not end the harvest of all others."""
    try:
        return step()
    except (ToolError, OSError):
        raise
    except Exception as error:
        return rejected(line, Rejection.INTERNAL_ERROR, f"{type(error).__name__}: {error}")
