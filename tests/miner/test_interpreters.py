from datetime import date
from pathlib import Path

import pytest

from miner.interpreters import Interpreter, installed, ranked, same_or_next


def python(version: str) -> Interpreter:
    return Interpreter(tuple(int(n) for n in version.split(".")), Path("/usr/bin/python"), Path("/usr"))


ALL = [python(v) for v in ("3.8.18", "3.9.1", "3.9.18", "3.11.7", "3.13.0")]
RANKED = [
    ("newest released by then first, then the too new", "", [], "2023-05-01", "", "3.11.7 3.9.18 3.8.18 3.13.0"),
    ("newest of a minor version only", "", [], "2021-01-01", "", "3.9.18 3.8.18 3.11.7 3.13.0"),
    ("on the day of release", "", [], "2022-10-24", "", "3.11.7 3.9.18 3.8.18 3.13.0"),
    ("the day before", "", [], "2022-10-23", "", "3.9.18 3.8.18 3.11.7 3.13.0"),
    ("bounded above", ">=3.8,<3.11", [], "2025-01-01", "", "3.9.18 3.8.18"),
    ("bounded below", ">=3.12", [], "2025-01-01", "", "3.13.0"),
    ("bounded below and too new", ">=3.12", [], "2020-01-01", "", "3.13.0"),
    ("none old enough: the oldest admitted first", ">=3.9.10", [], "2019-01-01", "", "3.9.18 3.11.7 3.13.0"),
    ("classified first", "", [(3, 8), (3, 9)], "2025-01-01", "", "3.9.18 3.8.18 3.13.0 3.11.7"),
    ("classified but not yet released", "", [(3, 13)], "2023-05-01", "", "3.11.7 3.9.18 3.8.18 3.13.0"),
    ("none admitted", ">=4", [], "2025-01-01", "", ""),
    ("nonsense admits all", "three", [], "2023-05-01", "", "3.11.7 3.9.18 3.8.18 3.13.0"),
    ("pinned to a minor version", "", [], "2020-01-01", "3.9", "3.9.18"),
    ("pinned to a version", "", [], "2023-05-01", "3.9.1", "3.9.1"),
    ("pinned against what the project admits", "<3.9", [], "2023-05-01", "3.13", "3.13.0"),
    ("pinned to a major version", "", [], "2020-01-01", "3", "3.8.18 3.9.18 3.11.7 3.13.0"),
    ("pinned to one that begins the same", "", [], "2023-05-01", "3.1", ""),
    ("pinned to one that is not installed", "", [], "2023-05-01", "3.10", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("requires", "classified", "on", "pinned", "expected"), [row[1:] for row in RANKED], ids=[row[0] for row in RANKED]
)
def test_interpreters_are_ranked_for_a_date(requires: str, classified, on: str, pinned: str, expected: str) -> None:
    assert " ".join(map(str, ranked(ALL, requires, classified, date.fromisoformat(on), pinned))) == expected


def test_versions_that_are_too_old_or_too_new_to_be_known_are_so_for_every_date() -> None:
    unknown = [python("3.5.2"), python("3.9.1"), python("3.99.0")]
    assert list(map(str, ranked(unknown, "", [], date(2030, 1, 1)))) == ["3.9.1", "3.5.2", "3.99.0"]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("3.9.5", "3.9.18"),
        ("3.9.1", "3.9.1"),
        ("3.11.7", "3.11.7"),
        ("3.10.1", "3.11.7"),
        ("3.7.1", "3.8.18"),
        ("3.14.0", "3.13.0"),
    ],
    ids=["same minor", "same, not the newest of it", "same", "nearest newer", "older than all", "newer than all"],
)
def test_interpreter_to_rebuild_on_is_chosen(version: str, expected: str) -> None:
    assert str(same_or_next(ALL, version)) == expected


def test_without_interpreters_none_is_chosen() -> None:
    assert same_or_next([], "3.9.1") is None
    assert ranked([], "", [], date(2025, 1, 1)) == []


def test_installed_interpreters_are_sorted_and_can_be_run() -> None:
    found = installed()
    assert found
    assert list(found) == sorted(found)
    assert all(i.executable.exists() and i.prefix.is_dir() for i in found)
