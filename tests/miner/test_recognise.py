# ruff: noqa: E501
"""Every way a team merges, on small real repositories: what is recognised, and which commits it is resolved to."""

from dataclasses import dataclass
from itertools import count, islice

import pytest

from miner.asked import Options
from miner.doctor.clone import examine
from miner.git import read_only
from miner.harvest import harvest
from miner.rejection import Rejection
from miner.sources.history import History
from miner.sources.local import LocalSource
from miner.sources.model import MergedChange, Method
from miner.sources.pull_refs import read_pull_refs
from miner.sources.recognise import told_by
from miner.sources.remote import RemoteSource
from miner.sources.sameness import without_repeats
from miner.sources.urls import parse_url


@dataclass
class Team:
    """A repository and its people: commits a minute apart, pull requests kept as refs."""

    repo: object
    borrowed: object
    clock: object

    def dated(self) -> dict[str, str]:
        hours, minutes = divmod(next(self.clock), 60)
        at = f"2026-01-02T{hours + 3:02}:{minutes:02}:00Z"
        return {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}

    def git(self, *arguments: str, **env: str) -> str:
        return self.repo.git(*arguments, env=self.dated() | env)

    def commit(self, message: str, path: str = "a.py", text: str | None = None) -> str:
        self.repo.write({path: text if text is not None else f"{message}\n"})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.head()

    def head(self, of: str = "HEAD") -> str:
        return self.repo.git("rev-parse", of)

    def on(self, branch: str, start: str = "") -> None:
        self.git("checkout", "--quiet", *(["-b", branch, start] if start else [branch]))

    def propose(self, number: int, head: str = "HEAD", form: str = "refs/pull/{}/head") -> str:
        self.git("update-ref", form.format(number), head)
        return self.head(head)

    def merge(self, message: str, *branches: str) -> str:
        self.git("merge", "--quiet", "--no-ff", "--message", message, *branches)
        return self.head()

    def rebase(self, *commits: str) -> str:
        """What GitHub does: the same commits again, by another committer and later."""
        for each in commits:
            self.git("cherry-pick", "--allow-empty", each, GIT_COMMITTER_NAME="GitHub")
        return self.head()

    def found(self, tmp_path) -> list[MergedChange]:
        opened = LocalSource(self.repo.path, "team").open(tmp_path / f"scratch-{next(self.clock)}", lambda _: None)
        return list(opened.changes)


@pytest.fixture
def team(repo, borrowed) -> Team:
    made = Team(repo, borrowed, count())
    made.commit("Start", text="".join(f"line {n}\n" for n in range(40)))
    return made


def said(changes: list[MergedChange]) -> list[tuple[str, str, Method]]:
    return [(change.number, change.title, change.method) for change in changes]


def test_merge_is_recognised_by_its_second_parent_whatever_its_subject_says(team, tmp_path) -> None:
    base = team.head()
    team.on("topic", "main")
    tip = team.commit("Add b\n\nBecause.", "b.py")
    team.propose(7)
    team.on("main")
    merged = team.merge("take ann's work", "topic")
    (change,) = team.found(tmp_path)
    assert (change.number, change.title, change.method) == ("7", "take ann's work", Method.MERGE)
    assert (change.base, change.merged, change.tip) == (base, merged, tip)
    assert [file.path for file in change.files] == ["b.py"]


@pytest.mark.parametrize(
    "form", ["refs/pull/{}/head", "refs/merge-requests/{}/head", "refs/pull-requests/{}/from", "refs/remotes/origin/pr/{}"]
)
def test_heads_of_every_forge_are_read(team, form: str) -> None:
    head = team.propose(7, form=form)
    team.git("update-ref", "refs/pull/9/merge", "HEAD")
    assert read_pull_refs(read_only(team.repo.path)) == {head: ("7",)}


def test_merge_of_a_branch_takes_its_title_from_the_commits_it_brings(team, tmp_path) -> None:
    team.on("topic", "main")
    team.commit("Add b\n\nBecause.", "b.py")
    team.commit("Fix b", "b.py", "b = 2\n")
    team.propose(7)
    team.on("main")
    team.merge("Merge branch 'topic'", "topic")
    (change,) = team.found(tmp_path)
    assert (change.number, change.title, change.body) == ("7", "Add b", "Because.\n\n* Fix b")


def test_head_wins_over_an_issue_in_the_subject_and_not_over_its_own_number(team, tmp_path) -> None:
    for number, subject in ((7, "Add b (#3)"), (8, "Merge pull request #8 from ann/x\n\nAdd c")):
        team.on(f"topic{number}", "main")
        team.commit("work", f"{number}.py")
        team.propose(number)
        team.propose(number + 10)  # proposed again, to another branch
        team.on("main")
        team.merge(subject, f"topic{number}")
    assert [(change.number, change.title) for change in team.found(tmp_path)] == [("8", "Add c"), ("17", "Add b")]


def test_branch_that_was_proposed_too_is_no_pull_request_when_it_is_merged_up(team, tmp_path) -> None:
    team.on("2.3.x", "main")
    fix = team.commit("Fix it (#5)", "b.py")
    team.propose(7)
    team.on("main")
    team.merge("Merge branch '2.3.x'", "2.3.x")
    assert [change.merged for change in team.found(tmp_path)] == [fix]


def test_rebase_of_several_commits_is_one_change_from_before_the_first(team, tmp_path) -> None:
    team.on("topic", "main")
    own = [team.commit("Add b\n\nBecause.", "b.py"), team.commit("Test b", "c.py")]
    team.propose(7)
    team.on("main")
    base = team.commit("Meanwhile", "d.py")
    merged = team.rebase(*own)
    (change,) = team.found(tmp_path)
    assert (change.number, change.title, change.body) == ("7", "Add b", "Because.\n\n* Test b")
    assert (change.base, change.merged, change.method, change.commits) == (base, merged, Method.REBASE, 2)
    assert [file.path for file in change.files] == ["b.py", "c.py"]


def test_rebase_is_recognised_where_other_lines_of_its_file_changed_meanwhile(team, tmp_path) -> None:
    lines = [f"line {n}\n" for n in range(40)]
    team.on("topic", "main")
    own = team.commit("Change the end", text="".join([*lines[:38], "other\n", lines[39]]))
    team.propose(7)
    team.on("main")
    team.commit("Change the beginning", text="".join(["first\n", *lines[1:]]))
    team.rebase(own)
    assert said(team.found(tmp_path)) == [("7", "Change the end", Method.REBASE)]


def test_git_url_is_recognised_as_the_clone_is_with_contents_only_where_they_are_needed(
    team, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    lines = [f"line {n}\n" for n in range(40)]
    team.on("topic", "main")
    own = team.commit("Change the end", text="".join([*lines[:38], "other\n", lines[39]]))
    team.propose(7)
    team.on("second", "main")
    team.commit("Add b", "b.py")
    team.propose(8)
    team.on("main")
    team.commit("Change the beginning", text="".join(["first\n", *lines[1:]]))
    team.rebase(own)
    team.merge("take ann's work", "second")
    served = tmp_path / "served.git"
    team.git("clone", "--quiet", "--mirror", str(team.repo.path), str(served))
    team.git(f"--git-dir={served}", "config", "uploadpack.allowFilter", "true")
    opened = RemoteSource(parse_url(served.as_uri())).open(tmp_path / "scratch", lambda _: None)
    changes = list(opened.changes)
    assert said(changes) == [("8", "take ann's work", Method.MERGE), ("7", "Change the end", Method.REBASE)]
    assert changes == team.found(tmp_path)
    here = team.git(f"--git-dir={opened.git.directory}", "cat-file", "--batch-all-objects", "--batch-check")
    assert sum(" blob " in row for row in here.split("\n")) == 4, "the rebase's: before and after, here and there"


def test_commit_that_changes_something_else_than_its_pull_request_is_no_rebase(team, tmp_path) -> None:
    team.on("topic", "main")
    own = team.commit("Add b", "b.py")
    team.propose(7)
    team.on("main")
    team.git("cherry-pick", "--no-commit", own)
    team.repo.write({"b.py": "something else\n"})
    team.git("add", "--all")
    team.git("commit", "--quiet", "-C", own)
    assert team.found(tmp_path) == []


def test_pull_request_that_backports_a_squash_does_not_take_its_place(team, tmp_path) -> None:
    team.on("stable", "main")
    team.on("main")
    squash = team.commit("Fix it (#7)", "b.py")
    team.on("backport", "stable")
    team.rebase(squash)
    team.propose(8)
    team.on("main")
    assert said(team.found(tmp_path)) == [("7", "Fix it", Method.SQUASH)]


def test_issue_in_the_subject_of_a_rebased_commit_is_not_its_number(team, tmp_path) -> None:
    team.on("topic", "main")
    own = [team.commit("Add b (#3)", "b.py"), team.commit("Test b (#3)", "c.py")]
    team.propose(7)
    team.on("main")
    base = team.commit("Meanwhile", "d.py")
    team.rebase(*own)
    (change,) = team.found(tmp_path)
    assert (change.number, change.title, change.base) == ("7", "Add b (#3)", base)


def test_rebase_of_a_pull_request_that_had_the_branch_merged_into_it(team, tmp_path) -> None:
    team.on("topic", "main")
    first = team.commit("Add b", "b.py")
    team.on("main")
    team.commit("Meanwhile", "d.py")
    team.on("topic")
    team.merge("Merge branch 'main' into topic", "main")
    second = team.commit("Test b", "c.py")
    team.propose(7)
    team.on("main")
    base = team.head()
    team.rebase(first, second)
    (change,) = team.found(tmp_path)
    assert (change.number, change.base, change.commits) == ("7", base, 2)


def test_stacked_pull_requests_rebased_one_after_the_other_are_two_changes(team, tmp_path) -> None:
    team.on("lower", "main")
    low = team.commit("Add b", "b.py")
    team.propose(7)
    team.on("upper", "lower")
    high = team.commit("Add c", "c.py")
    team.propose(8)
    team.on("main")
    team.commit("Meanwhile", "d.py")
    below = team.rebase(low)
    team.rebase(high)
    upper, lower = team.found(tmp_path)
    assert (upper.number, upper.base, upper.commits) == ("8", below, 1)
    assert (lower.number, lower.merged) == ("7", below)


def test_branch_that_collects_pull_requests_gives_way_to_them(team, tmp_path) -> None:
    one, two = [], []
    for number, row in ((5, one), (6, two)):
        team.on(f"topic{number}", "main")
        row.append(team.commit(f"Add {number}", f"{number}.py"))
        team.propose(number)
    team.on("collect", "main")
    team.commit("Before", "z.py")
    team.rebase(*one, *two)
    team.propose(9)
    own = team.repo.git("rev-list", "--reverse", "main..collect").split()
    team.on("main")
    team.commit("Meanwhile", "d.py")
    team.rebase(*own)
    assert said(team.found(tmp_path)) == [("6", "Add 6", Method.REBASE), ("5", "Add 5", Method.REBASE)]


def test_pull_request_merged_inside_another_is_part_of_it(team, tmp_path) -> None:
    team.on("outer", "main")
    team.commit("outer work", "b.py")
    team.on("inner", "outer")
    team.commit("inner work", "c.py")
    team.on("outer")
    team.merge("Merge pull request #4 from ann/inner\n\nInner", "inner")
    team.on("main")
    team.merge("Merge pull request #5 from ann/outer\n\nOuter", "outer")
    (change,) = team.found(tmp_path)
    assert (change.number, [file.path for file in change.files]) == ("5", ["b.py", "c.py"])


@pytest.mark.parametrize(
    "subject",
    ["Merge branch '2.3.x'", "Merge remote-tracking branch 'origin/2.3.x'", "Merge tag '2.3.1'", "merge 2.3.x up", "Merge 2.3.x into main"],
)
def test_pull_requests_of_a_branch_that_was_merged_up_count_once_and_in_order(team, tmp_path, subject: str) -> None:
    team.on("2.3.x", "main")
    team.commit("Old fix (#1)", "b.py")
    team.on("main")
    team.commit("Feature (#2)", "c.py")
    team.merge(subject, "2.3.x")
    team.on("2.3.x")
    team.commit("Newer fix (#3)", "b.py")
    team.on("main")
    team.merge(subject, "2.3.x")
    assert [change.number for change in team.found(tmp_path)] == ["3", "2", "1"]


def test_pull_request_that_merges_one_branch_up_into_another_counts_for_those_in_it(team, tmp_path) -> None:
    team.on("stable", "main")
    team.commit("Old fix (#1)", "b.py")
    team.on("up", "main")
    team.merge("Merge remote-tracking branch 'upstream/stable' into up", "stable")
    team.propose(2)
    team.on("main")
    team.commit("Feature (#3)", "c.py")
    team.merge("Merge pull request #2 from ann/up\n\nMerge stable into main.", "up")
    assert [(change.number, change.rejection) for change in team.found(tmp_path)] == [
        ("2", Rejection.MERGE_UP), ("3", None), ("1", None),
    ]  # fmt: skip


def test_merge_that_carries_changes_of_its_own_is_what_landed(team, tmp_path) -> None:
    team.on("topic", "main")
    team.commit("work", "b.py")
    team.propose(7)
    team.on("main")
    team.git("merge", "--quiet", "--no-ff", "--no-commit", "topic")
    team.repo.write({"extra.py": "x = 1\n"})
    team.git("add", "--all")
    team.git("commit", "--quiet", "--message", "Merge pull request #7 from ann/topic\n\nAdd b")
    (change,) = team.found(tmp_path)
    assert [file.path for file in change.files] == ["b.py", "extra.py"]


def test_octopus_merge_is_no_single_change(team, tmp_path) -> None:
    for number in (7, 8):
        team.on(f"topic{number}", "main")
        team.commit("work", f"{number}.py")
        team.propose(number)
    team.on("main")
    team.merge("Take both (#9)", "topic7", "topic8")
    assert len(team.repo.git("rev-list", "--parents", "-1", "HEAD").split()) == 4
    assert team.found(tmp_path) == []


def test_edge_of_a_shallow_clone_is_no_change(team, tmp_path) -> None:
    team.on("topic", "main")
    own = [team.commit("Add b", "b.py"), team.commit("Test b", "c.py")]
    team.propose(7)
    team.on("main")
    team.commit("Meanwhile", "d.py")
    team.rebase(*own)
    team.commit("Later (#8)", "e.py")
    for depth, numbers in ((1, []), (2, ["8"]), (4, ["8"]), (5, ["8", "7"])):
        place = tmp_path / f"shallow{depth}"
        url = f"file://{team.repo.path}"
        team.git("clone", "--quiet", f"--depth={depth}", url, str(place))
        team.git("-C", str(place), "fetch", "--quiet", "origin", "refs/pull/*/head:refs/pull/*/head")
        opened = LocalSource(place, "team").open(tmp_path / f"of{depth}", lambda _: None)
        assert [change.number for change in opened.changes] == numbers


def test_head_that_was_pushed_as_it_is_does_not_say_where_it_begins(team, tmp_path) -> None:
    team.commit("Add b", "b.py")
    team.propose(7)
    assert team.found(tmp_path) == []


def test_pull_ref_whose_commit_is_missing_is_passed_over(team, tmp_path) -> None:
    team.on("topic", "main")
    team.commit("Add b", "b.py")
    head = team.propose(7)
    team.on("main")
    team.git("branch", "--quiet", "-D", "topic")
    team.git("reflog", "expire", "--expire=now", "--all")
    team.commit("Fix it (#8)", "c.py")
    (team.repo.path / ".git/objects" / head[:2] / head[2:]).unlink()
    assert [change.number for change in team.found(tmp_path)] == ["8"]


def test_backport_and_what_was_applied_again_repeat_the_older_change(team, tmp_path) -> None:
    lines = [f"line {n}\n" for n in range(40)]
    team.on("2.3.x", "main")
    team.commit("Only here", text="".join([*lines[:39], "last\n"]))
    team.on("main")
    team.commit("Fix it (#5)", text="".join(["first\n", *lines[1:]]))
    fix = team.head()
    team.on("2.3.x")
    team.git("cherry-pick", fix)
    team.git("commit", "--quiet", "--amend", "--message", "Fix it (#6)")
    team.on("main")
    team.git("merge", "--quiet", "--no-ff", "--message", "Merge branch '2.3.x'", "2.3.x")
    opened = LocalSource(team.repo.path, "team").open(tmp_path / "scratch", lambda _: None)
    found = without_repeats(opened.git, list(opened.changes))
    assert [(change.number, change.rejection) for change in found] == [("6", Rejection.BACKPORT), ("5", None)]
    assert found[0].detail == f"repeats 5 ({fix[:10]})"


def test_change_that_takes_back_an_older_one_is_a_revert_whatever_its_title(team, tmp_path) -> None:
    team.commit("Add b (#5)", "b.py")
    team.git("rm", "--quiet", "b.py")
    team.git("commit", "--quiet", "--message", "Leave b to others (#6)")
    team.commit("Add b, again (#7)", "b.py", "Add b (#5)\n")
    opened = LocalSource(team.repo.path, "team").open(tmp_path / "scratch", lambda _: None)
    found = without_repeats(opened.git, list(opened.changes))
    assert [(change.number, change.rejection) for change in found] == [
        ("7", Rejection.REVERT), ("6", Rejection.REVERT), ("5", None),
    ]  # fmt: skip


def test_harvest_and_doctor_count_rebases_and_name_what_is_none(team, tmp_path) -> None:
    team.on("topic", "main")
    own = [team.commit("Add b", "src/b.py", "b = 1\n"), team.commit("Test b", "tests/test_b.py", "assert True\n")]
    team.propose(7)
    team.on("main")
    team.commit("Meanwhile", "d.py")
    merged = team.rebase(*own)
    team.git("revert", "--no-edit", "--no-commit", "HEAD", "HEAD~1")
    team.git("commit", "--quiet", "--message", "Do without (#8)")
    lines = harvest(Options(team.repo.path, tmp_path / "fixtures", "team", prove=False), lambda _: None)
    assert [(line.number, line.rejection, line.detail) for line in lines] == [
        ("8", Rejection.REVERT, f"undoes 7 ({merged[:10]})"), ("7", None, ""),
    ]  # fmt: skip
    assert lines[1].fixture == "team/7-add-b"
    (found,) = [check.found for check in examine(team.repo.path).checks if check.name == "merged changes"]
    assert found.startswith("2 among")


def test_history_is_read_only_as_far_as_it_is_asked_for(team, borrowed) -> None:
    for n in range(6):
        team.commit(f"Change it (#{n})", text=f"{n}\n")
    git, head = borrowed(team.repo)
    with History(git, head) as history:
        assert [each.message for each in islice(history.down(head), 2)] == ["Change it (#5)", "Change it (#4)"]
        assert len(history._seen) == 2
        with pytest.raises(KeyError):
            history["0" * 40]


def test_commit_dated_before_its_parent_is_walked_in_the_order_of_history(team, borrowed) -> None:
    team.commit("Newer (#1)")
    team.repo.commit("Older by its clock (#2)", {"b.py": "b\n"})  # 2026-01-02T03:04:06
    team.git("commit", "--quiet", "--allow-empty", "--message", "Last (#3)")
    git, head = borrowed(team.repo)
    with History(git, head) as history:
        walked = [each.message for each in history.walk(lambda _: False)]
    assert walked == ["Last (#3)", "Older by its clock (#2)", "Newer (#1)", "Start"]


TOLD = {
    "one": (["Fix it\n\nBecause."], ("Fix it", "Because.")),
    "several": (["Fix it\n\nBecause.", "Test it", "News\n\nMore."], ("Fix it", "Because.\n\n* Test it\n\n* News\n\nMore.")),
    "without bodies": (["Fix it", "Test it"], ("Fix it", "* Test it")),
    "empty": ([""], ("", "")),
}


@pytest.mark.parametrize(("messages", "title"), TOLD.values(), ids=TOLD.keys())
def test_first_commit_gives_the_title(messages: list[str], title: tuple[str, str]) -> None:
    assert told_by(messages) == title
