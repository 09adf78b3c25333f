"""Lines with their checksums: nothing that was damaged is taken for what was written."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evaluator.journal import AttemptLine, read_attempts
from evaluator.journal.rows import Damaged, sealed, unsealed
from miner.errors import ToolError

LINE = AttemptLine(
    fixture="r/1-x", format="whole_file", model="m", repeat=1, attempt=1, valid=True, feedback='say "x"\n\u2028é'
)
ROW = sealed(LINE)


def parsed(row: bytes) -> AttemptLine:
    return AttemptLine.model_validate_json(unsealed(row.removesuffix(b"\n")))


def test_a_checksum_is_the_last_field_of_what_is_one_json_object() -> None:
    assert ROW.endswith(b'"ended": "", "crc32": "%s"}\n' % ROW[-11:-3])
    assert ROW.count(b"\n") == 1


@given(st.text(), st.binary(), st.lists(st.text()))
def test_what_is_sealed_comes_back_whatever_text_it_holds(text: str, raw: bytes, names: list[str]) -> None:
    read = text.encode("utf-8", "replace").decode()
    line = LINE.model_copy(update={"feedback": text, "unintended_changes": tuple(names)})
    assert parsed(sealed(line)).feedback == read
    lone = LINE.model_copy(update={"error": raw.decode("utf-8", "surrogateescape")})
    assert parsed(sealed(lone)).error == lone.error.encode("utf-8", "replace").decode()


@given(st.integers(0, len(ROW) - 2), st.integers(0, 255))
def test_a_line_with_another_byte_in_it_is_not_taken_for_one(place: int, byte: int) -> None:
    damaged = bytearray(ROW)
    damaged[place] = byte
    if damaged == ROW:
        assert parsed(bytes(damaged)) == LINE
        return
    with pytest.raises((Damaged, ValidationError)):
        parsed(bytes(damaged))


@pytest.mark.parametrize("length", range(0, len(ROW) - 1, 7))
def test_no_part_of_a_line_is_taken_for_one(length: int) -> None:
    with pytest.raises((Damaged, ValidationError)):
        parsed(ROW[:length])


def test_a_line_of_an_older_run_has_no_checksum_and_is_read(tmp_path: Path) -> None:
    path = tmp_path / "attempts.jsonl"
    path.write_text(LINE.model_dump_json(by_alias=True, exclude_defaults=True) + "\n")
    path.write_bytes(path.read_bytes() + ROW)
    assert read_attempts(path) == [LINE, LINE]


BAD = {
    "json": b"{\n",
    "fields": b'{"fixture": "r/1-x"}\n',
    "bytes": b"\xff\xfe\n",
    "null": b"null\n",
    "zeros": bytes(40) + b"\n",
    "a number": ROW.replace(b'"repeat": 1', b'"repeat": 2'),
    "the checksum": ROW[:-4] + b'f"}\n' if ROW[-4:-3] != b"f" else ROW[:-4] + b'0"}\n',
    "the checksum's name": ROW.replace(b"crc32", b"crc64"),
}


@pytest.mark.parametrize("damage", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("place", [0, 1, 2], ids=["first", "middle", "last"])
def test_a_damaged_line_is_named_wherever_it_stands_and_never_left_out(
    tmp_path: Path, damage: bytes, place: int, line: Callable[..., AttemptLine]
) -> None:
    rows = [sealed(line(1)), sealed(line(2))]
    rows.insert(place, damage)
    path = tmp_path / "attempts.jsonl"
    path.write_bytes(b"".join(rows))
    with pytest.raises(ToolError, match=rf"attempts\.jsonl:{place + 1}.*Delete the line"):
        read_attempts(path)


@pytest.mark.parametrize("damage", BAD.values(), ids=BAD.keys())
def test_a_last_line_without_a_line_break_was_torn_and_is_left_out(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "attempts.jsonl"
    path.write_bytes(ROW + damage.removesuffix(b"\n"))
    assert read_attempts(path) == [LINE]
