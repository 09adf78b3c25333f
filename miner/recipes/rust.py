"""Rust packages and workspaces, tested with `cargo test`; Cargo.lock has the exact packages."""

import json
import re
import shlex
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC
from functools import cache
from pathlib import Path, PurePosixPath

from miner.recipes import scripts
from miner.recipes.installed import answer, executables, nearest, numbers, version_of
from miner.recipes.model import ENV, EnvironmentFailed, Lock, Project, Result, Results, Toolchain, Workshop, last_words
from miner.recipes.narrow import narrowest
from miner.sandbox import Mount, Outcome, read_output_file

_LIMIT = 64 << 20  # bytes
_COMMON = {
    "CARGO_HOME": f"{ENV}/cargo", "CARGO_INCREMENTAL": "0", "CARGO_TERM_COLOR": "never", "RUST_BACKTRACE": "0",
}  # fmt: skip
_VERSION = re.compile(r"rustc (\d\S*)")
_LINE = re.compile(r"test (.+?)(?: - should panic.*?)? \.\.\. (ok|FAILED|failed|ignored)\b")
_RESULTS = {"ok": Result.PASSED, "ignored": Result.SKIPPED}
_PLAIN_NAME = re.compile(r"[^\W\d][\w:]*\Z")

_ROOT = 'root=$(dirname "$(cargo locate-project --workspace --message-format plain)") || exit 1\n'
# Versions as of a date are an unstable option, which a stable cargo takes where it is told to. Versions without a
# date count as old: where even a date before Rust can be served, the registry has none.
_LOCK = _ROOT + """
if [ -e "$root/Cargo.lock" ]; then touch /work/found
else
  as_of() { RUSTC_BOOTSTRAP=1 cargo -Zunstable-options generate-lockfile --publish-time "$1"; }
  if as_of 1990-01-01T00:00:00Z || ! as_of "$1"; then
    rm -f "$root/Cargo.lock"
    cargo generate-lockfile || exit 1
  else touch /work/dated; fi
fi
cp "$root/Cargo.lock" /work/Cargo.lock
"""
# A crate of the tree is looked at by its files' times, which say nothing about trees written at other times:
# what was built of it is removed, so that every run builds the tree it is given.
_BUILD = _ROOT + """
cp /work/Cargo.lock "$root/Cargo.lock" && cargo fetch || exit 1
cp "$root/Cargo.lock" /env/Cargo.lock
cargo test --offline --no-run --workspace --tests --keep-going
cargo metadata --offline --format-version 1 > /work/metadata.json
"""
_CLEAN = _ROOT + """
cp /env/Cargo.lock "$root/Cargo.lock"; cargo clean --offline "$@"; rm -f /env/target/debug/.cargo-lock
"""
# An argument is a package's folder and options of cargo, quoted for a shell. Each test program writes to a file of
# its own, appended to where it is run again.
_TEST = _ROOT + r"""
results=$1; shift; top=$PWD; status=0
[ -e "$root/Cargo.lock" ] || cp /env/Cargo.lock "$root/Cargo.lock"
[ ! -d /env/target ] || [ -e /tmp/target ] || cp -as /env/target /tmp/target
echo "$top" > "$results/top"
runner="target.'cfg(all())'.runner=['sh', '-c', 'exec \"\$@\" >> \"\$0/\${1##*/}.txt\"', '$results']"
run() {
  cd "$top/$1" || exit 1
  shift
  cargo test --offline --no-fail-fast --message-format=json-render-diagnostics --config "$runner" "$@" \
    >> "$results/cargo.jsonl" || status=1
}
for line in "$@"; do eval "run $line"; done
[ $status = 0 ] || tail -q -n 30 "$results"/*.txt
exit $status
"""


class RustRecipe:
    """Packages and workspaces of Cargo.

    Tests are named `crates/a/tests/it.rs::module::test`, by the file that is the root of their program; a target
    is such a file, any other file below `tests` (which stands for all of its package's), or one test.
    """

    name = "rust-cargo"
    manifests: tuple[str, ...] = ("Cargo.toml",)
    variants: tuple[str, ...] = ("cargo",)

    def applies_to(self, project: Project) -> bool:
        """Whether there is a manifest at the top, and a Rust file that can hold tests."""
        return "Cargo.toml" in project.paths and any(p.endswith(".rs") for p in project.paths)

    def summary(self, project: Project) -> str:
        """The channel or version that is asked for, where the lock comes from, the command."""
        wanted = _pinned_channel(project) or ".".join(map(str, _oldest(project))) or "any"
        lock = "Cargo.lock" if "Cargo.lock" in project.paths else "no Cargo.lock"
        return f"Rust {wanted}; {lock}; cargo test --test TARGET -- --exact TESTS"

    def toolchains(self, project: Project) -> Sequence[Toolchain]:
        """The pinned channel where it is installed; else the newest release, for Rust stays compatible."""
        have, pinned, oldest = installed(), _pinned_channel(project), _oldest(project)
        if not have:
            raise EnvironmentFailed("no Rust is installed (https://rustup.rs, or Debian: apt-get install cargo)")
        fitting = [t for t in have if version_of(t) >= oldest]
        if not fitting:
            names = ", ".join(t.version for t in have)
            wanted = ".".join(map(str, oldest))
            raise EnvironmentFailed(f"Cargo.toml asks for Rust {wanted}, installed: {names}: rustup toolchain install")
        ranked = sorted(fitting, key=lambda t: (_is_release(t), version_of(t)), reverse=True)
        return sorted(ranked, key=lambda t: not _is_channel(t, pinned))

    def like(self, recorded: str, project: Project) -> Toolchain:  # noqa: ARG002
        """The same version, else the next newer, else the newest."""
        same = [t for t in installed() if str(t) == recorded]
        return same[0] if same else nearest([t for t in installed() if _is_release(t)] or installed(), recorded)

    def pinned(self, project: Project) -> Sequence[bytes]:
        """Manifests, lock, cargo's configuration, build scripts, and our script."""
        names = [p for p in sorted(project.paths) if PurePosixPath(p).name in ("Cargo.toml", "Cargo.lock", "build.rs")]
        also = [".cargo/config.toml", ".cargo/config", "rust-toolchain", "rust-toolchain.toml"]
        texts = [f"{name}\n{project.text(name)}".encode() for name in [*names, *also] if name in project.paths]
        return [_TEST.encode(), *texts]

    def resolve(self, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:
        """Cargo.lock, the workspace's where the sub-project is a member; else one as of the date, else of today."""
        if "Cargo.lock" in project.paths:
            return Lock(project.text("Cargo.lock"), "Cargo.lock")
        date = f"{project.date.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        done = shop.run(["sh", "-c", _LOCK, "cargo", date], toolchain, _COMMON | {"CARGO_HOME": "/cache/cargo"})
        text = shop.read("Cargo.lock")
        if done.exit_code != 0 or text is None:
            raise EnvironmentFailed(f"no Cargo.lock, and none can be made: {last_words(done)}")
        if shop.read("found") is not None:
            return Lock(text, "the workspace's Cargo.lock")
        if shop.read("dated") is not None or 'source = "' not in text:  # or nothing came from a registry
            return Lock(text, "Cargo.toml")
        return Lock(text, "Cargo.toml", ("no Cargo.lock and no dates: today's versions",), True)

    def build(self, project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop) -> None:  # noqa: ARG002
        """The packages' sources, and what was compiled of those that are not the tree's own."""
        assert shop.env is not None
        scripts.install(shop.env, "cargo-tests", _TEST)
        shop.write("Cargo.lock", lock)
        variables = _COMMON | {"CARGO_TARGET_DIR": f"{ENV}/target"}
        done = shop.run(["sh", "-c", _BUILD], toolchain, variables)
        metadata = shop.read("metadata.json")
        if done.exit_code != 0 or metadata is None:
            raise EnvironmentFailed(f"cargo fetch failed: {last_words(done)}")
        own = [f"--package={name}" for name in own_packages(metadata)]
        done = shop.run(["sh", "-c", _CLEAN, "cargo", *own], toolchain, variables)
        if done.exit_code != 0:
            raise EnvironmentFailed(f"cargo clean failed: {last_words(done)}")

    def mounts(self, env: Path, project: Project) -> Sequence[Mount]:  # noqa: ARG002
        """Nothing besides the environment."""
        return ()

    def variables(self, toolchain: Toolchain) -> Mapping[str, str]:  # noqa: ARG002
        """Packages from the environment only; what is compiled goes to a folder that is forgotten."""
        return _COMMON | {"CARGO_TARGET_DIR": "/tmp/target", "CARGO_NET_OFFLINE": "true"}

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """Rust files below a package's `tests` or `src`."""
        return [p for p in sorted(test_files) if p.endswith(".rs") and _package_of(p) is not None]

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        """One `cargo test` a package, and one more for its files that are named whole.

        libtest keeps its own order. `plain` runs all test programs: the manifest may give them other names.
        """
        runs: dict[tuple[str, bool], tuple[dict[str, None], list[str]]] = {}
        for target in targets:
            file, _, test = target.partition("::")
            package = _package_of(file)
            if package is None:
                continue
            options, tests = runs.setdefault((package, bool(test)), ({}, []))
            options |= dict.fromkeys(["--tests"] if plain else _selection(file, package))
            tests += [test] if test else []
        lines = [
            shlex.join([package, *options, *(["--", "--exact", *tests] if tests else [])])
            for (package, _), (options, tests) in runs.items()
        ] or [". --workspace --tests"]  # fmt: skip
        return ["cargo-tests", "{results}", *lines]

    def targets(self, test_ids: Sequence[str], seen: Collection[str] = ()) -> list[str]:
        """Single tests; whole files where all of theirs are wanted."""
        return narrowest(test_ids, seen, _unit)

    def read(self, results: Path, outcome: Outcome, targets: Sequence[str]) -> Results | None:  # noqa: ARG002
        """What each test program wrote, and cargo's list of which program is of which file."""
        messages = _text(results / "cargo.jsonl")
        if messages is None:
            return None
        top = (_text(results / "top") or "").strip()
        found: dict[str, Result] = {}
        for file, program in programs(messages, top):
            for test, result in read_libtest(_text(results / f"{program}.txt") or "").items():
                found[f"{file}::{test}"] = result
        return found


def own_packages(metadata: str) -> list[str]:
    """The names of the packages that come from no registry, from `cargo metadata`; raises `EnvironmentFailed`."""
    try:
        return [str(package["name"]) for package in json.loads(metadata)["packages"] if not package["source"]]
    except (ValueError, KeyError, TypeError):
        raise EnvironmentFailed("cargo metadata wrote what cannot be read") from None


def programs(messages: str, top: str) -> Iterator[tuple[str, str]]:
    """The root file of each test program, relative to the folder `top`, and the program's name, from cargo's JSON."""
    for line in messages.split("\n"):
        try:
            message = json.loads(line)
            executable, source = message["executable"], message["target"]["src_path"]
        except (ValueError, KeyError, TypeError):
            continue
        if isinstance(executable, str) and isinstance(source, str) and message["profile"]["test"]:
            yield source.removeprefix(f"{top}/"), PurePosixPath(executable).name


def read_libtest(output: str) -> dict[str, Result]:
    """Test to the worst of its results, from what libtest writes for people: its other formats are unstable.

    Only the lines between `running N tests` and the summary are results; what tests wrote is quoted after them.
    """
    found: dict[str, Result] = {}
    listing = False
    for line in output.splitlines():
        if re.match(r"running \d+ tests?\Z", line):
            listing = True
        elif line in ("failures:", "successes:") or line.startswith("test result: "):
            listing = False
        elif listing and (match := _LINE.match(line)):
            result = _RESULTS.get(match[2], Result.FAILED)
            if found.get(match[1]) is not Result.FAILED:
                found[match[1]] = result
    return found


@cache
def installed() -> tuple[Toolchain, ...]:
    """The toolchains of rustup, and the system's."""
    places = [(Path.home() / ".rustup/toolchains", "*/bin/rustc"), (Path("/usr/lib"), "rust-*/bin/rustc")]
    found = {}
    for path in executables(places, "rustc"):
        match = _VERSION.match(answer(path, "--version")) if path.name == "rustc" else None
        cargo = path.with_name("cargo")
        if match and cargo.is_file():
            found[match[1]] = Toolchain("rustc", match[1], cargo, (path.parent.parent,))
    return tuple(found.values())


def _is_release(toolchain: Toolchain) -> bool:
    return "-" not in toolchain.version


def _is_channel(toolchain: Toolchain, channel: str) -> bool:
    """Whether a toolchain is what `rust-toolchain` names: `1.70`, `stable`, `nightly-2024-01-01`."""
    name = channel.split("-")[0]
    if name in ("nightly", "beta"):
        return name in toolchain.version
    return bool(numbers(name)) and version_of(toolchain)[: len(numbers(name))] == numbers(name)


def _pinned_channel(project: Project) -> str:
    text = project.text("rust-toolchain.toml") or project.text("rust-toolchain")
    try:
        return str(tomllib.loads(text).get("toolchain", {}).get("channel", ""))
    except (tomllib.TOMLDecodeError, AttributeError):
        return text.strip().splitlines()[0] if text.strip() else ""  # the older form: the channel alone


def _oldest(project: Project) -> tuple[int, ...]:
    """The oldest Rust that the top manifest admits."""
    try:
        manifest = tomllib.loads(project.text("Cargo.toml"))
        tables = (manifest.get("package", {}), manifest.get("workspace", {}).get("package", {}))
        return max((numbers(t["rust-version"]) for t in tables if isinstance(t.get("rust-version"), str)), default=())
    except (tomllib.TOMLDecodeError, AttributeError):
        return ()


def _package_of(file: str) -> str | None:
    """The folder of the package that a file is of, by its place below `tests` or `src`."""
    parts = PurePosixPath(file).parts[:-1]
    found = [parts.index(name) for name in ("tests", "src") if name in parts]
    return str(PurePosixPath(*parts[: min(found)])) if found else None


def _selection(file: str, package: str) -> list[str]:
    """cargo's options for the test program of a file."""
    inner = PurePosixPath(file).relative_to(package).parts
    match inner:
        case ("tests", name):
            return ["--test", f"{name.removesuffix('.rs')}"]
        case ("tests", name, "main.rs"):
            return ["--test", name]
        case ("tests", *_):
            return ["--test", "*"]
        case ("src", "lib.rs"):
            return ["--lib"]
        case _:
            return ["--tests"]


def _unit(test_id: str) -> str:
    """The test itself; its file where the name is none that libtest's command line takes as one."""
    file, _, test = test_id.partition("::")
    return test_id if _PLAIN_NAME.match(test) else file


def _text(path: Path) -> str | None:
    content = read_output_file(path, _LIMIT)
    return None if content is None else content.decode("utf-8", "replace")
