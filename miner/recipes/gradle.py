"""Java and Kotlin projects built by Gradle."""

import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from miner.recipes import java, scripts
from miner.recipes.installed import nearest
from miner.recipes.model import ENV, EnvironmentFailed, Lock, Project, Results, Toolchain, Workshop, last_words
from miner.sandbox import Mount, Outcome

_JAVA = re.compile(
    r"(?:source|target)Compatibility\s*=?\s*['\"]?(?:JavaVersion\.VERSION_)?(?:1[._])?(\d+)"
    r"|JavaLanguageVersion\.of\(\s*(\d+)|jvmToolchain\(\s*(\d+)"
)
_WRAPPER = re.compile(r"gradle-(\d[\w.-]*?)-(?:bin|all)\.zip")
_FLOATING = re.compile(r"""['"][\w.-]+:[\w.-]+:([^'":]*(?:\+|latest\.\w+|[\[(,]|-SNAPSHOT)[^'":]*)['"]""")
_PROPERTIES = "gradle/wrapper/gradle-wrapper.properties"
_BUILD_FILES = (
    ".gradle", ".gradle.kts", "gradle.properties", "libs.versions.toml", "gradle-wrapper.properties", "gradle.lockfile",
)  # fmt: skip

# Every result is wanted, also after a failure and of every module; and nothing may be taken for done.
_INIT = """
allprojects {
  tasks.withType(Test) { ignoreFailures = true; filter.failOnNoMatchingTests = false; outputs.upToDateWhen { false } }
  task minerResolve { doLast {
    configurations.findAll { it.canBeResolved }.each { c ->
      try { c.files } catch (Exception e) { println "minerResolve: ${c.name}: ${e.message}" } } } }
}
"""
_GRADLE = f"gradle --no-daemon --console=plain --init-script={ENV}/init.gradle"
# The wrapper unpacks its Gradle below GRADLE_USER_HOME; later runs call that Gradle itself.
_WRAP = f"""
sh ./gradlew --version || exit 1
for found in {ENV}/gradle/wrapper/dists/*/*/*/bin/gradle; do ln -sf "$found" {ENV}/bin/gradle; done
"""
# Gradle locks and rewrites what it keeps at home, so each run has a copy; not of Gradle itself.
_TEST = f"""
mkdir -p /tmp/gradle
for kept in {ENV}/gradle/*; do
  case $kept in */wrapper|*/daemon) ;; *) [ ! -e "$kept" ] || cp -r "$kept" /tmp/gradle/ ;; esac
done
{java.BEFORE}
{_GRADLE} --offline --continue "$@"; status=$?
{java.AFTER}"""


class GradleRecipe:
    """Projects with a build.gradle or build.gradle.kts, one module or many.

    Tests are named `module/src/test/java/p/ATest.java::method`; a target is a file or a method.
    """

    name = "java-gradle"
    manifests: tuple[str, ...] = ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
    variants: tuple[str, ...] = ("wrapper", "installed")

    def applies_to(self, project: Project) -> bool:
        """Whether there is a build or settings file at the top, and a source file below a `test` folder."""
        return any(m in project.paths for m in self.manifests) and any(map(java.is_test_class, _below_test(project)))

    def summary(self, project: Project) -> str:
        """The Java and the Gradle that the build names, the command."""
        wanted, wrapper = _declared(project), _WRAPPER.search(project.text(_PROPERTIES))
        gradle = f"wrapper of Gradle {wrapper[1]}" if wrapper else "the machine's Gradle"
        return f"Java {wanted[0] if wanted else 'of any version'}; {gradle}; gradle test --tests TESTS"

    def toolchains(self, project: Project) -> Sequence[Toolchain]:
        """The JDKs that the build admits, the oldest first, each with the machine's Gradle where there is one."""
        return [_with_gradle(jdk) for jdk in java.suitable(_declared(project))]

    def like(self, recorded: str, project: Project) -> Toolchain:  # noqa: ARG002
        """The same JDK, else the next newer, else the newest."""
        return _with_gradle(nearest(java.installed(), recorded))

    def pinned(self, project: Project) -> Sequence[bytes]:
        """Every build file, lock file, version catalogue and property file, and our scripts."""
        texts = [f"{path}\n{text}".encode() for path, text in _build_files(project).items()]
        return [_TEST.encode(), _INIT.encode(), *texts]

    def resolve(self, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:  # noqa: ARG002
        """The lock files where the project keeps them; else the versions that its build files name."""
        files = _build_files(project)
        locks = {path: text for path, text in files.items() if path.endswith("gradle.lockfile")}
        text = "".join(f"# {path}\n{text}" for path, text in (locks or files).items())
        if locks:
            return Lock(text, "gradle.lockfile")
        floating = sorted({match[1] for content in files.values() for match in _FLOATING.finditer(content)})
        notes = (f"no exact version, so today's: {', '.join(floating)}",) if floating else ()
        return Lock(text, "build.gradle", notes, bool(floating))

    def build(self, project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop) -> None:  # noqa: ARG002
        """Gradle's home with the packages of every configuration, and the Gradle to use."""
        assert shop.env is not None
        scripts.install(shop.env, "gradle-tests", _TEST)
        (shop.env / "gradle").mkdir(exist_ok=True)
        (shop.env / "init.gradle").write_text(_INIT)
        variables = {**self.variables(toolchain), "GRADLE_USER_HOME": f"{ENV}/gradle"}
        if variant == "wrapper":
            if "gradlew" not in project.paths:
                raise EnvironmentFailed("the project has no gradlew")
            _must("gradlew", shop.run(["sh", "-c", _WRAP], toolchain, variables))
        elif (installed := shutil.which("gradle")) is None:
            raise EnvironmentFailed("Gradle is not installed (Debian: apt-get install gradle)")
        else:
            (shop.env / "bin/gradle").symlink_to(Path(installed).resolve())
        _must("gradle testClasses", shop.run(["sh", "-c", f"{_GRADLE} minerResolve testClasses"], toolchain, variables))

    def mounts(self, env: Path, project: Project) -> Sequence[Mount]:  # noqa: ARG002
        """Nothing besides the environment."""
        return ()

    def variables(self, toolchain: Toolchain) -> Mapping[str, str]:
        """The JDK, and a home for Gradle that is forgotten."""
        return {"JAVA_HOME": java.java_home(toolchain), "GRADLE_USER_HOME": "/tmp/gradle"}

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """Java, Kotlin, Groovy and Scala files."""
        return [path for path in sorted(test_files) if java.is_test_class(path)]

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        """`gradle test` in the targets' modules; Gradle keeps its own order.

        `plain` looks in every module: not every folder is one.
        """
        tasks: dict[str, list[str]] = {}
        for target in targets:
            module = java.module_of(target.split("::")[0])
            path = "test" if plain else ":" + "".join(f"{part}:" for part in PurePosixPath(module).parts) + "test"
            classname, method = java.class_and_method(target, java.qualified)
            patterns = [f"{classname}.{method}", f"{classname}.{method}[*"] if method else [classname, f"{classname}$*"]
            tasks.setdefault(path, []).extend(f"--tests={pattern}" for pattern in patterns)
        words = [word for task, tests in tasks.items() for word in (task, *tests)] or ["test"]
        return ["gradle-tests", "{results}", *words]

    def targets(self, test_ids: Sequence[str], seen: Collection[str] = ()) -> list[str]:
        """Methods without parameters; whole files where all of theirs are wanted."""
        return java.targets(test_ids, seen)

    def read(self, results: Path, outcome: Outcome, targets: Sequence[str]) -> Results | None:  # noqa: ARG002
        """Gradle's reports."""
        return java.read_reports(results)


def _build_files(project: Project) -> dict[str, str]:
    return {path: project.text(path) for path in sorted(project.paths) if path.endswith(_BUILD_FILES)}


def _declared(project: Project) -> tuple[int, ...]:
    return java.declared(_JAVA, _build_files(project).values())


def _below_test(project: Project) -> list[str]:
    return [path for path in project.paths if "test/" in path]


def _with_gradle(jdk: Toolchain) -> Toolchain:
    found = shutil.which("gradle")
    home = Path(found).resolve().parent.parent if found else None
    return replace(jdk, prefixes=(*jdk.prefixes, home)) if home else jdk


def _must(what: str, done: Outcome) -> None:
    if done.exit_code != 0:
        wrong = re.search(r"What went wrong:\s*\n(.+?)\n\s*\n", done.output, re.DOTALL)
        said = " | ".join(line.strip() for line in wrong[1].splitlines())[:600] if wrong else last_words(done)
        raise EnvironmentFailed(f"{what} failed: {said}")
