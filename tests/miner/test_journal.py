"""harvest.jsonl survives a kill at any byte, and is read and ordered by what it says."""

from pathlib import Path

import pytest

from miner.errors import ToolError
from miner.journal import Journal, read_lines
from miner.record import HarvestLine
from miner.rejection import Rejection


def line(number: int, title: str = "größer 🦜") -> HarvestLine:
    return HarvestLine(number=str(number), commit=f"{number:040x}", date="2026-01-02", title=title)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x/harvest.jsonl"


def numbers(path: Path) -> list[str]:
    return [found.number for found in read_lines(path)]


def test_lines_are_on_disk_as_they_are_added(path: Path) -> None:
    journal = Journal(path)
    for number in (2, 1):
        journal.add(line(number))
        assert read_lines(path)[-1] == line(number)
    assert numbers(path) == ["2", "1"]


def test_no_file_has_no_lines(path: Path) -> None:
    assert read_lines(path) == []


def test_kill_at_any_byte_of_a_line_loses_that_line_alone(path: Path) -> None:
    journal = Journal(path)
    for number in (1, 2):
        journal.add(line(number))
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for end in range(first, len(whole) + 1):
        path.write_bytes(whole[:end])
        assert numbers(path) == (["1"] if end < len(whole) - 1 else ["1", "2"])


def test_line_after_a_torn_one_is_not_lost_with_it(path: Path) -> None:
    journal = Journal(path)
    for number in (1, 2):
        journal.add(line(number))
    path.write_bytes(path.read_bytes()[:-30])
    journal = Journal(path)
    journal.add(line(3))
    assert numbers(path) == ["1", "3"]


@pytest.mark.parametrize("damage", [b'{"torn\n', b"[]\n", b"\xff\xfe\n", b'{"number": 1}\n'], ids=repr)
def test_damaged_line_in_the_middle_is_an_error_that_names_it(path: Path, damage: bytes) -> None:
    journal = Journal(path)
    journal.add(line(1))
    whole = path.read_bytes()
    path.write_bytes(whole + damage + whole)
    with pytest.raises(ToolError, match=r"damaged line: .*harvest\.jsonl:2\. Delete that line and harvest again"):
        read_lines(path)


def test_line_takes_the_place_of_an_earlier_one_of_its_commit(path: Path) -> None:
    journal = Journal(path)
    journal.add(line(1))
    journal.add(line(2))
    journal.add(line(1, "again"))
    assert Journal(path).lines[line(1).commit].title == "again"
    journal.put_in_order([line(2).commit, line(1).commit])
    assert [found.title for found in read_lines(path)] == ["größer 🦜", "again"]


def test_lines_are_put_in_the_histories_order_and_others_last(path: Path) -> None:
    journal = Journal(path)
    for number in (4, 3, 9, 1, 2):
        journal.add(line(number))
    journal.put_in_order([line(number).commit for number in (3, 2, 1, 77)])
    assert numbers(path) == ["3", "2", "1", "4", "9"]


def test_rejection_and_odd_titles_are_read_back(path: Path) -> None:
    odd = line(1, 'a\u2028"b\\c\u0085').model_copy(update={"rejection": Rejection.FLAKY, "detail": "x\ny"})
    Journal(path).add(odd)
    assert read_lines(path) == [odd]
    assert len(path.read_bytes().splitlines()) == 1
