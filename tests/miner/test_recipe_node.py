# ruff: noqa: E501
import json
from datetime import UTC, datetime

import pytest

from miner.recipes import node_install, node_locks, node_managers, node_mocha
from miner.recipes.model import Project, Result
from miner.recipes.node import RECIPES
from miner.recipes.node_results import read_jest, read_lines
from miner.recipes.node_scripts import Launch, launch, wrapper

MOCHA, JEST, VITEST, NODE = RECIPES
PASSED, FAILED, SKIPPED = Result.PASSED, Result.FAILED, Result.SKIPPED


def project(**files: str | dict) -> Project:
    texts = {name: text if isinstance(text, str) else json.dumps(text) for name, text in files.items()}
    return Project(frozenset(texts), lambda path: texts[path].encode(), datetime(2024, 1, 1, tzinfo=UTC))


def scripts(**named: str) -> Project:
    return project(**{"package.json": {"scripts": named}})


EXPRESS = "mocha --require test/support/env --reporter spec --bail --check-leaks test/ test/acceptance/"
LAUNCHES = {
    "mocha": (scripts(test=EXPRESS), Launch("mocha", "scripts.test", (), (), ("--require", "test/support/env", "--check-leaks"))),
    "variables": (scripts(test="NODE_ENV=test A='x y' mocha -t 5000"), Launch("mocha", "scripts.test", (("NODE_ENV", "test"), ("A", "x y")), (), ("-t", "5000"))),
    "cross-env and nyc": (scripts(test="cross-env TZ=UTC nyc --reporter=lcov mocha --exit"), Launch("mocha", "scripts.test", (("TZ", "UTC"),), (), ("--exit",))),
    "after other commands": (scripts(test="npm run lint && tsc -p . && mocha -r ts-node/register 'test/**/*.ts'"), Launch("mocha", "scripts.test", (), (), ("-r", "ts-node/register"))),
    "another script": (scripts(test="npm run lint && npm run unit -- --x", lint="eslint .", unit="jest -c jest.unit.js --coverage"), Launch("jest", "scripts.unit", (), (), ("-c", "jest.unit.js"))),
    "scripts that call each other": (scripts(test="npm run test:all", **{"test:all": "npm test"}), None),
    "run-s": (scripts(test="run-s test:*", **{"test:unit": "vitest run --coverage --globals"}), Launch("vitest", "scripts.test:unit", (), (), ("--globals",))),
    "by path": (scripts(test="node --experimental-vm-modules node_modules/jest/bin/jest.js --env=node"), Launch("jest", "scripts.test", (), ("--experimental-vm-modules",), ("--env=node",))),
    "istanbul": (scripts(test="istanbul cover node_modules/mocha/bin/_mocha -- --ui tdd"), Launch("mocha", "scripts.test", (), (), ("--ui", "tdd"))),
    "npx": (scripts(test="npx --no-install vitest"), Launch("vitest", "scripts.test")),
    "node": (scripts(test="node --import tsx --test --test-reporter=spec test/*.ts"), Launch("node", "scripts.test", (), (), ("--import", "tsx"))),
    "tsx": (scripts(test="tsx --test test/*.ts"), Launch("node", "scripts.test", (), (), ("--import=tsx",))),
    "in quotes": (scripts(test='glob -c "node --import tsx --test" "test/**/*.ts"'), Launch("node", "scripts.test", (), (), ("--import", "tsx"))),
    "shell substitutions are left out": (scripts(test="mocha --timeout $T --require `x` --require a"), Launch("mocha", "scripts.test", (), (), ("--require", "a"))),
    "test before others": (scripts(**{"test": "vitest", "test:e2e": "mocha"}), Launch("vitest", "scripts.test")),
    "Makefile": (project(**{"package.json": {"scripts": {"test": "make test"}}, "Makefile": "test:\n\t@NODE_ENV=test ./node_modules/.bin/mocha \\\n\t\t--require test/support/env \\\n\t\t--reporter $(REPORTER)\n"}),
                 Launch("mocha", "Makefile", (("NODE_ENV", "test"),), (), ("--require", "test/support/env"))),
    "dependencies": (project(**{"package.json": {"devDependencies": {"vitest": "1"}}}), Launch("vitest", "dependencies")),
    "installed, not run": (scripts(test="npm install mocha"), None),
    "a path that is only called like it": (scripts(test="./scripts/mocha.js"), None),
    "unclosed quote": (scripts(test="mocha '"), None),
    "no scripts": (project(**{"package.json": "[]"}), None),
    "no JSON": (project(**{"package.json": "{"}), None),
    "tables of another shape": (project(**{"package.json": {"scripts": ["mocha"], "devDependencies": 3}}), None),
}  # fmt: skip


@pytest.mark.parametrize(("tree", "expected"), LAUNCHES.values(), ids=LAUNCHES.keys())
def test_runner_and_its_options_come_from_the_scripts(tree: Project, expected: Launch | None) -> None:
    assert launch(tree) == expected
    assert [recipe.runner for recipe in RECIPES if recipe.applies_to(tree)] == ([expected.runner] if expected else [])


def test_wrapper_quotes_what_the_script_says() -> None:
    start = Launch("mocha", "scripts.test", (("A", "x y"),), ("--harmony",), ("-r", "it's"))
    said = wrapper(start, ":", plain=False)
    assert "export A='x y'\n" in said
    assert said.endswith("exec node_modules/.bin/mocha -r 'it'\"'\"'s' \"$@\"\n")
    assert "--harmony" in said
    assert wrapper(start, ":", plain=True).endswith('exec node_modules/.bin/mocha "$@"\n')


def test_commands_of_all_runners() -> None:
    assert MOCHA.command(["test/a.js"]) == ["mocha", "--reporter", "/env/reporters/mocha.cjs", "test/a.js"]
    assert JEST.command(["a.test.js"])[-2:] == ["--runTestsByPath", "a.test.js"]
    assert VITEST.command([]) == ["vitest", "--reporter=json", "--outputFile={results}/jest.json"]
    assert NODE.command(["a.js"])[0] == "node-test"
    assert [recipe.command(["a.js"], plain=True)[0] for recipe in RECIPES] == ["plain-mocha", "plain-jest", "plain-vitest", "plain-node-test"]
    assert MOCHA.command(["-x.js"])[-1] == "./-x.js"


@pytest.mark.parametrize(
    ("targets", "expected"),
    [(["a.js::adds (1+2) $x"], ["--grep", r"^\s*(?:adds \(1\+2\) \$x)$", "a.js"]),
     (["a.js::b|c", "b.js::d/e"], ["--grep", r"^\s*(?:b\|c|d\/e)$", "a.js", "b.js"]),
     (["a.js::b", "b.js"], ["a.js", "b.js"]), (["a.js::x::y"], ["--grep", r"^\s*(?:x::y)$", "a.js"])],
)  # fmt: skip
def test_titles_are_spelled_as_patterns_where_every_target_has_one(targets: list[str], expected: list[str]) -> None:
    assert MOCHA.command(targets)[3:] == expected


TARGETS = [
    (["a.js::x"], ["a.js::x", "a.js::y"], ["a.js::x"]),
    (["a.js::x", "a.js::y"], ["a.js::x", "a.js::y"], ["a.js"]),
    (["b.js::x", "a.js::y"], ["a.js::y", "a.js::z", "b.js::x"], ["b.js::x", "a.js::y"]),
    (["a.js::x"], [], ["a.js::x"]),
    (["a.js::x\ny"], ["a.js::z"], ["a.js"]),
    (["a.js:: x"], ["a.js::z"], ["a.js"]),
    ([f"a.js::{'x' * 300}"], ["a.js::z"], ["a.js"]),
    ([f"a.js::{n}" for n in range(100)], ["a.js::z"], ["a.js"]),
    ([], [], []),
]


@pytest.mark.parametrize(("ids", "seen", "expected"), TARGETS)
def test_targets_are_titles_or_files(ids: list[str], seen: list[str], expected: list[str]) -> None:
    assert MOCHA.targets(ids, seen) == expected
    assert NODE.targets(ids, seen) == list(dict.fromkeys(target.split("::")[0] for target in ids))


def test_runnable_files_are_code_outside_folders_of_helpers() -> None:
    files = ["test/b.js", "test/a.test.tsx", "test/support/env.js", "test/fixtures/x.js", "test/a.json", "test/t.d.ts",
             "jest.config.js", "lib/__snapshots__/a.test.js.snap", "test/z.mjs", "test/setup.ts"]  # fmt: skip
    assert MOCHA.runnable(files) == ["test/a.test.tsx", "test/b.js", "test/z.mjs"]


def test_lines_are_read_with_the_worst_of_each_test() -> None:
    rows = [("a", "x", "passed"), ("a", "x", "failed"), ("a", "y", "skipped"), ("a", "z", "failed"), ("a", "z", "passed"), ("a", "w", "invented")]
    text = "".join(json.dumps({"file": f, "name": n, "result": r}) + "\n" for f, n, r in rows)
    assert read_lines(f'{text}not JSON\n3\n{{"file": "a"}}\n{{"file": "cut'.encode()) == {"a::x": FAILED, "a::y": SKIPPED, "a::z": FAILED, "a::w": FAILED}
    assert read_lines(b"") == {}


def test_json_of_jest_and_vitest_is_read() -> None:
    tests = [{"ancestorTitles": ["sum", "deep"], "title": "adds", "status": "passed"}, {"ancestorTitles": [], "title": "top", "status": "pending"},
             {"ancestorTitles": [], "title": "later", "status": "todo"}, {"ancestorTitles": [""], "title": "bad", "status": "failed"}]  # fmt: skip
    said = json.dumps({"testResults": [{"name": "/tree/web/test/a.js", "assertionResults": tests}, {"name": "/tree/web/b.js", "assertionResults": []}]})
    assert read_jest(said.encode(), "/tree/web") == {
        "test/a.js::sum deep adds": PASSED, "test/a.js::top": SKIPPED, "test/a.js::later": SKIPPED, "test/a.js::bad": FAILED,
    }  # fmt: skip
    for broken in (b"", b"[]", b'{"testResults": [{}]}', b'{"testResults": 3}'):
        assert read_jest(broken, "/tree") is None


CONFIGURED = {
    "none": ({}, None),
    "nothing of ours": ({".mocharc.json": '{"timeout": 1}'}, None),
    "spec": ({".mocharc.json": '// tests\n{"spec": ["test/*.js"], "require": ["./a"], "bail": true}'}, ("mocharc.json", {"require": ["./a"]})),
    "yaml": ({".mocharc.yml": "spec: test\nextends: ./base.json\nui: tdd\n"}, ("mocharc.json", {"extends": "/tree/base.json", "ui": "tdd"})),
    "package.json": ({"package.json": {"mocha": {"parallel": True, "ui": "bdd"}}}, ("mocharc.json", {"ui": "bdd"})),
    "both": ({"package.json": {"mocha": {"bail": True, "ui": "bdd"}}, ".mocharc.yaml": "ui: tdd\n"}, ("mocharc.json", {"ui": "tdd"})),
    "broken": ({".mocharc.json": "{"}, None),
    "a list": ({".mocharc.json": "[1]"}, None),
}  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), CONFIGURED.values(), ids=CONFIGURED.keys())
def test_mocha_configuration_keeps_what_does_not_choose_tests(files: dict, expected: tuple[str, dict] | None) -> None:
    found = node_mocha.configuration(project(**files))
    assert (found and (found[0], json.loads(found[1]))) == expected


def lock(**packages: dict) -> dict:
    return {"lockfileVersion": 3, "packages": packages}


PACKAGE = {"dependencies": {"a": "^1"}, "devDependencies": {"b": "2"}, "version": "7"}
OLD_LOCK = {"lockfileVersion": 1, "dependencies": {"a": {}, "b": {}}}
FITS = {
    "the same": (PACKAGE, lock(**{"": PACKAGE, "node_modules/a": {"version": "1.0.0"}}), True),
    "another range": (PACKAGE, lock(**{"": {"dependencies": {"a": "^2"}, "devDependencies": {"b": "2"}}}), False),
    "version 1": (PACKAGE, OLD_LOCK, True),
    "version 1, one missing": (PACKAGE, {"lockfileVersion": 1, "dependencies": {"a": {}}}, False),
    "a workspace that is not there": ({}, lock(**{"": {}, "packages/x": {"dependencies": {"a": "1"}}}), False),
    "no root": ({}, lock(), False),
    "empty": ({}, {}, False),
}  # fmt: skip


@pytest.mark.parametrize(("package", "locked", "expected"), FITS.values(), ids=FITS.keys())
def test_lock_file_fits_its_manifest(package: dict, locked: dict, expected: bool) -> None:
    assert node_locks.fits(locked, project(**{"package.json": package})) is expected


def test_packages_of_locks_are_compared() -> None:
    found = lock(**{"": {}, "node_modules/a": {"version": "1.0.0"}, "node_modules/a/node_modules/@s/b": {"version": "2.0.0"},
                    "node_modules/w": {"link": True, "resolved": "packages/w"}, "packages/w": {"version": "1.0.0"}})  # fmt: skip
    yarn = '# yarn lockfile v1\n\n\na@^1, a@^1.0.0:\n  version "1.0.0"\n\n"@s/b@^2":\n  version "2.0.1"\n  resolved "x"\n'
    assert node_locks.locked(found) == {"a": {"1.0.0"}, "@s/b": {"2.0.0"}}
    assert node_locks.yarn_versions(yarn) == {"a": {"1.0.0"}, "@s/b": {"2.0.1"}}
    assert node_locks.beside(found, node_locks.yarn_versions(yarn)) == ["@s/b@2.0.0"]


MANAGERS = [
    ("lockfileVersion: '9.0'\n", {}, "pnpm@9"), ("lockfileVersion: 5.4\n", {}, "pnpm@7"), ("lockfileVersion: '99.0'\n", {}, "pnpm@latest"),
    ("lockfileVersion: '6.0'\n", {"packageManager": "pnpm@8.15.4+sha512.x"}, "pnpm@8.15.4"), ("# x\n\n__metadata:\n  version: 6\n", {}, "@yarnpkg/cli-dist@3"),
    ("lockfileVersion: '6.0'\n", {"packageManager": "npm@8.1.2"}, "pnpm@8"), ("lockfileVersion: '6.0'\n", {"packageManager": "pnpm@1.2.3; rm -rf /"}, "pnpm@1.2.3"),
    ("# yarn lockfile v1\n\na@1:\n", {}, None), ('{\n  "lockfileVersion": 3\n}', {}, None), ("", {}, None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "package", "expected"), MANAGERS)
def test_lock_files_tell_their_manager_and_its_version(text: str, package: dict, expected: str | None) -> None:
    found = node_managers.manager_of(text, project(**{"package.json": package}))
    assert (found and found.package) == expected


def test_version_of_a_project_does_not_shape_its_environment() -> None:
    one, two = (project(**{"package.json": {**PACKAGE, "version": v, "scripts": {"test": "mocha"}}}) for v in "12")
    other = project(**{"package.json": {**PACKAGE, "scripts": {"test": "mocha --exit"}}})
    assert MOCHA.pinned(one) == MOCHA.pinned(two) != MOCHA.pinned(other)


def test_places_of_installed_packages_stay_inside(tmp_path) -> None:
    nested = tmp_path / "nested"
    for number in "12345":
        (nested / number).mkdir(parents=True)
    (tmp_path / "node_modules").symlink_to("/etc")
    (nested / "6").symlink_to("/etc")
    (nested / "places").write_text("1 packages/a/node_modules\n2 ../node_modules\n3 /node_modules\n4 packages/b\n../5 node_modules\n6 c/node_modules\n")
    assert node_install.installed_folders(tmp_path) == [("packages/a/node_modules", nested / "1")]
