from pathlib import Path

import pytest

from evaluator.journal import (
    AttemptLine,
    DiskJournal,
    Kept,
    MemoryJournal,
    RunFile,
    load_run,
    read_attempts,
    read_transcript,
    reply_path,
)
from evaluator.messages import Message
from evaluator.taxonomy import Category, Detail, Discard
from miner.errors import ToolError

RUN = RunFile(
    set_digest="d" * 64, cap=8000, model="m", simulated=False, formats=["whole_file"], attempts=3, seed=7,
    fixtures=["r/1-x", "r/2-y"], started="2026-01-01T00:00:00+00:00", version="0",
)  # fmt: skip
ASKED = [Message("system", "Be brief."), Message("user", "Add.")]


def line(n: int, **fields: object) -> AttemptLine:
    blank = AttemptLine(fixture=f"r/{n}-x", format="whole_file", model="m", repeat=1, attempt=1, valid=False)
    return blank.model_copy(update=fields)


FULL = line(
    1, valid=True, unintended_changes=("a.py::f", "b.py::C.g"), output_tokens=12, latency_ms=34, applied=True,
    failure_category=Category.UNINTENDED_CHANGE, detail=Detail.REMOVED, served_model="m-1", stop_reason="stop",
    tests="pass", edits=2, edits_applied=2, feedback="line\nbreak\u2028and \u00e9",
)  # fmt: skip
LOST = line(2, discarded=Discard.INFRA_ERROR, error="503")


def written(folder: Path, *lines: AttemptLine) -> Path:
    journal = DiskJournal(folder, RUN)
    for each in lines:
        journal.add(each, Kept(ASKED, f"reply of {each.fixture}\r\n"))
    journal.close()
    return folder / "attempts.jsonl"


def test_what_is_added_is_read_back_the_same(tmp_path: Path) -> None:
    path = written(tmp_path, FULL, LOST)
    assert path.read_bytes().count(b"\n") == 2
    assert read_attempts(path) == [FULL, LOST]


def test_every_line_is_on_disk_before_the_journal_is_closed(tmp_path: Path) -> None:
    journal = DiskJournal(tmp_path, RUN)
    journal.add(FULL, Kept(ASKED, "x"))
    assert read_attempts(journal.path) == [FULL]
    journal.close()


def test_the_settings_are_written_once_and_kept(tmp_path: Path) -> None:
    written(tmp_path)
    DiskJournal(tmp_path, RUN.model_copy(update={"seed": 8})).close()
    assert load_run(tmp_path) == RUN


@pytest.mark.parametrize("cut", [1, 2, 40, 100], ids=lambda cut: f"{cut} bytes lost")
def test_a_torn_last_line_is_dropped_and_the_next_one_is_whole(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path, FULL, LOST)
    path.write_bytes(path.read_bytes()[:-cut])
    complete = [FULL, LOST] if cut == 1 else [FULL]  # without its line break alone, it is still all there
    journal = DiskJournal(tmp_path, RUN)
    assert journal.lines == complete
    journal.add(line(3), Kept(ASKED, "x"))
    journal.close()
    assert read_attempts(path) == [*complete, line(3)]


@pytest.mark.parametrize(
    "damage", [b"{", b'{"fixture": "r/1-x"}', b"\xff\xfe", b"null"], ids=["json", "fields", "bytes", "null"]
)
def test_a_damaged_line_before_the_last_is_an_error_that_names_it(tmp_path: Path, damage: bytes) -> None:
    path = written(tmp_path, FULL, LOST)
    first, second, _ = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([first, damage, second, b""]))
    with pytest.raises(ToolError, match=r"attempts\.jsonl:2"):
        read_attempts(path)


def test_a_journal_that_is_not_there_is_an_error_and_not_an_empty_run(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot read the attempts"):
        read_attempts(tmp_path / "attempts.jsonl")


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"run\.yaml"):
        load_run(tmp_path)


def test_prompt_and_raw_reply_are_kept_to_the_byte(tmp_path: Path) -> None:
    journal = DiskJournal(tmp_path, RUN)
    raw = "caf\u00e9\r\n\x00\udcff end"
    journal.add(FULL, Kept(ASKED, raw))
    journal.close()
    path = reply_path(journal.replies, FULL.fixture, "whole_file", 1, 1)
    assert path.read_bytes() == raw.encode("utf-8", "surrogateescape")
    assert read_transcript(path.parent / "whole_file.r1.a1.md") == Kept(tuple(ASKED), raw)


def test_a_journal_in_memory_gives_back_what_one_on_disk_would(tmp_path: Path) -> None:
    disk, memory = DiskJournal(tmp_path, RUN), MemoryJournal()
    for journal in (disk, memory):
        for each, text in ((FULL, "first\r\n"), (LOST, "")):
            journal.add(each, Kept(ASKED, text))
    assert memory.lines == disk.lines == read_attempts(disk.path)
    assert [memory.reply(a) for a in memory.lines] == [disk.reply(a) for a in disk.lines] == ["first\r\n", ""]
    disk.close()
