# ruff: noqa: E501
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from miner.asked import Options
from miner.errors import ToolError
from miner.git import Git
from miner.harvest import harvest
from miner.sources.log import read_commits
from miner.sources.model import Commit, FileChange, MergedChange, Unit
from miner.sources.subjects import (
    merged_changes,
    merges_a_branch,
    merges_a_lasting_branch,
    merges_lasting_branches,
)

BASE, TIP = "b" * 40, "c" * 40


def commit(message: str, parents: tuple[str, ...] = (BASE,)) -> Commit:
    when = "2026-01-02T03:04:05+00:00"
    return Commit("a" * 40, parents, "d" * 40, "Ann", "a@b", when, when, message, ())


def changes(message: str, parents: tuple[str, ...] = (BASE,), unit: Unit = Unit.PULL) -> list[MergedChange]:
    return list(merged_changes([commit(message, parents)], unit))


RECOGNISED = [
    ("pull merge", "Merge pull request #12 from ann/fix\n\nFix it\n\nBecause.", (BASE, TIP), "12", "Fix it", "Because."),
    ("pull merge without a title", "Merge pull request #12 from ann/fix", (BASE, TIP), "12",
     "Merge pull request #12 from ann/fix", ""),
    ("merge with a number", "Fix it (#12)\n\nBecause.", (BASE, TIP), "12", "Fix it", "Because."),
    ("squash", "Fix it (#12)\n\n* one\n\n* two", (BASE,), "12", "Fix it", "* one\n\n* two"),
    ("squash with two numbers", "Fix #3 (#4) (#12)", (BASE,), "12", "Fix #3 (#4)", ""),
    ("squash with trailing blanks", "Fix it (#12)  ", (BASE,), "12", "Fix it", ""),
    ("squash of a backport", "Fix it (#12) (#34)", (BASE,), "34", "Fix it (#12)", ""),
    ("pull merge of old", "Merged pull request #12 from ann/patch-1.\n\nFix it", (BASE, TIP), "12", "Fix it", ""),
    ("merge picked onto another branch", "Merge pull request #12 from ann/release (#34)\n\nPrepare", (BASE,), "34", "Merge pull request #12 from ann/release", "Prepare"),
    ("security advisory", "Merge pull request from GHSA-m2qf-hxjv-5gpq\n\nFix it", (BASE, TIP), "ghsa-m2qf-hxjv-5gpq", "Fix it", ""),
    ("GitLab merge", "Merge branch 'fix' into 'main'\n\nFix it\n\nBecause.\n\nSee merge request group/sub/proj!12", (BASE, TIP), "12", "Fix it", "Because."),
    ("GitLab merge without a title", "Merge branch 'fix' into 'main'\n\nSee merge request proj!12", (BASE, TIP), "12", "Merge branch 'fix' into 'main'", ""),
    ("GitLab squash", "Fix it\n\nBecause.\n\nSee merge request proj!12", (BASE,), "12", "Fix it", "Because."),
    ("Bitbucket", "Merged in ann/fix (pull request #12)\n\nFix it\n\nBecause.", (BASE, TIP), "12", "Fix it", "Because."),
    ("Bitbucket squash", "Merged in fix (pull request #12)\n\nFix it", (BASE,), "12", "Fix it", ""),
    ("Bitbucket Server", "Pull request #12: Fix it\n\nMerge in P/r from fix to main", (BASE, TIP), "12", "Fix it", "Merge in P/r from fix to main"),
    ("Bitbucket Server of old", "Merge pull request #12 in P/r from fix to main\n\n* commit 'abc'", (BASE, TIP), "12", "Merge pull request #12 in P/r from fix to main", "* commit 'abc'"),
    ("Azure", "Merged PR 12: Fix it\n\nBecause.\n\nRelated work items: #3", (BASE,), "12", "Fix it", "Because.\n\nRelated work items: #3"),
    ("Gitea", "Merge pull request 'Fix it' (#12) from ann/fix into main", (BASE, TIP), "12", "Fix it", ""),
    ("bors", "Merge #12\n\n12: Fix it r=ann a=bob\n\nBecause.", (BASE, TIP), "12", "Fix it", "Because."),
    ("homu", "Auto merge of #12 - bob:fix, r=ann\n\nFix it\n\nBecause.", (BASE, TIP), "12", "Fix it", "Because."),
    ("Gerrit", "Fix it\n\nBecause.\n\nChange-Id: Iab\nReviewed-on: https://r.example.org/c/go/+/12\nReviewed-by: Ann", (BASE,), "12", "Fix it", "Because.\n\nChange-Id: Iab\n\nReviewed-by: Ann"),
]  # fmt: skip
NOT_RECOGNISED = [
    ("plain commit", "Fix it", (BASE,)),
    ("number elsewhere", "Fix (#12) at last", (BASE,)),
    ("number without parentheses", "Fix #12", (BASE,)),
    ("branch merge", "Merge branch 'main' into topic", (BASE, TIP)),
    ("branch merge ending in a number", "Merge branch 'main' into topic (#12)", (BASE, TIP)),
    ("remote branch merge", "Merge remote-tracking branch 'origin/main' (#12)", (BASE, TIP)),
    ("number in the body only", "Fix it\n\n(#12)", (BASE,)),
    ("a root", "Start (#1)", ()),
    ("an octopus merge", "Take them all (#12)", (BASE, TIP, TIP)),
    ("a batch of bors", "Merge #12 #13\n\n12: Fix it", (BASE, TIP)),
    ("a merge request that the text names", "Fix it\n\nAs in See merge request proj!12 there", (BASE,)),
    ("a review of another", "Fix it\n\nReviewed-on: not yet", (BASE,)),
]


@pytest.mark.parametrize(
    ("message", "parents", "number", "title", "body"), [row[1:] for row in RECOGNISED],
    ids=[row[0] for row in RECOGNISED],
)  # fmt: skip
def test_merged_pull_request_is_recognised(
    message: str, parents: tuple[str, ...], number: str, title: str, body: str
) -> None:
    (change,) = changes(message, parents)
    assert (change.number, change.title, change.body) == (number, title, body)
    assert (change.base, change.merged, change.tip) == (
        BASE,
        "a" * 40,
        parents[-1] if len(parents) > 1 else "a" * 40,
    )


@pytest.mark.parametrize(
    ("message", "parents"), [row[1:] for row in NOT_RECOGNISED], ids=[row[0] for row in NOT_RECOGNISED]
)
def test_other_commits_are_no_merged_change(message: str, parents: tuple[str, ...]) -> None:
    assert changes(message, parents) == []


BRANCHES = {
    "Merge branch '2.3.x'": (True, True),
    "Merge branch 'stable' into main": (True, True),
    "Merge remote-tracking branch 'origin/1.0-maintenance'": (True, True),
    "Merge branch 'release-3.1'": (True, True),
    "Merge branch 'master' of https://example.org/ann/fork": (True, False),
    "Merge remote-tracking branch 'ann/fix-it'": (True, False),
    "Merge branches 'a' and 'b'": (True, False),
    "Merge tag 'v2.3.1'": (True, False),
    "merged with 0.5-maintenance": (True, False),
    "merge master to features": (True, False),
    "Merge the work of Ann": (False, False),
    "Fix merging in main": (False, False),
    "Take main": (False, False),
}


@pytest.mark.parametrize(("subject", "kinds"), BRANCHES.items(), ids=BRANCHES.keys())
def test_merges_of_branches_are_told_by_name(subject: str, kinds: tuple[bool, bool]) -> None:
    merge = commit(subject, (BASE, TIP))
    assert (merges_a_branch(merge), merges_a_lasting_branch(merge)) == kinds


UP = {
    "Merge stable into main": True, "Merge branch 'stable' into main.": True, "Merge `8.1.x` into main (#12)": True,
    "Merge master into features": True, "merge 2.0 to master": True, "Merge stable branch into main": True,
    "Merge dicts into one": False, "Merge the stable code into main": False, "Backport it to stable": False,
}  # fmt: skip


@pytest.mark.parametrize(("title", "up"), UP.items(), ids=UP.keys())
def test_titles_say_that_one_branch_goes_into_another(title: str, up: bool) -> None:
    assert merges_lasting_branches(title) is up


def test_branch_of_a_pull_request_is_kept() -> None:
    (change,) = changes("Merge pull request #12 from dependabot/pip/x", (BASE, TIP))
    assert change.branch == "dependabot/pip/x"


def test_unit_commit_takes_any_commit_and_numbers_it_by_ten_digits_of_its_id() -> None:
    (change,) = changes("Fix it\n\nBecause.", unit=Unit.COMMIT)
    assert (change.number, change.title, change.body) == ("a" * 10, "Fix it", "Because.")


@pytest.mark.parametrize("parents", [(), (BASE, TIP)], ids=["root", "merge"])
def test_unit_commit_takes_neither_roots_nor_merges(parents: tuple[str, ...]) -> None:
    assert changes("Fix it (#12)", parents, Unit.COMMIT) == []


def test_log_of_a_real_history_gives_its_merged_changes_newest_first(repo, borrowed) -> None:
    repo.commit("Start (#1)", {"a.py": "x = 1\n"})
    squash = repo.commit("Squash it (#2)\n\nBecause.", {"a.py": "x = 2\n"})
    repo.commit("Direct", {"a.py": "x = 3\n"})
    merge = repo.merge("Merge pull request #3 from ann/topic\n\nMerge it", {"b.py": "y = 1\n"})
    titled = repo.merge("Take it (#4)", {"b.py": "y = 2\n"})
    repo.merge("Merge branch 'topic'", {"b.py": "y = 3\n"})
    git, head = borrowed(repo)
    found = list(merged_changes(read_commits(git, head)))
    assert [(c.merged, c.number, c.title) for c in found] == [
        (titled, "4", "Take it"), (merge, "3", "Merge it"), (squash, "2", "Squash it"),
    ]  # fmt: skip
    assert found[0].base == merge
    assert [f.path for f in found[0].files] == ["b.py"]
    assert found[0].date.startswith("2026-01-02T03:04:06")


def test_files_of_a_merge_are_those_against_its_first_parent(repo, borrowed) -> None:
    repo.commit("Start", {"a.py": "x = 1\n"})
    repo.git("checkout", "--quiet", "-b", "topic")
    repo.commit("work", {"b.py": "y = 1\n"})
    repo.git("checkout", "--quiet", "main")
    repo.commit("meanwhile", {"a.py": "x = 2\n"})
    repo.git("merge", "--quiet", "--no-ff", "--message", "Merge pull request #3 from ann/topic", "topic")
    (change,) = merged_changes(read_commits(*borrowed(repo)))
    assert [f.path for f in change.files] == ["b.py"]


ODD_NAMES = [
    "größe.py", "with space.py", "new\nline.py", "tab\t.py", 'quote".py', "back\\slash.py", "-dash.py",
    ":(top)x.py", "*.py", "日本/語.py", "\x01start.py", ":colon.py", "bad\udcff.py",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD_NAMES, ids=[ascii(name) for name in ODD_NAMES])
def test_odd_path_name_survives_the_log(repo, borrowed, name: str) -> None:
    repo.commit("Start", {"a.py": "x = 1\n"})
    repo.commit("Add (#2)", {name: "y = 1\n", "z.py": "z = 1\n"})
    (change,) = merged_changes(read_commits(*borrowed(repo)))
    assert {f.path for f in change.files} == {name, "z.py"}


def test_statuses_modes_and_exact_renames_are_read(repo, borrowed) -> None:
    repo.commit(
        "Start", {"gone.py": "a\n", "old.py": "same\n" * 9, "kept.py": "b\n", "run.sh": "c\n", "l.py": "d\n"}
    )
    (repo.path / "old.py").rename(repo.path / "moved.py")
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "l.py").unlink()
    (repo.path / "l.py").symlink_to("kept.py")
    repo.commit("Change (#2)", {"gone.py": None, "kept.py": "bb\n", "added.py": "new\n"})
    (change,) = merged_changes(read_commits(*borrowed(repo)))
    assert {(f.status, f.path, f.old_path, f.old_mode, f.new_mode) for f in change.files} == {
        ("D", "gone.py", None, "100644", "000000"), ("A", "added.py", None, "000000", "100644"),
        ("M", "kept.py", None, "100644", "100644"), ("M", "run.sh", None, "100644", "100755"),
        ("R", "moved.py", "old.py", "100644", "100644"), ("T", "l.py", None, "100644", "120000"),
    }  # fmt: skip
    added = next(f for f in change.files if f.status == "A")
    assert added == FileChange(
        "added.py", "A", "000000", "100644", "0" * 40, repo.git("rev-parse", "HEAD:added.py")
    )


def test_rename_with_edits_is_a_deletion_and_an_addition(repo, borrowed) -> None:
    repo.commit("Start", {"old.py": "same\n" * 20})
    repo.commit("Move (#2)", {"old.py": None, "new.py": "same\n" * 20 + "more\n"})
    (change,) = merged_changes(read_commits(*borrowed(repo)))
    assert sorted((f.status, f.path) for f in change.files) == [("A", "new.py"), ("D", "old.py")]


def test_commit_without_files_is_read_with_none_and_ends_nothing(repo, borrowed) -> None:
    repo.commit("Start", {"a.py": "x\n"})
    repo.commit("Empty (#2)")
    repo.commit("Full (#3)", {"a.py": "y\n"})
    found = merged_changes(read_commits(*borrowed(repo)))
    assert [(c.number, len(c.files)) for c in found] == [("3", 1), ("2", 0)]


def test_reading_may_stop_early(repo, borrowed: Callable[..., tuple[Git, str]]) -> None:
    for n in range(5):
        repo.commit(f"Change (#{n})", {"a.py": f"x = {n}\n"})
    commits = read_commits(*borrowed(repo))
    assert next(commits).message == "Change (#4)"
    commits.close()


def test_shallow_clone_holds_no_merged_change_and_is_told_to_unshallow(repo, tmp_path: Path) -> None:
    repo.commit("Start", {"a.py": "x\n", "pyproject.toml": ""})
    repo.commit("Change (#2)", {"a.py": "y\n"})
    clone = tmp_path / "shallow"
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", f"file://{repo.path}", str(clone)], check=True)
    with pytest.raises(ToolError, match=r"no merged change found.*--unshallow"):
        harvest(Options(clone, tmp_path / "out", "x", prove=False), lambda line: None)


def test_history_without_numbers_is_told_to_try_commits(repo, tmp_path: Path) -> None:
    repo.commit("Start", {"a.py": "x\n"})
    repo.commit("Change", {"a.py": "y\n"})
    with pytest.raises(ToolError, match=r"no merged change found.*2 commits.*--unit commit"):
        harvest(Options(repo.path, tmp_path / "out", "x", prove=False), lambda line: None)
