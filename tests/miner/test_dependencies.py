# ruff: noqa: E501
import pytest

from miner.dependencies import dependencies_differ, is_manifest

PYPROJECT = b"""
[project]
name = "a"
version = "1"
dependencies = ["x>=1"]
[project.optional-dependencies]
test = ["pytest"]
[dependency-groups]
dev = ["ruff"]
[build-system]
requires = ["hatchling"]
[tool.poetry.dependencies]
y = "^1"
[tool.ruff]
line-length = 99
"""
SETUP_CFG = b"[metadata]\nversion = 1\n[options]\ninstall_requires =\n    x>=1\n[options.extras_require]\ntest = pytest\n"
SETUP_PY = b"import setuptools\nrequirements = ['x']\nsetuptools.setup(name='a', version='1', extras_require={'t': ['y']})\n"
PACKAGE = b'{"name": "a", "version": "1", "dependencies": {"x": "1"}, "devDependencies": {"y": "1"}}'
CARGO = b'[package]\nversion = "1"\n[dependencies]\nx = "1"\n[dev-dependencies]\ny = "1"\n'
GO = b"module a\n\ngo 1.21\n\nrequire x.org/y v1.0.0\n\nrequire (\n\tz.org/z v2.1.0 // indirect\n)\n"
CARGO_WORKSPACE = b'[workspace.dependencies]\nx = "1"\n[target."cfg(unix)".dependencies]\ny = "1"\n[patch.crates-io]\nz = {path = "z"}\n'
GO_REPLACE = GO + b"replace x.org/y => ../y\n"
POM = b"""<project><version>1</version><parent><artifactId>p</artifactId><version>3</version></parent>
<properties><junit.version>4</junit.version><release>17</release></properties>
<dependencies><dependency><artifactId>x</artifactId><version>5</version></dependency></dependencies>
<build><plugins><plugin><artifactId>surefire</artifactId><version>6</version><configuration><a>7</a></configuration></plugin></plugins></build></project>"""
GRADLE = b"plugins { id 'org.x' version '1.0' }\nversion = '8'\next { jettyVersion = '9' }\ndependencies { implementation 'a:b:1'; testImplementation libs.junit }\n"

DIFFER = [
    ("dependency", "pyproject.toml", PYPROJECT, PYPROJECT.replace(b"x>=1", b"x>=2")),
    ("extra", "pyproject.toml", PYPROJECT, PYPROJECT.replace(b'"pytest"', b'"pytest", "responses"')),
    ("group", "pyproject.toml", PYPROJECT, PYPROJECT.replace(b"ruff\"", b'ruff>1"')),
    ("build system", "pyproject.toml", PYPROJECT, PYPROJECT.replace(b"hatchling", b"setuptools")),
    ("poetry", "pyproject.toml", PYPROJECT, PYPROJECT.replace(b"^1", b"^2")),
    ("unreadable", "pyproject.toml", PYPROJECT, b"[project\n"),
    ("new with dependencies", "pyproject.toml", None, PYPROJECT),
    ("deleted", "pyproject.toml", PYPROJECT, None),
    ("install_requires", "setup.cfg", SETUP_CFG, SETUP_CFG.replace(b"x>=1", b"x>=2")),
    ("extras_require", "setup.cfg", SETUP_CFG, SETUP_CFG.replace(b"pytest", b"nose")),
    ("named list", "setup.py", SETUP_PY, SETUP_PY.replace(b"'x'", b"'x>2'")),
    ("keyword", "setup.py", SETUP_PY, SETUP_PY.replace(b"'y'", b"'z'")),
    ("no Python", "setup.py", SETUP_PY, b"print 'two'\n"),
    ("package.json", "package.json", PACKAGE, PACKAGE.replace(b'"x": "1"', b'"x": "2"')),
    ("package.json dev", "web/package.json", PACKAGE, PACKAGE.replace(b'"y": "1"', b'"y": "2"')),
    ("package.json no JSON", "package.json", PACKAGE, b"{"),
    ("package.json overrides", "package.json", PACKAGE, PACKAGE[:-1] + b', "overrides": {"z": "1"}}'),
    ("package.json resolutions", "package.json", PACKAGE, PACKAGE[:-1] + b', "resolutions": {"z": "1"}}'),
    ("package.json of pnpm", "package.json", PACKAGE, PACKAGE[:-1] + b', "pnpm": {"overrides": {"z": "1"}}}'),
    ("package.json is a list", "package.json", PACKAGE, b"[]"),
    ("cargo", "Cargo.toml", CARGO, CARGO.replace(b'y = "1"', b'y = "2"')),
    ("cargo workspace", "Cargo.toml", CARGO_WORKSPACE, CARGO_WORKSPACE.replace(b'x = "1"', b'x = "2"')),
    ("cargo target", "Cargo.toml", CARGO_WORKSPACE, CARGO_WORKSPACE.replace(b'y = "1"', b'y = "2"')),
    ("cargo patch", "Cargo.toml", CARGO_WORKSPACE, CARGO_WORKSPACE.replace(b'"z"', b'"zz"')),
    ("go replace", "go.mod", GO_REPLACE, GO_REPLACE.replace(b"../y", b"../yy")),
    ("maven dependency", "pom.xml", POM, POM.replace(b">5<", b">55<")),
    ("maven parent", "pom.xml", POM, POM.replace(b">3<", b">33<")),
    ("maven property", "a/pom.xml", POM, POM.replace(b">4<", b">44<")),
    ("maven plugin", "pom.xml", POM, POM.replace(b">6<", b">66<")),
    ("gradle dependency", "build.gradle", GRADLE, GRADLE.replace(b"a:b:1", b"a:b:2")),
    ("gradle plugin", "build.gradle", GRADLE, GRADLE.replace(b"'1.0'", b"'1.1'")),
    ("gradle catalogue entry", "build.gradle.kts", GRADLE, GRADLE.replace(b"libs.junit", b"libs.junit5")),
    ("gradle named version", "build.gradle", GRADLE, GRADLE.replace(b"'9'", b"'10'")),
    ("gradle catalogue", "gradle/libs.versions.toml", b'a = "1"', b'a = "2"'),
    ("go", "go.mod", GO, GO.replace(b"v2.1.0", b"v2.1.1")),
    ("requirements", "requirements.txt", b"a\n", b"a\nb\n"),
    ("requirements folder", "requirements/tests.txt", b"a==1\n", b"a==2\n"),
    ("named requirements", "dev-requirements.in", b"a==1\n", b"a==2\n"),
    ("not UTF-8", "requirements.txt", b"a\n", b"\xff\n"),
]  # fmt: skip
SAME = [
    ("version", "pyproject.toml", PYPROJECT, PYPROJECT.replace(b'version = "1"', b'version = "2"')),
    ("tool settings", "pyproject.toml", PYPROJECT, PYPROJECT.replace(b"99", b"110")),
    ("new without dependencies", "pyproject.toml", None, b"[tool.ruff]\nline-length = 99\n"),
    ("setup.cfg version", "setup.cfg", SETUP_CFG, SETUP_CFG.replace(b"version = 1", b"version = 2")),
    ("setup.cfg spacing", "setup.cfg", SETUP_CFG, SETUP_CFG.replace(b"    x", b"        x")),
    ("setup.py version", "setup.py", SETUP_PY, SETUP_PY.replace(b"version='1'", b"version='2'")),
    ("package.json version", "package.json", PACKAGE, PACKAGE.replace(b'"version": "1"', b'"version": "2"')),
    ("package.json scripts", "package.json", PACKAGE, PACKAGE[:-1] + b', "scripts": {"test": "mocha"}}'),
    ("package.json empty table", "package.json", PACKAGE, PACKAGE[:-1] + b', "peerDependencies": {}}'),
    # What a lock file alone changes is not declared: the environment is the base's, and the proof decides.
    ("npm lock", "package-lock.json", b'{"lockfileVersion": 3}', b'{"lockfileVersion": 3, "packages": {}}'),
    ("yarn lock", "yarn.lock", b"a@1:\n", b"a@2:\n"),
    ("pnpm lock", "pnpm-lock.yaml", b"a: 1\n", b"a: 2\n"),
    ("cargo version", "Cargo.toml", CARGO, CARGO.replace(b'version = "1"', b'version = "2"')),
    ("maven version", "pom.xml", POM, POM.replace(b"<version>1<", b"<version>2<")),
    ("maven configuration", "pom.xml", POM, POM.replace(b">7<", b">77<")),
    ("maven Java", "pom.xml", POM, POM.replace(b">17<", b">21<")),
    ("maven comment and spacing", "pom.xml", POM, POM.replace(b"<dependencies>", b"<!-- new -->\n  <dependencies>\n")),
    ("gradle version", "build.gradle", GRADLE, GRADLE.replace(b"'8'", b"'88'")),
    ("gradle comment", "build.gradle", GRADLE, GRADLE + b"// see 'c:d:1'\n"),
    ("go comment", "go.mod", GO, GO + b"// the end\n"),
    ("requirements comment", "requirements.txt", b"a\nb\n", b"a  # why\n\nb\n"),
    ("no manifest", "src/a.py", b"a", b"b"),
    ("both unreadable but equal", "pyproject.toml", b"[", b"["),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "before", "after"), [row[1:] for row in DIFFER], ids=[row[0] for row in DIFFER]
)
def test_changed_or_unreadable_requirements_differ(
    path: str, before: bytes | None, after: bytes | None
) -> None:
    assert dependencies_differ(path, before, after)


@pytest.mark.parametrize(("path", "before", "after"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_changes_beside_the_requirements_do_not_differ(
    path: str, before: bytes | None, after: bytes | None
) -> None:
    assert not dependencies_differ(path, before, after)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pyproject.toml", True), ("sub/SETUP.py", True), ("requirements.txt", True), ("requirements/x.in", True),
        ("test-requirements-3.txt", True), ("uv.lock", False), ("tox.ini", False), ("src/requirements.py", False),
        ("requirements/README.md", False),
    ],
)  # fmt: skip
def test_manifests_are_known_by_name(path: str, expected: bool) -> None:
    assert is_manifest(path) is expected
