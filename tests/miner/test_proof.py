# ruff: noqa: E501
"""What a proof concludes from runs: the runs here are plain functions, so that each case says all there is."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from miner.proof import Bench, Disproved, Proved, Run, fail_to_pass, first_judgement, prove
from miner.recipes.model import Result, Results
from miner.recipes.python import PythonRecipe
from miner.rejection import Rejection

P, F, S = Result.PASSED, Result.FAILED, Result.SKIPPED
TURNS = {
    "fails then passes": ({"a": F}, {"a": P}, {"a"}),
    "not there then passes": ({}, {"a": P}, {"a"}),
    "passes both times": ({"a": P}, {"a": P}, set()),
    "skipped then passes": ({"a": S}, {"a": P}, set()),
    "fails both times": ({"a": F}, {"a": F}, set()),
    "passes then fails": ({"a": P}, {"a": F}, set()),
    "fails then skipped": ({"a": F}, {"a": S}, set()),
    "gone": ({"a": F}, {}, set()),
    "several": ({"c": F}, {"b": P, "a": P, "c": P}, {"a", "b", "c"}),
}


@pytest.mark.parametrize(("before", "after", "expected"), TURNS.values(), ids=TURNS.keys())
def test_tests_that_the_change_turns(before: Results, after: Results, expected: set[str]) -> None:
    assert fail_to_pass(before, after) == expected


def ran(results: Results | None = None, timed_out: bool = False, output: str = "") -> Run:
    return Run(results, timed_out, 1.0, output)


JUDGED = {
    "one turns": (ran({"a": F}), ran({"a": P}), None, False),
    "one turns, another fails": (ran({"a": F, "b": F}), ran({"a": P, "b": F}), None, False),
    "nothing written before counts as failing": (ran(None), ran({"a": P}), None, False),
    "a time-out after": (ran({"a": F}), ran(None, True), Rejection.TIMED_OUT, False),
    "a time-out before": (ran(None, True), ran({"a": P}), Rejection.TIMED_OUT, False),
    "nothing written after": (ran({"a": F}), ran(None), Rejection.NO_TESTS_RUN, True),
    "no test after": (ran({"a": F}), ran({}), Rejection.NO_TESTS_RUN, True),
    "passes before": (ran({"a": P}), ran({"a": P}), Rejection.PASSES_BEFORE, False),
    "some fail after, none turns": (ran({"a": P, "b": F}), ran({"a": P, "b": F}), Rejection.FAILS_AFTER, True),
    "fails after": (ran({"a": F}), ran({"a": F}), Rejection.FAILS_AFTER, True),
    "all skipped": (ran({"a": S}), ran({"a": S}), Rejection.NO_TESTS_RUN, True),
    "skipped, and the change touched it": (ran({"a": P, "b": S}), ran({"a": P, "b": S}), Rejection.PASSES_BEFORE, True),
    "skipped, and the change did not touch it": (ran({"a": P, "c": S}), ran({"a": P, "c": S}), Rejection.PASSES_BEFORE, False),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "rejection", "elsewhere"), JUDGED.values(), ids=JUDGED.keys())
def test_first_pair_of_runs_gives(before: Run, after: Run, rejection: Rejection | None, elsewhere: bool) -> None:
    found = first_judgement(before, after, lambda test: test == "b")
    assert (found and (found.rejection, found.elsewhere)) == (rejection and (rejection, elsewhere))


def test_reason_for_no_tests_is_the_end_of_the_output() -> None:
    found = first_judgement(ran({}), ran(None, output="a\n\nb\nImportError: x\n"), lambda test: True)
    assert found is not None
    assert found.detail.endswith("ImportError: x")
    assert "\n" not in found.detail


Side = Mapping[str, Result | Sequence[Result | None]] | None  # a test's result: always, or run by run (None: missing)


@dataclass
class Tree:
    """A tree whose tests do what a table says; `None` in place of the table: the runner leaves no results."""

    tests: Side
    plain_only: bool = False
    late_at: int = 0
    commands: list[list[str]] = field(default_factory=list)

    def __call__(self, command: Sequence[str]) -> Run:
        self.commands.append(list(command))
        turn = len(self.commands)
        targets = [word for word in command if word not in ("run", "plain")]
        if turn == self.late_at:
            return Run(None, True, 60.0, "")
        if self.tests is None or (self.plain_only and "plain" not in command):
            return Run(None, False, 1.0, "no such plugin")
        found = {t: r for t in self.tests if self._named(t, targets) and (r := self._result(t, turn)) is not None}
        return Run(found, False, turn / 10, "")

    def _result(self, test: str, turn: int) -> Result | None:
        results = (self.tests or {})[test]
        return results if isinstance(results, Result) else results[min(turn, len(results)) - 1]

    @staticmethod
    def _named(test: str, targets: Collection[str]) -> bool:
        return not targets or any(t in (test, test.split("[")[0], test.split("::")[0]) for t in targets)


def bench(before: Tree, after: Tree) -> Bench:
    """A bench that names tests as the Python recipe does."""
    return Bench(
        before, after, lambda targets, plain: ["run", *(["plain"] if plain else []), *targets], PythonRecipe().targets
    )


def conclude(before: Side, after: Side, repeats: int = 3, touched: Collection[str] = (), **options: object) -> Proved | Disproved:
    """The proof over two trees of tests; every file that they name is run."""
    files = sorted({test.split("::")[0] for side in (before, after) for test in side or ()})
    trees = Tree(before), Tree(after, **options)
    return prove(bench(*trees), files, lambda test: test in touched or not touched, repeats, "seed")


@dataclass(frozen=True)
class Expected:
    """The lists of a proof and the targets of its command."""

    turned: list[str]
    kept: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    flaky: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    only_after: bool = False


ODD = ["t.py::a[x y]", "t.py::a[p - q]", "t.py::a[m::n]", "t.py::a[[z]]", "t.py::T::b[1]"]
PROVED: dict[str, tuple[Side, Side, Expected]] = {
    "one turns": ({"t.py::a": F}, {"t.py::a": P}, Expected(["t.py::a"], targets=["t.py"])),
    "one turns, one is kept": (
        {"t.py::a": F, "t.py::b": P}, {"t.py::a": P, "t.py::b": P}, Expected(["t.py::a"], ["t.py::b"], targets=["t.py"]),
    ),
    "others of the file keep failing: those that count are named": (
        {"t.py::a": F, "t.py::b": P, "t.py::c": F}, {"t.py::a": P, "t.py::b": P, "t.py::c": F},
        Expected(["t.py::a"], ["t.py::b"], targets=["t.py::a", "t.py::b"]),
    ),
    "a skipped test does not hinder naming the file": (
        {"t.py::a": F, "t.py::s": S}, {"t.py::a": P, "t.py::s": S}, Expected(["t.py::a"], targets=["t.py"]),
    ),
    "skipped before and passing after proves nothing": (
        {"t.py::a": F, "t.py::s": S}, {"t.py::a": P, "t.py::s": P}, Expected(["t.py::a"], targets=["t.py::a"]),
    ),
    "two files, one whole": (
        {"t.py::a": F, "u.py::a": P, "u.py::b": F}, {"t.py::a": P, "u.py::a": P, "u.py::b": F},
        Expected(["t.py::a"], ["u.py::a"], targets=["t.py", "u.py::a"]),
    ),
    "odd parameters are run by their function": (
        dict.fromkeys([*ODD, "t.py::c"], F), {**dict.fromkeys(ODD, P), "t.py::c": F},
        Expected(sorted(ODD), targets=["t.py::T::b", "t.py::a"]),
    ),
    "one parameter of several turns": (
        {"t.py::a[1]": F, "t.py::a[2]": P, "t.py::a[3]": F, "t.py::b": F}, {"t.py::a[1]": P, "t.py::a[2]": P, "t.py::a[3]": F, "t.py::b": F},
        Expected(["t.py::a[1]"], ["t.py::a[2]"], targets=["t.py::a"]),
    ),
    "a missing test turns": ({"t.py::b": P}, {"t.py::a": P, "t.py::b": P}, Expected(["t.py::a"], ["t.py::b"], targets=["t.py"])),
    "a module that could not be imported": (
        {}, {"t.py::a": P, "t.py::b": P}, Expected(["t.py::a", "t.py::b"], targets=["t.py"], only_after=True),
    ),
    "no results at all before": (None, {"t.py::a": P}, Expected(["t.py::a"], targets=["t.py"], only_after=True)),
    "a kept test changes its mind after": (
        {"t.py::a": F, "t.py::b": P}, {"t.py::a": P, "t.py::b": [P, F, P]},
        Expected(["t.py::a"], flaky=["t.py::b"], targets=["t.py::a"]),
    ),
    "a kept test changes its mind before": (
        {"t.py::a": F, "t.py::b": [P, F, P]}, {"t.py::a": P, "t.py::b": P},
        Expected(["t.py::a"], flaky=["t.py::b"], targets=["t.py::a"]),
    ),
    "a kept test fails in the last run only": (
        {"t.py::a": F, "t.py::b": P}, {"t.py::a": P, "t.py::b": [P, P, F]},
        Expected(["t.py::a"], flaky=["t.py::b"], targets=["t.py"]),
    ),
    "of two that turn one passed before once": (
        {"t.py::a": F, "t.py::b": [F, P, F]}, {"t.py::a": P, "t.py::b": P},
        Expected(["t.py::a"], flaky=["t.py::b"], targets=["t.py::a"]),
    ),
    "of two that turn one failed once after": (
        {"t.py::a": F, "t.py::b": F}, {"t.py::a": P, "t.py::b": [P, F, P]},
        Expected(["t.py::a"], flaky=["t.py::b"], targets=["t.py::a"]),
    ),
    "of two that turn one fails in the last run": (
        {"t.py::a": F, "t.py::b": F}, {"t.py::a": P, "t.py::b": [P, P, F]},
        Expected(["t.py::a"], flaky=["t.py::b"], targets=["t.py"]),
    ),
    "of two that turn one passes before in the last run": (
        {"t.py::a": F, "t.py::b": [F, F, P]}, {"t.py::a": P, "t.py::b": P},
        Expected(["t.py::a"], flaky=["t.py::b"], targets=["t.py"]),
    ),
    "failing and changing its mind, of no side of interest": (
        {"t.py::a": F, "t.py::b": [F, P, F]}, {"t.py::a": P, "t.py::b": F},
        Expected(["t.py::a"], flaky=["t.py::b"], targets=["t.py::a"]),
    ),
    "before, the runner refuses the last command": (
        {"t.py::b": [P, P, None]}, {"t.py::a": P, "t.py::b": P}, Expected(["t.py::a"], ["t.py::b"], targets=["t.py"]),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), PROVED.values(), ids=PROVED.keys())
def test_proof_of(before: Side, after: Side, expected: Expected) -> None:
    found = conclude(before, after)
    assert isinstance(found, Proved), found
    lists = found.fail_to_pass, found.pass_to_pass, found.collected_after, found.flaky
    assert lists == (expected.turned, expected.kept, expected.aside, expected.flaky)
    assert found.command == ["run", *expected.targets]
    assert found.collects_only_after is expected.only_after
    assert found.plain is False


DISPROVED: dict[str, tuple[Side, Side, Rejection, str]] = {
    "passes and then always fails": (
        {"t.py::a": F, "t.py::b": P}, {"t.py::a": P, "t.py::b": F}, Rejection.FAILS_AFTER, "t.py::b passes without the change and fails",
    ),
    "passes before once": ({"t.py::a": [F, P, F]}, {"t.py::a": P}, Rejection.FLAKY, "none of 1 tests"),
    "fails after once": ({"t.py::a": F}, {"t.py::a": [P, F, P]}, Rejection.FLAKY, "none of 1 tests"),
    "missing after once": ({"t.py::a": F}, {"t.py::a": [P, None, P]}, Rejection.FLAKY, "none of 1 tests"),
    "fails in the last run": ({"t.py::a": F}, {"t.py::a": [P, P, F]}, Rejection.FLAKY, "none of 1 tests"),
    "passes before in the last run": ({"t.py::a": [F, F, P]}, {"t.py::a": P}, Rejection.FLAKY, "none of 1 tests"),
    "skipped before in one run": ({"t.py::a": [F, S, F]}, {"t.py::a": P}, Rejection.FLAKY, "none of 1 tests"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "rejection", "detail"), DISPROVED.values(), ids=DISPROVED.keys())
def test_no_proof_where(before: Side, after: Side, rejection: Rejection, detail: str) -> None:
    found = conclude(before, after)
    assert isinstance(found, Disproved), found
    assert found.rejection is rejection
    assert detail in found.detail
    assert not found.elsewhere


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_run_out_of_time_is_no_proof_whenever_it_happens(side: str, turn: int) -> None:
    late = {"before": 0, "after": 0} | {side: turn}
    trees = Tree({"t.py::a": F}, late_at=late["before"]), Tree({"t.py::a": P}, late_at=late["after"])
    found = prove(bench(*trees), ["t.py"], lambda test: True, 3, "seed")
    assert found == Disproved(Rejection.TIMED_OUT, "after 60 s")


def test_tests_that_turn_only_with_their_module_stand_aside_of_those_that_the_change_touched() -> None:
    after = dict.fromkeys(["t.py::new", "t.py::old", "t.py::older"], P)
    found = conclude({}, after, touched=["t.py::new"])
    assert isinstance(found, Proved)
    assert (found.fail_to_pass, found.collected_after) == (["t.py::new"], ["t.py::old", "t.py::older"])
    assert found.collects_only_after
    assert found.command == ["run", "t.py"]


def test_tests_that_turn_in_a_module_that_was_imported_never_stand_aside() -> None:
    found = conclude({"t.py::old": F}, {"t.py::new": P, "t.py::old": P}, touched=["t.py::new"])
    assert isinstance(found, Proved)
    assert (found.fail_to_pass, found.collected_after) == (["t.py::new", "t.py::old"], [])


def test_where_the_change_touched_none_of_them_every_test_of_the_module_proves_it() -> None:
    found = conclude({}, {"t.py::a": P, "t.py::b": P}, touched=["u.py::x"])
    assert isinstance(found, Proved)
    assert (found.fail_to_pass, found.collected_after) == (["t.py::a", "t.py::b"], [])


@pytest.mark.parametrize("repeats", [2, 3, 5])
def test_each_side_is_run_as_often_as_asked(repeats: int) -> None:
    trees = Tree({"t.py::a": F}), Tree({"t.py::a": P})
    assert isinstance(prove(bench(*trees), ["t.py"], lambda test: True, repeats, "seed"), Proved)
    assert [len(tree.commands) for tree in trees] == [repeats, repeats]


def test_change_without_hope_is_run_once() -> None:
    trees = Tree({"t.py::a": P}), Tree({"t.py::a": P})
    assert isinstance(prove(bench(*trees), ["t.py"], lambda test: True, 5, "seed"), Disproved)
    assert [len(tree.commands) for tree in trees] == [1, 1]


MANY = [f"t.py::test_{n}" for n in range(20)]


def orders(seed: str) -> tuple[list[list[str]], list[list[str]]]:
    """The targets of every command on each side."""
    before = Tree({**dict.fromkeys(MANY, P), "t.py::new": F, "t.py::skipped": S})
    after = Tree({**dict.fromkeys(MANY, P), "t.py::new": P, "t.py::skipped": S})
    assert isinstance(prove(bench(before, after), ["t.py"], lambda test: True, 5, seed), Proved)
    return [command[1:] for command in before.commands], [command[1:] for command in after.commands]


def test_runs_between_the_first_and_the_last_are_in_other_orders() -> None:
    for first, *shuffled, last in orders("seed"):
        assert first == last == ["t.py"]
        assert len(shuffled) == 3
        assert all(sorted(order) == sorted([*MANY, "t.py::new"]) for order in shuffled)
        assert sorted(MANY) not in shuffled
        assert len({tuple(order) for order in shuffled}) == 3


def test_orders_are_those_of_the_seed() -> None:
    state = random.getstate()
    assert orders("one") == orders("one")
    assert orders("one") != orders("two")
    assert random.getstate() == state


def test_other_orders_of_a_side_name_only_what_it_ran() -> None:
    before, after = Tree({"t.py::old": P}), Tree({"t.py::old": P, "u.py::new": P})
    assert isinstance(prove(bench(before, after), ["t.py", "u.py"], lambda test: True, 3, "s"), Proved)
    assert [sorted(command[1:]) for command in before.commands] == [["t.py", "u.py"], ["t.py::old"], ["t.py", "u.py"]]


def test_side_that_ran_nothing_is_given_its_files_again() -> None:
    before, after = Tree(None), Tree({"t.py::new": P})
    assert isinstance(prove(bench(before, after), ["t.py"], lambda test: True, 3, "s"), Proved)
    assert before.commands == [["run", "t.py"]] * 3


def test_files_are_named_in_another_order_where_naming_each_test_would_be_too_long() -> None:
    files = [f"{letter * 400}.py" for letter in "abcdefgh"]
    tests = [f"{file}::test_{n}" for file in files for n in range(50)]
    before, after = Tree({**dict.fromkeys(tests, P), tests[0]: F}), Tree(dict.fromkeys(tests, P))
    found = prove(bench(before, after), files, lambda test: True, 3, "s")
    assert isinstance(found, Proved)
    assert sorted(after.commands[1][1:]) == files
    assert after.commands[1][1:] != files


def test_whole_suite_is_run_where_no_file_is_named() -> None:
    before = Tree({"t.py::a": F, "u.py::b": P, "u.py::c": F})
    after = Tree({"t.py::a": P, "u.py::b": P, "u.py::c": F})
    found = prove(bench(before, after), [], lambda test: True, 2, "s")
    assert isinstance(found, Proved)
    assert after.commands == [["run"], ["run", "t.py", "u.py::b"]]
    assert (found.fail_to_pass, found.pass_to_pass) == (["t.py::a"], ["u.py::b"])


def test_projects_own_options_are_left_out_where_they_hinder() -> None:
    before, after = Tree({"t.py::a": F}, plain_only=True), Tree({"t.py::a": P}, plain_only=True)
    found = prove(bench(before, after), ["t.py"], lambda test: True, 3, "s")
    assert isinstance(found, Proved)
    assert found.plain
    assert found.command == ["run", "plain", "t.py"]
    assert [command[1] for command in after.commands] == ["t.py", "plain", "plain", "plain"]
    assert all(command[1] == "plain" for command in before.commands)


def test_projects_own_options_are_kept_where_it_was_only_late() -> None:
    after = Tree({"t.py::a": P}, late_at=1)
    found = prove(bench(Tree({"t.py::a": F}), after), ["t.py"], lambda test: True, 3, "s")
    assert isinstance(found, Disproved)
    assert after.commands == [["run", "t.py"]]


def test_time_of_a_proof_is_that_of_the_last_command_when_solved() -> None:
    found = conclude({"t.py::a": F}, {"t.py::a": P}, repeats=4)
    assert isinstance(found, Proved)
    assert found.seconds == 0.4
