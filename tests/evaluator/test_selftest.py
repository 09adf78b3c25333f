"""`evaluator selftest`: sound fixtures pass, each sabotaged one is caught and named, and none hides another."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml

from evaluator.bench import TaskBench
from evaluator.checks import Check, Outcome
from evaluator.formats import FORMATS
from evaluator.formats.model import STRICT, CannotExpress, Edit, EditFormat, Leniency
from evaluator.selftest import Finding, examine, failing, rows
from miner.fixtures import FixtureFolder, Task
from miner.symbols.files import Files, outline_of
from miner.trees import TreeStore, create_bare, open_bundle, write_bundle

FIXTURES = Path(__file__).parents[2] / "fixtures"
SLUG = "101-never-allocate-a-cent-to-a-weight-of-zero"
MONEY = "src/billing/money.py"


@dataclass(frozen=True)
class Copy:
    """A repository folder with a copy of one sound fixture, to damage."""

    root: Path

    @classmethod
    def make(cls, fixtures: Path, name: str, slug: str = SLUG) -> "Copy":
        """The copy as repository `name`; its repo.yaml says `billing`, so that copies share environments."""
        root = fixtures / name
        shutil.copytree(FIXTURES / "billing" / slug, root / slug)
        shutil.copytree(FIXTURES / "billing" / "locks", root / "locks")
        for file in ("repo.yaml", "trees.bundle"):
            shutil.copy(FIXTURES / "billing" / file, root)
        copy = cls(root)
        copy.record(lambda record: record.update(id=f"{name}/{slug}"))
        return copy

    @property
    def folder(self) -> Path:
        return next(path.parent for path in self.root.glob("*/fixture.yaml"))

    @property
    def store(self) -> TreeStore:
        return open_bundle(self.root / "trees.bundle")

    def record(self, change: Callable[[dict], object]) -> None:
        path = self.folder / "fixture.yaml"
        record = yaml.safe_load(path.read_text())
        change(record)
        path.write_text(yaml.safe_dump(record))

    def patch(self, name: str, text: str) -> None:
        """Write a patch, and the solved tree that it then gives: a fixture that agrees with itself."""
        (self.folder / name).write_text(text)
        patches = [(self.folder / file).read_bytes() for file in ("tests.patch", "change.patch")]
        start = yaml.safe_load((self.folder / "fixture.yaml").read_text())["starting_tree"]
        solved = self.store.patched(start, patches)
        assert solved is not None
        self.record(lambda record: record.update(solved_tree=solved))


def proof(**values: object) -> Callable[[Copy], None]:
    return lambda copy: copy.record(lambda record: record["proof"].update(values))


def whole_record(**values: object) -> Callable[[Copy], None]:
    return lambda copy: copy.record(lambda record: record.update(values))


def edited(name: str, pattern: str, new: str, agreeing: bool) -> Callable[[Copy], None]:
    def damage(copy: Copy) -> None:
        path = copy.folder / name
        text, count = re.subn(pattern, new, path.read_text(), flags=re.MULTILINE)
        assert count
        copy.patch(name, text) if agreeing else path.write_text(text)

    return damage


def of_another_fixture(copy: Copy) -> None:
    shutil.copy(next(FIXTURES.glob("billing/149-*/change.patch")), copy.folder)


def allowing_everything(copy: Copy) -> None:
    start = yaml.safe_load((copy.folder / "fixture.yaml").read_text())["starting_tree"]
    names = list(outline_of(MONEY, copy.store.read(start, [MONEY])[MONEY]).names())
    whole_record(allowed={MONEY: names})(copy)


def solved_from_the_start(copy: Copy) -> None:
    """The starting tree is the solved tree, in a bundle that has it, and there is nothing left to do."""
    solved = yaml.safe_load((copy.folder / "fixture.yaml").read_text())["solved_tree"]
    tests, change = ((copy.folder / name).read_bytes() for name in ("tests.patch", "change.patch"))
    store = copy.store
    start = yaml.safe_load((copy.folder / "fixture.yaml").read_text())["starting_tree"]
    assert store.patched(start, [tests, change]) == solved  # and so the store has its objects
    ours = create_bare(copy.root.parent.with_name("bundling.git"))
    (ours.directory / "objects/info/alternates").write_text(f"{store.git.directory / 'objects'}\n")
    write_bundle(ours, [solved], copy.root / "trees.bundle")
    for name in ("tests.patch", "change.patch"):
        (copy.folder / name).write_bytes(b"")
    whole_record(starting_tree=solved)(copy)


def without_pytest(copy: Copy) -> None:
    lock(copy, lambda text: re.sub("^pytest==.*\n", "", text, flags=re.MULTILINE))


def with_a_package_that_is_none(copy: Copy) -> None:
    lock(copy, lambda text: text + "not a requirement at all\n")


def lock(copy: Copy, change: Callable[[str], str]) -> None:
    """Another lock under a digest of its own: an environment of the old one may be in the cache."""
    digest = yaml.safe_load((copy.folder / "fixture.yaml").read_text())["proof"]["environment"]["digest"]
    other = hashlib.sha256(copy.root.name.encode()).hexdigest()[:20]
    (copy.root / "locks" / f"{other}.txt").write_text(change((copy.root / "locks" / f"{digest}.txt").read_text()))
    copy.record(lambda record: record["proof"]["environment"].update(digest=other))


def truncated_bundle(copy: Copy) -> None:
    path = copy.root / "trees.bundle"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


SLEEP = ["python", "-c", "import time; time.sleep(50)"]
# Writes the results file of a run in which the two tests passed, and runs nothing.
CLAIM = """import sys
names = "test_allocate_gives_nothing_to_a_weight_of_zero", "test_allocate_refuses_negative_weights"
cases = "".join(f'<testcase file="tests/test_money.py" classname="tests.test_money" name="{n}"/>' for n in names)
open(sys.argv[1] + "/junit.xml", "w").write(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")"""

Damage = Callable[[Copy], None]
SABOTAGED: dict[str, tuple[Damage, str, str]] = {
    "no-tests-patch": (edited("tests.patch", r"[\s\S]+", "", False), "ready", "no longer rebuilds the solved tree"),
    "no-new-tests": (edited("tests.patch", r"[\s\S]+", "", True), "passes_solved", "fail with the ground truth"),
    "tests-always-pass": (
        edited("tests.patch", r"^\+    (assert euros\(101\)|with pytest|    euros\(100\)).*", "+    assert True", True),
        "fails_untouched", "its tests pass without the change"),
    "change-does-not-apply": (
        edited("change.patch", r"total <= 0", "total <= 5", False), "ready", "no longer rebuilds the solved tree"),
    "change-of-another": (of_another_fixture, "ready", "no longer rebuilds the solved tree"),
    "part-of-the-change": (
        edited("change.patch", r"any\(weight < 0 for", "any(weight < -1 for", True), "passes_solved",
        "fail with the ground truth"),
    "test-that-is-not-there": (
        proof(fail_to_pass=["tests/test_money.py::test_gone"]), "passes_solved", "fail with the ground truth"),
    "nothing-allowed": (
        whole_record(allowed={}), f"resolved ({', '.join(FORMATS)})",
        f"unintended_change/modified: the allowed list lacks {MONEY}::Money.allocate"),
    "everything-allowed": (
        allowing_everything, f"stray_edit ({', '.join(FORMATS)})",
        f"a comment or blank line in {MONEY}::exponent goes unseen"),
    "command-runs-nothing": (proof(command=["python", "-c", "pass"]), "passes_solved", "or do not run"),
    "command-claims-passes": (
        proof(command=["python", "-c", CLAIM, "{results}"], pass_to_pass=[]), "fails_untouched",
        "pass without the change"),
    "solved-from-the-start": (solved_from_the_start, "fails_untouched", "its tests pass without the change"),
    "lock-lacks-a-package": (without_pytest, "passes_solved", "or do not run"),
    "lock-is-none": (with_a_package_that_is_none, "ready", "environment: "),
    "lock-is-missing": (lambda copy: shutil.rmtree(copy.root / "locks"), "ready", "cannot read the lock"),
    "bundle-is-cut": (truncated_bundle, "ready", "the starting trees are damaged"),
    "other-solved-tree": (whole_record(solved_tree="1" * 40), "ready", "no longer rebuilds the solved tree"),
    "other-starting-tree": (whole_record(starting_tree="1" * 40), "ready", "is not in trees.bundle"),
    "no-time-at-all": (proof(timeout_seconds=0), "ready", "proof.timeout_seconds"),
    "too-little-time": (proof(timeout_seconds=1, command=SLEEP), "fails_untouched", "ran out of time"),
    "no-record": (lambda copy: (copy.folder / "fixture.yaml").write_text("id: ["), "ready", "unreadable fixture"),
    "other-recipe": (
        lambda copy: (copy.root / "repo.yaml").write_text("schema: 1\nname: billing\nsource: x\nrecipe: abacus\n"),
        "ready", "abacus"),
}  # fmt: skip
SOUND = ["101-never-allocate-a-cent-to-a-weight-of-zero", "112-make-discounts-rules-instead-of-dictionaries",
         "186-move-what-invoices-look-like-to-a-module-of-its"]  # fmt: skip


def selftest(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evaluator.cli", "selftest", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | environment)


@pytest.fixture(scope="module")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """One run over all the sabotaged fixtures and three sound ones, in an empty cache."""
    fixtures = tmp_path_factory.mktemp("sabotaged") / "fixtures"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        for name, (damage, _, _) in SABOTAGED.items():
            damage(Copy.make(fixtures, name))
        for n, slug in enumerate(SOUND):
            Copy.make(fixtures, f"sound-{n}", slug)
        return selftest(fixtures)


@pytest.mark.parametrize("name", SABOTAGED)
def test_a_sabotaged_fixture_is_caught_and_named(verdict: subprocess.CompletedProcess[str], name: str) -> None:
    _, check, why = SABOTAGED[name]
    found = [line.split("  ", 1)[1].strip() for line in verdict.stdout.splitlines() if line.startswith(f"{name}/")]
    assert any(line.startswith(f"{check}  ") and why in line for line in found), (found, verdict.stderr)


def test_the_sound_ones_beside_them_pass_and_the_command_fails(verdict: subprocess.CompletedProcess[str]) -> None:
    assert verdict.returncode == 1
    assert "sound-" not in verdict.stdout
    counts = f"{len(SABOTAGED) + len(SOUND)} fixtures, {len(SOUND)} measure what they should"
    assert verdict.stdout.splitlines()[-1] == counts
    assert "Traceback" not in verdict.stderr


@pytest.mark.parametrize("words", [[f"billing/{SLUG}"], ["--only", "101"]], ids=["plain", "by number"])
def test_only_the_fixtures_and_formats_asked_for_are_tested(words: list[str]) -> None:
    done = selftest(FIXTURES, *words, "--format", "search_replace", "--workers", 1)
    assert (done.returncode, done.stdout) == (0, "1 fixture, 1 measure what they should\n"), done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["nowhere"], "neither a fixtures folder nor a fixture id: nowhere. `miner show` lists"),
     ([FIXTURES, "billing/9-gone"], "no such fixture: billing/9-gone"),
     ([FIXTURES, "--only", "allocate"], f"no such fixture: allocate. Did you mean billing/{SLUG}?"),
     ([FIXTURES, "--format", "xml"], "unknown edit format: xml")],
    ids=["no folder", "no such fixture", "a part of an id", "no such format"],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_one(arguments: list[object], said: str) -> None:
    done = selftest(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert said in done.stderr


def test_unproved_fixtures_are_left_out_unless_asked_for(tmp_path: Path) -> None:
    copy = Copy.make(tmp_path / "fixtures", "unproved")
    whole_record(proof=None)(copy)
    assert "no proven fixture" in selftest(copy.root.parent).stderr
    named = selftest(copy.root.parent, f"unproved/{SLUG}")
    assert named.returncode == 1
    assert "the fixture is not proved" in named.stdout


def test_an_interruption_ends_it_at_once(tmp_path: Path) -> None:
    """Four test runs that take 50 s each: it is over long before even one of them."""
    for n in range(4):
        proof(command=SLEEP)(Copy.make(tmp_path / "fixtures", f"slow-{n}"))
    command = [sys.executable, "-m", "evaluator.cli", "selftest", str(tmp_path / "fixtures")]
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"TMPDIR": str(scratch)}
    )
    while process.poll() is None and len(list(scratch.glob("*/*/results-*"))) < 2:
        time.sleep(0.05)
    asked = time.monotonic()
    process.send_signal(signal.SIGTERM)  # is an interruption too, and no parent of ours has it ignored
    out, err = process.communicate(timeout=100)
    assert (process.returncode, out) == (130, ""), err
    assert time.monotonic() - asked < 25
    assert list(scratch.glob("*/*")) == [], "the trees of the stopped runs are cleaned away"


def test_what_a_killed_one_leaves_is_removed_by_the_next_command(tmp_path: Path) -> None:
    """Trees, results and a sandbox's files; its processes end at once."""
    proof(command=SLEEP)(Copy.make(tmp_path / "fixtures", "slow"))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = os.environ | {"TMPDIR": str(scratch)}
    command = [sys.executable, "-m", "evaluator.cli", "selftest", str(tmp_path / "fixtures")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)

    def left() -> set[str]:
        return {path.name.split("-")[0] for path in scratch.glob("*/*/*")}

    while process.poll() is None and not left() >= {"tree", "results", "sandbox"}:
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert left() >= {"tree", "results", "sandbox"}
    subprocess.run([sys.executable, "-m", "evaluator.cli", "formats"], stdout=subprocess.DEVNULL, env=environment)
    deadline = time.monotonic() + 20
    while list(scratch.glob("*/*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(scratch.glob("*/*")) == []


# What a format can get wrong: a bench whose tests are a comparison with the truth starts no sandbox.


@dataclass(frozen=True)
class Format:
    """search_replace, with what is given here in place of its own parts."""

    name: str = "search_replace"
    encoded: Callable[[Files, Files], str | CannotExpress] | None = None
    restated: Callable[[str, str], str | CannotExpress] | None = None

    own = FORMATS["search_replace"]

    def instructions(self) -> str:
        return self.own.instructions()

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit]:
        return self.own.parse(reply, leniency)  # type: ignore[return-value]

    def apply(self, edits: Sequence[Edit], tree, leniency: Leniency = STRICT):
        return self.own.apply(edits, tree, leniency)

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        return (self.encoded or self.own.encode)(before, after)

    def restate(self, path: str, text: str) -> str | CannotExpress:
        return (self.restated or self.own.restate)(path, text)


def explode(*_: object) -> str:
    raise KeyError("of the format")


def losing_a_line(before: Files, after: Files) -> str:
    shorter = {path: content and b"".join(content.splitlines(True)[:-1]) for path, content in after.items()}
    return FORMATS["search_replace"].encode(before, shorter)  # type: ignore[return-value]


def straying_further(before: Files, after: Files) -> str:
    more = {path: (content or b"") + b"\n# more\n" if b"nobody" in (content or b"") else content
            for path, content in after.items()}  # fmt: skip
    return FORMATS["search_replace"].encode(before, more)  # type: ignore[return-value]


def adding_a_line(path: str, text: str) -> str:
    return FORMATS["search_replace"].encode({path: text.encode()}, {path: f"{text}# x\n".encode()})  # type: ignore


BROKEN: dict[str, tuple[Format, Check, Outcome, str]] = {
    "loses a line": (Format(encoded=losing_a_line), Check.ROUND_TRIP, Outcome.FAILED, f"come out changed: {MONEY}"),
    "cannot be read": (Format(encoded=lambda *_: "prose"), Check.ROUND_TRIP, Outcome.FAILED, "cannot be read"),
    "does not apply": (
        Format(encoded=lambda *_: "a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"), Check.ROUND_TRIP,
        Outcome.FAILED, "does not apply: Block 1: There is no file 'a.py'"),
    "writes outside": (
        Format(encoded=lambda *_: "../a.py\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE\n"), Check.ROUND_TRIP,
        Outcome.CANNOT_EXPRESS, "'../a.py' is not a plain path"),
    "has no way to say it": (
        Format(encoded=lambda *_: CannotExpress("too long")), Check.ROUND_TRIP, Outcome.CANNOT_EXPRESS, "too long"),
    "restates with an effect": (
        Format(restated=adding_a_line), Check.NO_OP, Outcome.FAILED,
        f"a line of {MONEY} replaced by itself is scored "),
    "spreads a stray edit": (
        Format(encoded=straying_further), Check.STRAY_EDIT, Outcome.FAILED,
        f"is scored unintended_change/modified, naming {MONEY}::<module>, {MONEY}::exponent"),
    "restates nothing": (
        Format(restated=lambda *_: CannotExpress("no")), Check.NO_OP, Outcome.NOT_POSSIBLE, "no source file"),
    "raises": (Format(encoded=explode), Check.READY, Outcome.FAILED, "KeyError: 'of the format'"),
}  # fmt: skip


@pytest.mark.parametrize(("broken", "check", "outcome", "why"), BROKEN.values(), ids=BROKEN)
def test_what_a_format_gets_wrong_is_found_and_held_against_no_other(
    checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], broken: Format, check: Check, outcome: Outcome,
    why: str,
) -> None:  # fmt: skip
    formats: list[EditFormat] = [broken, FORMATS["unified_diff"]]
    findings = examine(truth_bench(checked_in[0]), formats)
    wrong = [f for f in findings if f.outcome is not Outcome.PASSED and f.check is not Check.FAILS_UNTOUCHED]
    assert [(f.format, f.check, f.outcome) for f in wrong] == [("search_replace", check, outcome)], wrong
    assert why in wrong[0].why
    assert {f.check for f in findings if f.format == "unified_diff"} == {
        Check.ROUND_TRIP, Check.NO_OP, Check.RESOLVED, Check.STRAY_EDIT,
    }  # fmt: skip


def test_tests_run_once_on_equal_files_however_many_formats(checked_in: list[Task], truth_bench) -> None:
    bench, made = truth_bench(checked_in[0]), []
    run = bench._run
    bench.__dict__["_run"] = lambda laid: made.append(dict(laid)) or run(laid)
    findings = examine(bench, list(FORMATS.values()))
    assert not failing(findings)
    assert len(made) == 3, "untouched, solved, and with the stray edit"


def test_a_change_of_mode_is_said_to_be_in_no_format(tmp_path: Path, truth_bench) -> None:
    copy = Copy.make(tmp_path / "fixtures", "executable")
    text = (copy.folder / "change.patch").read_text()
    modes = "old mode 100644\nnew mode 100755\n"
    copy.patch("change.patch", re.sub(r"^(index \S+) 100644$", rf"{modes}\1", text, flags=re.MULTILINE))
    findings = examine(truth_bench(FixtureFolder(copy.root.parent).task(f"executable/{SLUG}")), list(FORMATS.values()))
    assert not failing(findings)
    listed = rows(findings, Outcome.CANNOT_EXPRESS, Outcome.NOT_POSSIBLE)
    assert listed == [(f"executable/{SLUG}", "round_trip cannot_express", f"no reply sets the mode of {MONEY}")]


def test_equal_reasons_of_several_formats_make_one_row() -> None:
    one = Finding("r/1-x", Check.NO_OP, "a", Outcome.FAILED, "why")
    found = [one, replace(one, format="b"), replace(one, format="c", why="other"), replace(one, outcome=Outcome.PASSED)]
    assert rows(found, Outcome.FAILED) == [("r/1-x", "no_op (a, b)", "why"), ("r/1-x", "no_op (c)", "other")]
