# ruff: noqa: E501
from datetime import date
from pathlib import Path

import pytest

from miner import nodes
from miner.nodes import Node, admits, ranked, same_or_next

RANGES = [
    (">= 18", (18, 0, 0), True), (">= 18", (17, 9, 1), False), (">=0.10.0", (20, 1, 0), True),
    ("18 || 20", (20, 20, 2), True), ("18 || 20", (19, 0, 0), False), ("^18.12.0 || >=20", (18, 11, 0), False),
    ("^18.12.0 || >=20", (18, 12, 0), True), ("^18.12.0 || >=20", (19, 5, 0), False), ("~6.2", (6, 2, 9), True),
    ("~6.2", (6, 3, 0), False), ("~6", (6, 9, 0), True), (">6", (6, 5, 0), False), (">6", (7, 0, 0), True),
    ("<=14", (14, 21, 0), True), ("<=14", (15, 0, 0), False), ("< 14.5", (14, 4, 9), True), ("< 14.5", (14, 5, 0), False),
    ("12.x", (12, 9, 0), True), ("12.x", (13, 0, 0), False), ("*", (26, 0, 0), True), ("", (26, 0, 0), True),
    ("8 - 12", (12, 9, 0), True), ("8 - 12", (13, 0, 0), False), (">=12 <17", (16, 0, 0), True),
    (">=12 <17", (17, 0, 0), False), ("^0.10", (0, 10, 9), True), ("^0.10", (0, 11, 0), False), ("v20", (20, 1, 1), True),
    ("=20.1.0", (20, 1, 0), True), ("=20.1.0", (20, 1, 1), False), ("lts/*", (1, 0, 0), True), ("node", (1, 0, 0), True),
    (">=20.0.0-rc.1", (20, 0, 0), True), ("~>10.1", (10, 1, 5), True),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "version", "expected"), RANGES)
def test_ranges_admit_what_npm_says_they_do(wanted: str, version: tuple[int, int, int], expected: bool) -> None:
    assert admits(wanted, version) is expected


def node(version: str) -> Node:
    major, minor, patch = map(int, version.split("."))
    return Node((major, minor, patch), Path("/n", version, "bin/node"), Path("/n", version))


ALL = [node(v) for v in ("10.24.1", "14.21.3", "18.19.0", "18.20.4", "20.20.2", "24.1.0")]
RANKS = {
    "newest of the date, then older, then newer": ("", "", date(2022, 6, 1), ["18.20.4", "14.21.3", "10.24.1", "20.20.2", "24.1.0"]),
    "engines": (">=18", "", date(2019, 1, 1), ["18.20.4", "20.20.2", "24.1.0"]),
    "named first": (">=14", "14", date(2026, 1, 1), ["14.21.3", "24.1.0", "20.20.2", "18.20.4"]),
    "named, not there": ("", "16.3.0", date(2021, 6, 1), ["14.21.3", "10.24.1", "18.20.4", "20.20.2", "24.1.0"]),
    "none": ("^6", "", date(2016, 6, 1), []),
}  # fmt: skip


@pytest.mark.parametrize(("engines", "named", "on", "expected"), RANKS.values(), ids=RANKS.keys())
def test_versions_are_ranked_for_a_date(engines: str, named: str, on: date, expected: list[str]) -> None:
    assert [str(found) for found in ranked(ALL, engines, named, on)] == expected


@pytest.mark.parametrize(
    ("version", "expected"),
    [("18.19.0", "18.19.0"), ("18.1.0", "18.20.4"), ("16.0.0", "18.19.0"), ("26.0.0", "24.1.0")],
)
def test_recorded_version_is_found_again_or_the_nearest(version: str, expected: str) -> None:
    assert str(same_or_next(ALL, version)) == expected
    assert same_or_next([], version) is None


def test_installed_versions_run() -> None:
    for found in nodes.installed():
        assert found.executable.is_file()
        assert found.executable.is_relative_to(found.prefix)
