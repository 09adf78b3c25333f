"""The role of a file in a change: source, test or other, by path components and name conventions."""

import re
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePosixPath


class Role(StrEnum):
    """What part a changed file plays; `OTHER` files are dropped from a fixture and listed."""

    SOURCE = "source"
    TEST = "test"
    OTHER = "other"


_TEST_FOLDERS_ANYWHERE = {"tests", "__tests__", "testdata", "__snapshots__", "__mocks__", "__fixtures__"}
_TEST_SOURCES = {"test", "integrationTest", "functionalTest", "testFixtures", "it"}  # below src, by Maven and Gradle
_TEST_FOLDERS_AT_TOP = {"test", "testing", "spec", "e2e"}
_WORKSPACES = {"packages", "workspaces", "apps", "libs"}  # each folder in these is a project with a top of its own
_TEST_NAME = re.compile(
    r"""(?: (?:test|unittest)_.*\.pyi? | .*_(?:test|unittest)\.py | tests?\.py | conftest\.py | pytest\.ini
          | .*_test\.(?:go|rb|dart|exs?) | .*_spec\.rb | (?:.*_)?tests\.rs | .*_test\.rs
          | (?:.*[.\-_])?(?:spec|test)(?:-d)?\.[cm]?[jt]sx? | .*\.snap
          | (?:jest|vitest|karma|playwright|cypress)\.(?:\w+\.)*(?:config|setup|workspace)\.[cm]?[jt]s
          | setupTests\.[jt]sx?
          | .*(?:Test|Tests|TestCase|IT)\.(?:java|kt|cs|scala|groovy) | .*Spec\.(?:kt|scala|groovy) )\Z""",
    re.VERBOSE,
)
_TEST_CONFIGURATION = re.compile(
    r"""(?: conftest\.py | \.?pytest\.(?:ini|toml) | tox\.ini | setup\.cfg | pyproject\.toml | sitecustomize\.py
          | usercustomize\.py | package\.json | \.mocharc\..* | (?:jest|vitest|vite|karma|ava)\.config\..*
          | \.taprc | \.npmrc | pom\.xml | maven\.config | jvm\.config | (?:build|settings)\.gradle(?:\.kts)?
          | gradle\.properties | Cargo\.toml )\Z""",
    re.VERBOSE,
)
_OTHER_FOLDERS_AT_TOP = {
    "docs", "doc", "documentation", "examples", "example", "changelog.d", "changes", "changelog",
    "newsfragments", "news", "requirements",
}  # fmt: skip
_LOCK_AND_PACKAGING = {
    "setup.py", "setup.cfg", "pyproject.toml", "manifest.in", "pipfile", "pipfile.lock", "tox.ini",
    "noxfile.py", "makefile", "package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock",
    "pnpm-lock.yaml", "pnpm-workspace.yaml", "lerna.json", "cargo.toml", "cargo.lock", "go.mod", "go.sum",
    "go.work", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts",
    "gradle.properties", "gradlew", "gradlew.bat", "gradle-wrapper.properties", "gradle-wrapper.jar",
    "gradle.lockfile", "libs.versions.toml", "mvnw", "mvnw.cmd", "go.work.sum", "rust-toolchain",
    "rust-toolchain.toml", "rustfmt.toml", "clippy.toml", "gemfile",
    "gemfile.lock", "composer.json", "composer.lock", "poetry.lock",
    "uv.lock", "pdm.lock", "environment.yml", "dockerfile", "docker-compose.yml", "docker-compose.yaml",
    "appveyor.yml", "azure-pipelines.yml", "jenkinsfile", "codecov.yml", "mypy.ini", "codspeed.yml",
    "citation.cff", "mkdocs.yml", "justfile", "taskfile.yml", "bower.json", "nx.json", "turbo.json",
    "eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", "prettier.config.js",
    "prettier.config.mjs", "commitlint.config.js", "commitlint.config.cjs", "renovate.json",
}  # fmt: skip
_OTHER_NAME = re.compile(
    r"""(?: .*\.(?:md|rst|adoc|markdown) | .*\.lockb?
          | (?:dev-|test-)?requirements.*\.(?:txt|in)
          | (?:changes|changelog|history|news|authors|contributors|contributing|license|licence|copying
             | copyright|notice|readme|security|code_of_conduct|upgrading|todo)(?:[.\-_].*)? )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
# Code is source whatever it is called: `changes.py`, `news.py`, `license.go`.
_SOURCE_SUFFIXES = {".py", ".pyi", ".js", ".ts", ".go", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".cs", ".rb"} | {
    ".kt", ".groovy", ".scala",
}  # fmt: skip


@lru_cache(maxsize=4096)  # asked for many times with every reply
def role_of(path: str) -> Role:
    """The role of the file at `path` (relative, `/` separated)."""
    pure = PurePosixPath(path)
    folders, name = pure.parts[:-1], pure.name
    top = folders[0] if folders else ""
    if top.startswith(".") or (not folders and name.startswith(".")):
        return Role.OTHER
    if top in _OTHER_FOLDERS_AT_TOP:
        return Role.OTHER
    if _is_test(folders, name):
        return Role.TEST
    return Role.OTHER if _is_other(name) else Role.SOURCE


@lru_cache(maxsize=4096)
def governs_tests(path: str) -> bool:
    """Whether the file at `path` is a test, or configures how tests are run."""
    return role_of(path) is Role.TEST or configures_tests(path)


def configures_tests(path: str) -> bool:
    """Whether the file at `path` configures how tests are run."""
    return _TEST_CONFIGURATION.match(PurePosixPath(path).name) is not None


def _is_test(folders: tuple[str, ...], name: str) -> bool:
    if folders and folders[0] in _TEST_FOLDERS_AT_TOP:
        return True
    if len(folders) > 2 and folders[0] in _WORKSPACES and folders[2] in _TEST_FOLDERS_AT_TOP:
        return True
    if any(folder in _TEST_FOLDERS_ANYWHERE for folder in folders):
        return True
    if any(outer == "src" and inner in _TEST_SOURCES for outer, inner in pairwise(folders)):
        return True
    return _TEST_NAME.match(name) is not None


def _is_other(name: str) -> bool:
    if name.lower() in _LOCK_AND_PACKAGING or name.startswith("."):
        return True
    named_like_code = PurePosixPath(name).suffix in _SOURCE_SUFFIXES
    return not named_like_code and _OTHER_NAME.match(name) is not None
