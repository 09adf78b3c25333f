"""Which merged changes are looked at: filters over what their source and the history's log say of them."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property

from pathspec import GitIgnoreSpec

from miner.errors import ToolError
from miner.screen import split
from miner.sources.model import FileChange, MergedChange

_STRAGGLERS = 50  # so many older ones in a row, and no newer one is expected: dates may be a little out of order

People = Callable[[MergedChange], Collection[str]]  # what those who wrote a change are called, in lower case


@dataclass(frozen=True)
class Wanted:
    """What is asked for; nothing given takes every change. Make it with `parse_wanted`, which checks the texts.

    A change counts that meets every kind of filter, in any one of its values. Of the patterns `.gitignore`'s rules
    hold: one of its source files, by its name before or after, must match `paths` and not `exclude`. What is
    frozen is the whole change all the same.
    """

    since: datetime | None = None
    before: datetime | None = None
    authors: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def takes(self, change: MergedChange, people: People) -> bool:
        """Whether a change is asked for; of one that cannot be told (its files are unknown, say) it is not."""
        return (
            self._in_time(change)
            and (not self.labels or not self.labels.isdisjoint(label.lower() for label in change.labels))
            and (not (self.paths or self.exclude) or any(map(self._meant, split(change).source)))
            and (not self.authors or not self.authors.isdisjoint(people(change)))
        )

    def is_older(self, change: MergedChange) -> bool:
        """Whether a change is older than what is asked for."""
        moment = _moment(change.date)
        return self.since is not None and moment is not None and moment < self.since

    def _in_time(self, change: MergedChange) -> bool:
        if self.since is None and self.before is None:
            return True
        moment = _moment(change.date)
        if moment is None:
            return False
        return (self.since is None or moment >= self.since) and (self.before is None or moment < self.before)

    def _meant(self, file: FileChange) -> bool:
        names = {file.path, file.old_path or file.path}
        if self.paths and not any(map(self._paths.match_file, names)):
            return False
        return not all(map(self._exclude.match_file, names))

    @cached_property
    def _paths(self) -> GitIgnoreSpec:
        return GitIgnoreSpec.from_lines(self.paths)

    @cached_property
    def _exclude(self) -> GitIgnoreSpec:
        return GitIgnoreSpec.from_lines(self.exclude)

    def options(self) -> list[str]:
        """The names of the options that were given."""
        given = {"--since": self.since, "--until": self.before, "--author": self.authors, "--label": self.labels,
                 "--paths": self.paths, "--exclude": self.exclude}  # fmt: skip
        return [name for name, value in given.items() if value]


@dataclass(frozen=True)
class Selection:
    """The changes asked for, newest first, and how many others were passed over on the way to the last of them."""

    changes: list[MergedChange]
    passed_over: int
    ended: bool = False  # there are no more


def select(changes: Iterable[MergedChange], wanted: Wanted, people: People, last: int | None) -> Selection:
    """The newest `last` of the changes asked for, of a stream that is newest first; None: all of them."""
    chosen: list[MergedChange] = []
    passed_over = older = 0
    for change in changes:
        if wanted.takes(change, people):
            chosen.append(change)
            if len(chosen) == last:
                break
        else:
            passed_over += 1
        older = older + 1 if wanted.is_older(change) else 0
        if older == _STRAGGLERS:
            break
    else:
        return Selection(chosen, passed_over, ended=True)
    return Selection(chosen, passed_over)


def parse_wanted(
    since: str | None = None, until: str | None = None, authors: Collection[str] = (), labels: Collection[str] = (),
    paths: Collection[str] = (), exclude: Collection[str] = (),
) -> Wanted:  # fmt: skip
    """The filters that the options' texts name; raises `ToolError`.

    A date without a time is the whole day, so that `--until` takes the day it names; without a zone it is UTC.
    """
    first, last = _bound("--since", since, 0), _bound("--until", until, 1)
    if first is not None and last is not None and first >= last:
        raise ToolError("no time lies between", f"--since {since} --until {until}", "Give the earlier one first.")
    return Wanted(
        first, last, frozenset(author.lower().removeprefix("@") for author in authors),
        frozenset(label.lower() for label in labels), _patterns("--paths", paths), _patterns("--exclude", exclude),
    )  # fmt: skip


def _bound(option: str, text: str | None, days: int) -> datetime | None:
    """The moment that a text names; of a whole day so many days later."""
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        moment = _moment(text)
        if moment is None:
            raise ToolError("not a date", f"{option} {text}", "Write 2026-01-31 or 2026-01-31T12:00+01:00.") from None
        return moment
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days)


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _patterns(option: str, texts: Collection[str]) -> tuple[str, ...]:
    for text in texts:
        try:
            means_something = any(pattern.include is not None for pattern in GitIgnoreSpec.from_lines([text]).patterns)
        except ValueError:
            means_something = False
        if not means_something:
            remedy = "Write it as in .gitignore: services/billing/, 'services/**', '*.py'."
            raise ToolError("not a pattern of paths", f"{option} {text}", remedy)
    return tuple(text.removeprefix("./") for text in texts)
