"""The one door to git: a scrubbed environment, no hooks, filters, textconv, external diff or lazy fetch.

Every command runs against a bare repository of ours. A mined repository is only ever *borrowed from*
(see `borrow`): its objects are reached through alternates, its configuration is never read by the
commands that touch contents.
"""

import os
import re
import subprocess
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # without git it would not even be imported; we say it ourselves
import git as gitpython

from miner import temporary
from miner.errors import ToolError

_SAFE_CONFIG = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "core.quotePath": "false",
    "core.autocrlf": "false",
    "core.protectNTFS": "false",
    "diff.external": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "protocol.file.allow": "always",
    "safe.directory": "*",
    "user.name": "miner",
    "user.email": "miner@invalid",
    "commit.gpgSign": "false",
    "fetch.fsckObjects": "true",
    "transfer.fsckObjects": "true",
    # Old but harmless: trees of a decade ago were written with padded modes (psf/requests has some).
    "fetch.fsck.zeroPaddedFilemode": "ignore",
    "fsck.zeroPaddedFilemode": "ignore",
    "fsck.badFilemode": "ignore",  # 100664, from before git wrote two file modes only
}
# The highest-priority attributes: bytes leave git as they went in, whatever the tree's .gitattributes says.
_VERBATIM_ATTRIBUTES = "* -text !eol !ident !filter !working-tree-encoding !diff !export-subst\n"
_DELTA_BASES = "24m"  # what a long-lived git keeps at most, a quarter of its own default; there are several at once
# As the system says it, and git itself where a part of a write was taken.
_FULL = re.compile(r"No space left on device|Out of diskspace|Disk quota exceeded")
_REMEMBERED = 1 << 25  # bytes of contents; a change asks for the same files again and again


class GitFailed(Exception):
    """A git command that did not succeed; `stderr` is what it said."""

    def __init__(self, arguments: Sequence[str], stderr: str) -> None:
        self.stderr = stderr.strip()
        super().__init__(f"git {' '.join(arguments[:3])}: {self.stderr}")


def git_environment() -> dict[str, str]:
    """The environment git runs in: nothing of the caller's GIT_*, nothing of the user's configuration."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env.update(
        GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL=os.devnull, GIT_ATTR_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0",
        GIT_NO_REPLACE_OBJECTS="1", GIT_NO_LAZY_FETCH="1", GIT_OPTIONAL_LOCKS="0", LC_ALL="C",
        GIT_CONFIG_COUNT=str(len(_SAFE_CONFIG)),
    )  # fmt: skip
    for i, (key, value) in enumerate(_SAFE_CONFIG.items()):
        env[f"GIT_CONFIG_KEY_{i}"], env[f"GIT_CONFIG_VALUE_{i}"] = key, value
    return env


@dataclass(frozen=True)
class Git:
    """Runs git on one bare repository of ours."""

    directory: Path

    def command(self, arguments: Sequence[str]) -> list[str]:
        """The argument vector for a git command on this repository."""
        return ["git", f"--git-dir={self.directory}", *arguments]

    def run(self, *arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> bytes:
        """Standard output of one git command; raises `GitFailed`, and `ToolError` where there is no git, or no room."""
        try:
            done = subprocess.run(
                self.command(arguments), input=stdin, env=git_environment() | (env or {}), capture_output=True
            )
        except FileNotFoundError:
            raise ToolError("not found", "git", "Install it: `miner doctor` says what this machine lacks.") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace")
            if _FULL.search(said):  # no reason to say that a patch does not fit
                remedy = "Free some space (TMPDIR names another place), then go on."
                raise ToolError("the disk is full", f"git: {said.strip().rstrip('.')}", remedy)
            raise GitFailed(arguments, said)
        return done.stdout

    def line(self, *arguments: str, env: dict[str, str] | None = None) -> str:
        """Standard output of a command that prints one line."""
        return self.run(*arguments, env=env).decode().strip()

    def stream(self, *arguments: str) -> subprocess.Popen[bytes]:
        """A running git command with pipes on both ends, for bulk reading."""
        return subprocess.Popen(
            self.command(["-c", f"core.deltaBaseCacheLimit={_DELTA_BASES}", *arguments]), env=git_environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    @contextmanager
    def index(self, tree: str) -> Iterator[dict[str, str]]:
        """A private index that holds `tree`, as the environment variables to pass to `run`."""
        with temporary.folder("index-") as folder:
            env = {"GIT_INDEX_FILE": str(folder / "index")}
            self.run("read-tree", tree, env=env)
            yield env


def create_bare(directory: Path, object_format: str = "sha1") -> Git:
    """A new bare repository of ours at `directory`."""
    git = Git(directory)
    git.run("init", "--quiet", "--bare", f"--object-format={object_format}", "--template=", str(directory))
    (directory / "info").mkdir(exist_ok=True)
    (directory / "info" / "attributes").write_text(_VERBATIM_ATTRIBUTES)
    return git


def borrow(source: Path, directory: Path, tags: bool = True, branch: str | None = None) -> tuple[Git, str]:
    """A bare repository at `directory` that reads the objects of the repository at `source`, and has its tags.

    It is for scratch: git does not wait for the disk there. Tags serve only to guess versions, and cost a file each.
    Returns it and the commit that `source`'s HEAD names, or its `branch` (else the one it last saw of its origin's).
    Raises `ToolError` where `source` is no repository, has no such branch or no commit.
    """
    inspect, common = _found(source)
    object_format = inspect.line("rev-parse", "--show-object-format")
    head = _head(inspect, source) if branch is None else _head_of_branch(inspect, source, branch)
    ours = create_bare(directory, object_format)
    (directory / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (directory / "objects" / "info" / "alternates").write_text(f"{common / 'objects'}\n")
    with (directory / "config").open("a") as config:
        config.write("[core]\n\tfsync = none\n")
    if (common / "shallow").exists():
        (directory / "shallow").write_bytes((common / "shallow").read_bytes())
    if tags:
        _copy_tags(inspect, ours)
    return ours, head


def read_only(source: Path) -> Git:
    """The repository at `source` itself, to list its refs. Raises `ToolError` where there is none."""
    return _found(source)[0]


def _found(source: Path) -> tuple[Git, Path]:
    """The repository at `source`, and the folder of what its work trees have in common."""
    try:
        found = gitpython.Repo(source, search_parent_directories=False)
    except (gitpython.InvalidGitRepositoryError, gitpython.NoSuchPathError):
        raise ToolError("not a git repository", source, "Give the path of a local clone, bare or not.") from None
    except (OSError, ValueError) as error:
        raise ToolError("cannot read the repository", source, f"{error}.") from None
    common = Path(found.common_dir).resolve()
    inspect = Git(Path(found.git_dir).resolve())
    found.close()
    return inspect, common


def _head(inspect: Git, source: Path) -> str:
    try:
        return inspect.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except GitFailed:
        remedy = "Commit something, or check that HEAD names an existing branch."
        raise ToolError("the repository has no commit", source, remedy) from None


def _head_of_branch(inspect: Git, source: Path, branch: str) -> str:
    for place in ("refs/heads/", "refs/remotes/origin/"):
        with suppress(GitFailed):
            return inspect.line("rev-parse", "--verify", "--quiet", f"{place}{branch}^{{commit}}")
    raise ToolError("no such branch", f"{branch} in {source}", "List them with `git branch --all`.")


def _copy_tags(source: Git, ours: Git) -> None:
    commands = source.run("for-each-ref", "--format=create %(refname) %(objectname)", "refs/tags")
    with suppress(GitFailed):  # one may name an object that is missing
        ours.run("update-ref", "--stdin", stdin=commands)


class Objects:
    """A long-lived `cat-file --batch-command` that remembers what it read last; safe to share between threads."""

    def __init__(self, git: Git) -> None:
        self._process = git.stream("cat-file", "--batch-command")
        self._lock = threading.Lock()
        self._recent: OrderedDict[str, bytes] = OrderedDict()
        self._room = _REMEMBERED

    def __enter__(self) -> "Objects":
        return self

    def __exit__(self, _t: type[BaseException] | None, _e: BaseException | None, _b: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def _ask(self, verb: str, name: str) -> tuple[list[bytes], bytes]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{verb} {name}\n".encode())
        self._process.stdin.flush()
        header = self._process.stdout.readline().split()
        if not header:
            raise GitFailed(["cat-file"], "ended early")
        if len(header) != 3 or verb == "info":
            return header, b""
        body = self._process.stdout.read(int(header[2]))
        self._process.stdout.read(1)
        return header, body

    def read(self, name: str) -> bytes | None:
        """The contents of an object, or None where it is missing. A name must always stand for the same object."""
        with self._lock:
            if name in self._recent:
                self._recent.move_to_end(name)
                return self._recent[name]
            header, body = self._ask("contents", name)
            if len(header) != 3:
                return None
            self._remember(name, body)
            return body

    def _remember(self, name: str, body: bytes) -> None:
        self._recent[name] = body
        self._room -= len(body)
        while self._room < 0:
            self._room += len(self._recent.popitem(last=False)[1])

    def resolve(self, name: str) -> str | None:
        """The object id that `name` (such as `<commit>^{tree}`) stands for, or None."""
        with self._lock:
            header, _ = self._ask("info", name)
        return header[0].decode() if len(header) == 3 else None
