"""Filters over merged changes: tables."""

from dataclasses import replace

import pytest

from miner.errors import ToolError
from miner.sources.model import FileChange, MergedChange
from miner.wanted import parse_wanted, select


def file(path: str, old_path: str | None = None) -> FileChange:
    status = "R" if old_path else "M"
    return FileChange(path, status, "100644", "100644", "1" * 40, "2" * 40, old_path)


CHANGE = MergedChange(
    "12", "Fix it", "", "Ann", "ann@example.org", "", "2026-03-10T01:30:00+02:00", "a" * 40, "b" * 40, "b" * 40,
    (file("services/pay/a.py"), file("services/pay/tests/test_a.py"), file("docs/x.md")), labels=("Bug", "area: pay"),
)  # fmt: skip
PEOPLE = {"ann lee", "ann@example.org", "annl"}

TAKES = [  # the change was merged on 9 March, 23:30 UTC
    ("nothing asked", {}, True),
    ("since its day", {"since": "2026-03-09"}, True),
    ("since the next day", {"since": "2026-03-10"}, False),
    ("until its day", {"until": "2026-03-09"}, True),
    ("until the day before", {"until": "2026-03-08"}, False),
    ("since its very time", {"since": "2026-03-09T23:30"}, True),
    ("until its very time", {"until": "2026-03-09T23:30"}, False),
    ("a time in a zone", {"since": "2026-03-10T01:00+02:00", "until": "2026-03-10T02:00+02:00"}, True),
    ("a time without one is UTC", {"since": "2026-03-10T01:00"}, False),
    ("author by name", {"authors": ["Ann Lee"]}, True),
    ("author by e-mail", {"authors": ["ANN@example.org"]}, True),
    ("author by login", {"authors": ["@annl"]}, True),
    ("part of a name", {"authors": ["Ann"]}, False),
    ("one of two authors", {"authors": ["bob", "annl"]}, True),
    ("label in other case", {"labels": ["bug"]}, True),
    ("one of two labels", {"labels": ["feature", "area: pay"]}, True),
    ("another label", {"labels": ["area"]}, False),
    ("a label, and another author", {"labels": ["bug"], "authors": ["bob"]}, False),
    ("paths below a folder", {"paths": ["services/**"]}, True),
    ("a folder", {"paths": ["services/pay"]}, True),
    ("a folder's name anywhere", {"paths": ["pay/"]}, True),
    ("a folder at the top only", {"paths": ["/pay/"]}, False),
    ("by ending", {"paths": ["*.py"]}, True),
    ("another folder", {"paths": ["web/**"]}, False),
    ("one of two patterns", {"paths": ["web/**", "services/**"]}, True),
    ("a test is no source file", {"paths": ["services/pay/tests/"]}, False),
    ("a document is no source file", {"paths": ["docs/"]}, False),
    ("from here", {"paths": ["./services/**"]}, True),
    ("taken back", {"paths": ["services/**", "!services/pay/**"]}, False),
    ("excluded", {"exclude": ["services/pay/"]}, False),
    ("another excluded", {"exclude": ["services/web/"]}, True),
    ("excluded from what matches", {"paths": ["services/"], "exclude": ["a.py"]}, False),
]


@pytest.mark.parametrize(("asked", "takes"), [row[1:] for row in TAKES], ids=[row[0] for row in TAKES])
def test_takes(asked: dict[str, object], takes: bool) -> None:
    assert parse_wanted(**asked).takes(CHANGE, lambda _change: PEOPLE) is takes


def takes(files: tuple[FileChange, ...], **asked: list[str]) -> bool:
    return parse_wanted(**asked).takes(replace(CHANGE, files=files), lambda _change: PEOPLE)


def test_one_source_file_that_matches_is_enough() -> None:
    files = (file("web/a.py"), file("services/pay/b.py"))
    assert takes(files, paths=["services/"])
    assert takes(files, exclude=["services/"])
    assert not takes(files, paths=["services/"], exclude=["pay/"])
    assert not takes(files, exclude=["services/", "web/"])


def test_renamed_file_counts_by_both_names() -> None:
    moved = (file("new/a.py", "old/a.py"),)
    assert takes(moved, paths=["old/"])
    assert takes(moved, paths=["new/"])
    assert takes(moved, exclude=["old/"]), "it came out of what is excluded"
    assert not takes(moved, exclude=["old/", "new/"])


def test_change_without_known_files_or_date_is_taken_only_where_nobody_asks_for_those() -> None:
    lost = replace(CHANGE, files=(), date="")
    assert parse_wanted(labels=["bug"]).takes(lost, lambda _change: PEOPLE)
    assert not parse_wanted(paths=["services/"]).takes(lost, lambda _change: PEOPLE)
    assert not parse_wanted(since="2020-01-01").takes(lost, lambda _change: PEOPLE)


def test_who_wrote_a_change_is_asked_only_of_those_that_all_else_takes() -> None:
    def unasked(_change: MergedChange) -> set[str]:
        raise AssertionError

    assert not parse_wanted(authors=["annl"], labels=["none"]).takes(CHANGE, unasked)
    assert parse_wanted(labels=["bug"]).takes(CHANGE, unasked)


BAD = [
    ({"since": "yesterday"}, "not a date: --since yesterday"),
    ({"until": "2026-13-01"}, "not a date: --until 2026-13-01"),
    ({"since": "2026-03-02", "until": "2026-03-01"}, "no time lies between: --since 2026-03-02 --until 2026-03-01"),
    ({"paths": [""]}, "not a pattern of paths: --paths "),
    ({"paths": ["src/", "!"]}, "not a pattern of paths: --paths !"),
    ({"exclude": ["# all"]}, "not a pattern of paths: --exclude # all"),
]


@pytest.mark.parametrize(("asked", "message"), BAD)
def test_what_means_nothing_is_refused(asked: dict[str, object], message: str) -> None:
    with pytest.raises(ToolError) as caught:
        parse_wanted(**asked)
    assert str(caught.value).startswith(message)


def test_one_day_is_a_span() -> None:
    assert parse_wanted(since="2026-03-09", until="2026-03-09").takes(CHANGE, lambda _change: PEOPLE)


def history(*days: int) -> list[MergedChange]:
    return [replace(CHANGE, number=str(i), date=f"2026-01-{day:02}T00:00:00Z") for i, day in enumerate(days)]


def test_last_counts_what_is_taken_and_reads_no_further() -> None:
    stream = iter(history(9, 8, 7, 6, 5))
    chosen = select(stream, parse_wanted(until="2026-01-08"), lambda _change: PEOPLE, 2)
    assert [change.number for change in chosen.changes] == ["1", "2"]
    assert chosen.passed_over == 1
    assert next(stream).number == "3"


def test_dates_a_little_out_of_order_are_no_end_and_many_older_ones_are() -> None:
    stream = iter(history(9, 1, 1, 8, *[1] * 60))
    chosen = select(stream, parse_wanted(since="2026-01-05"), lambda _change: PEOPLE, None)
    assert [change.number for change in chosen.changes] == ["0", "3"]
    assert len(list(stream)) == 10, "fifty older ones in a row were enough"


def test_without_last_all_are_taken() -> None:
    assert len(select(history(*[1] * 300), parse_wanted(), lambda _change: PEOPLE, None).changes) == 300
