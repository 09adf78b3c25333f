"""Go modules, tested with `go test -json`; go.mod names exact versions and go.sum their hashes."""

import json
import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from miner.recipes import scripts
from miner.recipes.installed import answer, at_least, executables, nearest, numbers
from miner.recipes.model import ENV, EnvironmentFailed, Lock, Project, Result, Results, Toolchain, Workshop, last_words
from miner.recipes.narrow import narrowest
from miner.sandbox import Mount, Outcome, read_output_file

_LIMIT = 64 << 20  # bytes
_REQUIRES = re.compile(r"^\s*(?:require\s+)?\S+ v\d\S*", re.MULTILINE)
_DIRECTIVE = re.compile(r"^go (\d+(?:\.\d+)*)", re.MULTILINE)
_TEST_FUNCTION = re.compile(r"(?:Test|Fuzz|Example)\w*\Z")
_NOT_OURS = {"vendor", "testdata", "node_modules"}
_ENDED = {"pass": Result.PASSED, "fail": Result.FAILED, "skip": Result.SKIPPED}
_COMMON = {"GOTOOLCHAIN": "local", "GOENV": f"{ENV}/go.env"}

# `go mod download` leaves the sums of what it downloads to the commands that use it.
_DOWNLOAD = """
n=0
for folder in "$@"; do
  [ -f "$folder/go.sum" ] || ! [ -f "/work/$n.sum" ] || cp "/work/$n.sum" "$folder/go.sum"
  [ -f "$folder/go.sum" ]; known=$?
  (cd "$folder" && go mod download && { [ $known = 0 ] || go list -e -deps -test ./... > /dev/null; }) \\
    || [ "$folder" != . ] || exit 1
  [ ! -f "$folder/go.sum" ] || cp "$folder/go.sum" "/work/$n.sum"
  n=$((n + 1))
done
"""
# The compiler's cache is filled with what the tests need; what does not compile yet is no failure of this step.
_COMPILE = """
for folder in "$@"; do (cd "$folder" && go test -vet=off -run='^$' ./... >/dev/null); done
rm -f "$GOCACHE/trim.txt" "$GOCACHE/README"
"""
# Which package and which file a test function is of is written beside what the tests did: `go test` tells neither.
# Every package is tested in its own folder, because only there nested modules are found. vet is a linter: left out.
_TEST = r"""
results=$1; shuffle=$2; shift 2; top=$PWD; status=0
[ -e /tmp/go-build ] || cp -as /env/go-build /tmp/go-build || exit 1
function='^func (Test|Fuzz|Example)[[:alnum:]_]*'
run() { go test -json -count=1 -vet=off -timeout=0 -shuffle="$shuffle" "$@" >> "$results/go.jsonl" || status=1; }
packages() { go list -e -find -f "{{.ImportPath}} $1" "$2" >> "$results/packages"; }
echo "$top" > "$results/top"
if [ $# = 0 ]; then
  find . -name '*_test.go' -exec grep -HoE "$function" {} + >> "$results/functions"
  packages '{{.Dir}}' ./...; run ./...
fi
while [ $# -gt 0 ]; do
  cd "$top/$1" || exit 1
  packages "$PWD" .
  grep -HoE "$function" "$PWD"/*_test.go >> "$results/functions"
  names=; IFS=/; set -f
  for item in $2; do
    case $item in
      *.go) item=$(sed -nE 's/^func ((Test|Fuzz|Example)[[:alnum:]_]*).*/\1/p' "./$item" | tr '\n' '|');;
    esac
    names="$names|$item"
  done
  unset IFS; set +f
  if [ -n "$2" ]; then run -run="^($(echo "$names" | sed 's/||*/|/g; s/^|//; s/|$//'))\$" .; else run .; fi
  shift 2
done
[ $status = 0 ] || sed -nE 's/.*"Output":"(.*)\\n"\}$/\1/p' "$results/go.jsonl" | tail -n 30
exit $status
"""


class GoRecipe:
    """Modules of Go, vendored or not, workspaces and nested modules included.

    Tests are named `pkg/a_test.go::TestA/sub`; a target is a file or a top-level function of one.
    """

    name = "go"
    manifests: tuple[str, ...] = ("go.mod",)
    variants: tuple[str, ...] = ("modules",)

    def applies_to(self, project: Project) -> bool:
        """Whether there is a module at the top, and a test file."""
        return "go.mod" in project.paths and any(p.endswith("_test.go") for p in project.paths)

    def summary(self, project: Project) -> str:
        """The version go.mod asks for, where packages come from, the command."""
        wanted = _directive(project)
        packages = "vendored" if "vendor/modules.txt" in project.paths else f"{len(_modules(project))} go.mod"
        return f"Go {'.'.join(map(str, wanted)) or 'of any version'}; {packages}; go test -json -run TESTS PACKAGE"

    def toolchains(self, project: Project) -> Sequence[Toolchain]:
        """The installed versions that go.mod admits, the oldest (what it was written on) first."""
        have, wanted = installed(), _directive(project)
        if found := at_least(have, wanted[:2]):
            return found
        if not have:
            raise EnvironmentFailed("no Go is installed (Debian: apt-get install golang-go)")
        names = ", ".join(t.version for t in have)
        raise EnvironmentFailed(f"go.mod asks for Go {'.'.join(map(str, wanted))}, installed: {names}; install a newer")

    def like(self, recorded: str, project: Project) -> Toolchain:  # noqa: ARG002
        """The same version, else the next newer, else the newest."""
        return nearest(installed(), recorded)

    def pinned(self, project: Project) -> Sequence[bytes]:
        """Every module's go.mod and go.sum, go.work, the list of vendored packages, and our script."""
        names = [f"{folder}/{name}" for folder in _modules(project) for name in ("go.mod", "go.sum")]
        names = [name.removeprefix("./") for name in names] + ["go.work", "go.work.sum", "vendor/modules.txt"]
        return [_TEST.encode(), *(f"{name}\n{project.text(name)}".encode() for name in names if name in project.paths)]

    def resolve(self, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:
        """The go.sum of every module; where one is missing, of the versions that its go.mod names."""
        folders = _modules(project)
        if "vendor/modules.txt" in project.paths:
            return Lock(project.text("vendor/modules.txt"), "vendor/modules.txt")
        missing = [f for f in folders if _needs_sum(project, f)]
        if missing:
            done = _script(shop, toolchain, project, _DOWNLOAD, *folders, cache="/cache/mod")
            if done.exit_code != 0:
                raise EnvironmentFailed(f"go mod download failed: {last_words(done)}")
        texts = [project.text(_inside(f, "go.sum")) or shop.read(f"{n}.sum") or "" for n, f in enumerate(folders)]
        notes = (f"no go.sum in {', '.join(missing)}: the hashes are today's",) if missing else ()
        return Lock("".join(f"# {f}\n{text}" for f, text in zip(folders, texts, strict=True)), "go.mod", notes)

    def build(self, project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop) -> None:  # noqa: ARG002
        """The modules, and the compiler's cache with everything compiled that the tests of this tree need."""
        assert shop.env is not None
        scripts.install(shop.env, "go-tests", _TEST)
        (shop.env / "go.env").write_text("" if _has_own_mode(project) else "GOFLAGS=-mod=mod\n")
        for folder in ("mod", "go-build"):
            (shop.env / folder).mkdir(exist_ok=True)
        folders = _modules(project)
        if "vendor/modules.txt" not in project.paths:
            for number, text in enumerate(_sums(lock, folders)):
                shop.write(f"{number}.sum", text)
            _must(_script(shop, toolchain, project, _DOWNLOAD, *folders, cache="/cache/mod"))
            # The cache that all environments share serves as the registry of this one.
            local = {"GOPROXY": "file:///cache/mod/cache/download", "GOSUMDB": "off"}
            _must(_script(shop, toolchain, project, _DOWNLOAD, *folders, more=local))
        _must(_script(shop, toolchain, project, _COMPILE, *folders))

    def mounts(self, env: Path, project: Project) -> Sequence[Mount]:  # noqa: ARG002
        """Nothing besides the environment."""
        return ()

    def variables(self, toolchain: Toolchain) -> Mapping[str, str]:  # noqa: ARG002
        """Modules from the environment only."""
        return _COMMON | {"GOMODCACHE": f"{ENV}/mod", "GOCACHE": "/tmp/go-build", "GOPROXY": "off", "GOSUMDB": "off"}

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """Test files of packages; what lies in testdata is none."""
        return [p for p in sorted(test_files) if p.endswith("_test.go") and not _foreign(p)]

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:  # noqa: ARG002
        """One `go test` a package, in the order given; functions that are not in order are run in a shuffled one."""
        packages: dict[str, list[str]] = {}
        for target in targets:
            place, _, function = target.partition("::")
            pure = PurePosixPath(place)
            if pure.suffix == ".go":
                packages.setdefault(str(pure.parent), []).append(function or pure.name)
            else:
                packages.setdefault(str(pure), []).extend([function] if function else [])
        items = list(packages.values())
        tidy = all(names == sorted(names) for names in items)
        shuffle = "off" if tidy else str(zlib.crc32(json.dumps(items).encode()))
        pairs = [part for package, names in packages.items() for part in (package, "/".join(names))]
        return ["go-tests", "{results}", shuffle, *pairs]

    def targets(self, test_ids: Sequence[str], seen: Collection[str] = ()) -> list[str]:
        """Top-level functions; whole files where all of theirs are wanted."""
        return narrowest(test_ids, seen, _unit)

    def read(self, results: Path, outcome: Outcome, targets: Sequence[str]) -> Results | None:  # noqa: ARG002
        """The events of `go test -json`; a test that began and did not end has failed."""
        events = read_output_file(results / "go.jsonl", _LIMIT)
        if events is None:
            return None
        tables = (_text(results / name) for name in ("top", "packages", "functions"))
        return read_events(events.decode("utf-8", "replace"), *tables)


def read_events(events: str, top: str, packages: str, functions: str) -> Results:
    """Test id to result, from the JSON lines and the lists of packages (`path folder`) and functions (grep's)."""
    top = f"{top.strip()}/"
    folders = dict(line.split(" ", 1) for line in packages.splitlines() if " " in line)
    files: dict[tuple[str, str], str] = {}
    for line in functions.splitlines():
        path, found, name = line.rpartition(":func ")
        if found:
            pure = PurePosixPath(path.removeprefix(top))
            files[str(pure.parent), name] = str(pure)
    found_results: dict[str, Result] = {}
    for package, test, result in _ends(events):
        folder = (f"{folders.get(package, package)}/".removeprefix(top)).rstrip("/") or "."
        place = files.get((folder, test.split("/")[0]), folder)
        found_results[f"{place}::{test}"] = result
    return found_results


def _ends(events: str) -> list[tuple[str, str, Result]]:
    """Package, test and the worst of its results; one that has none yet failed."""
    ended: dict[tuple[str, str], Result | None] = {}
    for line in events.split("\n"):
        try:
            event = json.loads(line)
            key, action = (event["Package"], event["Test"]), event["Action"]
        except (ValueError, KeyError, TypeError):
            continue  # what the linker or the go command says between
        if not all(isinstance(part, str) for part in (*key, action)):
            continue
        result = _ENDED.get(action)
        if key not in ended or result is Result.FAILED or ended[key] is None:
            ended[key] = result or ended.get(key)
    return [(*key, result or Result.FAILED) for key, result in ended.items()]


def _unit(test_id: str) -> str:
    """The function that a test belongs to; its file where the name cannot be a function's."""
    place, _, test = test_id.partition("::")
    function = test.split("/")[0]
    return f"{place}::{function}" if _TEST_FUNCTION.match(function) else place


@cache
def installed() -> tuple[Toolchain, ...]:
    """The Go distributions of this machine: Debian's, go.dev's, and those the go command fetched."""
    home = Path.home()
    places = [
        (Path("/usr/lib"), "go-*/bin/go"), (Path("/usr/local"), "go*/bin/go"), (home / "sdk", "go*/bin/go"),
        (home / "go/pkg/mod/golang.org", "toolchain@*/bin/go"),
    ]  # fmt: skip
    found = {}
    for path in executables(places, "go"):
        match = re.match(r"go version go(\S+)", answer(path, "version"))
        if match and numbers(match[1]):
            found[match[1]] = Toolchain("go", match[1], path, (path.parent.parent,))
    return tuple(found.values())


def _directive(project: Project) -> tuple[int, ...]:
    found = [numbers(match[1]) for name in ("go.mod", "go.work") if (match := _DIRECTIVE.search(project.text(name)))]
    return max(found, default=())


def _modules(project: Project) -> list[str]:
    """Folders of the tree's modules, the top's first."""
    return sorted(str(PurePosixPath(p).parent) for p in project.paths if _is_module(p))


def _is_module(path: str) -> bool:
    return PurePosixPath(path).name == "go.mod" and not _foreign(path)


def _foreign(path: str) -> bool:
    return any(part in _NOT_OURS or part.startswith(("_", ".")) for part in PurePosixPath(path).parts[:-1])


def _inside(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"


def _needs_sum(project: Project, folder: str) -> bool:
    requires = _REQUIRES.search(project.text(_inside(folder, "go.mod")))
    return bool(requires) and _inside(folder, "go.sum") not in project.paths


def _has_own_mode(project: Project) -> bool:
    """Whether -mod=mod is not admitted (a workspace) or not wanted (vendored packages)."""
    return "go.work" in project.paths or "vendor/modules.txt" in project.paths


def _sums(lock: str, folders: Sequence[str]) -> list[str]:
    parts = re.split(r"^# .*\n", lock, flags=re.MULTILINE)[1:]
    return parts if len(parts) == len(folders) else [""] * len(folders)


def _script(
    shop: Workshop, toolchain: Toolchain, project: Project, script: str, *arguments: str,
    cache: str = f"{ENV}/mod", more: Mapping[str, str] | None = None,
) -> Outcome:  # fmt: skip
    flags = ["-modcacherw", *([] if _has_own_mode(project) else ["-mod=mod"])]
    variables = _COMMON | {"GOMODCACHE": cache, "GOCACHE": f"{ENV}/go-build", "GOFLAGS": " ".join(flags)}
    if shop.env is None:
        variables["GOCACHE"] = "/tmp/go-build"
    return shop.run(["sh", "-c", script, "go", *arguments], toolchain, {**variables, **(more or {})})


def _must(done: Outcome) -> None:
    if done.exit_code != 0:
        raise EnvironmentFailed(f"go failed: {last_words(done)}")


def _text(path: Path) -> str:
    return (read_output_file(path, _LIMIT) or b"").decode("utf-8", "replace")
