"""A job's side of the network: the command runs beside the bridge, and every client is told to go through it."""

import sys
from dataclasses import replace
from pathlib import Path

from miner.sandbox.job import Job

BRIDGE, SOCKETS = "/run/bridge.py", "/run/registries"
_PORT = 3128
_PROXIED = (
    "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "npm_config_proxy", "npm_config_https_proxy",
)  # fmt: skip
_BYPASSES = ("NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "npm_config_noproxy")


def bridged(job: Job) -> Job:
    """The job with its command run by the bridge, and clients told of it; the bridge runs on our own interpreter."""
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    port = str(_PORT)
    java = " ".join(f"-D{scheme}.proxyHost=127.0.0.1 -D{scheme}.proxyPort={port}" for scheme in ("http", "https"))
    environment = {key: value for key, value in job.environment.items() if key not in _BYPASSES}
    environment |= dict.fromkeys(_PROXIED, f"http://127.0.0.1:{port}")
    environment.setdefault("JAVA_TOOL_OPTIONS", java)  # Java reads no HTTP_PROXY
    return replace(
        job, command=[str(python), "-I", "-S", BRIDGE, f"{SOCKETS}/proxy", port, *job.command],
        environment=environment, interpreter_prefixes=[*job.interpreter_prefixes, Path(sys.base_prefix)],
    )  # fmt: skip
