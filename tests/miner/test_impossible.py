"""Impossible fixtures are made of proven ones, proved, drawn apart, verified, and refused where they are possible."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from miner import recipes
from miner.asked import Options
from miner.fixtures import FixtureFolder
from miner.harvest import harvest
from miner.impossible import Asked, Outcome, impossible_id, make_impossible
from miner.proving import Effort
from miner.set_file import load_set
from miner.verify import verify
from tests.miner.conftest import Repo
from tests.miner.shell import CHECK, ShellRecipe

LINES = "".join(f"line {n}\n" for n in range(8))
ROWS = LINES.replace("line", "row")
START = {
    "check.mf": "", "src/a.py": LINES + "a = 1\n", "src/b.py": ROWS, "src/c.py": "c = 1\n",
    "build/a.py": LINES + "a = 1\n", CHECK: "echo b passed\n",
}  # fmt: skip


def checking(*tests: tuple[str, str]) -> str:
    """A test script: each test passes where its shell condition holds."""
    rows = [f"if {condition}; then echo {name} passed; else echo {name} failed; fi\n" for name, condition in tests]
    return "".join(rows) + "echo b passed\n"


MODIFIES, ADDS, NEEDS_NONE, BOTH = (
    "sample/2-make-a-two", "sample/3-add-a-file", "sample/4-add-more", "sample/5-make-a-three-with-help",
)  # fmt: skip
A_IS = "grep -q 'a = {}' src/a.py"


@pytest.fixture(scope="module")
def recipe() -> Iterator[ShellRecipe]:
    shell = ShellRecipe()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recipes, "RECIPES", (shell,))
        yield shell


@pytest.fixture(scope="module")
def harvested(tmp_path_factory: pytest.TempPathFactory, recipe: ShellRecipe, private_cache: Path) -> Path:
    """Four proven fixtures: of two, what is to be changed is needed. Read them only."""
    repo = Repo(tmp_path_factory.mktemp("impossible") / "sample")
    repo.path.mkdir()
    repo.git("init", "--quiet", "--template=", "--initial-branch=main")
    repo.commit("Start", START)
    repo.commit("Make a two (#2)", {"src/a.py": LINES + "a = 2\n", CHECK: checking(("two", A_IS.format(2)))})
    new = ("new", "grep -q new src/new.py")
    repo.commit("Add a file (#3)", {"src/new.py": "new = 1\n", CHECK: checking(new)})
    more = ("more", "grep -q more src/more.py")
    repo.commit("Add more (#4)", {"src/more.py": "more = 1\n", "src/c.py": "c = 2\n", CHECK: checking(new, more)})
    three = ("three", f"{A_IS.format(3)} && grep -q help src/help.py")
    helped = {"src/help.py": "help = 1\n", "src/a.py": LINES + "a = 3\n", CHECK: checking(new, more, three)}
    repo.commit("Make a three with help (#5)", helped)
    out = repo.path.parent / "fixtures"
    lines = harvest(Options(repo.path, out, "sample", effort=Effort(2, 20, strength=False)), lambda _: None)
    assert [line.fixture for line in lines if line.proved] == [BOTH, NEEDS_NONE, ADDS, MODIFIES], lines
    return out


@pytest.fixture
def fixtures(harvested: Path, tmp_path: Path) -> Path:
    """A copy that a test may write in."""
    return Path(shutil.copytree(harvested, tmp_path / "fixtures"))


@pytest.fixture(scope="module")
def twin(harvested: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fixtures with the impossible twin of one. Read them only."""
    root = Path(shutil.copytree(harvested, tmp_path_factory.mktemp("made") / "fixtures"))
    (made,) = make(root, MODIFIES)
    assert made.record is not None, made
    return root


@pytest.fixture
def made(twin: Path, tmp_path: Path) -> Path:
    """A copy of these that a test may damage."""
    return Path(shutil.copytree(twin, tmp_path / "fixtures"))


def make(root: Path, *fixtures: str, **asked: int) -> list[Outcome]:
    return make_impossible(FixtureFolder(root), Asked(fixtures, repeats=1, **asked), lambda _: None)


TWIN = impossible_id(MODIFIES)


def test_what_needs_what_is_withheld_becomes_impossible_and_the_rest_says_why_not(fixtures: Path) -> None:
    outcomes = {outcome.of: outcome for outcome in make(fixtures)}
    assert set(outcomes) == {MODIFIES, ADDS, NEEDS_NONE, BOTH}
    assert {of for of, outcome in outcomes.items() if outcome.record} == {MODIFIES, BOTH}
    assert outcomes[ADDS].refused == "it only adds files: nothing can be withheld"
    said = "without the withheld files, with the rest of the change, tests/check.sh::more passes (1 of 1)"
    assert outcomes[NEEDS_NONE].refused == said
    assert not (fixtures / impossible_id(NEEDS_NONE)).exists()


def test_the_twin_is_the_same_task_without_its_files(twin: Path) -> None:
    folder = FixtureFolder(twin)
    task, known = folder.task(TWIN), folder.task(MODIFIES)
    said = task.fixture.impossible
    assert said is not None
    assert (said.of, said.withheld, said.shown, said.repeats) == (MODIFIES, ["src/a.py"], ["src/b.py"], 1)
    assert (task.prompt, task.change_patch, task.tests_patch) == (known.prompt, known.change_patch, known.tests_patch)
    assert task.fixture.proof == known.fixture.proof
    assert task.shown == {"src/b.py": ROWS.encode()}


def test_what_the_change_adds_is_withheld_from_no_tree(fixtures: Path) -> None:
    (outcome,) = make(fixtures, BOTH)
    assert outcome.record is not None
    assert outcome.record.impossible is not None
    assert outcome.record.impossible.withheld == ["src/a.py"]


def test_those_that_are_there_are_kept_and_nothing_is_run(made: Path, recipe: ShellRecipe, monkeypatch) -> None:
    monkeypatch.setattr(recipe, "read", lambda *_: pytest.fail("a test command was run"))
    before = (made / TWIN / "fixture.yaml").read_bytes()
    (outcome,) = make(made, MODIFIES)
    assert outcome.kept
    assert (made / TWIN / "fixture.yaml").read_bytes() == before


def test_one_of_another_state_of_its_fixture_is_made_again(made: Path) -> None:
    edit(made / TWIN, lambda record: record.update(title="Of old"))
    (outcome,) = make(made, MODIFIES)
    assert not outcome.kept
    assert FixtureFolder(made).task(TWIN).fixture.title == "Make a two"


def test_a_count_makes_so_many_and_always_the_same(fixtures: Path, tmp_path: Path) -> None:
    again = Path(shutil.copytree(fixtures, tmp_path / "again"))
    runs = [make(root, count=1, seed=3, workers=workers) for root, workers in ((fixtures, 1), (again, 2))]
    assert runs[0] == runs[1]
    assert sum(outcome.record is not None for outcome in runs[0]) == 1
    assert len(list(fixtures.glob("*/*-impossible/fixture.yaml"))) == 1


def test_impossible_and_unproved_ones_are_refused_where_named_and_never_tried(made: Path) -> None:
    edit(made / ADDS, lambda record: record.update(proof=None))
    refused = {outcome.of: outcome.refused for outcome in make(made, TWIN, ADDS)}
    assert refused == {TWIN: "it is impossible already", ADDS: "it was never proved (harvested with --no-prove)"}
    assert {outcome.of for outcome in make(made)} == {MODIFIES, NEEDS_NONE, BOTH}


def test_a_tree_with_nothing_else_to_show_is_refused(made: Path, monkeypatch) -> None:
    monkeypatch.setattr("miner.shown._TIMES", 0)
    monkeypatch.setattr("miner.shown._LEAST", 1)
    shutil.rmtree(made / TWIN)
    (outcome,) = make(made, MODIFIES)
    assert outcome.refused == "the tree has no other source file to show that is small enough and no copy"


def test_a_broken_environment_proves_nothing(fixtures: Path) -> None:
    edit(fixtures / MODIFIES, lambda record: record["proof"].update(command=["true"]))
    (outcome,) = make(fixtures, MODIFIES)
    assert outcome.refused == "with nothing withheld tests/check.sh::two does not pass"


def test_another_fixture_under_its_id_is_not_written_over(made: Path) -> None:
    edit(made / TWIN, lambda record: record["impossible"].update(of=ADDS))
    (outcome,) = make(made, MODIFIES)
    assert outcome.refused == f"another fixture has the id {TWIN}"


def test_a_damaged_fixture_hides_no_other(fixtures: Path) -> None:
    (fixtures / ADDS / "fixture.yaml").write_text("a: [")
    outcomes = {outcome.of: outcome for outcome in make(fixtures)}
    assert "unreadable fixture" in outcomes[ADDS].refused
    assert outcomes[MODIFIES].record is not None


def test_ids_stay_within_their_length() -> None:
    assert impossible_id("r/1-x") == "r/1-x-impossible"
    assert impossible_id("r/1-" + "a" * 66 + "-more-of-it") == "r/1-" + "a" * 66 + "-impossible"
    assert len(impossible_id("r/" + "1" * 80).split("/")[1]) == 80


def edit(folder: Path, change: Callable[[dict], object]) -> None:
    path = folder / "fixture.yaml"
    record = yaml.safe_load(path.read_text())
    change(record)
    path.write_text(yaml.safe_dump(record))


def says(**fields: object) -> Callable[[Path], None]:
    """A damage: the record says this of what makes the task impossible."""
    return lambda root: edit(root / TWIN, lambda record: record["impossible"].update(fields))


def proof(**fields: object) -> Callable[[Path], None]:
    return lambda root: edit(root / TWIN, lambda record: record["proof"].update(fields))


ROTTED: dict[str, tuple[Callable[[Path], None], str]] = {
    "shown that is not there": (says(shown=["src/gone.py"]), "names a file that its tree does not have: "),
    "withheld that is not of the change": (says(withheld=["src/b.py"]), "src/b.py is withheld and no file of the"),
    "shown that is withheld": (says(shown=["src/a.py"]), "src/a.py is shown and a file of the change set"),
    "nothing withheld": (says(withheld=[]), "unreadable fixture"),
    "nothing shown": (says(shown=[]), "unreadable fixture"),
    "outside the tree": (says(shown=["../b.py"]), "is no path inside a tree"),
    "of itself": (says(of=TWIN), "it is made of itself"),
    "a copy shown": (says(shown=["build/a.py"]), "build/a.py is shown and says what is withheld"),
    "tests that always pass": (
        proof(command=["printf", "two passed\\nb passed\\n"]),
        "without the withheld files, with the rest of the change, tests/check.sh::two passes"),
    "tests that do not run": (proof(command=["true"]), "with nothing withheld tests/check.sh::two does not pass"),
    "tests without an end": (proof(command=["sleep", "60"], timeout_seconds=1), "with nothing withheld"),
    "allowed list edited": (
        lambda root: edit(root / TWIN, lambda record: record["allowed"]["src/a.py"].append("g")),
        "its allowed symbols are not those of its change"),
}  # fmt: skip


@pytest.mark.parametrize(("damage", "why"), ROTTED.values(), ids=ROTTED)
def test_verify_names_what_rotted(made: Path, damage: Callable[[Path], None], why: str) -> None:
    damage(made)
    (found,) = verify(FixtureFolder(made), [TWIN], None, 1, lambda _: None)
    assert why in found.rotted
    assert "\n" not in found.rotted


def test_verify_holds_an_impossible_task_to_failing(made: Path) -> None:
    found = verify(FixtureFolder(made), [MODIFIES, TWIN], 1, 2, lambda _: None)
    assert [(v.fixture, v.rotted) for v in found] == [(MODIFIES, ""), (TWIN, "")]
    assert found[1].test_seconds > 0


def test_one_that_withholds_too_little_is_refused(fixtures: Path) -> None:
    """Of two files that the change modifies one is kept: the task may be possible."""
    make(fixtures, BOTH)
    name = impossible_id(BOTH)
    edit(fixtures / name, lambda record: record.update(source_files=["src/a.py", "src/b.py"]))
    (found,) = verify(FixtureFolder(fixtures), [name], 1, 1, lambda _: None)
    assert "keeps a file of its change set" in found.rotted or "src/b.py is shown" in found.rotted


def test_a_record_that_withholds_what_the_change_adds_is_refused(fixtures: Path) -> None:
    make(fixtures, BOTH)
    name = impossible_id(BOTH)
    edit(fixtures / name, lambda record: record["impossible"].update(withheld=["src/a.py", "src/help.py"]))
    (found,) = verify(FixtureFolder(fixtures), [name], 1, 1, lambda _: None)
    assert "names a file that its tree does not have" in found.rotted


def test_the_command_tells_what_was_made_and_refused(miner, fixtures: Path, recipe: ShellRecipe) -> None:
    done = miner("impossible", fixtures, "--repeats", 1)
    assert done.code == 0, done.err
    assert TWIN in done.out
    assert "it only adds files" in done.out
    assert "2 impossible fixtures (0 there before), 2 refused." in done.out
    assert f"{TWIN}\n  withheld: src/a.py\n  shown: src/b.py\n" in done.out
    assert f"No run has them before the set does: `miner stratify {fixtures} --cap 8000 --impossible 2`." in done.out
    again = miner("impossible", fixtures, MODIFIES.split("-")[0], "--count", 2)
    assert "1 impossible fixture (1 there before), 0 refused." in again.out
    assert "1 fewer than asked for" in again.out


def test_the_command_fails_where_nothing_is_made(miner, fixtures: Path, recipe: ShellRecipe) -> None:
    assert miner("impossible", fixtures, ADDS).code == 1
    gone = miner("impossible", fixtures, "sample/9-gone")
    assert (gone.code, gone.out) == (1, "")
    assert "no such fixture: sample/9-gone" in gone.err


def test_a_set_draws_impossible_tasks_apart_from_its_quotas(miner, made: Path) -> None:
    plain = miner("stratify", made)
    assert "The 1 impossible task is left out: --impossible 1 adds it" in plain.out
    without = load_set(made)
    done = miner("stratify", made, "--impossible", 2)
    assert "and 1 impossible task, counted apart, not 2" in done.out
    chosen = load_set(made)
    assert chosen.impossible == [TWIN]
    assert (chosen.fixtures, chosen.quotas) == (without.fixtures, without.quotas)
    assert TWIN not in chosen.fixtures
    assert chosen.digest != without.digest
    assert "1 task new): runs over that one can no longer be resumed." in done.err
    again = miner("stratify", made, "--impossible", 1, "--cap", 16000)
    assert "cap 8000 before, 16000 now)" in again.err
    dropped = miner("stratify", made, "--cap", 16000)
    assert "another set than the one that was there (1 task of it gone)" in dropped.err
    assert miner("stratify", made, "--cap", 16000).err == "", "the same set"


def test_checkout_leaves_out_what_is_withheld(miner, made: Path, tmp_path: Path) -> None:
    done = miner("checkout", TWIN, tmp_path / "tree", "--fixtures", made)
    assert done.code == 0, done.err
    assert not (tmp_path / "tree/src/a.py").exists()
    assert (tmp_path / "tree/src/b.py").read_text() == ROWS
    assert "without src/a.py" in done.out
    solved = miner("checkout", TWIN, tmp_path / "solved", "--solved", "--fixtures", made)
    assert (solved.code, solved.out) == (1, "")
    assert "an impossible task has no solved tree" in solved.err
    assert not (tmp_path / "solved").exists()
