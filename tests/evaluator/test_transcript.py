"""Transcripts: whatever text is in one, exactly it is read out again, and a person finds it where the contents say."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.messages import Message
from evaluator.transcript import Kept, parse_transcript, read_transcript, transcript
from miner.errors import ToolError

PIECES = (
    "```", "````\n", "`````", "\n", "\r\n", "\r", "# x", "## reply\n", "- reply: lines 1-2\n", "\n\n", "text", "\x00",
    "\x1b[31m", "\u2028", "\x0b", "\x85", "\u202e", "<script>", "\udcff", "\u00e9", "~~~", "---\n",
)  # fmt: skip
hostile = st.one_of(
    st.lists(st.sampled_from(PIECES)).map("".join),
    st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape")),
    st.text(st.characters(exclude_categories=["Cs"])),
)
messages = st.lists(
    st.builds(Message, st.sampled_from(["system", "user", "assistant"]), hostile, st.integers(0, 10_000)), max_size=4
).map(tuple)


@given(hostile, st.builds(Kept, messages, hostile, hostile, hostile, hostile, hostile))
def test_what_goes_in_is_read_out_whatever_it_holds(title: str, kept: Kept) -> None:
    assert parse_transcript(transcript(title, kept)) == kept


def test_a_person_finds_every_part_where_the_contents_say() -> None:
    asked = (Message("system", "Be brief.\n", 10), Message("user", "Add."), Message("assistant", "No."))
    text = transcript("r/1-x, whole_file", Kept(asked, "```\nx\n```", "-a\n+b\n", "1 failed", "The tests fail."))
    lines = text.decode().split("\n")
    assert lines[0] == "# r/1-x, whole_file"
    assert lines[2:9] == [
        "- verdict: lines 14-14", "- system: lines 20-21, the first 10 characters shared", "- user: lines 27-27",
        "- assistant: lines 33-33", "- reply: lines 39-41", "- applied diff: lines 47-49", "- test output: lines 55-55",
    ]  # fmt: skip
    assert (lines[13], lines[19:21], lines[38:41]) == ("The tests fail.", ["Be brief.", ""], ["```", "x", "```"])
    assert (lines[35], lines[37], lines[41]) == ("## reply", "````", "````")


def test_what_an_attempt_does_not_have_is_left_out() -> None:
    assert transcript("t", Kept((), "")) == b"# t\n\n- reply: lines 8-8\n\n## reply\n\n```\n\n```\n\n"


def test_a_surrogate_that_stands_for_no_byte_cannot_be_stored_and_does_not_stop_a_run() -> None:
    assert parse_transcript(transcript("\ud800", Kept((), "a\ud800b"))).reply == "a\ufffdb"


GOOD = transcript("t", Kept((Message("user", "Add."),), "one\ntwo"))
BAD = {
    "empty": b"",
    "something else": b"# t\n\nhello\n",
    "a line too many": GOOD.replace(b"Add.", b"Add.\nmore"),
    "a line too few": GOOD.replace(b"one\ntwo", b"one"),
    "lines that are not there": GOOD.replace(b"lines 15-16", b"lines 15-99"),
    "lines that go back": GOOD.replace(b"lines 15-16", b"lines 16-15"),
    "lines from the first": GOOD.replace(b"lines 15-16", b"lines 1-2"),
    "an unknown part": GOOD.replace(b"- user", b"- nobody").replace(b"- reply", b"- nothing"),
    "cut off": GOOD[:60],
}


@pytest.mark.parametrize("damaged", BAD.values(), ids=BAD.keys())
def test_a_transcript_that_was_changed_is_an_error_that_names_it(tmp_path: Path, damaged: bytes) -> None:
    assert damaged != GOOD
    path = tmp_path / "whole_file.r1.a1.md"
    path.write_bytes(damaged)
    with pytest.raises(ToolError, match=r"damaged transcript: .*whole_file\.r1\.a1\.md"):
        read_transcript(path)


def test_a_transcript_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot read the transcript"):
        read_transcript(tmp_path / "gone.md")
