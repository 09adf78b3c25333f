from datetime import date
from pathlib import Path

import pytest

from miner.interpreters import Interpreter, choose, installed, same_or_next


def python(version: str) -> Interpreter:
    return Interpreter(tuple(int(n) for n in version.split(".")), Path("/usr/bin/python"), Path("/usr"))


ALL = [python(v) for v in ("3.8.18", "3.9.1", "3.9.18", "3.11.7", "3.13.0")]
CHOICES = [
    ("newest released by then", "", [], "2023-05-01", "3.11.7"),
    ("newest of a minor version", "", [], "2021-01-01", "3.9.18"),
    ("on the day of release", "", [], "2022-10-24", "3.11.7"),
    ("the day before", "", [], "2022-10-23", "3.9.18"),
    ("bounded above", ">=3.8,<3.11", [], "2025-01-01", "3.9.18"),
    ("bounded below", ">=3.12", [], "2025-01-01", "3.13.0"),
    ("none old enough: the oldest admitted", ">=3.9.10", [], "2019-01-01", "3.9.18"),
    ("classified first", "", [(3, 8), (3, 9)], "2025-01-01", "3.9.18"),
    ("classified but not yet released", "", [(3, 13)], "2023-05-01", "3.11.7"),
    ("none admitted", ">=4", [], "2025-01-01", None),
    ("nonsense admits all", "three", [], "2023-05-01", "3.11.7"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("requires", "classified", "on", "expected"),
    [row[1:] for row in CHOICES],
    ids=[row[0] for row in CHOICES],
)
def test_interpreter_of_a_date_is_chosen(requires: str, classified, on: str, expected: str | None) -> None:
    chosen = choose(ALL, requires, classified, date.fromisoformat(on))
    assert (chosen and str(chosen)) == expected


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("3.9.5", "3.9.18"),
        ("3.11.7", "3.11.7"),
        ("3.10.1", "3.11.7"),
        ("3.7.1", "3.8.18"),
        ("3.14.0", "3.13.0"),
    ],
    ids=["same minor", "same", "nearest newer", "older than all", "newer than all"],
)
def test_interpreter_to_rebuild_on_is_chosen(version: str, expected: str) -> None:
    assert str(same_or_next(ALL, version)) == expected


def test_without_interpreters_none_is_chosen() -> None:
    assert same_or_next([], "3.9.1") is None
    assert choose([], "", [], date(2025, 1, 1)) is None


def test_installed_interpreters_are_sorted_and_can_be_run() -> None:
    found = installed()
    assert found
    assert list(found) == sorted(found)
    assert all(i.executable.exists() and i.prefix.is_dir() for i in found)
