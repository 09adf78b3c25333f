"""Filters, other branches, dry runs and several repositories, over real repositories."""

from pathlib import Path

import pytest

from miner import errors
from miner.asked import Options
from miner.errors import ToolError
from miner.git import Objects, borrow
from miner.harvest import harvest
from miner.preview import preview
from miner.rejection import Rejection
from miner.selection import people
from miner.sources.log import read_commits
from miner.sources.subjects import merged_changes
from miner.wanted import parse_wanted

CHECK = "tests/test_a.py"


@pytest.fixture
def history(repo):
    """#2 and #3 by Bea, a merge and a squash, #4 by a bot, #5 of documents; Cy merges."""
    repo.commit("Start", {"pay/a.py": "1\n", "web/b.py": "1\n", CHECK: "1\n"})
    repo.merge("Merge pull request #2 from bea/x\n\nTwo", {"pay/a.py": "2\n", CHECK: "2\n"}, "Bea <bea@example.org>")
    repo.commit("Three (#3)", {"web/b.py": "3\n", CHECK: "3\n"}, "Bea B <7+beab@users.noreply.github.com>")
    repo.commit("Four (#4)", {"web/b.py": "4\n", CHECK: "4\n"}, "dependabot[bot] <d@example.org>")
    repo.commit("Five (#5)", {"README.md": "5\n"})
    return repo


def numbers(repo, tmp_path: Path, **asked: object) -> list[str]:
    options = Options(repo.path, tmp_path / "out", "x", prove=False, wanted=parse_wanted(**asked))
    return [line.number for line in harvest(options, lambda line: None)]


ASKED = [
    ({}, ["5", "4", "3", "2"]),
    ({"authors": ["Bea"]}, ["2"]),
    ({"authors": ["bea@example.org"]}, ["2"]),
    ({"authors": ["beab"]}, ["3"]),
    ({"authors": ["bea", "Bea B"]}, ["3", "2"]),
    ({"paths": ["web/**"]}, ["4", "3"]),
    ({"exclude": ["web/"]}, ["2"]),
    ({"paths": ["*.py"], "exclude": ["pay/"], "authors": ["beab"]}, ["3"]),
    ({"since": "2026-01-02", "until": "2026-01-02"}, ["5", "4", "3", "2"]),
]


@pytest.mark.parametrize(("asked", "found"), ASKED)
def test_filters(history, tmp_path: Path, asked: dict[str, object], found: list[str]) -> None:
    assert numbers(history, tmp_path, **asked) == found


def test_merge_is_not_its_maintainers(history, borrowed) -> None:
    git, head = borrowed(history)
    with Objects(git) as objects:
        change = {each.number: each for each in merged_changes(read_commits(git, head))}["2"]
        assert people(change, objects.read) == {"bea", "bea@example.org"}


def test_last_counts_after_the_filters_and_others_are_told(history, tmp_path: Path) -> None:
    said: list[str] = []
    options = Options(history.path, tmp_path / "out", "x", last=1, prove=False, wanted=parse_wanted(paths=["pay/"]))
    (line,) = harvest(options, lambda line: None, said.append)
    assert line.number == "2"
    assert "3 looked at and passed over by --paths." in said


def test_nothing_asked_for_is_an_error_that_names_the_filters(history, tmp_path: Path) -> None:
    with pytest.raises(ToolError) as caught:
        numbers(history, tmp_path, paths=["tests/"], since="2026-01-01")
    assert "There are 4 others, at least: check --since, --paths (patterns are of source files)." in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_labels_are_refused_where_none_are_known(history, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"no labels are known of its changes: .*sample\. Drop --label"):
        numbers(history, tmp_path, labels=["bug"])


def test_branch_of_a_clone(history, miner, tmp_path: Path) -> None:
    history.git("checkout", "--quiet", "-b", "1.x", "HEAD~2")
    history.commit("Nine (#9)", {"pay/a.py": "9\n"})
    history.git("checkout", "--quiet", "main")
    history.git("clone", "--quiet", ".", str(tmp_path / "clone"))
    options = Options(history.path, tmp_path / "out", "x", prove=False, branch="1.x")
    assert [line.number for line in harvest(options, lambda line: None)] == ["9", "3", "2"]
    _, head = borrow(tmp_path / "clone", tmp_path / "ours.git", branch="1.x")  # there it is its origin's
    assert head == history.git("rev-parse", "1.x")
    result = miner("harvest", "--repo", history.path, "--branch", "2.x", "--no-prove")
    assert result.code == errors.EXPECTED
    assert "no such branch: 2.x in " in result.err


def without_blobs(path: Path, git) -> int:
    """Delete every file's contents from a repository of loose objects."""
    rows = [row.split() for row in git("cat-file", "--batch-all-objects", "--batch-check").splitlines()]
    blobs = [row[0] for row in rows if row[1] == "blob"]
    for blob in blobs:
        (path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    return len(blobs)


def test_dry_run_needs_no_contents_and_writes_nothing(history, miner, tmp_path: Path, monkeypatch) -> None:
    assert without_blobs(history.path, history.git) == 5
    monkeypatch.chdir(tmp_path)
    before = {str(path) for path in tmp_path.rglob("*")}
    result = miner("harvest", "--repo", history.path, "--dry-run")
    assert result.code == 0, result.err
    assert [row.split() for row in result.out.splitlines()][1:] == [
        ["looked", "at", "4"],
        ["-", "changes", "no", "source", "file", "(no_source_change)", "1"],
        ["-", "written", "by", "a", "bot", "(bot)", "1"],
        ["left", "for", "their", "contents,", "and", "a", "proof,", "to", "decide", "2"],
        ["A", "dry", "run:", "no", "fixture", "was", "written."],
    ]
    assert {str(path) for path in tmp_path.rglob("*")} == before


def test_dry_run_rejects_nothing_that_a_harvest_would_not(demonstration: Path, unproved, tmp_path: Path) -> None:
    found = preview(Options(demonstration, tmp_path / "out", "billing", prove=False)).rejections
    harvested = [line.rejection for line in unproved.lines]
    assert len(found) == len(harvested)
    assert all(early in (None, late) for early, late in zip(found, harvested, strict=True))
    late = [each for each in harvested if each in (Rejection.DEPENDENCIES_CHANGED, Rejection.GENERATED_OR_VENDORED)]
    assert found.count(None) == harvested.count(None) + len(late), "those two stand in the contents"
    assert Rejection.ONLY_DELETIONS_OR_RENAMES in found


def test_rust_may_have_its_tests_inside(repo, tmp_path: Path) -> None:
    repo.commit("Start", {"src/lib.rs": "fn f() {}\n"})
    repo.commit("Change (#2)", {"src/lib.rs": "fn g() {}\n"})
    assert preview(Options(repo.path, tmp_path / "out", "x")).rejections == [None]


def rows_of(text: str) -> list[list[str]]:
    return [row.split() for row in text.splitlines()]


@pytest.fixture
def other(new_repo):
    other = new_repo("other")
    other.commit("Start", {"a.py": "1\n", CHECK: "1\n"})
    other.commit("Two (#2)", {"a.py": "2\n", CHECK: "2\n"})
    return other


def test_several_repositories_one_after_the_other_with_one_summary(history, other, miner, tmp_path: Path) -> None:
    repos = ["--repo", history.path, "--repo", other.path, "--repo", other.path]
    result = miner("harvest", *repos, "--no-prove", "--out", tmp_path / "out", "--want", "large")
    assert result.code == 0, result.err
    rows = rows_of(result.out)
    assert ["sample", "4", "2", "2", "0"] in rows
    assert ["other", "1", "1", "1", "0"] in rows, "once, however often it was named"
    assert ["looked", "at", "5"] in rows
    assert ["large", "4", "3", "0", "3"] in rows
    assert result.out.splitlines()[-1] == f"Why each was not kept: {tmp_path}/out/*/harvest.jsonl"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["other", "sample"]
    assert ["sample", "4", "2"] in rows_of(miner("harvest", *repos, "--dry-run").out)


def test_one_repository_that_fails_does_not_end_the_others(other, miner, tmp_path: Path) -> None:
    repos = ["--repo", tmp_path / "nothing", "--repo", other.path]
    result = miner("harvest", *repos, "--no-prove", "--out", tmp_path / "out")
    assert result.code == errors.EXPECTED
    assert result.err.startswith("miner: not a git repository: ")
    assert ["looked", "at", "1"] in rows_of(result.out)
    assert (tmp_path / "out/other/harvest.jsonl").exists()


def test_several_repositories_that_all_fail(miner, tmp_path: Path) -> None:
    result = miner("harvest", "--repo", tmp_path / "a", "--repo", tmp_path / "b", "--no-prove")
    assert result.code == errors.EXPECTED
    assert [line.partition(":")[2].partition(":")[0].strip() for line in result.err.splitlines()] == [
        "not a git repository", "not a git repository", "nothing could be harvested",
    ]  # fmt: skip


def test_repositories_of_one_name_are_refused_before_any_work(history, other, miner, tmp_path: Path) -> None:
    both = ["--repo", history.path, "--repo", other.path, "--no-prove", "--out", tmp_path / "out", "--name", "x"]
    result = miner("harvest", *both, "--name", "x")
    assert result.code == errors.EXPECTED
    assert "two repositories of one name: x. Give each a --name of its own" in result.err
    assert "not a name for each repository: x. Give as many" in miner("harvest", *both).err
    assert not (tmp_path / "out").exists()
    assert miner("harvest", *both, "--name", "y").code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["x", "y"]


WRONG = [
    (["--since", "soon"], "not a date: --since soon"),
    (["--paths", "!"], "not a pattern of paths: --paths !"),
    (["--want", "huge"], "not a stratum: huge"),
    (["--want", ""], "not a stratum: nothing"),
    (["--strata", "nothing.yaml", "--want", "large"], "cannot read the strata: nothing.yaml"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_what_means_nothing_is_refused(history, miner, options: list[str], message: str) -> None:
    result = miner("harvest", "--repo", history.path, "--no-prove", *options)
    assert result.code == errors.EXPECTED
    assert result.err.startswith(f"miner: {message}")
