"""The words of the sandbox: a job, what it may use, and what became of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

TREE = "/tree"  # where a job's starting tree appears
RESULTS = "{results}"  # in a command or an environment value: the folder for what the job hands back


class Network(StrEnum):
    """What a job can reach. The host itself is never in it."""

    NONE = "none"
    REGISTRIES = "registries"  # the configured package registries, through a proxy of ours


class Stopped(StrEnum):
    """The limit that ended a job."""

    TIME = "time"
    CPU = "cpu"
    MEMORY = "memory"
    OUTPUT = "output"
    DISK = "disk"


@dataclass(frozen=True)
class Mount:
    """A host file or folder and where it appears inside; read-only unless said otherwise.

    As root, what is writable is first given to the sandbox's user, and what is not must be readable by others.
    """

    source: Path
    target: str
    writable: bool = False


@dataclass(frozen=True)
class Limits:
    """What a job may use, its whole tree of processes together."""

    wall_seconds: float
    cpu_seconds: float | None = None  # None: four times the wall clock
    memory_bytes: int = 4 << 30  # files in memory included
    processes: int = 512  # threads count
    output_bytes: int = 64 << 20
    disk_bytes: int = 2 << 30  # of /tmp, /dev/shm and changes to the tree; and again of what writable mounts grow by

    @property
    def cpu(self) -> float:
        """The limit of CPU time in seconds."""
        return 4 * self.wall_seconds if self.cpu_seconds is None else self.cpu_seconds


@dataclass(frozen=True)
class Job:
    """One command and everything it can see: nothing is inherited."""

    command: Sequence[str]
    environment: Mapping[str, str]  # the whole of it
    limits: Limits
    tree: Path | None = None  # appears writable at /tree; its content is never changed
    mounts: Sequence[Mount] = ()  # after the tree, so that a file can be mounted over one of the tree's
    directory: str = TREE
    network: Network = Network.NONE
    interpreter_prefixes: Sequence[Path] = ()  # toolchains, read-only, at the same path
    results: Path | None = None  # regular files left in `{results}` are copied here at the end


@dataclass(frozen=True)
class Outcome:
    """What became of a job. Output is the last 64 kB of both streams."""

    exit_code: int | None  # None where a limit ended it; negative where `stop_all` did
    output: str
    seconds: float
    stopped: Stopped | None = None

    @property
    def timed_out(self) -> bool:
        """Whether a limit on time ended it."""
        return self.stopped in (Stopped.TIME, Stopped.CPU)
