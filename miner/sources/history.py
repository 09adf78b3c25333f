"""A history's commits by id, read from one `git log` as far as they are asked for, and the walk down from its head."""

import heapq
from collections.abc import Callable, Iterator
from datetime import datetime
from types import TracebackType

from miner.git import Git
from miner.sources.log import read_descriptions
from miner.sources.model import Commit


class History:
    """The commits reachable from `head`, without their files; a context manager, because git keeps running."""

    def __init__(self, git: Git, head: str) -> None:
        self.head = head
        self._seen: dict[str, Commit] = {}
        self._unread = read_descriptions(git, head)

    def __enter__(self) -> "History":
        return self

    def __exit__(self, _t: type[BaseException] | None, _e: BaseException | None, _b: TracebackType | None) -> None:
        self._unread.close()

    def __getitem__(self, identity: str) -> Commit:
        """A commit; raises `KeyError` for one that is not reachable, and `GitFailed` where an object is missing."""
        while identity not in self._seen:
            commit = next(self._unread, None)
            if commit is None:
                raise KeyError(identity)
            self._seen[commit.id] = commit
        return self._seen[identity]

    def down(self, identity: str) -> Iterator[Commit]:
        """A commit and all below it by their first parents."""
        commit = self[identity]
        yield commit
        while commit.parents:
            commit = self[commit.parents[0]]
            yield commit

    def walk(self, follows: Callable[[Commit], bool]) -> Iterator[Commit]:
        """The first-parent chain and those of the branches that a merge `follows`, newest first, each commit once."""
        waiting: list[tuple[float, int, Commit]] = []
        known: set[str] = set()

        def add(identity: str) -> None:
            if identity not in known:
                known.add(identity)
                commit = self[identity]
                heapq.heappush(waiting, (-moment(commit.committed), len(known), commit))

        add(self.head)
        while waiting:
            commit = heapq.heappop(waiting)[2]
            yield commit
            for parent in commit.parents if follows(commit) else commit.parents[:1]:
                add(parent)


def moment(date: str) -> float:
    """Seconds since 1970 of an ISO date; git leaves those that make no sense empty."""
    return datetime.fromisoformat(date).timestamp() if date else 0
