"""What a run to go on with holds has to be what its run.yaml names."""

from pathlib import Path
from typing import Any

import pytest

from evaluator.journal import AttemptLine, RunFile
from evaluator.running.checked import check_lines
from miner.errors import ToolError

ASKED: dict[str, Any] = {
    "set_digest": "0", "cap": 8_000, "model": "m", "simulated": False, "formats": ["udiff"], "attempts": 3, "seed": 1,
    "fixtures": ["r/1-a"], "impossible": ["r/1-a-impossible"], "started": "", "version": "",
}  # fmt: skip
LINE = AttemptLine(fixture="r/1-a", format="udiff", model="m", repeat=1, attempt=1, valid=True)


@pytest.mark.parametrize("change", [{}, {"fixture": "r/1-a-impossible"}, {"repeat": 7}])
def test_attempts_of_what_is_named_are_gone_on_with(change: dict[str, Any]) -> None:
    check_lines(RunFile(**ASKED), [LINE.model_copy(update=change)], "m", Path("run"))


@pytest.mark.parametrize("change", [{"fixture": "r/2-b"}, {"format": "whole_file"}, {"model": "n"}])
def test_attempts_of_anything_else_are_an_error(change: dict[str, Any]) -> None:
    with pytest.raises(ToolError, match=r"does not name .*attempts\.jsonl\. Restore run\.yaml"):
        check_lines(RunFile(**ASKED), [LINE, LINE.model_copy(update=change)], "m", Path("run"))


@pytest.mark.parametrize(
    "change",
    [
        {"attempts": 0}, {"repeats": 0}, {"cap": 0}, {"formats": ["udiff", "udiff"]}, {"fixtures": ["r/1-a"] * 2},
        {"impossible": ["r/1-a"]},
    ],
)  # fmt: skip
def test_settings_that_no_run_has_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"greater than or equal to 1|is named twice"):
        RunFile(**ASKED | change)
