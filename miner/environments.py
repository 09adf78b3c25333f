"""What the cache holds, when it was last used and how big it is. Links are never followed."""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from miner.environment import environments_folder
from miner.trees import cache_folder

_LITTER_AFTER = timedelta(days=1)  # no build or unpacking takes that long: what is older was left by a killed one
REMOVING = ".removing-"  # begins the name of what is being removed
_BLOCK = 512  # bytes, the unit of st_blocks whatever the file system's own


class Kind(StrEnum):
    """What a part of the cache is."""

    ENVIRONMENT = "environments"
    DOWNLOADS = "download caches"
    LOCKS = "resolved locks"
    TREES = "starting trees"
    LISTINGS = "unfinished listings of pull requests"
    CLONES = "clones"
    OTHER = "left by other versions"
    LITTER = "left by killed commands"
    UNFINISHED = "being built"


@dataclass(frozen=True)
class Entry:
    """One part of the cache. `repository` is empty where it belongs to none.

    `toolchain` and `variant` are an environment's, empty where its description is missing.
    """

    kind: Kind
    path: Path
    used: datetime  # aware, UTC
    repository: str = ""
    toolchain: str = ""
    variant: str = ""


def entries(repository: str | None = None) -> list[Entry]:
    """Everything in the cache, or what belongs to one repository; by kind, repository and name."""
    now, root = datetime.now(UTC), cache_folder()
    places = {"downloads": Kind.DOWNLOADS, "locks": Kind.LOCKS, "trees": Kind.TREES, "github": Kind.LISTINGS,
              "clones": Kind.CLONES}  # fmt: skip
    found: list[Entry] = []
    for folder in _inside(environments_folder()):
        found += (_entry(Kind.ENVIRONMENT, path, now, folder.name) for path in _inside(folder) if _counts(path))
    for name, kind in places.items():
        of_none = kind in (Kind.TREES, Kind.LISTINGS, Kind.CLONES)
        found += (_entry(kind, path, now, "" if of_none else path.name) for path in _inside(root / name))
    known = (*places, environments_folder().name)
    found += (_entry(Kind.OTHER, path, now) for path in _inside(root) if path.name not in known)
    order = list(Kind)
    wanted = (entry for entry in found if repository in (None, entry.repository))
    return sorted(wanted, key=lambda entry: (order.index(entry.kind), entry.repository, entry.path.name))


def _inside(folder: Path) -> Iterator[Path]:
    """What is in a folder, in order; links are left alone, and a folder that is gone holds nothing."""
    with suppress(FileNotFoundError, NotADirectoryError):
        yield from (Path(each) for each in sorted(os.scandir(folder), key=lambda e: e.name) if not each.is_symlink())


def _counts(path: Path) -> bool:
    """Not the description beside an environment: it counts with it, or is litter where that is gone."""
    return path.suffix != ".json" or not path.with_suffix("").exists()


def _entry(kind: Kind, path: Path, now: datetime, repository: str = "") -> Entry:
    status = status_of(path)
    used = datetime.fromtimestamp(status.st_mtime, UTC) if status else now
    if path.name.startswith(".") or (kind is Kind.ENVIRONMENT and path.suffix == ".json"):
        old = path.name.startswith(REMOVING) or now - used > _LITTER_AFTER
        kind = Kind.LITTER if old else Kind.UNFINISHED
        return Entry(kind, path, used, repository)
    about = _about(path.with_suffix(".json")) if kind is Kind.ENVIRONMENT else {}
    return Entry(kind, path, used, repository, about.get("toolchain", ""), about.get("variant", ""))


def _about(path: Path) -> dict[str, str]:
    try:
        stored = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return {key: str(value) for key, value in stored.items()} if isinstance(stored, dict) else {}


def status_of(path: Path) -> os.stat_result | None:
    """A path's own status, not that of what it links to; None where it is gone."""
    try:
        return path.lstat()
    except OSError:
        return None


def measure(path: Path) -> int:
    """The bytes that a file or folder takes on disk, as `du` counts: a file of several names once, no links followed.

    What vanishes meanwhile or cannot be read counts nothing.
    """
    total, seen, todo = 0, set(), [path]
    while todo:
        place = todo.pop()
        status = status_of(place)
        if status is None or (status.st_dev, status.st_ino) in seen:
            continue
        seen.add((status.st_dev, status.st_ino))
        total += status.st_blocks * _BLOCK
        if stat.S_ISDIR(status.st_mode):
            with suppress(OSError):
                todo += (Path(entry) for entry in os.scandir(place))
    return total
