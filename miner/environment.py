"""Environments: resolved by uv as of a change's date, built in the sandbox, cached by what determines them."""

import hashlib
import os
import shutil
import tempfile
import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import uv

from miner import interpreters, sandbox
from miner.interpreters import Interpreter
from miner.recipes.model import Needs
from miner.record import Environment
from miner.sandbox import Job, Limits, Mount, Network, Outcome, read_output_file
from miner.trees import cache_folder

TREE, ENV = "/tree", "/env"  # where every tree and every environment is mounted, so that one serves many
_UV, _UV_CACHE = "/opt/uv", "/cache"
_BUILD = Limits(wall_seconds=900, memory_bytes=8 << 30, disk_bytes=8 << 30)
_LONGEST_LOCK = 4 << 20
_PASSED_ON = (
    "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "SSL_CERT_FILE",
)  # fmt: skip
_SYSTEM_CERTIFICATES = Path("/etc/ssl/certs")
_building: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


class EnvironmentFailed(Exception):
    """An environment that did not build; the message is the last thing the builder said."""


@dataclass(frozen=True)
class Ready:
    """A built environment: its folder on this machine and the interpreter it runs on."""

    folder: Path
    interpreter: Interpreter


@dataclass(frozen=True)
class Workshop:
    """Where one tree's environment is resolved and built: a scratch copy of the tree, a date, a cache."""

    tree: Path
    repository: str
    date: str  # ISO 8601, the merge date
    interpreter: Interpreter
    pretend_version: str | None

    def uv(self, *arguments: str, env_folder: Path | None = None) -> Outcome:
        """Run uv inside the sandbox, with the package registries, on the scratch tree."""
        uv_cache = cache_folder() / "uv" / self.repository
        uv_cache.mkdir(parents=True, exist_ok=True)
        mounts = [
            Mount(self.tree, TREE, writable=True), Mount(uv_cache, _UV_CACHE, writable=True),
            Mount(Path(uv.find_uv_bin()), _UV),
        ]  # fmt: skip
        if env_folder is not None:
            mounts.append(Mount(env_folder, ENV, writable=True))
        environment = {k: os.environ[k] for k in _PASSED_ON if k in os.environ} | {
            "PATH": f"{ENV}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8",
            "UV_CACHE_DIR": _UV_CACHE, "UV_LINK_MODE": "copy", "UV_NO_PROGRESS": "1", "UV_NO_CONFIG": "1",
            "UV_PYTHON_DOWNLOADS": "never",
        }  # fmt: skip
        certificates = environment.get("SSL_CERT_FILE")
        if certificates and Path(certificates).is_file():
            mounts.append(Mount(Path(certificates), certificates))
        elif _SYSTEM_CERTIFICATES.exists():
            environment["UV_SYSTEM_CERTS"] = "1"  # what the machine trusts, a company's own proxy included
        if self.pretend_version:
            environment |= {
                "SETUPTOOLS_SCM_PRETEND_VERSION": self.pretend_version,
                "PDM_BUILD_SCM_VERSION": self.pretend_version,
            }
        job = Job(
            [_UV, *arguments], environment, _BUILD, mounts=mounts, network=Network.REGISTRIES,
            interpreter_prefixes=[self.interpreter.prefix],
        )  # fmt: skip
        return sandbox.run(job)

    @property
    def cutoff(self) -> str:
        """The option that hides packages published after the date."""
        moment = datetime.fromisoformat(self.date).astimezone(UTC)
        return f"--exclude-newer={moment:%Y-%m-%dT%H:%M:%SZ}"


def resolve(workshop: Workshop, needs: Needs) -> str:
    """The pinned packages (requirements format) that the tests need, as of the date.

    Each of `needs.inputs` is tried in order; raises `EnvironmentFailed` where none resolves.
    """
    message = "nothing to resolve"
    (workshop.tree / ".always-needed.in").write_text("pytest\n")
    for inputs in needs.inputs:
        done = workshop.uv(
            "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--python",
            str(workshop.interpreter.executable), workshop.cutoff, "--output-file=/tree/.lock.txt",
            *inputs, ".always-needed.in",
        )  # fmt: skip
        # A build script ran on this tree: what it left may be a link to anywhere.
        lock = read_output_file(workshop.tree / ".lock.txt", _LONGEST_LOCK)
        if done.exit_code == 0 and lock is not None:
            return lock.decode("utf-8", "replace")
        message = last_words(done)
    raise EnvironmentFailed(f"cannot resolve the test dependencies: {message}")


def describe(needs: Needs, lock: str, workshop: Workshop, install: str) -> Environment:
    """The record of an environment; its digest leaves the pretend version out."""
    parts = [str(workshop.interpreter).encode(), lock.encode(), install.encode(), *needs.pinned]
    digest = hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
    return Environment(
        digest=digest[:20], python=str(workshop.interpreter), install="path" if install == "path" else "editable",
        pretend_version=workshop.pretend_version,
    )  # fmt: skip


def build(workshop: Workshop, environment: Environment, lock: str, source_folder: str) -> Ready:
    """The environment's folder, built unless the cache has it; raises `EnvironmentFailed`."""
    name = f"{environment.digest}-py{workshop.interpreter}"
    folder = cache_folder() / "environments" / workshop.repository / name
    with _building[str(folder)]:
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            scratch = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".building-"))
            try:
                _install(workshop, scratch, lock, environment.install, source_folder)
                scratch.chmod(0o755)
                scratch.rename(folder)
            except OSError:
                if not folder.is_dir():  # another process may have built the same one first
                    raise
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    return Ready(folder, workshop.interpreter)


def _install(workshop: Workshop, scratch: Path, lock: str, install: str, source_folder: str) -> None:
    (workshop.tree / ".lock.txt").unlink(missing_ok=True)  # never written through: it could be a link
    (workshop.tree / ".lock.txt").write_text(lock)
    python = str(workshop.interpreter.executable)
    _must(workshop, scratch, "venv", "--quiet", "--allow-existing", "--python", python, ENV)
    common = ("pip", "install", "--quiet", "--python", f"{ENV}/bin/python", "--compile-bytecode")
    if lock.strip():
        _must(workshop, scratch, *common, "--no-deps", "-r", ".lock.txt", workshop.cutoff)
    if install == "path":
        target = TREE if source_folder == "." else f"{TREE}/{source_folder}"
        packages = next((scratch / "lib").glob("python*/site-packages"))
        if not packages.resolve().is_relative_to(scratch.resolve()) or (packages / "tree.pth").is_symlink():
            raise EnvironmentFailed("an installed package replaced site-packages by a link")
        (packages / "tree.pth").write_text(f"{target}\n")
        return
    editable = (*common, "--no-deps", "--editable", TREE)
    if workshop.uv(*editable, workshop.cutoff, env_folder=scratch).exit_code:
        # Build tools of the date may lack editable installs: today's are the documented second choice.
        _must(workshop, scratch, *editable)


def _must(workshop: Workshop, scratch: Path, *arguments: str) -> None:
    done = workshop.uv(*arguments, env_folder=scratch)
    if done.exit_code != 0:
        raise EnvironmentFailed(f"uv {' '.join(arguments[:2])} failed: {last_words(done)}")


def last_words(outcome: Outcome, lines: int = 6) -> str:
    """The end of a job's output on one line, for a message."""
    if outcome.timed_out:
        return "ran out of time"
    kept: Sequence[str] = [line.strip() for line in outcome.output.splitlines() if line.strip()]
    return " | ".join(kept[-lines:])[-600:] or f"exit code {outcome.exit_code}"


def test_job(ready: Ready, tree: Path, results: Path, command: Sequence[str], timeout: float) -> Job:
    """A job that runs tests on a tree that is written to disk, without network."""
    environment = {
        "PATH": f"{ENV}/bin:/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC",
        "VIRTUAL_ENV": ENV, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "COLUMNS": "80",
    }  # fmt: skip
    return Job(
        command, environment, Limits(timeout), tree=tree, mounts=[Mount(ready.folder, ENV)], results=results,
        interpreter_prefixes=[ready.interpreter.prefix],
    )  # fmt: skip


def interpreter_for(environment: Environment) -> Interpreter:
    """The interpreter of this machine to rebuild a recorded environment on."""
    found = interpreters.same_or_next(interpreters.installed(), environment.python)
    if found is None:
        raise EnvironmentFailed("no Python interpreter found")
    return found
