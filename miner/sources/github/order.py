"""From the order of updates to the order of merges: GitHub has no order by merge time."""

import heapq
from collections.abc import Iterable, Iterator

from miner.sources.github.model import Page, Pull


def newest_merged_first(pages: Iterable[Page]) -> Iterator[list[Pull]]:
    """The pull requests of pages ordered by update, newest first, in the order of their merges, newest first.

    Nothing is merged after its last update. So once a page goes back to some update, whatever was merged later has
    been seen, and is surely in order: it is given before the next page is asked for. One list for each page, maybe
    empty. A pull request seen twice (the pages of REST shift while they are read) counts once.
    """
    seen: set[int] = set()
    waiting: list[tuple[str, int, Pull]] = []
    for page in pages:
        for pull in page.pulls:
            if pull.number not in seen:
                seen.add(pull.number)
                heapq.heappush(waiting, (_descending(pull.merged), -pull.number, pull))
        last = page.cursor is None
        ready = []
        while waiting and (last or waiting[0][2].merged > page.oldest):
            ready.append(heapq.heappop(waiting)[2])
        yield ready


def _descending(date: str) -> str:
    """A key that sorts dates of one form from the newest to the oldest."""
    return "".join(chr(0x7F - ord(character)) for character in date)
