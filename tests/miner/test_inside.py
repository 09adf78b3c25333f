"""Tests inside source files are told apart from the code around them, and laid over other states of it."""

from pathlib import Path

import pytest

from miner.asked import Options
from miner.fixtures import FixtureFolder
from miner.harvest import harvest
from miner.inside import changed_tests, lay_tests, only_added_tests
from miner.rejection import Rejection

HEAD = "use std::fmt;\n\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n"
TEST = "\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n"
TEST += "    fn one() {\n        assert_eq!(add(1, 0), 1);\n    }\n"
MORE = "\n    #[test]\n    fn two() {\n        assert_eq!(add(1, 1), 2);\n    }\n"
OLD = HEAD + TEST + "}\n"
SOLVED = HEAD.replace("a - b", "a + b") + TEST + MORE + "}\n"
LAID = {
    "the code stays as it is": (OLD, SOLVED, HEAD + TEST + MORE + "}\n"),
    "another fix stays": (OLD.replace("a - b", "b + a"), SOLVED, HEAD.replace("a - b", "b + a") + TEST + MORE + "}\n"),
    "tests that were dropped come back": (HEAD, SOLVED, HEAD + TEST.lstrip() + MORE + "}\n"),
    "tests that were edited are as they should be": (
        OLD.replace("add(1, 0), 1", "1, 1"), SOLVED, HEAD + TEST + MORE + "}\n"),
    "tests of the reply's own are gone": (
        HEAD + TEST + MORE.replace("two", "three") + "}\n", SOLVED, HEAD + TEST + MORE + "}\n"),
    "tests that the truth drops are dropped": (HEAD + TEST + MORE + "}\n", OLD, OLD),
    "an import for tests alone": (
        HEAD, "#[cfg(test)]\nuse b::T;\n\n" + HEAD + TEST + "}\n",
        HEAD.replace("use std::fmt;\n", "use std::fmt;\nuse b::T;\n") + TEST + "}\n"),
    "a loose test": (HEAD, HEAD + "\n#[test]\nfn three() {}\n", HEAD + "\n#[test]\nfn three() {}\n"),
    "no test anywhere": (HEAD, HEAD.replace("-", "+"), HEAD),
}  # fmt: skip


@pytest.mark.parametrize(("content", "solved", "expected"), LAID.values(), ids=LAID.keys())
def test_the_tests_of_the_solved_file_are_laid_over(content: str, solved: str, expected: str) -> None:
    laid = lay_tests("src/lib.rs", content.encode(), solved.encode())
    assert laid is not None
    assert laid.decode() == expected


CHANGED = {
    "code": (OLD, OLD.replace("-", "+"), []),
    "a test": (OLD, OLD.replace("add(1, 0), 1", "1, 1"), ["tests.one"]),
    "both": (OLD, SOLVED, ["tests.two"]),
    "a first module of tests": (HEAD, OLD, ["tests.<body>", "tests.one"]),
    "a new file": ("", OLD, ["tests.<body>", "tests.one"]),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), CHANGED.values(), ids=CHANGED.keys())
def test_changed_tests_are_named(before: str, after: str, expected: list[str]) -> None:
    assert changed_tests("src/lib.rs", before.encode(), after.encode()) == expected
    assert changed_tests("src/lib.py", before.encode(), after.encode()) == []


def test_only_tests_that_were_not_there_are_new_ones() -> None:
    after = SOLVED.replace("add(1, 0), 1", "1, 1")
    assert only_added_tests("src/lib.rs", OLD.encode(), after.encode()) == {"tests.two"}


def test_a_change_with_its_tests_inside_becomes_a_fixture(repo, tmp_path: Path) -> None:
    repo.commit("Start", {"src/lib.rs": OLD, "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\n'})
    repo.commit("Add right (#2)", {"src/lib.rs": SOLVED, "src/new.rs": OLD})
    (line,) = harvest(Options(repo.path, tmp_path, "sample", prove=False), lambda line: None)
    assert line.rejection is None
    task = FixtureFolder(tmp_path).task(str(line.fixture))
    assert task.fixture.tests_inside == ["src/lib.rs", "src/new.rs"]
    assert task.after["src/lib.rs"] == SOLVED.encode()
    unsolved = task.store.patched(task.fixture.starting_tree, [task.tests_patch])
    assert unsolved is not None
    assert task.store.read(unsolved, ["src/lib.rs", "src/new.rs"]) == {
        "src/lib.rs": (HEAD + TEST + MORE + "}\n").encode(), "src/new.rs": None,
    }  # fmt: skip
    assert set(task.allowed["src/lib.rs"]) == {"add", "tests.two"}


def test_a_change_of_tests_inside_alone_changes_no_source(repo, tmp_path: Path) -> None:
    repo.commit("Start", {"src/lib.rs": HEAD})
    repo.commit("Test it (#2)", {"src/lib.rs": OLD})
    (line,) = harvest(Options(repo.path, tmp_path, "sample", prove=False), lambda line: None)
    assert line.rejection is Rejection.NO_SOURCE_CHANGE
