"""strata.yaml: what cannot be a way to draw a set is named."""

from pathlib import Path

import pytest

from miner.errors import ToolError
from miner.strata_file import definition_of

FILE = """
schema: 1
bounds: {inside_below: 0.6, past_above: 1.5, large_above: 0.5}
quotas: {inside: 1/3, near: 1/3, past: 1/3, large: 0.25}
tolerance: 0.1
set_size: 120
seed: 1
"""
WRONG = {
    "sizes beyond the set": ("inside: 1/3", "inside: 1", "quotas: .*can be 1 at most"),
    "no size at all": ("inside: 1/3, near: 1/3, past: 1/3", "inside: 0, near: 0, past: 0", "quotas: .*are 0 of"),
    "bounds that cross": ("inside_below: 0.6", "inside_below: 2", "inside_below 2 is above past_above 1.5"),
    "a share over nothing": ("tolerance: 0.1", "tolerance: 1/0", "tolerance: .*divides by 0"),
    "no number": ("tolerance: 0.1", "tolerance: 10%", "tolerance"),
    "below nothing": ("tolerance: 0.1", "tolerance: -0.1", "tolerance"),
}  # fmt: skip


@pytest.mark.parametrize(("there", "instead", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named(tmp_path: Path, there: str, instead: str, said: str) -> None:
    file = tmp_path / "s.yaml"
    file.write_text(FILE)
    definition_of(file)
    file.write_text(FILE.replace(there, instead))
    with pytest.raises(ToolError, match=said):
        definition_of(file)
