"""What every harvest needs of a machine: git, a sandbox that starts, uv, interpreters, room for the cache."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import uv

from miner import interpreters, sandbox
from miner.doctor.model import Check, Status, dotted, on_path, said_by, version_in
from miner.errors import ToolError
from miner.sandbox import Job, Limits, find_bubblewrap
from miner.sandbox.discovery import version_of
from miner.sandbox.runner import overlays_work
from miner.trees import cache_folder

# What our git commands need, oldest last (the release notes of each version).
GIT_FEATURES = {
    (2, 36): "cat-file --batch-command", (2, 32): "GIT_CONFIG_GLOBAL", (2, 31): "GIT_CONFIG_COUNT",
    (2, 29): "init --object-format",
}  # fmt: skip
_GIT_SAFER = (2, 38)  # before, safe.directory given with a command is not heeded: another user's clone is refused
_UV_NEEDED = (0, 8)
_GIB = 1 << 30
_LEAST_DISK, _ENOUGH_DISK, _ENOUGH_MEMORY = 1 * _GIB, 10 * _GIB, 4 * _GIB
_NAMESPACES = {  # setting of the kernel -> the value that forbids
    "user/max_user_namespaces": "0", "kernel/unprivileged_userns_clone": "0",
    "kernel/apparmor_restrict_unprivileged_userns": "1",
}  # fmt: skip


def git() -> Check:
    """Git, new enough for the options that we use."""
    path = on_path("git")
    said = said_by(path, "--version") if path else None
    if said is None:
        return Check("git", Status.MISSING, "not found", "Install git 2.36 or newer (Debian: apt-get install git).")
    return git_version(said)


def git_version(said: str) -> Check:
    """What a git that says this of itself lacks."""
    version = version_in(said)
    found = dotted(version) or said.strip()
    if lacking := [feature for since, feature in GIT_FEATURES.items() if version < since]:
        remedy = f"Install git {dotted(max(GIT_FEATURES))} or newer: this one has no {', no '.join(lacking)}."
        return Check("git", Status.MISSING, found, remedy)
    if version < _GIT_SAFER:
        remedy = f"Before {dotted(_GIT_SAFER)} git refuses clones that belong to another user."
        return Check("git", Status.OPTIONAL, found, remedy)
    return Check("git", Status.OK, found)


def sandbox_starts() -> Check:
    """The sandbox runs a job: the only thing that lets anything of a repository run."""
    job = Job(["/bin/sh", "-c", "echo started"], {"PATH": "/usr/bin:/bin"}, Limits(wall_seconds=20), directory="/")
    try:
        bubblewrap = find_bubblewrap()
        done, overlays = sandbox.run(job), overlays_work()
    except ToolError as error:
        return Check("sandbox", Status.MISSING, f"{error.what}: {error.item}", error.remedy)
    except OSError as error:
        said = f"{error.strerror}: {error.filename}"
        return Check("sandbox", Status.MISSING, said, "Have /usr/bin and /bin on PATH, and coreutils installed.")
    found = f"bubblewrap {dotted(version_of(bubblewrap))}, {bubblewrap}"
    if done.exit_code != 0 or "started" not in done.output:
        remedy = "Run `bwrap --ro-bind / / true` by hand: it says what the system forbids."
        return Check("sandbox", Status.MISSING, f"{found}: {done.output.strip() or 'no answer'}", remedy)
    if overlays:
        return Check("sandbox", Status.OK, f"{found}, with overlays")
    remedy = "Trees are copied for every run. Overlays need bubblewrap 0.11 and a newer Linux (6.6 has all of it)."
    return Check("sandbox", Status.OPTIONAL, f"{found}, without overlays", remedy)


def namespace_settings() -> dict[str, str]:
    """The kernel's settings that govern user namespaces, as far as this kernel has them."""
    paths = {name: Path("/proc/sys", name) for name in _NAMESPACES}
    return {name: path.read_text().strip() for name, path in paths.items() if path.exists()}


def user_namespaces(settings: Mapping[str, str]) -> Check:
    """Whether the kernel's settings let a user without privileges make a sandbox."""
    forbidding = [name for name, value in settings.items() if value == _NAMESPACES[name]]
    if not forbidding:
        return Check("user namespaces", Status.OK, "allowed")
    names = ", ".join(name.replace("/", ".") for name in forbidding)
    remedy = f"Where the sandbox does not start, change {names} with sysctl."
    return Check("user namespaces", Status.OPTIONAL, f"restricted by {names}", remedy)


def uv_starts() -> Check:
    """uv, which resolves and builds Python environments."""
    remedy = "Install this tool again with its dependencies: pip install 'uv>=0.13'."
    try:
        path = uv.find_uv_bin()
    except FileNotFoundError:
        return Check("uv", Status.MISSING, "not found", remedy)
    version = version_in(said_by(path, "--version") or "")
    if version < _UV_NEEDED:
        return Check("uv", Status.MISSING, dotted(version) or f"{path} does not start", remedy)
    return Check("uv", Status.OK, dotted(version))


def pythons() -> Check:
    """The interpreters, by version: a change is proved on one of its own time."""
    found = interpreters.installed()
    said = ", ".join(map(str, found))
    if len({each.minor for each in found}) > 1:
        return Check("python", Status.OK, said)
    remedy = "Older changes may want older versions: `uv python install 3.9 3.10 3.12`."
    return Check("python", Status.OPTIONAL if found else Status.MISSING, said or "none found", remedy)


def cache_writable() -> Check:
    """The folder of the cache can be written."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        remedy = "Set XDG_CACHE_HOME to a folder that you may write."
        return Check("cache", Status.MISSING, f"{folder}: {error.strerror}", remedy)
    return Check("cache", Status.OK, str(folder))


def room() -> list[Check]:
    """Disk space where the cache is, and memory."""
    folder = cache_folder()
    while not folder.is_dir():
        folder = folder.parent
    return [disk(shutil.disk_usage(folder).free), memory(_available_memory())]


def disk(free: int) -> Check:
    """Whether `free` bytes are enough for environments and trees."""
    found = f"{free / _GIB:.1f} GiB free"
    if free >= _ENOUGH_DISK:
        return Check("disk", Status.OK, found)
    remedy = "`miner environments --prune-older 30` makes room, or set XDG_CACHE_HOME to a larger disk."
    return Check("disk", Status.OPTIONAL if free >= _LEAST_DISK else Status.MISSING, found, remedy)


def memory(available: int | None) -> Check:
    """Whether `available` bytes are enough for two workers; None: the machine does not say."""
    if available is None:
        return Check("memory", Status.OPTIONAL, "not known")
    found = f"{available / _GIB:.1f} GiB available"
    if available >= _ENOUGH_MEMORY:
        return Check("memory", Status.OK, found)
    return Check("memory", Status.OPTIONAL, found, "Use --workers 1: a test suite may take up to 4 GiB.")


def _available_memory() -> int | None:
    try:
        rows = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return int(rows["MemAvailable"].split()[0]) << 10
    except (OSError, ValueError, KeyError):
        return None
