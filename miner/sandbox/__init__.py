"""Running what repositories and models wrote, in bubblewrap: see docs/security.md for what holds and what does not.

There is no fallback: where no sandbox can be started, nothing is run. `use("none")` is asked for by name and warns.
"""

from miner.sandbox.discovery import find_bubblewrap
from miner.sandbox.follow import stop_all
from miner.sandbox.job import Job, Limits, Mount, Network, Outcome, Stopped
from miner.sandbox.results import read_output_file, remove, write_input_file
from miner.sandbox.runner import run, use

__all__ = [
    "Job", "Limits", "Mount", "Network", "Outcome", "Stopped", "find_bubblewrap", "read_output_file", "remove",
    "run", "stop_all", "use", "write_input_file",
]  # fmt: skip
