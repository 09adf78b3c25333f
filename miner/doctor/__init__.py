"""`miner doctor`: what a machine and a repository still need, each with its remedy."""

from pathlib import Path

from miner.doctor import machine, outside
from miner.doctor.clone import Examined, examine
from miner.doctor.model import Check, Status

__all__ = ["Check", "Status", "examination"]


def examination(repo: Path | None = None, cwd: str = ".", confined: bool = True) -> list[Check]:
    """Every check: the machine's, then, where one is given, the repository's.

    Not `confined`: the work is to be done with --sandbox none, so no sandbox is looked for.
    """
    git = machine.git()
    # Without a git that can read it nothing can be said of a repository, and nothing is.
    looked = examine(repo, cwd) if repo is not None and git.status is not Status.MISSING else Examined([])
    sandbox = [machine.sandbox_starts(), machine.user_namespaces(machine.namespace_settings())] if confined else []
    return [
        git, *sandbox, machine.uv_starts(),
        outside.package_index(), machine.pythons(), *outside.programs(looked.needed, looked.folders),
        outside.github_token(), machine.cache_writable(), *machine.room(), *looked.checks,
    ]  # fmt: skip
