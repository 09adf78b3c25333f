"""Whether changes are the same, or undo each other: by blobs, and by patch ids where the blobs differ."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from miner.git import Git
from miner.rejection import Rejection
from miner.roles import Role, role_of
from miner.sources.diffs import Pair, patch_ids
from miner.sources.model import FileChange, MergedChange
from miner.trees import missing_objects

_UNDONE = {"A": "D", "D": "A", "M": "M", "T": "T"}


def names(files: Iterable[FileChange]) -> list[tuple[str, str, str | None]]:
    """What must be equal of two changes for their patches to be equal."""
    return [(file.path, file.status, file.old_path) for file in files]


def undone(files: Iterable[FileChange]) -> tuple[FileChange, ...] | None:
    """The files of what takes a change back exactly; None for renames, which are found by contents."""
    back = []
    for file in files:
        if file.status not in _UNDONE:
            return None
        sides = (file.new_mode, file.old_mode, file.new_blob, file.old_blob)
        back.append(FileChange(file.path, _UNDONE[file.status], *sides))
    return tuple(back)


def patch_ids_at_hand(
    git: Git, pairs: Sequence[Pair], files: Mapping[Pair, tuple[FileChange, ...]],
    fetch: Callable[[Collection[str]], None],
) -> dict[Pair, str]:  # fmt: skip
    """The patch ids of those pairs whose contents are there, or can be fetched: all at once."""
    blobs = {pair: set().union(*(file.blobs for file in files[pair])) for pair in pairs}
    wanted = sorted(set().union(*blobs.values()))
    fetch(wanted)
    if missing_objects(git, wanted):
        pairs = [pair for pair in pairs if not missing_objects(git, blobs[pair])]
    return patch_ids(git, pairs)


def without_repeats(
    git: Git, changes: Sequence[MergedChange], fetch: Callable[[Collection[str]], None] = lambda _: None
) -> list[MergedChange]:
    """The changes, newest first, with a rejection for what brings an older one of them again, or takes it back.

    The older one is the task as it was first solved: a backport, and what was reverted and applied again, repeat it.
    Only of changes of source files is it asked: no others are tasks.
    """
    groups: defaultdict[frozenset[str], list[MergedChange]] = defaultdict(list)
    for change in changes:
        if change.rejection is None and any(role_of(file.path) is Role.SOURCE for file in change.files):
            groups[frozenset(file.path for file in change.files)].append(change)
    alike = [group for group in groups.values() if len(group) > 1]
    files = {_pair(change): change.files for group in alike for change in group}
    ids = patch_ids_at_hand(git, list(files), files, fetch)
    verdicts = {id(change): said for group in alike for change, said in _verdicts(group, ids)}
    return [verdicts.get(id(change), change) for change in changes]


def _verdicts(group: Sequence[MergedChange], ids: Mapping[Pair, str]) -> Iterable[tuple[MergedChange, MergedChange]]:
    """Of changes to the same paths, newest first: those that are rejected, each with what is said of it."""
    for at, change in enumerate(group):
        for older in group[at + 1 :]:
            if change.files == undone(older.files):
                yield change, replace(change, rejection=Rejection.REVERT, detail=f"undoes {_name(older)}")
                break
            mine = ids.get(_pair(change))
            if change.files == older.files or (mine and mine == ids.get(_pair(older))):
                yield change, replace(change, rejection=Rejection.BACKPORT, detail=f"repeats {_name(older)}")
                break


def _pair(change: MergedChange) -> Pair:
    return Pair(change.base, change.merged)


def _name(change: MergedChange) -> str:
    return f"{change.number} ({change.merged[:10]})"
