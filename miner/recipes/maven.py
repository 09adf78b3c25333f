"""Java projects built by Maven, tested with surefire."""

import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from miner.recipes import java, scripts
from miner.recipes.installed import answer, nearest
from miner.recipes.model import ENV, EnvironmentFailed, Lock, Project, Results, Toolchain, Workshop, last_words
from miner.sandbox import Mount, Outcome

_JAVA = re.compile(
    r"<(?:maven\.compiler\.(?:release|source|target|testRelease)|java\.version|jdk\.version|release|source|target)>"
    r"\s*(?:1\.)?(\d+)\s*<"
)
_COORDINATES = re.compile(
    r"<groupId>\s*([^<]+?)\s*</groupId>\s*<artifactId>\s*([^<]+?)\s*</artifactId>\s*<version>\s*([^<]+?)\s*</version>"
)
_BLOCK = re.compile(r"<(dependency|plugin|parent|extension)>(.*?)</\1>", re.DOTALL)
_NOT_ITS_OWN = re.compile(r"<(parent|dependencies|dependencyManagement|build|profiles|reporting)>.*?</\1>", re.DOTALL)
_ARTIFACT = re.compile(r"<artifactId>\s*([^<]+?)\s*</artifactId>")
_FLOATING = re.compile(r"[\[(,]|LATEST|RELEASE|-SNAPSHOT")
_VERSION = re.compile(r"Apache Maven (\d[\w.-]*)")
_REPOSITORY = f"-Dmaven.repo.local={ENV}/m2"
# Every test's result is wanted, and a linter's opinion of a tree is not.
_OPTIONS = (
    "-B", "-Dstyle.color=never", "-Dmaven.test.failure.ignore=true", "-DfailIfNoTests=false",
    "-Dsurefire.failIfNoSpecifiedTests=false", "-Dcheckstyle.skip", "-Drat.skip", "-Dspotless.check.skip",
    "-Denforcer.skip",
)  # fmt: skip
_TEST = f'{java.BEFORE}mvn -o {" ".join(_OPTIONS)} "$@" test; status=$?\n{java.AFTER}'


class MavenRecipe:
    """Projects with a pom.xml, one module or many.

    Tests are named `module/src/test/java/p/ATest.java::method`; a target is a file or a method.
    """

    name = "java-maven"
    manifests: tuple[str, ...] = ("pom.xml",)
    variants: tuple[str, ...] = ("maven",)

    def applies_to(self, project: Project) -> bool:
        """Whether there is a pom.xml at the top, and a source file below a `test` folder."""
        return "pom.xml" in project.paths and bool(_test_classes(project))

    def summary(self, project: Project) -> str:
        """The Java that the poms name, the number of modules, the command."""
        wanted = java.declared(_JAVA, _poms(project).values())
        return f"Java {wanted[0] if wanted else 'of any version'}; {len(_poms(project))} pom.xml; mvn test -Dtest=TESTS"

    def toolchains(self, project: Project) -> Sequence[Toolchain]:
        """The JDKs that the poms admit, the oldest first, each with the machine's Maven."""
        home = _maven()
        wanted = java.declared(_JAVA, _poms(project).values())
        return [_with_maven(jdk, home) for jdk in java.suitable(wanted)]

    def like(self, recorded: str, project: Project) -> Toolchain:  # noqa: ARG002
        """The same JDK, else the next newer, else the newest."""
        return _with_maven(nearest(java.installed(), recorded), _maven())

    def pinned(self, project: Project) -> Sequence[bytes]:
        """Every pom.xml, what .mvn says, and our script."""
        also = {p: project.text(p) for p in sorted(project.paths) if p.startswith(".mvn/") and not p.endswith(".jar")}
        return [_TEST.encode(), *(f"{path}\n{text}".encode() for path, text in (_poms(project) | also).items())]

    def resolve(self, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:  # noqa: ARG002
        """The versions that the poms name: Maven has no lock file, and takes exactly these."""
        found = coordinates(_poms(project).values())
        floating = [row for row in found if _FLOATING.search(row.rpartition(":")[2])]
        version = _VERSION.search(answer(_maven() / "bin/mvn", "--version"))
        source = f"pom.xml, Maven {version[1] if version else 'of unknown version'}"
        notes = (f"no exact version, so today's: {', '.join(floating)}",) if floating else ()
        return Lock("".join(f"{row}\n" for row in found), source, notes, bool(floating))

    def build(self, project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop) -> None:  # noqa: ARG002
        """A local repository with all that a test run needs.

        Only running a test brings in what surefire runs it with, so one class of each module is run.
        """
        assert shop.env is not None
        (shop.env / "m2").mkdir(exist_ok=True)
        scripts.install(shop.env, "maven-tests", _TEST)
        (shop.env / "bin/mvn").symlink_to(_maven() / "bin/mvn")  # wherever it is installed, it is on the PATH
        one = {java.module_of(path): PurePosixPath(path).stem for path in reversed(_test_classes(project))}
        chosen = ",".join(dict.fromkeys(one.values()))
        done = shop.run(["mvn", *_OPTIONS, f"-Dtest={chosen}", "test"], toolchain, self.variables(toolchain))
        if done.exit_code != 0:
            raise EnvironmentFailed(f"mvn test failed: {_errors(done)}")

    def mounts(self, env: Path, project: Project) -> Sequence[Mount]:  # noqa: ARG002
        """Nothing besides the environment."""
        return ()

    def variables(self, toolchain: Toolchain) -> Mapping[str, str]:
        """The JDK and the local repository; MAVEN_OPTS, so that .mvn/maven.config can name another."""
        return {"JAVA_HOME": java.java_home(toolchain), "MAVEN_OPTS": _REPOSITORY}

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """Java, Kotlin, Groovy and Scala files."""
        return [path for path in sorted(test_files) if java.is_test_class(path)]

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        """`mvn test` of the targets' modules and what these need; classes in reverse order where the targets are.

        `plain` looks in every module: not every folder is one.
        """
        options: list[str] = []
        if targets:
            options.append(f"-Dtest={_selection(targets)}")
            modules = sorted({java.module_of(target.split("::")[0]) for target in targets})
            options += [] if plain or modules == ["."] else [f"--projects={','.join(modules)}", "--also-make"]
        if list(targets) != sorted(targets):
            options.append("-Dsurefire.runOrder=reversealphabetical")
        return ["maven-tests", "{results}", *options]

    def targets(self, test_ids: Sequence[str], seen: Collection[str] = ()) -> list[str]:
        """Methods without parameters; whole files where all of theirs are wanted."""
        return java.targets(test_ids, seen)

    def read(self, results: Path, outcome: Outcome, targets: Sequence[str]) -> Results | None:  # noqa: ARG002
        """surefire's reports."""
        return java.read_reports(results)


def _poms(project: Project) -> dict[str, str]:
    paths = sorted(p for p in project.paths if PurePosixPath(p).name == "pom.xml" and "src" not in p.split("/"))
    return {path: project.text(path) for path in paths}


def coordinates(poms: Collection[str]) -> list[str]:
    """The `group:artifact:version` of what the poms name and do not build themselves, sorted."""
    own = {match[1] for text in poms if (match := _ARTIFACT.search(_NOT_ITS_OWN.sub("", text)))}
    blocks = [match[2] for text in poms for match in _BLOCK.finditer(text)]
    found = {match.groups() for block in blocks if (match := _COORDINATES.search(block))}
    return sorted(":".join(parts) for parts in found if parts[1] not in own)


def _test_classes(project: Project) -> list[str]:
    named = [p for p in sorted(project.paths) if re.search(r"(?:Test|Tests|TestCase|Spec|IT)\.\w+\Z", p)]
    return [p for p in named if java.is_test_class(p) and "/test/" in f"/{p}"]


def _maven() -> Path:
    found = shutil.which("mvn")
    if found is None:
        raise EnvironmentFailed("Maven is not installed (Debian: apt-get install maven)")
    return Path(found).resolve().parent.parent


def _with_maven(jdk: Toolchain, home: Path) -> Toolchain:
    configuration = [p for p in java.with_configuration(home) if p != home]
    return replace(jdk, prefixes=(*jdk.prefixes, *configuration, home))


def _selection(targets: Sequence[str]) -> str:
    """surefire's pattern: simple class names, which every version of it takes, methods after `#`."""
    classes: dict[str, list[str]] = {}
    for target in targets:
        classname, method = java.class_and_method(target, lambda file: PurePosixPath(file).stem)
        classes.setdefault(classname, []).append(method)
    patterns = []
    for classname, methods in classes.items():
        whole = "" in methods  # a file's nested classes are classes of their own
        patterns += [classname, f"{classname}$*"] if whole else [f"{classname}#{'+'.join(methods)}"]
    return ",".join(patterns)


def _errors(done: Outcome) -> str:
    """What went wrong, without the advice that Maven ends with."""
    lines = [line.strip() for line in done.output.splitlines() if line.startswith("[ERROR] ")]
    return " | ".join(lines[:3])[:600] or last_words(done)
