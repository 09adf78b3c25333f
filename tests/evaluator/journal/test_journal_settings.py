"""run.yaml is read as it was written, or not at all."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from evaluator.journal import RunFile, StoredRun, load_run, write_run
from miner.errors import ToolError
from miner.record import dump_yaml


@pytest.fixture
def path(tmp_path: Path, run_file: RunFile) -> Path:
    write_run(tmp_path, run_file)
    return tmp_path / "run.yaml"


def test_what_was_written_is_read_and_is_plain_yaml_with_its_seal_last(path: Path, run_file: RunFile) -> None:
    assert load_run(path.parent) == StoredRun(path.parent).settings == run_file
    assert list(yaml.safe_load(path.read_text()))[-1] == "crc32"


def test_other_settings_are_sealed_anew(path: Path, run_file: RunFile) -> None:
    more = run_file.model_copy(update={"max_spend_usd": 7.5, "model": "caf\u00e9"})
    write_run(path.parent, more)
    assert load_run(path.parent) == more


EDITS: dict[str, Callable[[str], str]] = {
    "another cap": lambda text: text.replace("cap: 8000", "cap: 4000"),
    "another set": lambda text: text.replace("dddd", "eeee"),
    "one more key": lambda text: text + "context: 3\n",
    "a key in front of it": lambda text: "context: 3\n" + text,
    "a remark": lambda text: text.replace("cap: 8000", "cap: 8000  # mine"),
    "another seal": lambda text: text.replace('crc32: "', 'crc32: "0', 1),
    "a seal without its value": lambda text: text.partition("crc32:")[0] + "crc32:\n",
    "the same, dumped anew": lambda text: yaml.safe_dump(yaml.safe_load(text)),
    "other line ends": lambda text: text.replace("\n", "\r\n"),
    "cut off": lambda text: text[:-3],
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edited_file_is_refused_by_its_name(path: Path, edit: Callable[[str], str]) -> None:
    was = path.read_text()
    path.write_bytes(edit(was).encode())
    assert path.read_bytes() != was.encode()
    with pytest.raises(ToolError, match=f"the run's settings were edited: {path}. Its attempts .* start a new run"):
        load_run(path.parent)


def test_older_runs_have_no_seal_and_are_read(path: Path, run_file: RunFile) -> None:
    path.write_text(dump_yaml(run_file))
    assert load_run(path.parent) == run_file


def test_what_is_no_run_is_named(path: Path) -> None:
    path.write_text("cap: [")
    with pytest.raises(ToolError, match="unreadable run"):
        load_run(path.parent)
    path.unlink()
    with pytest.raises(ToolError, match="cannot read the run"):
        load_run(path.parent)
