from pathlib import Path

import pytest

from evaluator.appliers import granted, leniency
from evaluator.formats.model import STRICT, Tolerance
from evaluator.formats.search_replace import SearchReplace
from miner.errors import ToolError


class Lenient(SearchReplace):
    name = "lenient"
    tolerances = (Tolerance("a", "x"), Tolerance("b", "y"))


FORMATS = [Lenient()]


def test_standard_grants_the_whole_ladder_and_strict_nothing() -> None:
    assert granted("standard", FORMATS) == {"lenient": ["a", "b"]}
    assert granted("strict", FORMATS) == {"lenient": []}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("lenient: [b]\n", ["b"]), ("lenient: [b, a]\n", ["a", "b"]), ("lenient:\n", []), ("{}\n", ["a", "b"])],
)  # fmt: skip
def test_a_file_grants_what_it_lists_in_the_ladders_order(tmp_path: Path, text: str, expected: list[str]) -> None:
    (tmp_path / "a.yaml").write_text(text)
    assert granted(str(tmp_path / "a.yaml"), FORMATS) == {"lenient": expected}


@pytest.mark.parametrize("text", ["lenient: [c]\n", "lenient: 3\n", "- a\n", "a: [\n"])
def test_a_file_that_says_something_else_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(ToolError):
        granted(str(tmp_path / "a.yaml"), FORMATS)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(ToolError, match="cannot read the applier"):
        granted("nowhere.yaml", FORMATS)


def test_a_run_that_does_not_say_is_strict() -> None:
    assert leniency({}, FORMATS[0]) == STRICT
    assert leniency({"lenient": ["b"]}, FORMATS[0]) == {"b"}
