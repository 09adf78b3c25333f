"""A set is proved again from what is stored; whatever rotted is named, and why."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from miner import recipes
from miner.asked import Options
from miner.fixtures import FixtureFolder
from miner.harvest import harvest
from miner.proving import Effort
from miner.verify import Verdict, verify
from tests.miner.conftest import Repo
from tests.miner.shell import CHECK, ShellRecipe

ID = "sample/2-make-it-two"
TURNS = "if grep -q 2 a.txt; then echo a passed; else echo a failed; fi\necho b passed\n"
FIXTURE = "sample/2-make-it-two/fixture.yaml"


@pytest.fixture(scope="module")
def recipe() -> Iterator[ShellRecipe]:
    """The recipe in the table."""
    shell = ShellRecipe()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recipes, "RECIPES", (shell,))
        yield shell


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory, recipe: ShellRecipe, private_cache: Path) -> Path:
    """The fixtures of a repository with one change. Read them only."""
    repo = Repo(tmp_path_factory.mktemp("verify") / "sample")
    repo.path.mkdir()
    repo.git("init", "--quiet", "--template=", "--initial-branch=main")
    repo.commit("Start", {"check.mf": "", "a.txt": "1\n", "b.py": "def f():\n    return 1\n", CHECK: "echo b passed\n"})
    repo.commit("Make it two (#2)", {"a.txt": "2\n", "b.py": "def f():\n    return 2\n", CHECK: TURNS})
    out = repo.path.parent / "fixtures"
    (line,) = harvest(Options(repo.path, out, "sample", effort=Effort(3, 20, strength=False)), lambda _: None)
    assert line.proved, line
    return out


@pytest.fixture
def fixtures(harvested: Path, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    return Path(shutil.copytree(harvested, tmp_path / "fixtures"))


def verdict(fixtures: Path, repeats: int | None = 1) -> Verdict:
    (found,) = verify(FixtureFolder(fixtures), [ID], repeats, 1, lambda _: None)
    return found


def edit(path: Path, change: Callable[[dict], None]) -> None:
    record = yaml.safe_load(path.read_text())
    change(record)
    path.write_text(yaml.safe_dump(record))


def test_untouched_set_holds(fixtures: Path) -> None:
    found = verdict(fixtures)
    assert (found.fixture, found.rotted) == (ID, "")
    assert found.test_seconds > 0


@pytest.mark.parametrize(("repeats", "runs"), [(None, 6), (1, 2), (2, 4)])
def test_each_side_is_run_as_often_as_at_first_or_as_asked(
    fixtures: Path, monkeypatch: pytest.MonkeyPatch, recipe: ShellRecipe, repeats: int | None, runs: int
) -> None:
    read: list[object] = []
    usual = recipe.read
    monkeypatch.setattr(recipe, "read", lambda *args: read.append(args) or usual(*args))
    assert verdict(fixtures, repeats).rotted == ""
    assert len(read) == runs


def test_nothing_but_the_set_is_needed_and_nothing_is_resolved_again(
    fixtures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recipe: ShellRecipe
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another machine"))
    resolved = list(recipe.resolved)
    assert verdict(fixtures).rotted == ""
    assert recipe.resolved == resolved


def proof(key: str, value: object) -> Callable[[Path], None]:
    """A damage: this field of the proof is another."""
    return lambda root: edit(root / FIXTURE, lambda record: record["proof"].__setitem__(key, value))


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    """A damage: this text of a file is another."""

    def damage(root: Path) -> None:
        path = root / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return damage


def lock(root: Path) -> Path:
    (path,) = (root / "sample/locks").glob("*.txt")
    return path


PATCHES = "a patch no longer rebuilds the solved tree"
ROTTED: dict[str, tuple[Callable[[Path], None], str]] = {
    "tests weakened": (replaced("sample/2-make-it-two/tests.patch", "echo a failed", "true"), PATCHES),
    "a test changed": (replaced("sample/2-make-it-two/tests.patch", "grep -q 2", "grep -q ."), PATCHES),
    "tests gone": (lambda root: (root / "sample/2-make-it-two/tests.patch").unlink(), "cannot read the fixture"),
    "change damaged": (replaced("sample/2-make-it-two/change.patch", "+2", "+3"), PATCHES),
    "change cut off": (lambda root: (root / "sample/2-make-it-two/change.patch").write_text(""), PATCHES),
    "allowed list edited": (
        lambda root: edit(root / FIXTURE, lambda record: record["allowed"]["b.py"].append("g")),
        "its allowed symbols are not those of its change",
    ),
    "allowed file added": (
        lambda root: edit(root / FIXTURE, lambda record: record["allowed"].update({"c.py": ["f"]})),
        "its allowed symbols are not those of its change",
    ),
    "lock missing": (lambda root: lock(root).unlink(), "cannot read the lock"),
    "command that always passes": (
        proof("command", ["printf", "a passed\\nb passed\\n"]), f"without the change {CHECK}::a passes",
    ),
    "command that says nothing": (proof("command", ["true"]), f"with the change {CHECK}::a (and 1 more) does not pass"),
    "command that is none": (proof("command", ["no-such-program"]), f"{CHECK}::a (and 1 more) does not pass"),
    "command without an end": (
        lambda root: (proof("command", ["sleep", "60"])(root), proof("timeout_seconds", 1)(root)),
        "with the change the tests ran out of time",
    ),
    "a test named that is none": (
        proof("pass_to_pass", [f"{CHECK}::b", f"{CHECK}::c"]), f"with the change {CHECK}::c does not pass",
    ),
    "a test that passes before": (
        proof("fail_to_pass", [f"{CHECK}::a", f"{CHECK}::b"]), f"without the change {CHECK}::b passes",
    ),
    "a test that fails before": (
        lambda root: (proof("pass_to_pass", [f"{CHECK}::a"])(root), proof("fail_to_pass", [f"{CHECK}::b"])(root)),
        f"without the change {CHECK}::b passes",
    ),
    "kept test that fails before": (
        proof("pass_to_pass", [f"{CHECK}::a", f"{CHECK}::b"]), f"without the change {CHECK}::a fails",
    ),
    "no proof": (
        lambda root: edit(root / FIXTURE, lambda record: record.update(proof=None)), "it was never proved",
    ),
    "starting tree of another": (
        lambda root: edit(root / FIXTURE, lambda record: record.update(starting_tree="1" * 40)),
        "the starting tree is not in trees.bundle",
    ),
    "record damaged": (lambda root: (root / FIXTURE).write_text("a: ["), "unreadable fixture"),
    "recipe of another": (
        lambda root: edit(root / FIXTURE, lambda record: record["proof"]["environment"].update(recipe="cobol")),
        "repo.yaml says shell, a fixture was proved with cobol",
    ),
    "recipe unknown in repo.yaml": (
        lambda root: edit(root / "sample/repo.yaml", lambda record: record.update(recipe="cobol")),
        "unknown recipe: cobol",
    ),
    "setup that fails": (
        lambda root: edit(root / "sample/repo.yaml", lambda record: record.update(setup=["exit 1"])),
        "setup `exit 1` failed",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("damage", "why"), ROTTED.values(), ids=ROTTED.keys())
def test_what_rotted_is_named(fixtures: Path, damage: Callable[[Path], None], why: str) -> None:
    damage(fixtures)
    found = verdict(fixtures)
    assert why in found.rotted
    assert "\n" not in found.rotted


def test_environment_that_no_longer_builds_is_named(
    fixtures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recipe: ShellRecipe
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another machine"))
    monkeypatch.setattr(recipe, "broken", ("1",))
    assert verdict(fixtures).rotted == "cannot build on 1 (usual)"


def test_allowed_list_of_other_rules_is_not_held_against_a_fixture(fixtures: Path) -> None:
    edit(fixtures / FIXTURE, lambda record: record.update(symbols_version=99, allowed={"b.py": ["of old"]}))
    assert verdict(fixtures).rotted == ""


def test_test_that_changes_its_mind_is_noticed(fixtures: Path) -> None:
    coin = "head -c1 /dev/urandom | od -An -tu1 | grep -q '[02468]$' && echo a passed; echo b passed"
    proof("command", ["sh", "-c", coin])(fixtures)
    assert verdict(fixtures, 16).rotted != ""  # by chance unnoticed once in four thousand million runs


def test_all_are_proved_again_in_order_and_progress_is_told(fixtures: Path) -> None:
    seen: list[str] = []
    ids = [ID, "sample/3-copy"]
    shutil.copytree(fixtures / ID, fixtures / "sample/3-copy")
    replaced("sample/3-copy/tests.patch", "grep -q 2", "grep -q .")(fixtures)
    found = verify(FixtureFolder(fixtures), ids, 1, 2, lambda v: seen.append(v.fixture))
    assert [v.fixture for v in found] == ids
    assert sorted(seen) == ids
    assert [bool(v.rotted) for v in found] == [False, True]


def test_command_says_how_many_hold(miner, fixtures: Path, recipe: ShellRecipe) -> None:
    result = miner("verify", fixtures, "--repeats", 1)
    assert result.code == 0, result
    assert "1" in result.out


def test_command_names_what_rotted_and_why_and_exits_one(miner, fixtures: Path, recipe: ShellRecipe) -> None:
    replaced("sample/2-make-it-two/tests.patch", "grep -q 2", "grep -q .")(fixtures)
    result = miner("verify", fixtures, "--repeats", 1)
    assert result.code == 1
    assert ID in result.out + result.err
    assert PATCHES in " ".join((result.out + result.err).split())


def test_command_of_one_fixture_looks_at_no_other(miner, fixtures: Path, recipe: ShellRecipe) -> None:
    shutil.copytree(fixtures / "sample/2-make-it-two", fixtures / "sample/3-copy")
    for words in (["--only", ID], [ID], ["2"], ["sample/2", "--only", "2"]):
        result = miner("verify", fixtures, "--repeats", 1, *words)
        assert (result.code, result.out.startswith("1 of 1 fixtures hold")) == (0, True), result.err


def test_command_says_what_may_have_been_meant(miner, fixtures: Path, recipe: ShellRecipe) -> None:
    result = miner("verify", fixtures, "make")
    assert (result.code, result.out) == (1, "")
    assert f"no such fixture: make. Did you mean {ID}?" in result.err
    shutil.copytree(fixtures / ID, fixtures / "other/2-too")
    assert f"2 fixtures fit: 2. Write more of one: other/2-too, {ID}." in miner("verify", fixtures, "2").err


def test_command_without_a_proven_fixture_is_refused(miner, fixtures: Path, recipe: ShellRecipe) -> None:
    edit(fixtures / FIXTURE, lambda record: record.update(proof=None))
    result = miner("verify", fixtures)
    assert (result.code, result.out) == (1, "")
    assert "no proven fixture" in result.err
