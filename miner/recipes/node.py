"""Node projects, tested with mocha, jest, vitest or node:test in packages that npm resolves and installs."""

import re
import shlex
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from miner import nodes
from miner.recipes import node_install, node_locks, node_mocha, node_npm, node_reporters
from miner.recipes.model import ENV, EnvironmentFailed, Lock, Project, Results, Toolchain, Workshop
from miner.recipes.node_results import read_jest, read_lines
from miner.recipes.node_scripts import launch, manifest, table, wrapper
from miner.sandbox import Mount, Outcome, read_output_file

_CODE = re.compile(r".*(?<!\.d)\.[cm]?[jt]sx?\Z")
_HELPERS = {
    "support", "fixtures", "fixture", "helpers", "helper", "utils", "__mocks__", "__snapshots__", "__fixtures__",
}  # fmt: skip
_HELPER_NAME = re.compile(r"(?:\.mocharc|(?:jest|vitest)\.config|setup|helpers?|env)\.[cm]?[jt]sx?\Z", re.IGNORECASE)
_SPECIAL = re.compile(r"[-/\\^$.*+?()\[\]{}|]")
_MOST_TITLES, _LONGEST = 40, 200  # what a pattern on a command line may hold: titles, and characters of one
_LIMIT = 64 << 20  # bytes: code under test can write the results, so they have bounds
_LAYOUT = b"layout 1"  # of an environment: raised where wrappers or reporters change, so that no old one is used
_VOLATILE = {".cache": "/tmp/node-cache", ".vite": "/tmp/vite-cache", ".vitest": "/tmp/vitest-cache",
             ".vite-temp": "../.vite-temp"}  # fmt: skip


@dataclass(frozen=True)
class NodeRecipe:
    """Projects whose test script runs one runner: `mocha`, `jest`, `vitest` or `node` (its own)."""

    runner: str
    manifests = ("package.json",)
    variants = node_install.VARIANTS

    @property
    def name(self) -> str:
        """`node-mocha`, `node-jest`, `node-vitest`, `node-test`."""
        return "node-test" if self.runner == "node" else f"node-{self.runner}"

    def applies_to(self, project: Project) -> bool:
        """Whether the tree's package.json starts this runner."""
        start = launch(project) if "package.json" in project.paths else None
        return start is not None and start.runner == self.runner

    def summary(self, project: Project) -> str:
        """Which runner and where it was found, the lock file, the Node.js wanted, the command."""
        start = launch(project)
        assert start is not None
        wanted = _engines(project) or "any"
        command = shlex.join(self.command(["TESTS"]))
        return f"{self.runner} (from {start.found}); {node_locks.found_locks(project)}; Node.js {wanted}; {command}"

    def toolchains(self, project: Project) -> Sequence[Toolchain]:
        """The installed versions of Node.js that the tree admits, the one of its date first."""
        available = [node for node in nodes.installed() if self.runner != "node" or node.version >= (20, 0, 0)]
        ranked = nodes.ranked(available, _engines(project), _named(project), project.date.date())
        if not ranked:
            have = ", ".join(map(str, available)) or "none"
            wanted = _engines(project) or ">=20"
            raise EnvironmentFailed(f"no Node.js for `{wanted}` among {have}: install one with nvm, fnm, n or volta")
        return [_toolchain(node) for node in ranked]

    def like(self, recorded: str, project: Project) -> Toolchain:  # noqa: ARG002
        """The same version, else the same major version, else the next newer."""
        found = nodes.same_or_next(nodes.installed(), recorded.removeprefix("node "))
        if found is None:
            raise EnvironmentFailed("no Node.js found")
        return _toolchain(found)

    def pinned(self, project: Project) -> Sequence[bytes]:
        """What the package.json files say of packages and scripts, and every file that npm goes by."""
        manifests = [path.encode() + b"\n" + node_locks.shaping(path, project)
                     for path in node_locks.package_files(project)]  # fmt: skip
        names = (*node_locks.NPM_LOCKS, *node_locks.OTHER_LOCKS, ".npmrc", ".yarnrc.yml",
                 "pnpm-workspace.yaml", "Makefile", ".nvmrc", ".node-version")
        texts = [f"{name}\n{project.text(name)}".encode() for name in names if name in project.paths]
        configured = node_mocha.configuration(project) if self.runner == "mocha" else None
        return [_LAYOUT, *manifests, *texts, "\n".join(configured or ()).encode()]

    def resolve(self, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:
        """The tree's own npm lock file as it is, else a package-lock.json as of the date."""
        return node_npm.resolve(node_npm.Npm(project, toolchain, shop))

    def build(self, project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop) -> None:
        """`bin/` with the runner as the project starts it, `reporters/`, and the lock's `node_modules/`."""
        start = launch(project)
        assert start is not None
        assert shop.env is not None
        # Written before anything of the packages runs: they could lay links that lead out of the folder.
        for name, plain in ((self._bin(plain=False), False), (self._bin(plain=True), True)):
            _write(shop.env / "bin" / name, wrapper(start, _prepare(), plain), 0o755)
        if self.runner == "mocha" and (own := node_mocha.configuration(project)) and "--config" not in start.options:
            _write(shop.env / own[0], own[1])
            given = replace(start, options=(*start.options, "--config", f"{ENV}/{own[0]}", "--no-package"))
            _write(shop.env / "bin/mocha", wrapper(given, _prepare(), plain=False), 0o755)
        _write(shop.env / "reporters/mocha.cjs", node_reporters.MOCHA)
        _write(shop.env / "reporters/node.mjs", node_reporters.NODE)
        node_install.install(node_npm.Npm(project, toolchain, shop), lock, variant, _VOLATILE)

    def mounts(self, env: Path, project: Project) -> Sequence[Mount]:
        """The packages, where Node.js looks for them: of the project and of each workspace."""
        return [Mount(source, f"{project.folder}/{path}") for path, source in node_install.installed_folders(env)]

    def variables(self, toolchain: Toolchain) -> Mapping[str, str]:  # noqa: ARG002
        """Where results go, and no colours, updates or watching."""
        return {"TEST_RESULTS": "{results}", "CI": "true", "NO_COLOR": "1", "NO_UPDATE_NOTIFIER": "1"}

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """JavaScript and TypeScript files outside folders of helpers; jest and vitest know which hold tests."""
        return [path for path in sorted(test_files) if _CODE.match(path) and not _is_helper(path)]

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        """The runner on files, and on full titles where every target names one (`file::full title`)."""
        named = [target.partition("::") for target in targets]
        files = list(dict.fromkeys(file if not file.startswith("-") else f"./{file}" for file, _, _ in named))
        titles = [title for _, _, title in named]
        pattern = f"^\\s*(?:{'|'.join(map(_escaped, titles))})$" if titles and all(titles) else ""
        start = self._bin(plain)
        match self.runner:
            case "mocha":
                grep = ["--grep", pattern] if pattern else []
                return [start, "--reporter", f"{ENV}/reporters/mocha.cjs", *grep, *files]
            case "jest":
                grep = ["--testNamePattern", pattern] if pattern else []
                options = ["--ci", "--runInBand", "--forceExit", "--coverage=false", "--json"]
                by_path = ["--runTestsByPath", *files] if files else []
                return [start, *options, "--outputFile={results}/jest.json", *grep, *by_path]
            case "vitest":
                grep = ["--testNamePattern", pattern] if pattern else []
                return [start, "--reporter=json", "--outputFile={results}/jest.json", *grep, *files]
            case _:
                reporter = [f"--test-reporter={ENV}/reporters/node.mjs",
                            "--test-reporter-destination={results}/results.jsonl"]  # fmt: skip
                return [start, *reporter, *files]

    def targets(self, test_ids: Sequence[str], seen: Collection[str] = ()) -> list[str]:
        """Tests by their full titles where a pattern can spell them all, else files.

        node:test has its files only: what its name pattern means changed between versions.
        """
        files = list(dict.fromkeys(test_id.partition("::")[0] for test_id in test_ids))
        others: dict[str, set[str]] = defaultdict(set)
        for test_id in seen:
            others[test_id.partition("::")[0]].add(test_id)
        wanted = set(test_ids)
        if self.runner == "node" or all(file in others and others[file] <= wanted for file in files):
            return files
        spelled = len(wanted) <= _MOST_TITLES and all(_spelled(test_id) for test_id in wanted)
        return list(dict.fromkeys(test_ids)) if spelled else files

    def read(self, results: Path, outcome: Outcome, targets: Sequence[str]) -> Results | None:  # noqa: ARG002
        """Our reporters' lines, or the JSON of jest and vitest; of two tests with one id the worse counts."""
        name = "jest.json" if self.runner in ("jest", "vitest") else "results.jsonl"
        content = read_output_file(results / name, _LIMIT)
        if content is None:
            return None
        if self.runner not in ("jest", "vitest"):
            return read_lines(content)
        folder = (read_output_file(results / "folder", 4096) or b"").decode("utf-8", "replace").strip()
        return read_jest(content, folder)

    def _bin(self, plain: bool) -> str:
        name = "node-test" if self.runner == "node" else self.runner
        return f"plain-{name}" if plain else name


RECIPES = tuple(NodeRecipe(runner) for runner in ("mocha", "jest", "vitest", "node"))


def _engines(project: Project) -> str:
    return table(manifest(project), "engines").get("node", "")


def _named(project: Project) -> str:
    """The version that the project's version managers pin, empty where none does."""
    for name in (".nvmrc", ".node-version"):
        text = project.text(name).strip().removeprefix("v")
        if re.fullmatch(r"\d+(?:\.\d+){0,2}", text):
            return text
    return table(manifest(project), "volta").get("node", "")


def _toolchain(node: nodes.Node) -> Toolchain:
    return Toolchain("node", str(node), node.executable, (node.prefix,))


def _is_helper(path: str) -> bool:
    pure = PurePosixPath(path)
    return bool(_HELPERS & set(pure.parts[:-1])) or _HELPER_NAME.match(pure.name) is not None


def _prepare() -> str:
    """The shell commands before each run: folders that links in node_modules lead to, and where we are."""
    folders = [target.removeprefix("../") for target in _VOLATILE.values()]
    return f'mkdir -p {" ".join(folders)}\n[ -z "$TEST_RESULTS" ] || pwd > "$TEST_RESULTS/folder"'


def _spelled(test_id: str) -> bool:
    """Whether a pattern on a command line can name a test: of one line, not long, and with a title."""
    title = test_id.partition("::")[2]
    return 0 < len(title) <= _LONGEST and title.isprintable() and title == title.strip()


def _escaped(title: str) -> str:
    """A title as a regular expression of JavaScript that matches just that."""
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", title)


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o755)
    path.write_text(text)
    path.chmod(mode)
