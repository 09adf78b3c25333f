"""Short ways to run a job on a tree, for the tests of the sandbox."""

import sys
from collections.abc import Mapping
from pathlib import Path

from miner.sandbox import Job, Limits, Outcome, run

PREFIX = Path(sys.base_prefix)
PYTHON = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
MB = 1 << 20


def job(tree: Path | None, *command: str, env: Mapping[str, str] | None = None, **options: object) -> Job:
    limits = options.pop("limits", None) or Limits(options.pop("timeout", 20))
    environment = {"PATH": "/usr/bin:/bin"} if env is None else env
    if tree is None:
        options.setdefault("directory", "/tmp")
    return Job(command, environment, limits, tree=tree, interpreter_prefixes=[PREFIX], **options)


def shell(tree: Path | None, script: str, **options: object) -> Outcome:
    return run(job(tree, "/bin/sh", "-c", script, **options))


def python(tree: Path | None, script: str, *arguments: str, **options: object) -> Outcome:
    return run(job(tree, PYTHON, "-I", "-c", script, *arguments, **options))
