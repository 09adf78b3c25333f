"""docs/formats.md has a section for every format of ours, and names every step of its ladder."""

from pathlib import Path

import pytest

from evaluator.formats import ALL
from evaluator.formats.ladder import SHARED
from evaluator.formats.model import EditFormat

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("fmt", ALL, ids=[fmt.name for fmt in ALL])
def test_the_page_has_every_step(fmt: EditFormat) -> None:
    section = PAGE.partition(f"\n## `{fmt.name}`\n")[2].partition("\n## ")[0]
    assert section, fmt.name
    shared = {step.name for step in SHARED} if "the shared ladder" in section else set()
    missing = [t.name for t in fmt.tolerances if f"`{t.name}`" not in section and t.name not in shared]
    assert missing == []
