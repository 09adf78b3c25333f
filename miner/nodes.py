"""The Node.js versions of this machine, npm's version ranges, and which Node a project of a given date is run on."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

Version = tuple[int, int, int]

# First release of each even major version (nodejs/Release); an odd one counts as old as the even one before it.
RELEASED = {
    0: date(2011, 1, 1), 4: date(2015, 9, 8), 6: date(2016, 4, 26), 8: date(2017, 5, 30), 10: date(2018, 4, 24),
    12: date(2019, 4, 23), 14: date(2020, 4, 21), 16: date(2021, 4, 20), 18: date(2022, 4, 19),
    20: date(2023, 4, 18), 22: date(2024, 4, 24), 24: date(2025, 5, 6), 26: date(2026, 4, 22),
}  # fmt: skip
_PART = r"(\d+|[xX*])"
_COMPARATOR = re.compile(rf"(>=|<=|>|<|=|\^|~>|~)?\s*v?{_PART}(?:\.{_PART})?(?:\.{_PART})?(?:[-+][0-9A-Za-z.+-]+)?")
_HYPHEN = re.compile(r"(\S+)\s+-\s+(\S+)")
_ENDLESS: Version = (1 << 30, 0, 0)


@dataclass(frozen=True, order=True)
class Node:
    """An installed Node.js: its version, executable, and the folder it must be able to read."""

    version: Version
    executable: Path
    prefix: Path

    def __str__(self) -> str:
        return ".".join(map(str, self.version))


@cache
def installed() -> tuple[Node, ...]:
    """All that are found (the system's; nvm, n, fnm, volta, asdf and mise folders), oldest version first."""
    home = Path.home()
    folders = [
        (Path("/usr"), "bin/node"), (Path("/usr/local"), "bin/node"), (Path("/opt"), "node*/bin/node"),
        (home / ".nvm/versions/node", "*/bin/node"), (Path("/usr/local/n/versions/node"), "*/bin/node"),
        (home / "n/n/versions/node", "*/bin/node"), (home / ".volta/tools/image/node", "*/bin/node"),
        (home / ".local/share/fnm/node-versions", "*/installation/bin/node"),
        (home / ".fnm/node-versions", "*/installation/bin/node"), (home / ".asdf/installs/nodejs", "*/bin/node"),
        (home / ".local/share/mise/installs/node", "*/bin/node"),
    ]  # fmt: skip
    paths = sorted({path for folder, pattern in folders for path in folder.glob(pattern)})
    found = {node.executable.resolve(): node for node in map(_ask, paths) if node is not None}
    return tuple(sorted(found.values()))


def _ask(path: Path) -> Node | None:
    try:
        done = subprocess.run([str(path), "--version"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.fullmatch(r"v(\d+)\.(\d+)\.(\d+)", done.stdout.strip())
    return Node((int(match[1]), int(match[2]), int(match[3])), path, path.parent.parent) if match else None


def admits(wanted: str, version: Version) -> bool:
    """Whether a version lies in a range as npm writes them; an unreadable range admits every version.

    Source: "Ranges" of the node-semver documentation; prereleases are left out.
    """
    alternatives = [_intervals(part) for part in wanted.split("||")]
    if any(intervals is None for intervals in alternatives):
        return True
    return any(all(low <= version < high for low, high in intervals or ()) for intervals in alternatives)


def _intervals(text: str) -> list[tuple[Version, Version]] | None:
    """Half-open intervals that must all hold, or None where the text is no range."""
    if hyphen := _HYPHEN.fullmatch(text.strip()):
        text = f">={hyphen[1]} <={hyphen[2]}"
    if _COMPARATOR.sub("", text).strip():
        return None
    return [_interval(match) for match in _COMPARATOR.finditer(text)]


def _interval(match: re.Match[str]) -> tuple[Version, Version]:
    given = [int(part) for part in match.groups()[1:] if part and part.isdigit()]
    low = _version(given)
    following = _version([*given[:-1], given[-1] + 1]) if given else _ENDLESS
    match match[1]:
        case ">=":
            return low, _ENDLESS
        case ">":
            return following, _ENDLESS
        case "<":
            return (0, 0, 0), low
        case "<=":
            return (0, 0, 0), following
        case "^":
            kept = next((n for n, part in enumerate(given) if part), len(given) - 1) + 1
            return low, _version([*given[: kept - 1], given[kept - 1] + 1]) if given else _ENDLESS
        case "~" | "~>":
            return low, _version([*given[:2][:-1], given[:2][-1] + 1]) if given else _ENDLESS
        case _:
            return low, following


def _version(given: Sequence[int]) -> Version:
    major, minor, patch = [*given, 0, 0, 0][:3]
    return major, minor, patch


def ranked(available: Sequence[Node], engines: str, named: str, on: date) -> list[Node]:
    """The versions that the project admits, one per major version, best for its date first.

    The one that the project names (.nvmrc and the like) comes first, then those released on the date, newest
    first; then those that are too new, oldest first.
    """
    newest = {node.version[0]: node for node in sorted(available)}
    admitted = [node for node in newest.values() if admits(engines, node.version)]
    wanted = [node for node in admitted if named and admits(named, node.version)]
    rest = [node for node in admitted if node not in wanted]
    timely = sorted((node for node in rest if released(node) <= on), reverse=True)
    return [*sorted(wanted, reverse=True), *timely, *sorted(node for node in rest if released(node) > on)]


def released(node: Node) -> date:
    """When its major version came out; a version later than those known here is always too new."""
    major = node.version[0]
    return RELEASED.get(major - major % 2, date.min if major < max(RELEASED) else date.max)


def same_or_next(available: Sequence[Node], version: str) -> Node | None:
    """For an environment proved on `version`: the same version, the same major version, the next newer, or any."""
    wanted = _version([int(part) for part in version.split(".") if part.isdigit()])
    if exact := [node for node in available if node.version == wanted]:
        return exact[0]
    if same := [node for node in available if node.version[0] == wanted[0]]:
        return max(same)
    return min((node for node in available if node.version > wanted), default=max(available, default=None))


def headers(executable: Path) -> Path | None:
    """The folder that native packages are compiled against, where the headers came with this Node.js."""
    prefix = executable.parent.parent
    return prefix if (prefix / "include/node/node_version.h").is_file() else None
