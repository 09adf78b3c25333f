"""Python projects, tested with pytest in an environment that uv resolves and builds."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC
from pathlib import Path, PurePosixPath

import uv

from miner import interpreters
from miner.junit import read_junit
from miner.recipes import python_needs as needs
from miner.recipes.model import ENV, WORK, EnvironmentFailed, Lock, Project, Results, Toolchain, Workshop, last_words
from miner.sandbox import Mount, Outcome

_UV = "/opt/uv"
_SYSTEM_CERTIFICATES = Path("/etc/ssl/certs")
_FILTERED = re.compile(r"`([A-Za-z0-9._-]+)` was filtered by `exclude-newer`")
_UNDATED = "missing an upload date"
_NOT_TESTS = ("conftest.py", "__init__.py", "setup.py")
_COLLECTED = re.compile(r"(?:test_.*|.*_test|tests?)\.py\Z")
_JUNIT = "junit.xml"
_TODAY = "2100-01-01"  # never met
# Inside the sandbox: what a build left where packages go may be a link that leads elsewhere.
_ADD_TO_PATH = (
    "import sys, sysconfig, pathlib; "
    "pathlib.Path(sysconfig.get_path('purelib'), 'tree.pth').write_text(sys.argv[1] + chr(10))"
)
_MOST_BUMPS = 5


class PythonRecipe:
    """pyproject (extras, dependency groups), requirements files, tox, nox, setup.cfg and setup.py; run by pytest."""

    name = "python-pytest"
    manifests: tuple[str, ...] = ("pyproject.toml", "setup.py", "setup.cfg")
    variants: tuple[str, ...] = ("editable", "editable, setuptools of today", "path")

    def applies_to(self, project: Project) -> bool:
        """Whether the tree is a Python project."""
        return any(manifest in project.paths for manifest in self.manifests)

    def summary(self, project: Project) -> str:
        """Where the test dependencies come from, which Python, which command."""
        wanted = needs.requires_python(project) or "any Python"
        return f"{needs.sources(project)[0].name}; {wanted}; {' '.join(self.command(['TESTS']))}"

    def toolchains(self, project: Project) -> Sequence[Toolchain]:
        """The installed interpreters that the tree admits, the one of its date first."""
        ranked = interpreters.ranked(
            interpreters.installed(), needs.requires_python(project), needs.classified(project), project.date.date(),
            project.settings.python,
        )  # fmt: skip
        if not ranked:
            wanted = project.settings.python or needs.requires_python(project)
            have = ", ".join(sorted({f"3.{i.version[1]}" for i in interpreters.installed()}))
            raise EnvironmentFailed(f"no Python for `{wanted}` among {have}: `uv python install` one, or use --python")
        return [_toolchain(interpreter) for interpreter in ranked]

    def like(self, recorded: str, project: Project) -> Toolchain:  # noqa: ARG002
        """The same version, else the same minor version, else the next newer."""
        try:
            found = interpreters.same_or_next(interpreters.installed(), recorded.removeprefix("python "))
        except ValueError:  # sets can come from strangers
            raise EnvironmentFailed(f"the record names no version of Python: {recorded}") from None
        if found is None:
            raise EnvironmentFailed("no Python interpreter found")
        return _toolchain(found)

    def pinned(self, project: Project) -> Sequence[bytes]:
        """The manifests and requirements files, and the packages' names (what an editable install maps)."""
        names = [*needs.SHAPING, *needs.requirement_files(project)]
        packages = sorted({p.removeprefix("src/").split("/")[0] for p in project.paths if p.endswith("/__init__.py")})
        return [*(f"{name}\n{project.text(name)}".encode() for name in names), " ".join(packages).encode()]

    def resolve(self, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:
        """The pinned packages (requirements format) of the fullest description that resolves."""
        failures: list[str] = []
        for source in needs.sources(project):
            rows = [*source.requirements, *self._always(toolchain)]
            shop.write("also.in", "".join(f"{row}\n" for row in rows))
            lock = _compile(source, project, toolchain, shop)
            if isinstance(lock, Lock):
                return lock
            failures.append(f"{source.name}: {lock}")
        raise EnvironmentFailed(f"cannot resolve the test dependencies: {failures[0]}")

    def _always(self, toolchain: Toolchain) -> list[str]:
        # Before 3.12 every virtual environment came with setuptools, and old code counts on pkg_resources.
        return ["pytest", "setuptools"] if _minor(toolchain) < 12 else ["pytest"]

    def build(self, project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop) -> None:
        """A virtual environment with exactly the lock's packages, and the project in it."""
        shop.write("lock.txt", lock)
        _must(shop, toolchain, "venv", "--quiet", "--allow-existing", "--python", str(toolchain.executable), ENV)
        common = ("pip", "install", "--quiet", "--python", f"{ENV}/bin/python", "--no-deps", *_compiled(toolchain))
        if lock.strip():
            _must(shop, toolchain, *common, "-r", f"{WORK}/lock.txt")
        if variant == "path":
            source = f"{project.folder}/src" if _has_src(project) else project.folder
            done = shop.run([f"{ENV}/bin/python", "-c", _ADD_TO_PATH, source], toolchain)
            if done.exit_code != 0:
                raise EnvironmentFailed(f"cannot put the source on the path: {last_words(done)}")
            return
        bumped = [f"--exclude-newer-package=setuptools={_TODAY}"] if "setuptools" in variant else []
        _must(shop, toolchain, *common, "--editable", project.folder, _cutoff(project), *bumped)

    def mounts(self, env: Path, project: Project) -> Sequence[Mount]:  # noqa: ARG002
        """Nothing besides the virtual environment."""
        return ()

    def variables(self, toolchain: Toolchain) -> Mapping[str, str]:  # noqa: ARG002
        """No bytecode: before and after may fall in one second, and a stale .pyc would then be believed."""
        return {"VIRTUAL_ENV": ENV, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """The files that pytest collects by their names; where none is, any Python file that may hold tests."""
        names = {path: PurePosixPath(path).name for path in sorted(test_files)}
        by_name = [path for path, name in names.items() if _COLLECTED.match(name)]
        return by_name or [path for path, name in names.items() if name.endswith(".py") and name not in _NOT_TESTS]

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        """pytest on the targets, in the order given, without its cache.

        Plain, it takes no options of the project, nor `--rootdir`, which pytest before 3.5 lacks.
        """
        options = ["--override-ini=addopts="] if plain else ["--rootdir=."]
        return [
            "python", "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly",
            "--override-ini=junit_family=xunit1", "--continue-on-collection-errors", "--tb=short",
            f"--junit-xml={{results}}/{_JUNIT}", *options, *targets,
        ]  # fmt: skip

    def targets(self, test_ids: Sequence[str], seen: Collection[str] = ()) -> list[str]:
        """Test functions without their parameters (a command line cannot spell every one); whole files where all."""
        wanted = list(dict.fromkeys(test_id.split("[", 1)[0] for test_id in test_ids))
        others: dict[str, set[str]] = defaultdict(set)
        for test_id in seen:
            others[test_id.split("::")[0]].add(test_id.split("[", 1)[0])
        whole = {file for file, names in others.items() if names <= set(wanted)}
        return list(dict.fromkeys(file if (file := t.split("::")[0]) in whole else t for t in wanted))

    def read(self, results: Path, outcome: Outcome, targets: Sequence[str]) -> Results | None:  # noqa: ARG002
        """pytest's JUnit XML."""
        files = (target.split("::")[0] for target in targets)
        # The whole command is given: its other words would pass for folders (`python/tests/test_x.py`).
        return read_junit(results / _JUNIT, [file for file in files if file.endswith(".py")])


def _toolchain(interpreter: interpreters.Interpreter) -> Toolchain:
    return Toolchain("python", str(interpreter), interpreter.executable, (interpreter.prefix,))


def _minor(toolchain: Toolchain) -> int:
    return int(toolchain.version.split(".")[1])


def _compiled(toolchain: Toolchain) -> list[str]:
    """Bytecode, which a run cannot leave behind; uv's compiler needs Python 3.7."""
    return ["--compile-bytecode"] if _minor(toolchain) >= 7 else []


def _has_src(project: Project) -> bool:
    return any(p.startswith("src/") and p.endswith(".py") for p in project.paths)


def _cutoff(project: Project) -> str:
    """The option that hides packages published after the project's date."""
    return f"--exclude-newer={project.date.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _compile(source: needs.Source, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock | str:
    """The lock of one description, or what uv said last.

    A package that was uploaded again after its date is bumped alone; then today's build tools are tried.
    """
    notes: list[str] = []
    options = [_cutoff(project)]
    for _ in range(_MOST_BUMPS):
        done = _uv(
            shop, toolchain, "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--python",
            str(toolchain.executable), f"--output-file={WORK}/lock.txt", *options, *source.options, f"{WORK}/also.in",
        )  # fmt: skip
        lock = shop.read("lock.txt")
        if done.exit_code == 0 and lock is not None:
            return Lock(lock, source.name, tuple(notes), undated=len(options) == 0)
        if _UNDATED in done.output:
            options, note = [], "the index carries no dates: today's versions"
        elif match := _FILTERED.search(done.output):
            options.append(f"--exclude-newer-package={match[1]}={_TODAY}")
            note = f"{match[1]}: not there before the date, today's version"
        elif "setuptools" not in " ".join(options) and "build" in done.output:
            options.append(f"--exclude-newer-package=setuptools={_TODAY}")
            note = "setuptools of today, to build with"
        else:
            return last_words(done)
        if note in notes:
            return last_words(done)
        notes.append(note)
    return last_words(done)


def _uv(shop: Workshop, toolchain: Toolchain, *arguments: str) -> Outcome:
    variables = {
        "UV_CACHE_DIR": "/cache/uv", "UV_LINK_MODE": "copy", "UV_NO_PROGRESS": "1", "UV_NO_CONFIG": "1",
        "UV_PYTHON_DOWNLOADS": "never",
    }  # fmt: skip
    if _SYSTEM_CERTIFICATES.exists():
        variables["UV_SYSTEM_CERTS"] = "1"  # what the machine trusts, a company's own proxy included
    return shop.run([_UV, *arguments], toolchain, variables, [Mount(Path(uv.find_uv_bin()), _UV)])


def _must(shop: Workshop, toolchain: Toolchain, *arguments: str) -> None:
    done = _uv(shop, toolchain, *arguments)
    if done.exit_code != 0:
        raise EnvironmentFailed(f"uv {' '.join(arguments[:2])} failed: {last_words(done)}")
