# ruff: noqa: E501
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from miner import recipes
from miner.recipes import java
from miner.recipes.gradle import GradleRecipe
from miner.recipes.maven import MavenRecipe, coordinates
from miner.recipes.model import EnvironmentFailed, Result, Settings

M, G = MavenRecipe(), GradleRecipe()
PASSED, FAILED = Result.PASSED, Result.FAILED
DEBIAN = Path("/usr/share/maven-repo")  # Debian's packages of Maven plugins and JUnit: a repository without a network


def missing(tool: str) -> str:
    """What a real run of a tool lacks on this machine, empty where nothing."""
    if not java.installed() or not shutil.which(tool):
        return f"no JDK or no {tool} is installed"
    wanted = ["junit/junit"] + (["org/apache/maven/plugins/maven-surefire-plugin"] if tool == "mvn" else [])
    lacking = [name for name in wanted if not (DEBIAN / name).is_dir()]
    return f"Debian's packages of {', '.join(lacking)} are not installed" if lacking else ""


PATHS = {
    "maven": (["pom.xml", "src/test/java/ATest.java"], "java-maven"),
    "gradle": (["build.gradle", "src/test/java/ATest.java"], "java-gradle"),
    "gradle of Kotlin": (["settings.gradle.kts", "app/src/test/kotlin/ATest.kt"], "java-gradle"),
    "both": (["pom.xml", "build.gradle", "src/test/java/ATest.java"], "java-maven"),
    "no tests": (["pom.xml", "src/main/java/A.java"], None),
    "below": (["a/pom.xml", "a/src/test/java/ATest.java"], None),
}


@pytest.mark.parametrize(("paths", "name"), PATHS.values(), ids=PATHS.keys())
def test_builds_with_tests_are_detected(project: Callable, paths: list[str], name: str | None) -> None:
    found = recipes.detect(project(dict.fromkeys(paths, "")))
    assert (found.name if found else None) == name


CLASSES = {
    "src/test/java/p/q/ATest.java": ("p.q.ATest", "."), "core/src/test/java/ATest.java": ("ATest", "core"),
    "a/b/src/integrationTest/kotlin/p/A.kt": ("p.A", "a/b"), "test/p/ATest.java": ("ATest", "."),
    "ATest.java": ("ATest", "."),
}  # fmt: skip


@pytest.mark.parametrize(("path", "expected"), CLASSES.items())
def test_classes_and_modules_are_told_from_paths(path: str, expected: tuple[str, str]) -> None:
    assert (java.qualified(path), java.module_of(path)) == expected


A = "src/test/java/p/ATest.java"
TARGETS = {
    "methods": ([f"{A}::a", f"{A}::b"], (), [f"{A}::a", f"{A}::b"]),
    "parameters": ([f"{A}::a(int)[1]", f"{A}::a(int)[2]", f"{A}::b[x::y]"], (), [f"{A}::a", A]),
    "JUnit 5 parentheses": ([f"{A}::a()"], (), [f"{A}::a"]),
    "nested": ([f"{A}::Inner::a"], (), [f"{A}::Inner::a"]),
    "display names": ([f"{A}::[1] x=2", f"{A}::a"], (), [A]),
    "a name with spaces": ([f"{A}::adds two"], (), [A]),
    "an option": ([f"{A}::-Dx=y"], (), [A]),
    "whole file": ([f"{A}::a", f"{A}::b"], [f"{A}::a", f"{A}::b"], [A]),
    "no file": (["p.ATest::a"], (), ["p.ATest"]),
}  # fmt: skip


@pytest.mark.parametrize(("ids", "seen", "expected"), TARGETS.values(), ids=TARGETS.keys())
@pytest.mark.parametrize("recipe", [M, G], ids=["maven", "gradle"])
def test_targets_are_methods(recipe: MavenRecipe | GradleRecipe, ids: list[str], seen: list[str], expected: list[str]) -> None:
    wanted = expected if expected != [f"{A}::a", A] else [A]
    assert recipe.targets(ids, seen) == wanted


MAVEN = {
    "all": ([], []),
    "file": ([A], ["-Dtest=ATest,ATest$*"]),
    "methods": ([f"{A}::a", f"{A}::b"], ["-Dtest=ATest#a+b"]),
    "nested": ([f"{A}::Inner::a"], ["-Dtest=ATest$Inner#a"]),
    "modules": ([f"core/{A}::a", f"x/y/{A}::b"], ["-Dtest=ATest#a+b", "--projects=core,x/y", "--also-make"]),
    "another order": ([f"{A}::b", f"{A}::a"], ["-Dtest=ATest#b+a", "-Dsurefire.runOrder=reversealphabetical"]),
}


@pytest.mark.parametrize(("targets", "expected"), MAVEN.values(), ids=MAVEN.keys())
def test_maven_is_pointed_at_classes_and_methods(targets: list[str], expected: list[str]) -> None:
    assert M.command(targets) == ["maven-tests", "{results}", *expected]
    assert "--also-make" not in M.command(targets, plain=True)


GRADLE = {
    "all": ([], ["test"]),
    "file": ([A], [":test", "--tests=p.ATest", "--tests=p.ATest$*"]),
    "method": ([f"core/{A}::a"], [":core:test", "--tests=p.ATest.a", "--tests=p.ATest.a[*"]),
    "nested": ([f"{A}::Inner::a"], [":test", "--tests=p.ATest$Inner.a", "--tests=p.ATest$Inner.a[*"]),
}


@pytest.mark.parametrize(("targets", "expected"), GRADLE.values(), ids=GRADLE.keys())
def test_gradle_is_pointed_at_classes_and_methods(targets: list[str], expected: list[str]) -> None:
    assert G.command(targets) == ["gradle-tests", "{results}", *expected]


def test_reports_are_read_as_tests_of_source_files(tmp_path: Path) -> None:
    def report(place: str, *cases: tuple[str, str, str]) -> None:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        rows = "".join(f'<testcase classname="{c}" name="{n}">{inner}</testcase>' for c, n, inner in cases)
        (tmp_path / place).write_text(f"<testsuite>{rows}</testsuite>")

    report("target/surefire-reports/TEST-p.ATest.xml", ("p.ATest", "a", ""), ("p.ATest$In", "b()", "<error/>"))
    report("core/target/surefire-reports/TEST-p.ATest.xml", ("p.ATest", "a", "<failure/>"))
    report("app/build/test-results/test/TEST-Kotlin.xml", ("q.Kotlin", "adds two", "<skipped/>"), ("", "x", ""))
    (tmp_path / "target/surefire-reports/broken.xml").write_text("<testsuite>")
    (tmp_path / "files").write_text(f"./{A}\n./core/{A}\n./core/src/test/java/other/ATest.java\n")
    assert java.read_reports(tmp_path) == {
        f"{A}::a": PASSED, f"{A}::In::b()": FAILED, f"core/{A}::a": FAILED, "app/q.Kotlin::adds two": Result.SKIPPED,
    }  # fmt: skip


def test_no_reports_are_none(tmp_path: Path) -> None:
    (tmp_path / "files").write_text("")
    assert java.read_reports(tmp_path) is None


POMS = {
    "release": ("<maven.compiler.release>9</maven.compiler.release>", "Java 9;"),
    "old numbers": ("<source>1.8</source><target>1.8</target>", "Java 8;"),
    "property": ("<java.version> 11 </java.version>", "Java 11;"),
    "unsaid": ("<release>${v}</release>", "Java of any version;"),
}


@pytest.mark.parametrize(("text", "expected"), POMS.values(), ids=POMS.keys())
def test_java_that_poms_name(project: Callable, text: str, expected: str) -> None:
    assert M.summary(project({"pom.xml": text})).startswith(expected)


def test_coordinates_are_of_what_a_build_does_not_make_itself() -> None:
    def pom(artifact: str, inner: str) -> str:
        return f"<project><groupId>g</groupId><artifactId>{artifact}</artifactId><version>1-SNAPSHOT</version>{inner}</project>"

    def block(kind: str, artifact: str) -> str:
        return f"<{kind}><groupId>g</groupId> <artifactId>{artifact}</artifactId><version>1</version><scope>test</scope></{kind}>"

    poms = [pom("a", f"<dependencies>{block('dependency', 'x')}{block('dependency', 'b')}</dependencies>"),
            pom("b", f"{block('parent', 'a')}<build><plugins>{block('plugin', 'p')}</plugins></build>")]  # fmt: skip
    assert coordinates(poms) == ["g:p:1", "g:x:1"]


@pytest.mark.parametrize(
    ("version", "undated"), [("1.0", False), ("[1,2)", True), ("1-SNAPSHOT", True), ("LATEST", True), ("${v}", False)]
)
def test_maven_versions_that_float_make_the_lock_undated(project: Callable, version: str, undated: bool) -> None:
    if not shutil.which("mvn"):
        pytest.skip("no mvn is installed")
    inner = f"<dependency><groupId>g</groupId><artifactId>x</artifactId><version>{version}</version></dependency>"
    assert M.resolve(project({"pom.xml": f"<dependencies>{inner}</dependencies>"}), None, None).undated is undated  # type: ignore[arg-type]


BUILDS = {
    "number": ("sourceCompatibility = 1.8", "Java 8;"), "constant": ("targetCompatibility = JavaVersion.VERSION_11", "Java 11;"),
    "old constant": ("sourceCompatibility JavaVersion.VERSION_1_7", "Java 7;"),
    "toolchain": ("languageVersion = JavaLanguageVersion.of(17)", "Java 17;"), "kotlin": ("kotlin { jvmToolchain(21) }", "Java 21;"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), BUILDS.values(), ids=BUILDS.keys())
def test_java_that_gradle_builds_name(project: Callable, text: str, expected: str) -> None:
    assert G.summary(project({"build.gradle": text})).startswith(expected)


@pytest.mark.parametrize(
    ("build", "undated"),
    [("implementation 'a:b:1.0'", False), ("implementation 'a:b:1.+'", True), ("api('a:b:latest.release')", True),
     ("api('a:b:[1,2)')", True)],
)  # fmt: skip
def test_gradle_versions_that_float_make_the_lock_undated(project: Callable, build: str, undated: bool) -> None:
    lock = G.resolve(project({"build.gradle": build}), None, None)  # type: ignore[arg-type]
    assert lock.undated is undated
    assert not G.resolve(project({"build.gradle": build, "gradle.lockfile": "a:b:1.0=x"}), None, None).undated  # type: ignore[arg-type]


@pytest.mark.skipif(not java.installed(), reason="no JDK is installed")
def test_a_newer_java_than_is_installed_is_asked_for_by_name() -> None:
    with pytest.raises(EnvironmentFailed, match="asks for Java 99, installed: "):
        java.suitable((99,))


SOURCES = {
    "src/main/java/p/A.java": "package p;\npublic class A { public static int two() { return 2; } }\n",
    A: """package p;
import org.junit.*;
public class ATest {
    @Test public void good() { Assert.assertEquals(2, A.two()); }
    @Test public void bad() { Assert.fail("no"); }
    @Test public void other() { }
}
""",
}
JUNIT = "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency>"
POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>p</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target></properties>
<dependencies>{JUNIT}</dependencies></project>
"""


@pytest.mark.skipif(bool(missing("mvn")), reason=missing("mvn"))
def test_a_maven_project_is_tested_from_end_to_end(try_recipe: Callable) -> None:
    # What no network brings comes from Debian's repository, which the sandbox shows with /usr.
    settings = Settings(env={"MAVEN_OPTS": f"-Dmaven.repo.local={DEBIAN}"})
    stale = '<testsuite><testcase classname="p.ATest" name="bad"/></testsuite>'
    tried = try_recipe({"pom.xml": POM, ".mvn/maven.config": "-o\n", "target/surefire-reports/TEST-p.ATest.xml": stale, **SOURCES}, settings)
    assert (tried.record.recipe, tried.record.undated, tried.lock) == ("java-maven", False, "junit:junit:4.x\n")
    assert tried.run(f"{A}::good", f"{A}::bad")[1] == {f"{A}::good": PASSED, f"{A}::bad": FAILED}


@pytest.mark.skipif(bool(missing("gradle")), reason=missing("gradle"))
def test_a_gradle_project_is_tested_from_end_to_end(try_recipe: Callable) -> None:
    build = f"apply plugin: 'java'\nrepositories {{ maven {{ url 'file://{DEBIAN}' }} }}\ndependencies {{ testCompile 'junit:junit:4.x' }}\n"
    tried = try_recipe({"build.gradle": build, **SOURCES})
    assert (tried.record.recipe, tried.record.variant) == ("java-gradle", "installed")
    assert tried.run(f"{A}::good", f"{A}::bad")[1] == {f"{A}::good": PASSED, f"{A}::bad": FAILED}
