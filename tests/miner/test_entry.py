"""Both commands are interrupted quietly from the first moment on, as real processes."""

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
# In place of a module that both commands import: the signal comes in the middle of the imports. What it raises may be
# caught there, as imports of optional modules do.
INTERRUPTING = """
import os, signal, time
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
except BaseException:
    pass
raise ImportError("the end of the imports")
"""


def script(name: str) -> list[str]:
    """What an installed console script does."""
    module, _, function = SCRIPTS[name].partition(":")
    return [sys.executable, "-c", f"import sys; from {module} import {function}; sys.exit({function}())"]


@pytest.mark.parametrize("name", ["miner", "evaluator"])
@pytest.mark.parametrize("how", ["script", "module"])
def test_an_interruption_while_python_imports_exits_130_with_one_line(name: str, how: str, tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text(INTERRUPTING)
    command = script(name) if how == "script" else [sys.executable, "-m", name]
    env = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", f"{name}: interrupted before it began\n")


@pytest.mark.parametrize("name", ["miner", "evaluator"])
def test_a_signal_that_the_parent_ignores_stays_ignored(name: str, tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text(INTERRUPTING)
    env = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    done = subprocess.run(
        script(name), capture_output=True, text=True, env=env, cwd=tmp_path, timeout=100,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert "the end of the imports" in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("name", ["miner", "evaluator"])
def test_the_command_runs_as_declared_and_as_a_module(name: str) -> None:
    for command in (script(name), [sys.executable, "-m", name]):
        done = subprocess.run([*command, "--help"], capture_output=True, text=True, cwd=ROOT, timeout=100)
        assert done.returncode == 0, done.stderr
        assert f"Usage: {name}" in done.stdout


def test_in_the_command_an_interruption_is_answered_by_its_handler() -> None:
    """What it does then (stop what runs, say how to go on) needs Python's own exception."""
    code = (
        "import sys, types; cli = types.ModuleType('miner.cli'); sys.modules['miner.cli'] = cli\n"
        "import os, signal, time\n"
        "def main():\n"
        "    try:\n        os.kill(os.getpid(), signal.SIGINT); time.sleep(1)\n"
        "    except KeyboardInterrupt:\n        print('minded'); sys.exit(7)\n"
        "cli.main = main\nfrom miner.entry import start\nstart('miner')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (7, "minded\n", "")
