# ruff: noqa: E501
"""npm in the sandbox against a registry on loopback, and a project's tests from its lock to its results."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from miner import nodes
from miner.recipes.model import EnvironmentFailed, Lock, Result
from tests.miner.node_tree import Tree
from tests.miner.npm_registry import Packages, Registry, Version, serve

pytestmark = pytest.mark.skipif(
    not any(node.version >= (20, 0, 0) for node in nodes.installed()), reason="no Node.js 20 or newer is installed"
)
OLD, NEW = "2023-01-01T00:00:00Z", "2025-01-01T00:00:00Z"
DATED: Packages = {
    "a": {"1.0.0": Version(OLD), "1.1.0": Version(NEW)},
    "late": {"1.0.0": Version(NEW), "1.0.1": Version(NEW)},
    "plugin": {"1.0.0": Version(OLD, {"peerDependencies": {"a": "^2"}})},
    "scripted": {"1.0.0": Version(OLD, {"scripts": {"postinstall": "echo \"module.exports = 'made'\" > made.js"}})},
    "unhappy": {"1.0.0": Version(OLD, {"scripts": {"postinstall": "echo no compiler; exit 3"}})},
}
UNDATED: Packages = {"b": {"1.0.0": Version(None), "1.1.0": Version(None)}}


@pytest.fixture(scope="module")
def registry() -> Iterator[Registry]:
    with serve({**DATED, **UNDATED}) as found, pytest.MonkeyPatch.context() as patch:
        patch.setenv("npm_config_registry", found.url)
        yield found


@pytest.fixture
def tree(tmp_path: Path, registry: Registry) -> Callable[..., Tree]:
    def make(dependencies: dict[str, str], files: Mapping[str, str | dict[str, Any]] | None = None, **more: Any) -> Tree:
        folder = tmp_path / "tree"
        folder.mkdir()
        package = {"name": "p", "scripts": {"test": "node --test"}, "dependencies": dependencies, **more}
        return Tree(folder, {"package.json": package, **(files or {})})

    return make


def versions(lock: str) -> dict[str, str]:
    packages = json.loads(lock)["packages"]
    return {key.removeprefix("node_modules/"): entry["version"] for key, entry in packages.items() if "version" in entry}


def test_versions_are_of_the_date_and_the_lock_names_no_registry(tree: Callable[..., Tree], registry: Registry) -> None:
    lock = tree({"a": "^1.0.0"}, {".npmrc": "package-lock=false\nmin-release-age=100000\n"}).lock()
    assert (versions(lock.text), lock.undated, lock.notes, lock.source) == ({"a": "1.0.0"}, False, (), "package.json")
    assert registry.url not in lock.text
    assert "sha512-" in lock.text


def test_registry_without_dates_gives_todays_versions_and_says_so(tree: Callable[..., Tree]) -> None:
    lock = tree({"b": "^1.0.0"}).lock()
    assert (versions(lock.text), lock.undated) == ({"b": "1.1.0"}, True)
    assert lock.notes == ("the registry carries no dates: today's versions",)


def test_package_from_after_the_date_is_let_in_alone(tree: Callable[..., Tree]) -> None:
    lock = tree({"a": "^1.0.0", "late": "^1.0.0"}).lock()
    assert (versions(lock.text), lock.undated) == ({"a": "1.0.0", "late": "1.0.1"}, True)
    assert lock.notes == ("late: not held to the date",)


def test_exact_version_is_taken_whatever_its_date(tree: Callable[..., Tree]) -> None:
    lock = tree({"a": "^1.0.0", "late": "1.0.0"}).lock()
    assert (versions(lock.text), lock.undated, lock.notes) == ({"a": "1.0.0", "late": "1.0.0"}, False, ())


def test_what_no_registry_has_fails_with_its_name(tree: Callable[..., Tree]) -> None:
    with pytest.raises(EnvironmentFailed, match="nowhere"):
        tree({"nowhere": "^1.0.0"}).lock()


def test_lock_file_that_fits_is_used_as_it_is(tree: Callable[..., Tree], registry: Registry) -> None:
    text = json.dumps({"lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "^1.0.0"}}, "node_modules/a": {"version": "1.1.0"}}})
    asked = len(registry.asked)
    assert tree({"a": "^1.0.0"}, {"package-lock.json": text}).lock() == Lock(text, "package-lock.json")
    assert len(registry.asked) == asked


def test_lock_file_that_does_not_fit_is_completed(tree: Callable[..., Tree]) -> None:
    packages = {"": {"dependencies": {"a": "^1.0.0"}}, "node_modules/a": {"version": "1.1.0"}}
    lock = tree({"a": "^1.0.0", "scripted": "*"}, {"package-lock.json": {"lockfileVersion": 3, "packages": packages}}).lock()
    assert versions(lock.text) == {"a": "1.1.0", "scripted": "1.0.0"}
    assert "does not fit" in lock.notes[0]


def test_versions_of_a_yarn_lock_are_kept(tree: Callable[..., Tree]) -> None:
    text = '# yarn lockfile v1\n\n\na@^1.0.0:\n  version "1.0.0"\n  resolved "https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#x"\n'
    lock = tree({"a": "^1.0.0"}, {"yarn.lock": text}).lock()
    assert (versions(lock.text), lock.source, lock.undated) == ({"a": "1.0.0"}, "yarn.lock, by npm", False)


TESTS = """
const { test, describe, it } = require('node:test')
const assert = require('node:assert')
test('version of $a (exactly)', () => assert.equal(require('a'), '1.0.0'))
test('made by a script', () => assert.equal(require('scripted/made'), 'made'))
describe('suite', () => { it('fails', () => assert.fail()); it.skip('skips', () => {}) })
test('writes into the cache', () => require('node:fs').writeFileSync('node_modules/.cache/x', ''))
test('packages are read-only', () => assert.throws(() => require('node:fs').writeFileSync('node_modules/a/x', '')))
"""


def test_tests_run_on_the_packages_of_the_lock(tree: Callable[..., Tree], tmp_path: Path) -> None:
    project = tree({"a": "^1.0.0", "scripted": "*"}, {"test/a.test.js": TESTS, "test/broken.test.js": "throw new Error('x')\n"})
    made = project.prepare()
    assert (made.record.variant, made.record.fallbacks) == ("install scripts", [])
    found = project.test(["test/broken.test.js", "test/a.test.js"], tmp_path / "results")
    assert found == {
        "test/a.test.js::version of $a (exactly)": Result.PASSED, "test/a.test.js::made by a script": Result.PASSED,
        "test/a.test.js::suite fails": Result.FAILED, "test/a.test.js::suite skips": Result.SKIPPED,
        "test/a.test.js::writes into the cache": Result.PASSED, "test/a.test.js::packages are read-only": Result.PASSED,
        "test/broken.test.js::(file)": Result.FAILED,
    }  # fmt: skip
    assert project.test(["test/a.test.js"], tmp_path / "again", plain=True)["test/a.test.js::suite fails"] is Result.FAILED


def test_failing_install_script_falls_back_to_none(tree: Callable[..., Tree]) -> None:
    made = tree({"unhappy": "*"}).prepare()
    assert made.record.variant == "no install scripts"
    assert "no compiler" in made.record.fallbacks[0]
    assert (made.folder / "node_modules/unhappy/index.js").is_file()


def test_peers_that_conflict_are_ignored_and_said(tree: Callable[..., Tree]) -> None:
    made = tree({"a": "^1.0.0", "plugin": "*"}).prepare()
    assert made.record.variant == "no install scripts, peers ignored"
    assert made.record.fallbacks[0] == "peer dependencies conflict: ignored"
    assert (made.folder / "node_modules/a").is_dir()


def test_workspaces_find_their_own_packages(tree: Callable[..., Tree], tmp_path: Path) -> None:
    inner = "const { test } = require('node:test')\ntest('inner', () => require('node:assert').equal(require('a'), '1.0.0'))\n"
    outer = "const { test } = require('node:test')\ntest('outer', () => require('node:assert').equal(require('w'), 1))\n"
    files = {
        "packages/w/package.json": {"name": "w", "version": "1.0.0", "dependencies": {"a": "1.0.0"}},
        "packages/w/index.js": "module.exports = 1\n", "packages/w/w.test.js": inner, "test/o.test.js": outer,
    }  # fmt: skip
    project = tree({"a": "1.1.0"}, files, workspaces=["packages/*"])
    project.prepare()
    found = project.test(["packages/w/w.test.js", "test/o.test.js"], tmp_path / "results")
    assert found == {"packages/w/w.test.js::inner": Result.PASSED, "test/o.test.js::outer": Result.PASSED}


def test_sub_project_stands_alone(registry: Registry, tmp_path: Path) -> None:
    inner = "const { test } = require('node:test')\ntest('t', () => require('node:assert').equal(require('a'), '1.0.0'))\n"
    files = {
        "package.json": {"name": "p", "workspaces": ["packages/*"], "dependencies": {"a": "1.1.0"}},
        "packages/w/package.json": {"name": "w", "scripts": {"test": "node --test"}, "dependencies": {"a": "^1.0.0"}},
        "packages/w/w.test.js": inner,
    }  # fmt: skip
    (tmp_path / "tree").mkdir()
    project = Tree(tmp_path / "tree", files, "packages/w")
    assert project.recipe.mounts(project.prepare().folder, project.project)[0].target == "/tree/packages/w/node_modules"
    assert project.test(["w.test.js"], tmp_path / "results") == {"w.test.js::t": Result.PASSED}
