# ruff: noqa: E501
"""Proving a change over real trees, real environments and real runs in the sandbox."""

from pathlib import Path

import pytest

from miner import proving, recipes
from miner.git import Git
from miner.proof import Disproved
from miner.proving import Change, Effort, inside, project_of, prove_change, proving_environment, settings_of
from miner.recipes.model import EnvironmentFailed, Result, Settings
from miner.record import Proof, Repository
from miner.rejection import Rejection
from miner.trees import TreeStore
from miner.workbench import Workbench, on_disk
from tests.miner.shell import CHECK, ShellRecipe

A = f"{CHECK}::a"
TURNS = "if grep -q 2 a.txt; then echo a passed; else echo a failed; fi\necho b passed\n"
LONG = "".join(f"{n}\n" for n in range(10, 40))
QUICK = Effort(repeats=2, timeout=20, strength=False)


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ShellRecipe:
    """The recipe in the table, with a cache of its own."""
    shell = ShellRecipe()
    monkeypatch.setattr(recipes, "RECIPES", (shell,))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return shell


class Subject:
    """A change in a real repository, and what proving it needs."""

    def __init__(self, repo) -> None:
        self.repo, self.git = repo, Git(repo.path / ".git")
        self.store = TreeStore(self.git)
        self.locks: dict[str, str] = {}
        self.times: list[float] = []
        self.repository = Repository(name="sample", source="x", recipe="shell")

    def change(self, before: dict[str, str], after: dict[str, str], tests: dict[str, str]) -> Change:
        """The change from `before` to `after`, with these tests; `check.mf` is in every tree."""
        trees = []
        for files in ({**before, "check.mf": ""}, tests, after):
            self.repo.commit("step", files)
            trees.append(self.repo.git("rev-parse", "HEAD^{tree}"))
        diff = ("diff-tree", "-r", "-p", "--binary", "--full-index", "--no-renames")
        return Change(
            "sample/1-x", "2026-01-02T03:04:05+00:00", trees[0], trees[2], self.git.run(*diff, trees[1], trees[2]),
            self.git.run(*diff, trees[0], trees[1]), sorted(tests), "0.0.1",
        )  # fmt: skip

    def prove(self, change: Change, effort: Effort = QUICK) -> Proof | Disproved:
        """The proof of a change."""
        return prove_change(change, self.store, self.repository, effort, self.locks.__setitem__, self.times)


@pytest.fixture
def subject(repo, recipe: ShellRecipe) -> Subject:
    """A repository to write a change in."""
    return Subject(repo)


PROOFS = {
    "a change that its tests prove": (TURNS, None),
    "tests that pass anyway": ("echo a passed\n", Rejection.PASSES_BEFORE),
    "tests that fail anyway": ("echo a failed\n", Rejection.FAILS_AFTER),
    "tests that break with it": (TURNS + "if grep -q 2 a.txt; then echo c failed; else echo c passed; fi\n", Rejection.FAILS_AFTER),
    "tests that are skipped": ("echo a skipped\n", Rejection.NO_TESTS_RUN),
    "tests that write nothing": ("true\n", Rejection.NO_TESTS_RUN),
    "tests that never end": ("sleep 60\n", Rejection.TIMED_OUT),
    "tests that run with plain options only": ('if [ "$1" = plain ]; then\n' + TURNS + "fi\n", None),
}  # fmt: skip


@pytest.mark.parametrize(("check", "rejection"), PROOFS.values(), ids=PROOFS.keys())
def test_proof_over_real_runs(subject: Subject, check: str, rejection: Rejection | None) -> None:
    change = subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: check})
    found = subject.prove(change, Effort(2, 2 if "sleep" in check else 20, strength=False))
    if rejection is not None:
        assert isinstance(found, Disproved), found
        assert found.rejection is rejection
        assert subject.locks == {}
        return
    assert isinstance(found, Proof), found
    assert (found.fail_to_pass, found.pass_to_pass) == ([A], [f"{CHECK}::b"])
    assert found.command == ["sh", CHECK, *(["plain"] if "plain" in check else []), CHECK]
    assert (found.repeats, found.regression, found.strength, found.timeout_seconds) == (2, "files", None, 60)
    assert subject.locks == {found.environment.digest: "shell==1\n"}
    assert len(subject.times) == (5 if "plain" in check else 4)


def test_environment_that_proved_is_written_down(subject: Subject) -> None:
    found = subject.prove(subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: TURNS}))
    assert isinstance(found, Proof)
    environment = found.environment
    assert (environment.recipe, environment.toolchain, environment.variant) == ("shell", "shell 1", "usual")
    assert (environment.source, environment.fallbacks) == ("check.mf", ["a note"])
    assert environment.pretend_version == "0.0.1"


def test_change_without_runnable_tests_is_disproved_without_a_run(subject: Subject) -> None:
    change = subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {"tests/data.json": "{}\n"})
    found = subject.prove(change)
    assert isinstance(found, Disproved)
    assert (found.rejection, subject.times) == (Rejection.NO_TESTS_RUN, [])


def test_tests_cannot_change_the_trees_of_the_next_run(subject: Subject, recipe: ShellRecipe) -> None:
    check = f"test -e left && echo b failed || echo b passed\ntouch left\n{TURNS.splitlines()[0]}\n"
    change = subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: check})
    found = subject.prove(change, Effort(3, 20, strength=False))
    assert isinstance(found, Proof), found
    assert (found.pass_to_pass, found.flaky) == ([f"{CHECK}::b"], [])


def test_toolchain_that_does_not_build_is_followed_by_the_next(subject: Subject, recipe: ShellRecipe) -> None:
    recipe.versions, recipe.broken = ("3", "2", "1"), ("3",)
    found = subject.prove(subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: TURNS}))
    assert isinstance(found, Proof), found
    assert found.environment.toolchain == "shell 2"
    assert recipe.built == ["3 usual", "3 usual", "2 usual"]  # the first also with the packages of a month later
    assert recipe.resolved == ["3 2026-01-02", "3 2026-02-01", "2 2026-01-02"]
    assert found.environment.fallbacks == ["environment_failed: shell 3: usual: cannot build on 3 (usual)", "a note"]


def test_packages_that_were_broken_on_the_date_are_followed_by_those_of_a_month_later(
    subject: Subject, recipe: ShellRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe.versions, recipe.mended = ("3", "2"), "2026-01-15"
    check = f"if grep -q shell==2 /env/lock; then\n{TURNS}else echo a failed; fi\n"
    change = subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: check})
    found = subject.prove(change)
    assert isinstance(found, Proof), found
    assert found.environment.toolchain == "shell 3"
    first, later, _ = found.environment.fallbacks
    assert first.startswith("fails_after: ")
    assert (later, found.environment.days_later) == ("packages of 30 days later", 30)
    assert subject.locks == {found.environment.digest: "shell==2\n"}
    # What building needs is of the same date when it is built again elsewhere.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other machine"))
    assert (again(subject, change, found).ready.folder / "date").read_text() == "2026-02-01\n"


NEEDS_TWO = f'if [ "$TOOL" = 2 ]; then\n{TURNS}else echo a RESULT; fi\n'


@pytest.mark.parametrize("result", ["failed", "skipped"])
def test_toolchain_on_which_the_tests_fail_or_are_skipped_is_followed_by_the_next(
    subject: Subject, recipe: ShellRecipe, result: str
) -> None:
    recipe.versions = ("3", "2", "1")
    check = NEEDS_TWO.replace("RESULT", result)
    found = subject.prove(subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: check}))
    assert isinstance(found, Proof), found
    assert found.environment.toolchain == "shell 2"


def test_tests_that_pass_anyway_are_tried_on_no_other_toolchain(subject: Subject, recipe: ShellRecipe) -> None:
    recipe.versions = ("3", "2", "1")
    found = subject.prove(subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: "echo a passed\n"}))
    assert isinstance(found, Disproved)
    assert recipe.built == ["3 usual"]


def test_where_no_toolchain_proves_it_the_first_ones_reason_is_given(subject: Subject, recipe: ShellRecipe) -> None:
    recipe.versions, recipe.broken = ("5", "4", "3", "2"), ("4",)
    check = 'if [ "$TOOL" = 5 ]; then echo a failed; fi\n'
    found = subject.prove(subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: check}))
    assert isinstance(found, Disproved)
    assert found.rejection is Rejection.FAILS_AFTER
    assert recipe.built == ["5 usual", "4 usual", "3 usual"]  # no fourth


def test_without_a_toolchain_the_environment_failed(subject: Subject, recipe: ShellRecipe) -> None:
    recipe.versions = ()
    found = subject.prove(subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: TURNS}))
    assert found == Disproved(Rejection.ENVIRONMENT_FAILED, "no shell: install one")


def test_variant_that_does_not_build_is_followed_by_the_next_and_named(subject: Subject, recipe: ShellRecipe) -> None:
    recipe.variants, recipe.broken_variants = ("best", "good", "poor"), ("best",)
    found = subject.prove(subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: TURNS}))
    assert isinstance(found, Proof), found
    assert found.environment.variant == "good"
    assert found.environment.fallbacks == ["a note", "best: cannot build on 1 (best)"]


def test_own_setup_and_variables_are_part_of_the_environment(subject: Subject) -> None:
    check = f'grep -q "$WORD" /env/said 2>/dev/null && echo b passed || echo b failed\n{TURNS.splitlines()[0]}\n'
    change = subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: check})
    plain = subject.prove(change)
    subject.repository = subject.repository.model_copy(update={"setup": ["echo $WORD > /env/said"], "env": {"WORD": "yes"}})
    found = subject.prove(change)
    assert isinstance(plain, Proof)
    assert isinstance(found, Proof), found
    assert found.pass_to_pass == [f"{CHECK}::b"]
    assert plain.pass_to_pass == []
    assert found.environment.digest != plain.environment.digest


def test_setup_that_fails_is_named_with_its_words(subject: Subject) -> None:
    subject.repository = subject.repository.model_copy(update={"setup": ["echo no such thing; exit 3"]})
    found = subject.prove(subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: TURNS}))
    assert isinstance(found, Disproved)
    assert found.rejection is Rejection.ENVIRONMENT_FAILED
    assert "setup `echo no such thing; exit 3` failed: no such thing" in found.detail


def test_sub_project_is_where_everything_happens(subject: Subject) -> None:
    subject.repository = subject.repository.model_copy(update={"cwd": "inner"})
    before = {"inner/a.txt": "1\n", "inner/check.mf": "x", "a.txt": "9\n"}
    change = subject.change(before, {"inner/a.txt": "2\n"}, {f"inner/{CHECK}": TURNS, CHECK: "exit 1\n"})
    found = subject.prove(change, Effort(2, 20))
    assert isinstance(found, Proof), found
    assert (found.fail_to_pass, found.pass_to_pass) == ([A], [f"{CHECK}::b"])


# A test that passes only where it comes first, whatever the change.
ORDERED = """
first=yes
[ "$1" = tests/check.sh ] && set -- tests/check.sh::a tests/check.sh::b tests/check.sh::c tests/check.sh::d
for wanted; do
  case "$wanted" in
    *::a) if grep -q 2 a.txt; then echo a passed; else echo a failed; fi;;
    *::b) if [ -n "$polluted" ]; then echo b failed; else echo b passed; fi;;
    *::c) polluted=yes; echo c passed;;
    *::d) polluted=yes; echo d passed;;
  esac
done
"""


def test_test_that_depends_on_its_place_is_quarantined(subject: Subject) -> None:
    change = subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: ORDERED})
    found = subject.prove(change, Effort(5, 20, strength=False))
    assert isinstance(found, Proof), found
    assert found.fail_to_pass == [A]
    assert found.flaky == [f"{CHECK}::b"]
    assert found.pass_to_pass == [f"{CHECK}::c", f"{CHECK}::d"]
    assert f"{CHECK}::b" not in found.command


def parts(changed: str, *, noticed: bool) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """A change of two places of one file; the tests look at the first, and at the second where it is `noticed`."""
    check = "if grep -q new a.txt; then echo a passed; else echo a failed; fi\n"
    if noticed:
        check += "if grep -q other a.txt; then echo b passed; else echo b failed; fi\n"
    return {"a.txt": LONG}, {"a.txt": changed}, {CHECK: check}


BOTH = LONG.replace("12\n", "12 new\n").replace("35\n", "35 other\n")


@pytest.mark.parametrize("noticed", [True, False])
def test_hunk_that_no_test_misses_is_named(subject: Subject, noticed: bool) -> None:
    found = subject.prove(subject.change(*parts(BOTH, noticed=noticed)), Effort(2, 20))
    assert isinstance(found, Proof), found
    assert found.strength is not None
    assert found.strength.hunks == 2
    assert found.strength.unnoticed == ([] if noticed else ["a.txt:23"])
    assert found.strength.share == (1 if noticed else 0.5)


def test_change_of_one_hunk_is_proved_whole_and_needs_no_run_more(subject: Subject) -> None:
    change = subject.change(*parts(LONG.replace("12\n", "12 new\n"), noticed=False))
    found = subject.prove(change, Effort(2, 20))
    assert isinstance(found, Proof)
    assert found.strength is not None
    assert (found.strength.hunks, found.strength.unnoticed, found.strength.share) == (1, [], 1)
    assert len(subject.times) == 4


def test_hunk_that_only_another_kept_test_misses_is_noticed(subject: Subject) -> None:
    """Without the second hunk a test fails that passes without the change as a whole."""
    check = (
        "if grep -q new a.txt; then echo a passed; else echo a failed; fi\n"
        "if grep -q new a.txt && ! grep -q other a.txt; then echo b failed; else echo b passed; fi\n"
    )
    before, after, _ = parts(BOTH, noticed=False)
    found = subject.prove(subject.change(before, after, {CHECK: check}), Effort(2, 20))
    assert isinstance(found, Proof), found
    assert (found.fail_to_pass, found.pass_to_pass) == ([A], [f"{CHECK}::b"])
    assert found.strength is not None
    assert found.strength.unnoticed == []


@pytest.mark.parametrize("without", ["echo nothing >/dev/null", "sleep 60"], ids=["no results", "no end"])
def test_hunk_without_which_the_tests_do_not_run_is_noticed(subject: Subject, without: str) -> None:
    check = f"grep -q other a.txt || grep -q ^12$ a.txt || {{ {without}; exit 1; }}\n"
    check += "if grep -q new a.txt; then echo a passed; else echo a failed; fi\n"
    before, after, _ = parts(BOTH, noticed=False)
    found = subject.prove(subject.change(before, after, {CHECK: check}), Effort(2, 2))
    assert isinstance(found, Proof), found
    assert found.strength is not None
    assert (found.strength.hunks, found.strength.unnoticed) == (2, [])


TOUCHED = {
    "tests/t.py::test_new": True, "tests/t.py::test_new[a::b]": True, "tests/t.py::test_old": False,
    "tests/t.py::test_changed": True, "tests/t.py::TestIt::test_new": True, "tests/t.py::TestIt::test_old": False,
    "tests/t.py::TestNew::test_new[x]": True, "tests/u.py::test_same": False, "tests/[id].sh::one": True,
    "tests/[id].sh::one[2]": True, "tests/v.py::test_new": False,
}  # fmt: skip
OLD = "def test_old():\n    pass\n\n\ndef test_changed():\n    pass\n\n\nclass TestIt:\n    def test_old(self):\n        pass\n"
NEW = (
    OLD.replace("changed():\n    pass", "changed():\n    assert 1")
    + "\n    def test_new(self):\n        pass\n\n\ndef test_new(a):\n    pass\n\n\nclass TestNew:\n    def test_new(self):\n        pass\n"
)


@pytest.mark.parametrize("cwd", [".", "sub/inner"])
def test_tests_that_the_change_touches_are_told(subject: Subject, cwd: str) -> None:
    prefix = "" if cwd == "." else f"{cwd}/"
    same = {f"{prefix}tests/u.py": OLD}
    change = subject.change(
        {f"{prefix}tests/t.py": OLD, f"{prefix}tests/[id].sh": "1\n", **same}, {"a.txt": "2\n"},
        {f"{prefix}tests/t.py": NEW, f"{prefix}tests/[id].sh": "2\n", **same},
    )  # fmt: skip
    touched = proving._touched(change, subject.store, Settings(cwd=cwd))
    assert {test: touched(test) for test in TOUCHED} == TOUCHED


@pytest.mark.parametrize(
    ("cwd", "expected"), [(".", ["a/t.sh", "ab/t.sh"]), ("a", ["t.sh"]), ("b", [])], ids=["top", "inner", "elsewhere"]
)
def test_paths_inside_a_sub_project_are_relative_to_it(cwd: str, expected: list[str]) -> None:
    assert inside(Settings(cwd=cwd), ["a/t.sh", "ab/t.sh"]) == expected


def test_project_is_the_sub_projects_files(repo) -> None:
    repo.commit("Start", {"a/x.py": "x", "ab/y.py": "y", "z.py": "z"})
    store = TreeStore(Git(repo.path / ".git"))
    tree, date = repo.git("rev-parse", "HEAD^{tree}"), "2026-01-02T03:04:05+00:00"
    inner, top = (project_of(store, tree, date, Settings(cwd=cwd)) for cwd in ("a", "."))
    assert (inner.paths, inner.text("x.py"), inner.read("z.py"), inner.folder) == ({"x.py"}, "x", None, "/tree/a")
    assert (top.paths, top.text("a/x.py"), top.folder) == ({"a/x.py", "ab/y.py", "z.py"}, "x", "/tree")


@pytest.fixture
def proved(subject: Subject) -> tuple[Change, Proof]:
    change = subject.change({"a.txt": "1\n"}, {"a.txt": "2\n"}, {CHECK: TURNS})
    proof = subject.prove(change)
    assert isinstance(proof, Proof)
    return change, proof


def again(subject: Subject, change: Change, proof: Proof) -> Workbench:
    (lock,) = subject.locks.values()
    rebuilt = proving_environment(
        subject.store, subject.repository, change.starting_tree, change.date, proof.environment, lock
    )
    return Workbench(*rebuilt, 20)


def test_environment_is_taken_from_the_cache_where_it_is_there(
    subject: Subject, recipe: ShellRecipe, proved: tuple[Change, Proof]
) -> None:
    bench = again(subject, *proved)
    assert bench.ready.folder.name == proved[1].environment.digest
    assert recipe.built == ["1 usual"]


def test_environment_is_built_again_from_its_lock_where_the_cache_is_empty(
    subject: Subject, recipe: ShellRecipe, proved: tuple[Change, Proof], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other machine"))
    change, proof = proved
    bench = again(subject, change, proof)
    assert (recipe.built, recipe.resolved) == (["1 usual", "1 usual"], ["1 2026-01-02"])
    assert (bench.ready.folder / "lock").read_text() == "shell==1\n"
    with on_disk(subject.store, change.solved_tree) as folder:
        assert bench.run(folder, proof.command).found[A] is Result.PASSED


def test_environment_that_no_longer_builds_leaves_nothing_half_built(
    subject: Subject, recipe: ShellRecipe, proved: tuple[Change, Proof], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other machine"))
    recipe.broken = ("1",)
    for _ in range(2):
        with pytest.raises(EnvironmentFailed, match="cannot build on 1"):
            again(subject, *proved)
    assert [p.name for p in (tmp_path / "other machine").rglob("*") if p.name.startswith(("lock", ".building"))] == []


def test_settings_are_those_of_repo_yaml() -> None:
    record = Repository(
        name="a", source="b", recipe="c", cwd="d", python="3.9", setup=["e"], test=["f"], env={"G": "h"}
    )
    assert settings_of(record) == Settings("d", "3.9", ("e",), ("f",), {"G": "h"})
    assert settings_of(Repository(name="a", source="b", recipe="c")) == Settings()


def test_same_question_is_resolved_once_and_another_anew(
    subject: Subject, recipe: ShellRecipe, proved: tuple[Change, Proof]
) -> None:
    change, _ = proved
    assert isinstance(subject.prove(change), Proof)
    assert (recipe.resolved, recipe.built) == (["1 2026-01-02"], ["1 usual"])
    subject.repository = subject.repository.model_copy(update={"env": {"A": "1"}})
    assert isinstance(subject.prove(change), Proof)
    assert (recipe.resolved, recipe.built) == (["1 2026-01-02"] * 2, ["1 usual"] * 2)
