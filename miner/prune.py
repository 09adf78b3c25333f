"""Taking out of the cache what is no longer wanted. What a running command holds (see `miner.cache`) stays."""

import os
import secrets
import stat
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from miner.cache import claimed
from miner.environment import environments_folder
from miner.environments import REMOVING, Entry, Kind, measure, status_of
from miner.errors import ToolError

_IN_USE, _UNFINISHED = "in use by a running command", "being built"


@dataclass(frozen=True)
class Pruned:
    """What became of an entry: bytes freed, and why it is still there (empty where it is gone)."""

    entry: Entry
    freed: int
    kept: str = ""
    failed: bool = False


def chosen_by_digest(everything: Sequence[Entry], digests: Iterable[str]) -> list[Entry]:
    """The environments that digests, or beginnings of them, name; raises `ToolError` where that is not one each."""
    chosen = []
    for digest in digests:
        named = [e for e in everything if e.kind is Kind.ENVIRONMENT and digest and e.path.name.startswith(digest)]
        if len(named) != 1:
            what = "more than one environment" if named else "no such environment"
            raise ToolError(what, digest, "`miner environments` lists their digests.")
        chosen += named
    return chosen


def chosen_by_age(everything: Sequence[Entry], now: datetime, days: float) -> list[Entry]:
    """What was last used more than `days` days ago; of other versions' nothing, as their use is not known."""
    kinds = (Kind.ENVIRONMENT, Kind.DOWNLOADS, Kind.LOCKS, Kind.TREES, Kind.LISTINGS, Kind.CLONES)
    return [e for e in everything if e.kind in kinds and now - e.used > timedelta(days=days)]


def prune(chosen: Sequence[Entry], everything: Sequence[Entry]) -> list[Pruned]:
    """Remove the chosen entries, and of `everything` the litter; what is in use or being built stays.

    Each is renamed first, so that no process takes half of it for whole; several prunings may run at once.
    """
    litter = [entry for entry in everything if entry.kind is Kind.LITTER and entry not in chosen]
    groups: defaultdict[Path | None, list[Entry]] = defaultdict(list)
    for entry in (*chosen, *litter):
        groups[_held_by(entry)].append(entry)
    return [outcome for holder, group in groups.items() for outcome in _pruned(group, holder)]


def _held_by(entry: Entry) -> Path | None:
    """The folder that a command holds while it uses an entry."""
    if entry.kind in (Kind.TREES, Kind.LISTINGS, Kind.CLONES):
        return entry.path
    return environments_folder() / entry.repository if entry.repository else None


def _pruned(group: Sequence[Entry], holder: Path | None) -> Iterator[Pruned]:
    if holder is None:
        moved = [(entry, _set_aside(entry)) for entry in group]
    else:
        with claimed(holder) as free:
            moved = [(e, _set_aside(e) if free or e.kind is Kind.LITTER else _IN_USE) for e in group]
    for entry, aside in moved:
        if isinstance(aside, Path):
            size, reason = measure(aside), _delete(aside)
            yield Pruned(entry, size - measure(aside), reason, bool(reason))
        else:
            yield Pruned(entry, 0, aside, aside not in ("", _IN_USE, _UNFINISHED))


def _set_aside(entry: Entry) -> Path | str:
    """Rename an entry to where nothing looks for it; its new path, or why it stays ("" where it is gone already)."""
    if entry.kind is Kind.UNFINISHED:
        return _UNFINISHED
    if entry.kind is Kind.LITTER:
        return entry.path
    status = status_of(entry.path)
    if status is not None and os.geteuid() not in (0, status.st_uid):
        return f"it belongs to user {status.st_uid}"  # half removed it would be of no use to them
    aside = entry.path.with_name(f"{REMOVING}{secrets.token_hex(4)}-{entry.path.name}")
    try:
        if entry.kind is Kind.ENVIRONMENT:
            entry.path.with_suffix(".json").unlink(missing_ok=True)
        entry.path.rename(aside)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return error.strerror or "cannot be renamed"
    return aside


def _delete(path: Path) -> str:
    """Remove a file or folder; why it is still there, empty where it is gone.

    By `rm`, which follows no links and minds no depth. Go's module cache is read-only: it is made writable, once.
    """
    status = status_of(path)
    if status is None:
        return ""
    said = _rm(path)
    if said and stat.S_ISDIR(status.st_mode):
        subprocess.run(["chmod", "-R", "u+rwX", "--", str(path)], capture_output=True)
        said = _rm(path)
    return said


def _rm(path: Path) -> str:
    done = subprocess.run(["rm", "-rf", "--", str(path)], capture_output=True, text=True, errors="replace")
    return done.stderr.splitlines()[0].removeprefix("rm: ") if done.returncode and done.stderr else ""
