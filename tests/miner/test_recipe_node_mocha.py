"""mocha, old and new, from the configured registry: what its reporter of ours writes down."""

import shutil
import subprocess
from pathlib import Path

import pytest

from miner import nodes
from miner.recipes.model import Result
from tests.miner.node_tree import Tree

PASSED, FAILED, SKIPPED = Result.PASSED, Result.FAILED, Result.SKIPPED
TESTS = """
var assert = require('assert')
describe('sum (of $x)', function () {
  it('adds 1+1', function () { assert.equal(global.helped + process.env.FLAVOUR, 'xy') })
  it('fails', function () { assert.equal(1 + 1, 3) })
  it.skip('skips', function () {})
  it('waits')
})
describe('before each', function () {
  beforeEach(function () { throw new Error('no') })
  it('never runs', function () {})
  it('neither does this', function () {})
})
describe('after each', function () {
  afterEach(function () { throw new Error('no') })
  it('is spoilt', function () {})
})
it('leaves a server open', function (done) { require('http').createServer().listen(0, done) })
"""
EXPECTED = {
    "test/a.js::sum (of $x) adds 1+1": PASSED, "test/a.js::sum (of $x) fails": FAILED,
    "test/a.js::sum (of $x) skips": SKIPPED, "test/a.js::sum (of $x) waits": SKIPPED,
    "test/a.js::before each never runs": FAILED, "test/a.js::after each is spoilt": FAILED,
    "test/a.js::leaves a server open": PASSED,
}  # fmt: skip


def _answers() -> bool:
    npm = shutil.which("npm")
    done = subprocess.run([npm, "view", "mocha@2.5.3", "version"], capture_output=True, text=True) if npm else None
    return done is not None and done.stdout.strip() == "2.5.3"


@pytest.fixture(scope="module")
def reachable() -> None:
    if not nodes.installed() or not _answers():
        pytest.skip("no Node.js is installed, or no registry with mocha can be reached")


@pytest.mark.parametrize("version", ["2.5.3", "10.8.2"])
def test_every_test_is_written_down_once_with_its_worst_result(reachable: None, version: str, tmp_path: Path) -> None:
    files = {
        "package.json": {
            "scripts": {"test": "FLAVOUR=y mocha --require test/support/help --reporter dot --bail"},
            "devDependencies": {"mocha": version}, "mocha": {"spec": "test/b.js", "bail": True},
        },
        "test/a.js": TESTS, "test/b.js": "it('was not asked for', function () {})\n",
        "test/support/help.js": "global.helped = 'x'\n",
    }  # fmt: skip
    (tmp_path / "tree").mkdir()
    project = Tree(tmp_path / "tree", files)
    project.prepare()
    assert project.test(["test/a.js"], tmp_path / "whole") == EXPECTED
    narrowed = project.recipe.targets(["test/a.js::leaves a server open", "test/a.js::sum (of $x) fails"], EXPECTED)
    assert project.test(narrowed, tmp_path / "narrowed") == {
        "test/a.js::leaves a server open": PASSED, "test/a.js::sum (of $x) fails": FAILED,
    }  # fmt: skip
    plain = project.test(["test/a.js"], tmp_path / "plain", plain=True)
    assert plain["test/a.js::sum (of $x) adds 1+1"] is FAILED  # without the helper and the variable
