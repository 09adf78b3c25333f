"""A run's journal on disk, and the one in memory beside it."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from evaluator.journal import (
    AttemptLine,
    CallLine,
    DiskJournal,
    Kept,
    MemoryJournal,
    RunFile,
    load_run,
    read_attempts,
    read_calls,
    read_transcript,
    reply_path,
    transcript_path,
    truth_path,
    with_counts,
)
from evaluator.models.model import Reply
from evaluator.taxonomy import Category, Detail, Discard
from miner.errors import ToolError

Line = Callable[..., AttemptLine]
Open = Callable[[], DiskJournal]


@pytest.fixture
def full(line: Line) -> AttemptLine:
    return line(
        1, valid=True, unintended_changes=("a.py::f", "b.py::C.g"), output_tokens=12, latency_ms=34, applied=True,
        failure_category=Category.UNINTENDED_CHANGE, detail=Detail.REMOVED, served_model="m-1", stop_reason="stop",
        tests="pass", edits=2, edits_applied=2, feedback="line\nbreak\u2028and \u00e9",
    )  # fmt: skip


@pytest.fixture
def lost(line: Line) -> AttemptLine:
    return line(2, discarded=Discard.INFRA_ERROR, error="503")


@pytest.fixture
def path(opened: Open, full: AttemptLine, lost: AttemptLine, kept: Kept) -> Path:
    """The attempts of a run of two, which is closed."""
    journal = opened()
    journal.add(full, kept)
    journal.add(lost, replace(kept, reply=""))
    journal.close()
    return journal.path


def test_what_is_added_is_read_back_the_same(path: Path, full: AttemptLine, lost: AttemptLine) -> None:
    assert path.read_bytes().count(b"\n") == 2
    assert read_attempts(path) == [full, lost]


def test_lines_in_memory_are_light_and_can_be_changed_into_others(path: Path, full: AttemptLine) -> None:
    first, second = read_attempts(path)
    assert first.model is second.model, "what is equal is held once"
    changed = first.model_copy(update={"feedback": "x"})
    assert (changed, first, second.feedback) == (full.model_copy(update={"feedback": "x"}), full, "")


def test_every_line_is_on_disk_before_the_journal_is_closed(opened: Open, full: AttemptLine, kept: Kept) -> None:
    journal = opened()
    journal.add(full, kept)
    assert read_attempts(journal.path) == [full]
    journal.close()


def test_the_settings_are_written_once_and_kept(tmp_path: Path, run_file: RunFile) -> None:
    DiskJournal(tmp_path, run_file).close()
    DiskJournal(tmp_path, run_file.model_copy(update={"seed": 8})).close()
    assert load_run(tmp_path) == run_file


@pytest.mark.parametrize("cut", [1, 2, 40, 100], ids=lambda cut: f"{cut} bytes lost")
def test_a_torn_last_line_is_dropped_and_the_next_one_is_whole(
    path: Path, opened: Open, full: AttemptLine, lost: AttemptLine, line: Line, kept: Kept, cut: int
) -> None:
    path.write_bytes(path.read_bytes()[:-cut])
    complete = [full, lost] if cut == 1 else [full]  # without its line break alone, it is still all there
    journal = opened()
    assert journal.lines == complete
    journal.add(line(3), kept)
    journal.close()
    assert read_attempts(path) == [*complete, line(3)]


def test_a_journal_with_a_damaged_line_is_not_opened_and_not_changed(path: Path, opened: Open) -> None:
    damaged = path.read_bytes().replace(b'"valid": true', b'"valid": false')
    path.write_bytes(damaged)
    for _ in range(2):
        with pytest.raises(ToolError, match=r"attempts\.jsonl:1"):
            opened()
    assert path.read_bytes() == damaged


def test_a_journal_that_is_not_there_is_an_error_and_not_an_empty_run(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot read the attempts"):
        read_attempts(tmp_path / "attempts.jsonl")


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"run\.yaml"):
        load_run(tmp_path)


def test_prompt_and_raw_reply_are_kept_to_the_byte(opened: Open, full: AttemptLine, kept: Kept) -> None:
    raw = "caf\u00e9\r\n\x00\udcff end"
    journal = opened()
    journal.add(full, replace(kept, reply=raw))
    journal.close()
    assert journal.reply(full) == raw
    assert reply_path(journal.replies, *full.key).read_bytes() == raw.encode("utf-8", "surrogateescape")
    assert read_transcript(transcript_path(journal.replies, *full.key)) == replace(kept, reply=raw)


def test_a_reply_is_stored_with_all_that_is_known_of_its_call_until_it_has_a_line(
    opened: Open, line: Line, kept: Kept, reply: Reply
) -> None:
    journal, scored, waiting = opened(), line(1), line(1, call=2)
    assert journal.stored(scored.key) is None
    for key in (scored.key, waiting.key):
        journal.store(key, reply)
        assert journal.stored(key) == reply
    journal.add(scored, kept)
    journal.close()
    again = opened()
    assert again.stored(scored.key) is None
    assert again.stored(waiting.key) == reply
    again.add(waiting, kept)
    assert again.stored(waiting.key) is None
    again.close()
    names = sorted(p.name for p in (again.replies / "r/1-x").iterdir())
    start = "whole_file.r1.a1"
    assert names == [f"{start}.c2.md", f"{start}.c2.reply.txt", f"{start}.md", f"{start}.reply.txt"]


def test_the_line_of_a_call_has_every_field_of_a_reply_but_its_text() -> None:
    assert {field.name for field in fields(Reply)} - {"text"} <= set(CallLine.model_fields)


def test_what_an_older_attempts_line_does_not_say_of_its_counts_is_taken_from_its_call(
    opened: Open, line: Line, kept: Kept, reply: Reply
) -> None:
    journal, lost = opened(), line(2, discarded=Discard.INFRA_ERROR, error="503")
    old, new = line(1, cached_tokens=0), line(1, call=2, counted_here=False, input_counted_here=False, cached_tokens=0)
    for one in (old, new):
        journal.store(one.key, replace(reply, counted_here=True, input_counted_here=None, cached_tokens=0))
    journal.close()
    calls = journal.folder / "calls.jsonl"
    first, *others = with_counts([old, new, lost], calls)
    assert (first.counted_here, first.cached_tokens, first.estimated) == (True, None, True)
    assert others == [new, lost]
    calls.unlink()
    assert with_counts([old, new, lost], calls) == [old, new, lost], "runs before there were such lines"


def test_the_reply_of_an_attempt_whose_line_was_torn_is_not_asked_for_again(
    opened: Open, line: Line, kept: Kept, reply: Reply
) -> None:
    journal = opened()
    journal.store(line(1).key, reply)
    journal.add(line(1), kept)
    journal.close()
    journal.path.write_bytes(journal.path.read_bytes()[:-30])
    again = opened()
    assert (again.lines, again.stored(line(1).key)) == ([], reply)
    again.close()


@pytest.mark.parametrize("left", [b"", b"a repl", b"another reply", None], ids=["empty", "torn", "other", "gone"])
def test_a_reply_whose_file_is_not_what_was_written_is_asked_for_again(
    opened: Open, line: Line, reply: Reply, left: bytes | None
) -> None:
    journal, key = opened(), line(1).key
    journal.store(key, reply)
    place = reply_path(journal.replies, *key)
    if left is None:
        place.unlink()
    else:
        place.write_bytes(left)
    assert journal.stored(key) is None
    other = replace(reply, text="anew")
    journal.store(key, other)
    journal.close()
    again = opened()
    assert again.stored(key) == other
    again.close()


def test_a_torn_last_call_is_dropped_and_a_damaged_one_is_named(opened: Open, line: Line, reply: Reply) -> None:
    journal = opened()
    for n in (1, 2):
        journal.store(line(n).key, reply)
    journal.close()
    calls = journal.folder / "calls.jsonl"
    whole = calls.read_bytes()
    calls.write_bytes(whole[:-9])
    again = opened()
    assert (again.stored(line(1).key), again.stored(line(2).key)) == (reply, None)
    again.store(line(2).key, reply)
    again.close()
    assert calls.read_bytes() == whole
    calls.write_bytes(whole.replace(b"m-1", b"m-2"))
    with pytest.raises(ToolError, match=r"calls\.jsonl:1"):
        opened()
    with pytest.raises(ToolError, match=r"calls\.jsonl:1"):
        read_calls(calls)


def test_a_reply_that_is_gone_is_an_error_and_one_that_never_came_is_empty(
    path: Path, opened: Open, full: AttemptLine, lost: AttemptLine
) -> None:
    journal = opened()
    reply_path(journal.replies, *full.key).unlink()
    assert journal.reply(lost) == ""
    with pytest.raises(ToolError, match="a stored reply is missing"):
        journal.reply(full)
    journal.close()


def test_the_truth_is_kept_once_beside_the_replies(opened: Open) -> None:
    journal = opened()
    for text in ("-a\n+\udcff\n", "other"):
        journal.keep_truth("r/1-x", text)
    journal.close()
    assert truth_path(journal.replies, "r/1-x").read_bytes() == b"-a\n+\xff\n"


def test_a_journal_in_memory_gives_back_what_one_on_disk_would(
    opened: Open, full: AttemptLine, lost: AttemptLine, kept: Kept, reply: Reply
) -> None:
    disk, memory = opened(), MemoryJournal()
    for journal in (disk, memory):
        journal.keep_truth(full.fixture, "x")
        journal.store(full.key, reply)
        assert journal.stored(full.key) == reply
        for each, text in ((full, reply.text), (lost, "")):
            journal.add(each, replace(kept, reply=text))
        assert journal.stored(full.key) is None
    assert memory.lines == disk.lines == read_attempts(disk.path)
    assert [memory.reply(a) for a in memory.lines] == [disk.reply(a) for a in disk.lines] == [reply.text, ""]
    disk.close()
