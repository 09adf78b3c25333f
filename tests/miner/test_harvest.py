import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from miner.asked import Options
from miner.fixtures import FixtureFolder
from miner.harvest import harvest
from miner.history_file import HistoryFile, read_history_file
from miner.journal import read_lines
from miner.rejection import Rejection
from miner.repository import Overrides


def quiet(line: object) -> None:
    """No progress is shown."""


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def without_bundle(folder: Path) -> dict[str, bytes]:
    """Everything but the bundle, whose packing may differ between runs while its trees are the same."""
    return {name: content for name, content in contents(folder).items() if not name.endswith("trees.bundle")}


@pytest.fixture
def options(demonstration: Path, unproved, tmp_path: Path) -> Options:
    """A harvest over a copy of what was harvested before."""
    shutil.copytree(unproved.out, tmp_path / "fixtures")
    return Options(demonstration, tmp_path / "fixtures", "billing", prove=False)


def test_demonstration_gives_the_expected_rejections(unproved) -> None:
    assert {line.number: line.rejection for line in unproved.lines if line.rejection} == {
        "178": Rejection.ONLY_DELETIONS_OR_RENAMES, "161": Rejection.DEPENDENCIES_CHANGED,
        "142": Rejection.GENERATED_OR_VENDORED, "136": Rejection.REVERT, "131": Rejection.NO_SOURCE_CHANGE,
        "123": Rejection.NO_TEST_CHANGE, "114": Rejection.NO_SOURCE_CHANGE, "108": Rejection.NO_SOURCE_CHANGE,
    }  # fmt: skip
    assert len(unproved.lines) == 37


def test_every_line_is_kept_or_rejected_and_newest_first(unproved) -> None:
    assert all((line.fixture is None) is (line.rejection is not None) for line in unproved.lines)
    dates = [line.date for line in unproved.lines]
    assert dates == sorted(dates, reverse=True)
    assert read_lines(unproved.out / "billing/harvest.jsonl") == unproved.lines


def test_every_kept_line_has_a_loadable_fixture(unproved) -> None:
    folder = FixtureFolder(unproved.out)
    ids = sorted(line.fixture for line in unproved.lines if line.fixture)
    assert [record.id for record in folder.records()] == ids
    assert all(folder.task(i).prompt.startswith("# ") for i in ids)


def test_second_harvest_does_nothing_and_keeps_every_file(options: Options) -> None:
    before, seen = contents(options.out), []
    lines = harvest(options, seen.append)
    assert seen == []
    assert len(lines) == 37
    assert without_bundle(options.out) == {k: v for k, v in before.items() if not k.endswith("trees.bundle")}
    folder = FixtureFolder(options.out)
    assert all(folder.task(record.id) for record in folder.records())


def test_torn_last_line_is_dropped_and_its_change_done_again(options: Options) -> None:
    journal = options.out / "billing/harvest.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-100])
    assert len(read_lines(journal)) == 36
    seen = []
    harvest(options, seen.append)
    assert [line.number for line in seen] == ["101"]
    assert journal.read_bytes() == whole


def test_fixture_whose_record_is_gone_is_made_again(options: Options) -> None:
    path = options.out / "billing/149-retry-settlement-posts-on-transient-gateway/fixture.yaml"
    before = path.read_bytes()
    path.unlink()
    seen = []
    harvest(options, seen.append)
    assert [line.number for line in seen] == ["149"]
    assert path.read_bytes() == before


def test_missing_bundle_is_written_again(options: Options) -> None:
    bundle = options.out / "billing/trees.bundle"
    bundle.unlink()
    harvest(options, quiet)
    folder = FixtureFolder(options.out)
    assert all(folder.task(record.id).solved_tree for record in folder.records())


def test_harvest_of_fewer_changes_first_ends_with_the_same_files(
    options: Options, demonstration: Path, tmp_path: Path
) -> None:
    out = tmp_path / "stepwise"
    assert len(harvest(Options(demonstration, out, "billing", prove=False, last=5), quiet)) == 5
    harvest(Options(demonstration, out, "billing", prove=False), quiet)
    assert without_bundle(out) == without_bundle(options.out)


@pytest.mark.parametrize("workers", [1, 4])
def test_number_of_workers_changes_no_file(
    options: Options, demonstration: Path, tmp_path: Path, workers: int
) -> None:
    out = tmp_path / "again"
    harvest(Options(demonstration, out, "billing", prove=False, workers=workers), quiet)
    assert without_bundle(out) == without_bundle(options.out)


def test_mined_repository_is_left_as_it_was(repo, tmp_path: Path) -> None:
    repo.commit("Start", {"pyproject.toml": "", "a.py": "x = 1\n", "tests/test_a.py": "1\n"})
    repo.commit("Change (#2)", {"a.py": "x = 2\n", "tests/test_a.py": "2\n"})
    before = contents(repo.path)
    harvest(Options(repo.path, tmp_path / "out", "x", prove=False), quiet)
    assert contents(repo.path) == before


def test_fixtures_are_usable_after_the_clone_is_gone(repo, tmp_path: Path) -> None:
    repo.commit("Start", {"pyproject.toml": "", "a.py": "x = 1\n", "tests/test_a.py": "1\n"})
    repo.commit("Change (#2)", {"a.py": "x = 2\n", "tests/test_a.py": "2\n"})
    harvest(Options(repo.path, tmp_path / "out", "x", prove=False), quiet)
    shutil.rmtree(repo.path)
    task = FixtureFolder(tmp_path / "out").task("x/2-change")
    assert (task.before, task.after) == ({"a.py": b"x = 1\n"}, {"a.py": b"x = 2\n"})
    assert task.tests == {"tests/test_a.py": b"2\n"}
    assert task.allowed == {"a.py": ["x"]}


def test_settings_that_are_corrected_are_tried_on_what_the_wrong_ones_rejected(repo, tmp_path: Path) -> None:
    repo.commit("Start", {"a.sh": "echo 1\n", "tests/test_a.sh": "true\n"})
    repo.commit("Change (#2)", {"a.sh": "echo 2\n", "tests/test_a.sh": "test $(sh a.sh) = 2\n"})
    options = Options(repo.path, tmp_path / "out", "x", overrides=Overrides(test=["false"]))
    (line,) = harvest(options, quiet)
    assert line.rejection is Rejection.FAILS_AFTER
    seen: list[object] = []
    harvest(options, seen.append)
    assert seen == [], "the same settings are not tried twice"
    (line,) = harvest(replace(options, overrides=Overrides(test=["sh", "{tests}"])), quiet)
    assert line.proved, line
    proof = FixtureFolder(tmp_path / "out").task("x/2-change").fixture.proof
    assert proof.command == ["sh", "tests/test_a.sh"], "a target that no test id gives is the file"


def test_what_is_known_of_the_history_is_kept_beside_the_lines(demonstration: Path, tmp_path: Path) -> None:
    known = []
    for last in (5, 200):
        harvest(Options(demonstration, tmp_path, "billing", prove=False, last=last), quiet)
        known.append(read_history_file(tmp_path / "billing"))
    whole = len((tmp_path / "billing/harvest.jsonl").read_text().splitlines())
    assert known == [HistoryFile(source=str(demonstration), merged_changes=whole)] * 2
    (tmp_path / "billing/history.yaml").unlink()
    assert read_history_file(tmp_path / "billing") == HistoryFile(source=str(demonstration))
    assert read_history_file(tmp_path / "nowhere") is None
