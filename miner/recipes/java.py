"""What Maven and Gradle projects have in common: JDKs, test classes, reports."""

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from miner.junit import read_junit_folder
from miner.recipes.installed import Version, answer, at_least, executables, numbers
from miner.recipes.model import EnvironmentFailed, Results, Toolchain
from miner.recipes.narrow import narrowest
from miner.sandbox import read_output_file

_LANGUAGES = (".java", ".kt", ".groovy", ".scala")
_ROOT = re.compile(r"src/\w+/(?:java|kotlin|groovy|scala)/(.+)\Z")
_CLASS = re.compile(r"[^\W\d][\w.$]*\Z")
_METHOD = re.compile(r"([^\W\d][\w$]*)(?:[(\[{].*)?\Z", re.DOTALL)
_REPORT_FOLDER = re.compile(r"(?:^|/)(?:target|build)/")

# Reports of an earlier build would count as results. Which class is of which file is told by a list of all sources.
BEFORE = r"""
results=$1; shift
reports() { find . \( -path '*/target/surefire-reports/*' -o -path '*/build/test-results/*' \) "$@"; }
reports -delete
find . -type f \( -name '*.java' -o -name '*.kt' -o -name '*.groovy' -o -name '*.scala' \) > "$results/files"
"""
AFTER = r"""
reports -name '*.xml' -type f -exec cp --parents {} "$results" \;
exit $status
"""


@cache
def installed() -> tuple[Toolchain, ...]:
    """The JDKs of this machine, with what Debian keeps of them in /etc."""
    home = Path.home()
    places = [
        (Path("/usr/lib/jvm"), "*/bin/javac"), (Path("/opt"), "*/bin/javac"), (home / ".jdks", "*/bin/javac"),
        (home / ".sdkman/candidates/java", "*/bin/javac"),
    ]  # fmt: skip
    found = []
    for path in executables(places, "javac"):
        version = re.search(r"javac (?:1\.)?(\d\S*)", answer(path, "-version"))
        if version:
            found.append(Toolchain("jdk", version[1], path, with_configuration(path.parent.parent)))
    return tuple(found)


def with_configuration(home: Path) -> tuple[Path, ...]:
    """A tool's folder, and the folders of /etc that its configuration is linked to."""
    inside = (home / "conf", *home.glob("conf/**/*"), *home.glob("bin/*"))
    links = [path.resolve() for path in inside if path.is_symlink()]
    etc = {Path(*path.parts[:3]) for path in links if path.is_relative_to("/etc") and path.exists()}
    return (home, *sorted(etc))


def suitable(wanted: Version) -> list[Toolchain]:
    """The JDKs that are not older than wanted, the oldest first: newer ones drop what old builds need.

    Raises `EnvironmentFailed`.
    """
    have = installed()
    if found := at_least(have, wanted[:1]):
        return found
    if not have:
        raise EnvironmentFailed("no JDK is installed (Debian: apt-get install default-jdk-headless)")
    names = ", ".join(t.version for t in have)
    raise EnvironmentFailed(f"the build asks for Java {wanted[0]}, installed: {names}; install a newer JDK")


def declared(pattern: re.Pattern[str], texts: Collection[str]) -> Version:
    """The newest Java that build files name (`1.8` is 8); empty where they name none."""
    found = (numbers(next(filter(None, match.groups()))) for text in texts for match in pattern.finditer(text))
    return max(found, default=())


def java_home(toolchain: Toolchain) -> str:
    """What JAVA_HOME is for a JDK."""
    return str(toolchain.executable.parent.parent)


def is_test_class(path: str) -> bool:
    """Whether a file can hold a test class that a command line can name."""
    return path.endswith(_LANGUAGES) and bool(_CLASS.match(qualified(path)))


def qualified(path: str) -> str:
    """The class that a file holds: `p.ATest`, or `ATest` where the folder of its package cannot be told."""
    root = _ROOT.search(path)
    inner = PurePosixPath(root[1] if root else PurePosixPath(path).name)
    return ".".join(inner.with_suffix("").parts)


def module_of(path: str) -> str:
    """The folder of the module that a source file is of."""
    parts = PurePosixPath(path).parts
    for name in ("src", "test", "tests"):
        if name in parts[:-1]:
            return str(PurePosixPath(*parts[: parts.index(name)]))
    return "."


def class_and_method(target: str, name: Callable[[str], str]) -> tuple[str, str]:
    """The class (nested ones after `$`) and method of a target; the method is empty for a whole file."""
    file, *inner = target.split("::")
    return "$".join([name(file), *inner[:-1]]), inner[-1] if inner else ""


def targets(test_ids: Sequence[str], seen: Collection[str]) -> list[str]:
    """Methods without parameters; whole files for names that are none (Kotlin's, Spock's, display names)."""
    return narrowest(test_ids, seen, _unit)


def _unit(test_id: str) -> str:
    file, *inner = test_id.split("::")
    method = _METHOD.match(inner[-1]) if inner else None
    plain = method and all(_CLASS.match(part) for part in inner[:-1]) and file.endswith(_LANGUAGES)
    return "::".join([file, *inner[:-1], method[1]]) if method and plain else file


def read_reports(results: Path) -> Results | None:
    """Results from the copied reports, as `module/src/test/java/p/ATest.java::Nested::method`."""
    listed = (read_output_file(results / "files", 64 << 20) or b"").decode("utf-8", "replace")
    files = [str(PurePosixPath(line)) for line in listed.splitlines()]
    by_class: dict[str, list[str]] = {}
    for file in files:
        by_class.setdefault(PurePosixPath(file).stem, []).append(file)

    def identify(_file: str, classname: str, name: str, report: str) -> str | None:
        if not classname or not name:
            return None
        outer, *nested = classname.split("$")
        module = _REPORT_FOLDER.split(report, maxsplit=1)[0]
        place = _source(outer, module, by_class.get(outer.rpartition(".")[2], ()))
        return "::".join([place, *nested, name])

    return read_junit_folder(results, identify)


def _source(classname: str, module: str, candidates: Collection[str]) -> str:
    """The file of a class: in its package's folder, and in the module of the report, as far as there is one."""
    prefix = f"{module}/" if module else ""
    suffix = classname.replace(".", "/")
    inside = [c for c in candidates if c.startswith(prefix)] or candidates
    exact = sorted((c for c in inside if str(PurePosixPath(c).with_suffix("")).endswith(suffix)), key=len)
    return exact[0] if exact else f"{prefix}{classname}"
