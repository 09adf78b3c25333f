"""The Python interpreters of this machine, and which one a project of a given date is run on."""

import json
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from packaging.specifiers import InvalidSpecifier, SpecifierSet

# First release of each minor version (PEP 494, 537, 569, 596, 619, 664, 693, 719, 745, 790).
RELEASED = {
    (3, 6): date(2016, 12, 23), (3, 7): date(2018, 6, 27), (3, 8): date(2019, 10, 14),
    (3, 9): date(2020, 10, 5), (3, 10): date(2021, 10, 4), (3, 11): date(2022, 10, 24),
    (3, 12): date(2023, 10, 2), (3, 13): date(2024, 10, 7), (3, 14): date(2025, 10, 7),
    (3, 15): date(2026, 10, 1),
}  # fmt: skip
_ASK = "import json, sys; print(json.dumps([sys.version_info[:3], sys.base_prefix, sys.executable]))"


@dataclass(frozen=True, order=True)
class Interpreter:
    """An installed CPython: its version, executable, and the folder it must be able to read."""

    version: tuple[int, int, int]
    executable: Path
    prefix: Path

    @property
    def minor(self) -> tuple[int, int]:
        """The version's first two numbers."""
        return self.version[:2]

    def __str__(self) -> str:
        return ".".join(map(str, self.version))


@cache
def installed() -> tuple[Interpreter, ...]:
    """All interpreters found (pyenv, uv, the system's, the one running), oldest version first."""
    home = Path.home()
    patterns = [
        (home / ".pyenv/versions", "*/bin/python"), (home / ".local/share/uv/python", "cpython-*/bin/python3"),
        (Path("/usr/local/bin"), "python3.[0-9]*"), (Path("/usr/bin"), "python3.[0-9]*"),
    ]  # fmt: skip
    paths = {path.resolve() for folder, pattern in patterns for path in folder.glob(pattern)}
    paths.add(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
    found = (_ask(path) for path in sorted(paths) if not path.name.endswith("-config"))
    return tuple(sorted(interpreter for interpreter in found if interpreter is not None))


def _ask(path: Path) -> Interpreter | None:
    try:
        done = subprocess.run([str(path), "-I", "-c", _ASK], capture_output=True, text=True, timeout=20)
        version, prefix, executable = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return Interpreter(tuple(version), Path(executable), Path(prefix)) if version[0] == 3 else None


def ranked(
    available: Sequence[Interpreter], requires: str, classified: Collection[tuple[int, int]], on: date, pinned: str = ""
) -> list[Interpreter]:
    """The interpreters that the project admits, one per minor version, best for its date first.

    Those that were released on the date come first, ones named by classifiers before others, newest
    first; then those that are too new, oldest first. `pinned` (3, 3.11, 3.11.7) overrides `requires`.
    """
    newest = {i.minor: i for i in sorted(available) if _is_version(i, pinned)}
    admitted = [i for i in newest.values() if pinned or _admits(requires, i)]
    timely = sorted((i for i in admitted if _released(i.minor) <= on), reverse=True)
    named = [i for i in timely if i.minor in classified]
    return [*named, *(i for i in timely if i not in named), *sorted(i for i in admitted if i not in timely)]


def _released(minor: tuple[int, int]) -> date:
    """When a minor version came out; those that the table does not know are older or newer than all of it."""
    return RELEASED.get(minor, date.max if minor > max(RELEASED) else date.min)


def _is_version(interpreter: Interpreter, pinned: str) -> bool:
    return not pinned or f"{interpreter}.".startswith(f"{pinned}.")


def same_or_next(available: Sequence[Interpreter], version: str) -> Interpreter | None:
    """For an environment proved on `version`: the same minor version, else the nearest newer, else any."""
    wanted = tuple(int(part) for part in version.split("."))
    if exact := [i for i in available if i.version == wanted]:
        return exact[0]
    same = [i for i in available if i.minor == wanted[:2]]
    newer = [i for i in available if i.minor > wanted[:2]]
    if same:
        return max(same)
    return min(newer) if newer else max(available, default=None)


def _admits(requires: str, interpreter: Interpreter) -> bool:
    try:
        return SpecifierSet(requires).contains(str(interpreter), prereleases=True)
    except InvalidSpecifier:
        return True
