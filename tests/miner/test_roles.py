import pytest

from miner.roles import Role, governs_tests, role_of

SOURCE = [
    "src/click/testing.py", "src/structlog/testing.py", "src/billing/client.py", "billing/client.py",
    "client.py", "src/billing/py.typed", "src/billing/client.pyi", "src/billing/data/rates.csv",
    "src/billing/templates/mail.html", "src/test_helpers/runner.py", "src/billing/docs/render.py",
    "src/contest.py", "src/latest.py", "src/attest.go", "src/billing/history.py", "src/billing/news.py",
    "src/billing/changes.py", "src/billing/authors.py", "src/billing/security.py", "src/billing/license.py",
    "lib/index.ts", "lib/latest.js", "lib/contest.js", "lib/inspect.js", "packages/core/lib/test/a.js",
    "packages/core/src/index.ts", "lib/jest.js",
    "babel.config.js", "cmd/main.go", "src/main/java/org/x/Service.java", "pkg/spec/parse.py",
    "src/testing/tools.py", "src/billing/test/helper.txt", "docs.py", "src/Contest.java",
    "src/latests.rs", "src/attest.rs", "src/main/kotlin/News.kt", "src/it.rs", "lib/it/a.txt",
]  # fmt: skip
TEST = [
    "tests/x.py", "tests/data/rates.csv", "tests/__init__.py", "tests/conftest.py", "conftest.py",
    "src/billing/tests/test_x.py", "src/billing/tests/helper.py", "test/support.py", "test/fixtures/a.json",
    "testing/test_config.py", "testing/example_scripts/a.txt", "test_requests.py", "src/billing/test_client.py",
    "src/billing/unittest_client.py", "pylint/unittest_lint.py", "src/billing/client_test.py", "tests.py",
    "src/billing/tests.py", "pytest.ini", "cmd/x_test.go", "lib/a.spec.ts", "lib/a.test.tsx",
    "lib/__tests__/a.js", "lib/__snapshots__/a.snap", "lib/a.test.mjs", "spec/models/user_spec.rb",
    "app/user_spec.rb", "src/test/java/org/x/ServiceHelper.java", "src/test/resources/data.json",
    "core/src/test/kotlin/org/x/A.kt", "src/main/java/org/x/ServiceTest.java", "pkg/testdata/golden.txt",
    "jest.config.js", "vitest.config.mts", "jest.setup.ts", "src/setupTests.js", "lib/a-test.js", "lib/a_test.mjs",
    "test.js", "types/index.test-d.ts", "lib/a.snap", "src/__mocks__/fs.js", "packages/core/test/a.js",
    "packages/core/spec/a.ts", "vitest.workspace.ts", "e2e/login.js", "src/billing/test_client.pyi", "tests/README.md",
    "src/money/tests.rs", "src/money_tests.rs", "crates/a/tests/it.rs", "src/integrationTest/java/A.java",
    "lib/src/testFixtures/java/Helper.java", "src/x/LedgerSpec.groovy", "src/x/LedgerTestCase.java",
]  # fmt: skip
OTHER = [
    "README.md", "README", "CHANGES.rst", "CHANGELOG.md", "HISTORY.rst", "NEWS", "AUTHORS", "LICENSE",
    "LICENSE.txt", "docs/index.rst", "docs/conf.py", "doc/source/x.txt", "examples/app.py", "changelog.d/12.fix",
    "newsfragments/12.feature.rst", "changes/12.txt", ".github/workflows/ci.yml", ".travis.yml", ".gitignore",
    ".pre-commit-config.yaml", "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "noxfile.py", "Makefile",
    "MANIFEST.in", "requirements.txt", "requirements/dev.txt", "requirements-dev.txt", "dev-requirements.txt",
    "uv.lock", "poetry.lock", "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "Cargo.toml",
    "npm-shrinkwrap.json", "bun.lockb", "eslint.config.mjs", ".mocharc.yml", ".nvmrc", ".npmrc", "turbo.json",
    "Cargo.lock", "go.mod", "go.sum", "pom.xml", "Dockerfile", "src/billing/README.md", "packages/a/package.json",
    "docs/tests/test_x.py", "CITATION.cff", "mkdocs.yml", "src/billing/.gitkeep", "SECURITY.md",
    "gradlew", "gradle/wrapper/gradle-wrapper.properties", "gradle/libs.versions.toml", "mvnw", "rust-toolchain.toml",
    "app/build.gradle.kts", "go.work.sum",
]  # fmt: skip


@pytest.mark.parametrize("path", SOURCE)
def test_source_path_is_source(path: str) -> None:
    assert role_of(path) is Role.SOURCE


@pytest.mark.parametrize("path", TEST)
def test_test_code_and_its_data_are_test(path: str) -> None:
    assert role_of(path) is Role.TEST


@pytest.mark.parametrize("path", OTHER)
def test_documentation_packaging_and_ci_are_other(path: str) -> None:
    assert role_of(path) is Role.OTHER


GOVERNS = [
    "tests/test_a.py", "conftest.py", "src/billing/conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", "tox.ini",
    "setup.cfg", "pyproject.toml", "services/api/pyproject.toml", "sitecustomize.py", "src/usercustomize.py",
    "package.json", ".mocharc.yml", "jest.config.js", "packages/a/vite.config.ts", ".npmrc", "lib/a.spec.ts",
]  # fmt: skip
GOVERNS_NOT = [
    "src/billing/client.py", "README.md", "setup.py", "src/site.py", "package-lock.json", "docs/conf.py",
    "src/pyproject.py",
]  # fmt: skip


@pytest.mark.parametrize(("path", "expected"), [(p, True) for p in GOVERNS] + [(p, False) for p in GOVERNS_NOT])
def test_tests_and_what_configures_them_are_told(path: str, expected: bool) -> None:
    assert governs_tests(path) is expected
