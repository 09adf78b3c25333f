"""The two bubblewraps a job runs in, as arguments.

The *outer* one starts as we are. It can reach every source (the caches of root are closed to others), binds them
below /m, and mounts one sized tmpfs at /rw for all that a job writes. As root it then becomes the worker. The *inner*
one is the sandbox: all namespaces its own, built from nothing but /usr, /m and /rw.
"""

import resource
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from miner.sandbox.discovery import find_bubblewrap
from miner.sandbox.job import TREE, Job, Limits, Mount, Network
from miner.sandbox.online import BRIDGE, SOCKETS
from miner.sandbox.scratch import Scratch
from miner.sandbox.worker import WORKER, give, is_root, require_readable

_SYSTEM_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "mime.types", "nsswitch.conf")
_ETC_WITH_NETWORK = ("ssl", "ca-certificates", "pki")
_OPEN_FILES = 4096
_PREPARE = 'umask 022; mkdir -m 1777 /rw/tmp /rw/shm; mkdir -m "$1" /rw/tree; mkdir /rw/work; '
_COPY = "cp -a /m/0/. /rw/tree; "
_GO = 'shift; exec "$@"'


@dataclass
class Sources:
    """Host paths and where the outer stage binds them, and so the inner one finds them."""

    arguments: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, path: Path, *, writable: bool = False) -> str:
        """Bind a path; returns where."""
        place = f"/m/{self.count}"
        self.count += 1
        self.arguments += ["--bind" if writable else "--ro-bind", str(path), place]
        return place


def arguments(job: Job, scratch: Scratch, status: int, *, overlay: bool) -> list[str]:
    """The whole command line; the inner stage reports to the file descriptor `status`."""
    sources = Sources()
    # The tree is the first source: the script that copies it relies on that.
    tree = _tree(job.tree, sources, overlay=overlay) if job.tree else []
    inside = [
        *_inside(job, scratch, sources), *tree, *_mounts(job.mounts, sources), "--remount-ro", "/",
        "--chdir", job.directory, "--json-status-fd", str(status),
    ]  # fmt: skip
    for key, value in job.environment.items():
        inside += ["--setenv", key, scratch.fill_in(value)]
    limited = [*_limited(job.limits), *map(scratch.fill_in, job.command)]
    bubblewrap = _own_copy(sources)
    mode = f"{stat.S_IMODE(job.tree.stat().st_mode):o}" if job.tree else "755"
    script = f"set -e; {_PREPARE}{_COPY if job.tree and not overlay else ''}{_GO}"
    return [*_outside(job.limits, sources), "/bin/sh", "-c", script, "sh", mode, bubblewrap, *inside, "--", *limited]


def _tree(tree: Path, sources: Sources, *, overlay: bool) -> list[str]:
    give(tree)  # through an overlay files keep their owner, and a copy is made by the worker
    place = sources.add(tree)
    if overlay:
        return ["--overlay-src", place, "--overlay", "/rw/tree", "/rw/work", TREE]
    return ["--bind", "/rw/tree", TREE]


def _mounts(mounts: Sequence[Mount], sources: Sources) -> list[str]:
    found: list[str] = []
    for mount in mounts:
        if mount.writable:
            give(mount.source)
        else:
            require_readable(mount.source)
        place = sources.add(mount.source, writable=mount.writable)
        found += ["--bind" if mount.writable else "--ro-bind", place, mount.target]
    return found


def _outside(limits: Limits, sources: Sources) -> list[str]:
    found = [str(find_bubblewrap()), "--die-with-parent", *([] if is_root() else ["--unshare-user"])]
    for folder in ("/m", "/m/bwrap", "/tmp"):
        found += ["--perms", "0755", "--dir", folder]
    found += [
        *_system(), "--dev-bind", "/proc", "/proc", "--dev-bind", "/dev", "/dev", "--perms", "0755", "--dir", "/etc",
        "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", *sources.arguments,
        "--perms", "0777", "--size", str(limits.disk_bytes), "--tmpfs", "/rw", "--",
        # If the machine runs out of memory, the kernel shall end jobs first. The score can only be raised.
        "choom", "-n", str(max(800, int(Path("/proc/self/oom_score_adj").read_text()))), "--",
    ]  # fmt: skip
    if is_root():
        # To change the user is to lose the signal at the parent's death: it is asked for again. And it takes a
        # parent that may signal other users, which bubblewrap, having dropped all rights, is not: hence the shell.
        found += [
            "/bin/sh", "-c", '"$@"; exit $?', "sh",
            "setpriv", f"--reuid={WORKER}", f"--regid={WORKER}", "--clear-groups", "--no-new-privs",
            "--inh-caps=-all", "--bounding-set=-all", "--pdeathsig", "KILL", "--",
        ]  # fmt: skip
    return found


def _own_copy(sources: Sources) -> str:
    """Bubblewrap where the worker can reach it: PyPI's may be in a closed folder, and finds its library beside it."""
    path = find_bubblewrap()
    if path.is_relative_to("/usr"):
        return str(path)
    package = path.parent.parent
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        sources.arguments += ["--ro-bind", str(libraries), f"/m/bwrap/{libraries.name}"]
    place = f"/m/bwrap/{package.name}/{path.parent.name}/{path.name}"
    for folder in (f"/m/bwrap/{package.name}", str(Path(place).parent)):
        sources.arguments += ["--perms", "0755", "--dir", folder]
    sources.arguments += ["--ro-bind", str(path), place]
    return place


def _system() -> list[str]:
    found = ["--ro-bind", "/usr", "/usr"]
    for path in map(Path, _SYSTEM_LINKS):
        if path.is_symlink():
            found += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            found += ["--ro-bind", str(path), str(path)]
    return found


def _inside(job: Job, scratch: Scratch, sources: Sources) -> list[str]:
    found = [
        "--die-with-parent", "--new-session", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc",
        "--unshare-uts", "--unshare-cgroup-try", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox",
        # A namespace within would have all rights in it, and so more of the kernel to attack.
        "--disable-userns",
        "--clearenv", *_system(), "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev",
        # What can be written is in the one sized tmpfs, or watched.
        "--bind", "/rw/tmp", "/tmp", "--bind", "/rw/shm", "/dev/shm", "--remount-ro", "/dev",
    ]  # fmt: skip
    for name in ("passwd", "group", "hosts"):
        found += ["--ro-bind", sources.add(scratch.folder / name), f"/etc/{name}"]
    online = job.network is Network.REGISTRIES
    for name in (*_ETC, *(_ETC_WITH_NETWORK if online else ())):
        path = Path("/etc", name).resolve()
        if path.exists():
            found += ["--ro-bind", sources.add(path), f"/etc/{name}"]
    for prefix in dict.fromkeys(job.interpreter_prefixes):
        if not prefix.is_relative_to("/usr"):
            found += ["--ro-bind", sources.add(prefix), str(prefix)]
    if job.results:
        found += ["--bind", sources.add(scratch.folder / "results", writable=True), "/results"]
    if online:
        found += ["--ro-bind", sources.add(scratch.sockets), SOCKETS]
        found += ["--ro-bind", sources.add(Path(__file__).with_name("bridge.py")), BRIDGE]
    return found


def _limited(limits: Limits) -> list[str]:
    """Limits that the kernel keeps; on processes they count in the namespace they are set in: not earlier."""
    wanted = {
        "nproc": (limits.processes, resource.RLIMIT_NPROC), "fsize": (limits.disk_bytes, resource.RLIMIT_FSIZE),
        "nofile": (_OPEN_FILES, resource.RLIMIT_NOFILE), "core": (0, resource.RLIMIT_CORE),
    }  # fmt: skip
    found = ["/usr/bin/prlimit"]
    for name, (value, which) in wanted.items():
        hard = resource.getrlimit(which)[1]
        found.append(f"--{name}={value if hard == resource.RLIM_INFINITY else min(value, hard)}")
    return [*found, "--"]

