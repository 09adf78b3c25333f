"""Pull requests resolved to merged changes over real repositories: each odd way of merging has its defined result."""


import pytest

from miner.git import Git, Objects
from miner.rejection import Rejection
from miner.sources.github.model import Pull
from miner.sources.github.resolve import Resolver, Target
from miner.sources.model import MergedChange
from tests.miner.conftest import Repo

LINES = [f"line {n}" for n in range(40)]


def text(**changed: str) -> str:
    """A file of 40 lines, some of them changed: `l3="..."`."""
    return "".join(f"{changed.get(f'l{n}', line)}\n" for n, line in enumerate(LINES))


def pull(number: int, merge: str | None, head: str, /, **known: object) -> Pull:
    fields: dict[str, object] = {
        "title": f"Title of {number}", "body": "", "author": "ann", "labels": (), "created": "2026-01-01T00:00:00Z",
        "updated": "2026-01-03T00:00:00Z", "merged": "2026-01-02T00:00:00Z", "base": "main", "base_id": "",
        "head": f"b{number}", "head_owner": "someone", "commits": None, "closes": None,
    }  # fmt: skip
    return Pull(number=number, merge_commit=merge, head_id=head, **(fields | known))  # type: ignore[arg-type]


class Scene:
    """A repository with a main branch, and pull requests made of commits."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.root = repo.commit("Begin", {"a.py": text(), "b.py": text()})
        self.times = 0

    def branch(self, name: str, *edits: dict[str, str], fork: str = "main") -> list[str]:
        """A branch with a commit an edit; its commits, first one first."""
        self.repo.git("checkout", "--quiet", "-b", name, fork)
        commits = [self.commit(f"{name} step {i}", files) for i, files in enumerate(edits)]
        self.repo.git("checkout", "--quiet", "main")
        return commits

    def commit(self, subject: str, files: dict[str, str]) -> str:
        """A commit at a time of its own, as those of people are."""
        self.times += 1
        self.repo.write(files)
        self.repo.git("add", "--all")
        when = f"2026-01-02T05:00:{self.times:02}Z"
        self.repo.git("commit", "--quiet", "--allow-empty", "--message", subject, env={"GIT_AUTHOR_DATE": when})
        return self.repo.git("rev-parse", "HEAD")

    def rebase(self, commits: list[str]) -> list[str]:
        """The commits, picked onto main as GitHub's rebase does."""
        picked = []
        for commit in commits:
            self.repo.git("cherry-pick", "--allow-empty", commit)
            picked.append(self.repo.git("rev-parse", "HEAD"))
        return picked

    def squash(self, subject: str, branch: str) -> str:
        self.repo.git("merge", "--quiet", "--squash", branch)
        return self.repo.commit(subject)

    def resolve(self, *pulls: Pull, branch: str = "main") -> list[MergedChange]:
        git = Git(self.repo.path / ".git")
        self.fetched: list[str] = []
        with Objects(git) as objects:
            head, target = self.repo.git("rev-parse", branch), Target(branch, "org/svc")
            return Resolver(git, objects, head, target, self.fetched.extend).resolve(pulls)


@pytest.fixture
def scene(repo: Repo) -> Scene:
    return Scene(repo)


def told(change: MergedChange) -> tuple[str, str, str, int]:
    assert change.rejection is None, change
    return str(change.method), change.base, change.merged, change.commits


def test_a_rebase_is_told_from_a_squash_by_its_commits(scene: Scene) -> None:
    first = scene.branch("one", {"a.py": text(l3="x")}, {"b.py": text(l3="x")})
    second = scene.branch("two", {"a.py": text(l9="y")}, {"b.py": text(l9="y")}, {"c.py": "new\n"})
    before = scene.repo.commit("Meanwhile", {"d.py": "d\n"})
    squashed = scene.squash("One (#1)", "one")
    rebased = scene.rebase(second)
    got = scene.resolve(pull(2, rebased[-1], second[-1]), pull(1, squashed, first[-1]))
    assert [told(change) for change in got] == [("rebase", squashed, rebased[-1], 3), ("squash", before, squashed, 1)]
    assert [file.path for file in got[0].files] == ["a.py", "b.py", "c.py"]


def test_a_rebase_past_changed_neighbours_keeps_its_patch_id(scene: Scene) -> None:
    own = scene.branch("one", {"a.py": text(l10="x")}, {"a.py": text(l10="x", l20="y")})
    base = scene.repo.commit("Neighbour", {"a.py": text(l8="other")})
    rebased = scene.rebase(own)
    assert [told(change) for change in scene.resolve(pull(1, rebased[-1], own[-1]))] == [
        ("rebase", base, rebased[-1], 2)
    ]
    assert scene.fetched  # the blobs were needed, and asked for


def test_a_rebase_whose_files_are_the_same_needs_no_contents(scene: Scene) -> None:
    own = scene.branch("one", {"a.py": text(l10="x")}, {"a.py": text(l10="x", l20="y")})
    base = scene.repo.commit("Elsewhere", {"z.py": "z\n"})
    rebased = scene.rebase(own)
    assert told(scene.resolve(pull(1, rebased[-1], own[-1]))[0]) == ("rebase", base, rebased[-1], 2)
    assert scene.fetched == []


def test_a_rebase_drops_the_merges_of_its_branch(scene: Scene) -> None:
    scene.branch("one", {"a.py": text(l10="x")})
    base = scene.repo.commit("Meanwhile", {"d.py": "d\n"})
    scene.repo.git("checkout", "--quiet", "one")
    first = scene.repo.git("rev-parse", "HEAD")
    scene.repo.git("merge", "--quiet", "--no-edit", "main")
    last = scene.commit("one at last", {"b.py": text(l10="x")})
    scene.repo.git("checkout", "--quiet", "main")
    rebased = scene.rebase([first, last])
    assert told(scene.resolve(pull(1, rebased[-1], last))[0]) == ("rebase", base, rebased[-1], 2)


def test_commits_that_do_not_change_what_the_pull_request_changes_are_not_taken_for_it(scene: Scene) -> None:
    own = scene.branch("one", {"a.py": text(l10="x")}, {"b.py": text(l10="x")})
    for i in range(2):
        date = scene.repo.git("show", "--no-patch", "--format=%aI", own[i])
        scene.repo.write({"a.py": text(l30=f"other {i}")})
        scene.repo.git("commit", "--quiet", "--all", "--message", f"one step {i}", env={"GIT_AUTHOR_DATE": date})
    (change,) = scene.resolve(pull(1, scene.repo.git("rev-parse", "HEAD"), own[-1]))
    assert change.rejection is Rejection.MERGE_UNCLEAR
    assert "on the branch (2)" in change.detail


def test_the_last_of_its_commits_alone_is_not_taken_for_all_of_it(scene: Scene) -> None:
    own = scene.branch("one", {"a.py": text(l10="x")}, {"b.py": text(l10="x")})
    scene.repo.commit("The first, written anew", {"a.py": text(l10="z")})
    rebased = scene.rebase(own[1:])
    (change,) = scene.resolve(pull(1, rebased[-1], own[-1]))
    assert change.rejection is Rejection.MERGE_UNCLEAR


def test_a_merge_commit_and_an_octopus_have_their_first_parent_as_base(scene: Scene) -> None:
    one, two = scene.branch("one", {"c.py": "1\n"}), scene.branch("two", {"d.py": "2\n"})
    before = scene.repo.commit("Meanwhile", {"e.py": "e\n"})
    scene.repo.git("merge", "--quiet", "--no-ff", "--message", "Merge both", "one", "two")
    merged = scene.repo.git("rev-parse", "HEAD")
    (change,) = scene.resolve(pull(1, merged, one[-1]), pull(2, merged, two[-1]))  # one commit is one change
    assert told(change) == ("merge", before, merged, 1)
    assert change.tip == one[-1]


def test_a_merge_commit_that_no_longer_exists_is_counted_as_lost(scene: Scene) -> None:
    own = scene.branch("one", {"c.py": "1\n"})
    gone = scene.squash("One (#1)", "one")
    scene.repo.git("reset", "--quiet", "--hard", "HEAD^")  # force-pushed away: the object may still be here
    lost = scene.resolve(pull(1, gone, own[-1]), pull(2, "1" * 40, own[-1]), pull(3, None, own[-1]))
    assert [(change.number, change.rejection) for change in lost] == [
        ("1", Rejection.MERGE_LOST), ("2", Rejection.MERGE_LOST), ("3", Rejection.MERGE_LOST)
    ]  # fmt: skip


def test_without_the_head_a_squash_is_known_by_its_number_and_nothing_is_guessed(scene: Scene) -> None:
    scene.branch("one", {"c.py": "1\n"})
    before = scene.repo.git("rev-parse", "HEAD")
    squashed = scene.squash("One (#1)", "one")
    other = scene.repo.commit("No number", {"d.py": "d\n"})
    gone = "2" * 40
    got = scene.resolve(
        pull(1, squashed, gone, commits=4), pull(2, other, gone, commits=4), pull(3, squashed, gone, commits=1)
    )
    assert told(got[0]) == ("squash", before, squashed, 1)
    assert got[1].rejection is Rejection.MERGE_UNCLEAR
    assert [change.number for change in got] == ["1", "2"]
    assert told(scene.resolve(pull(3, other, gone, commits=1))[0]) == ("squash", squashed, other, 1)


def test_a_deleted_fork_makes_no_difference(scene: Scene) -> None:
    own = scene.branch("one", {"a.py": text(l10="x")}, {"b.py": text(l10="x")})
    base = scene.repo.commit("Meanwhile", {"d.py": "d\n"})
    rebased = scene.rebase(own)
    (change,) = scene.resolve(pull(1, rebased[-1], own[-1], head_owner=""))
    assert told(change) == ("rebase", base, rebased[-1], 2)
    assert change.branch == "b1"


def test_commits_pushed_as_they_are_count_by_their_number(scene: Scene) -> None:
    base = scene.repo.git("rev-parse", "HEAD")
    own = scene.branch("one", {"a.py": text(l10="x")}, {"b.py": text(l10="x")})
    scene.repo.git("merge", "--quiet", "--ff-only", "one")
    (change,) = scene.resolve(pull(1, own[-1], own[-1], commits=2))
    assert told(change) == ("rebase", base, own[-1], 2)
    (change,) = scene.resolve(pull(1, own[-1], own[-1]))
    assert change.rejection is Rejection.MERGE_UNCLEAR


def test_a_stacked_pull_request_is_part_of_the_one_it_was_merged_into(scene: Scene) -> None:
    scene.branch("feature", {"a.py": text(l10="x")})
    stacked = scene.branch("more", {"b.py": text(l10="x")}, fork="feature")
    scene.repo.git("checkout", "--quiet", "feature")
    scene.repo.git("merge", "--quiet", "--no-ff", "--message", "Merge pull request #1 from org/more", "more")
    inner = scene.repo.git("rev-parse", "HEAD")
    scene.repo.git("checkout", "--quiet", "main")
    scene.repo.git("merge", "--quiet", "--no-ff", "--message", "Merge pull request #2 from org/feature", "feature")
    outer = scene.repo.git("rev-parse", "HEAD")
    got = scene.resolve(
        pull(2, outer, inner, head="feature", head_owner="org"),
        pull(1, inner, stacked[-1], head="more", base="feature", head_owner="org"),
    )
    assert [change.number for change in got] == ["2"]


def test_what_a_maintenance_branch_brought_counts_once_it_was_merged_up(scene: Scene) -> None:
    scene.repo.git("branch", "stable")
    own = scene.branch("fix", {"a.py": text(l10="x")}, fork="stable")
    other = scene.branch("later", {"b.py": text(l10="x")}, fork="stable")
    merges = []
    for name in ("fix", "later"):
        scene.repo.git("checkout", "--quiet", "stable")
        scene.repo.git("merge", "--quiet", "--no-ff", "--message", f"Merge pull request of {name}", name)
        merges.append(scene.repo.git("rev-parse", "HEAD"))
        scene.repo.git("checkout", "--quiet", "main")
        if name == "fix":
            scene.repo.git("merge", "--quiet", "--no-ff", "--message", "Merge branch 'stable'", "stable")
    pulls = (pull(2, merges[1], other[-1], base="stable"), pull(1, merges[0], own[-1], base="stable"))
    assert [told(change) for change in scene.resolve(*pulls)] == [("merge", scene.root, merges[0], 1)]
    both = scene.resolve(*pulls, branch="stable")
    assert [change.merged for change in both] == [merges[1], merges[0]]


def test_what_was_merged_before_the_branch_was_renamed_counts(scene: Scene) -> None:
    own = scene.branch("one", {"c.py": "1\n"})
    squashed = scene.squash("One (#1)", "one")
    (change,) = scene.resolve(pull(1, squashed, own[-1], base="master"))
    assert told(change) == ("squash", scene.root, squashed, 1)


def test_a_commit_without_a_parent_has_no_base(scene: Scene) -> None:
    (change,) = scene.resolve(pull(1, scene.root, "2" * 40))
    assert change.rejection is Rejection.MERGE_UNCLEAR
