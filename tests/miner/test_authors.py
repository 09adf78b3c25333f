import re

import pytest

from miner.authors import author_digest

ANN = author_digest("Ann", "ann@example.org")
SAME = [("Ann B.", "ann@example.org"), ("", "ANN@example.org"), ("ann", " ann@example.org ")]
OTHERS = [("Ann", ""), ("Ann", "ann@example.com"), ("Bob", "bob@example.org")]


def test_a_digest_has_no_name_in_it() -> None:
    assert re.fullmatch("[0-9a-f]{10}", ANN)


@pytest.mark.parametrize(("name", "email"), SAME)
def test_an_author_is_told_by_the_address(name: str, email: str) -> None:
    assert author_digest(name, email) == ANN


@pytest.mark.parametrize(("name", "email"), OTHERS)
def test_others_have_other_digests(name: str, email: str) -> None:
    assert author_digest(name, email) != ANN


def test_a_hidden_address_is_its_login() -> None:
    assert author_digest("Ann", "7+ann@users.noreply.github.com") == author_digest("ann", "")


def test_nobody_has_no_digest() -> None:
    assert author_digest(" ", "") == ""


def test_a_harvest_notes_the_author_in_record_and_line(unproved) -> None:
    from miner.fixtures import FixtureFolder

    told = {line.fixture: line.author for line in unproved.lines if line.fixture}
    assert all(told.values())
    assert {record.id: record.author for record in FixtureFolder(unproved.out).records()} == told
