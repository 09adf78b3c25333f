"""How a Node project starts its test runner, from the scripts of its package.json."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from miner.recipes.model import Project

RUNNERS = ("mocha", "jest", "vitest", "node")

# Options of a test script that its runner needs to run the tests at all: those with a value, and flags. The
# others choose reporters, files, coverage, watching or parallelism, which are ours to choose.
_VALUED = {
    "mocha": frozenset({
        "-r", "--require", "-t", "--timeout", "--timeouts", "-u", "--ui", "--compilers", "--extension", "--extensions",
        "--ext", "--loader", "--import", "--config", "--package", "--opts", "--file", "--globals", "-n",
        "--node-option", "-C", "--conditions", "--experimental-loader",
    }),
    "jest": frozenset({
        "-c", "--config", "--env", "--testEnvironment", "--rootDir", "--projects", "--selectProjects", "--testTimeout",
        "--preset", "--setupFiles", "--setupFilesAfterEnv", "--globals",
    }),
    "vitest": frozenset({
        "-c", "--config", "-r", "--root", "--dir", "--environment", "--project", "--mode", "--pool", "--testTimeout",
        "--hookTimeout",
    }),
    "node": frozenset({
        "--import", "-r", "--require", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file",
    }),
}  # fmt: skip
_NODE_FLAG = re.compile(
    r"--(?:no-)?(?:experimental-(?!test-coverage|loader)|harmony|expose-gc|enable-source-maps|warnings)"
)
_FLAGS = {
    "mocha": re.compile(
        r"--(?:check-leaks|exit|async-only|delay|allow-uncaught|no-timeouts|es_staging|no-config|no-opts|no-package"
        r"|no-deprecation)\Z|-A\Z"
    ),
    "jest": re.compile(r"--(?:experimental|resetMocks|resetModules|restoreMocks|clearMocks|injectGlobals)"),
    "vitest": re.compile(r"--(?:globals|dom|no-isolate|isolate|single-?[tT]hread|no-threads|no-file-parallelism)"),
    "node": re.compile(r"--test-force-exit\Z"),
}
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_TEST_LIKE = re.compile(r"(?:test|unit|spec|mocha|jest|vitest)\b")
_CALLERS = ("npm", "yarn", "pnpm", "run-s", "run-p", "npm-run-all", "npm-run-all2")


@dataclass(frozen=True)
class Launch:
    """A runner, where it was found, and the variables and options that the project starts it with."""

    runner: str
    found: str
    variables: tuple[tuple[str, str], ...] = ()
    node_options: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def manifest(project: Project, path: str = "package.json") -> dict[str, Any]:
    """A package.json, empty where it is missing or no JSON object."""
    try:
        data = json.loads(project.text(path).removeprefix("\ufeff"))
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def table(data: Mapping[str, Any], key: str) -> dict[str, str]:
    """A table of strings in a package.json; what is no string is left out."""
    found = data.get(key)
    return {k: v for k, v in found.items() if isinstance(v, str)} if isinstance(found, dict) else {}


def launch(project: Project) -> Launch | None:
    """The runner of the test script, else of another test-like script, a Makefile or the dependencies."""
    data = manifest(project)
    scripts = table(data, "scripts")
    names = sorted((name for name in scripts if _TEST_LIKE.match(name)), key=lambda name: (name != "test", name))
    for name in names:
        if found := next(_launches(scripts[name], scripts, f"scripts.{name}", {name}), None):
            return found
    for line in project.text("Makefile").replace("\\\n", " ").splitlines():
        if found := next(_launches(line.strip().lstrip("@-"), {}, "Makefile", set()), None):
            return found
    depended = table(data, "devDependencies") | table(data, "dependencies")
    return next((Launch(name, "dependencies") for name in RUNNERS if name in depended), None)


def _launches(script: str, scripts: Mapping[str, str], found: str, seen: set[str]) -> Iterator[Launch]:
    for words in _commands(script):
        if one := _launch(words, found):
            yield one
            continue
        for word in words:
            if words[0] in _CALLERS and word in scripts and word not in seen:
                seen.add(word)
                yield from _launches(scripts[word], scripts, f"scripts.{word}", seen)
            elif " " in word:  # a command in quotes, of a tool that looks for files or repeats it
                yield from _launches(word, scripts, found, seen)


def _commands(script: str) -> Iterator[list[str]]:
    """The commands of a shell line, each as its words."""
    lexer = shlex.shlex(script, posix=True, punctuation_chars="&|;()<>")
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        for word in lexer:
            if not set(word) <= set("&|;()<>"):
                words.append(word)
            elif words:
                yield words
                words = []
    except ValueError:  # unclosed quotes
        return
    if words:
        yield words


def _launch(words: Sequence[str], found: str) -> Launch | None:
    for place, word in enumerate(words):
        rest = words[place + 1 :]
        if word in ("node", "tsx") and "--test" in rest:
            typescript = ["--import=tsx"] if word == "tsx" else []
            return Launch("node", found, _variables(words[:place]), (), (*typescript, *_kept(rest, "node")))
        runner = _runner(word)
        if runner and (place == 0 or words[place - 1] not in ("run", "run-script", "install", "add")):
            called = words.index("node") if "node" in words[:place] else place
            return Launch(
                runner, found, _variables(words[:place]), _kept(words[called + 1 : place], "node"), _kept(rest, runner)
            )
    return None


def _runner(word: str) -> str | None:
    """The runner that a word names, plainly or as a path into node_modules."""
    path = PurePosixPath(word)
    name = path.name.removeprefix("_").removesuffix(".js").removesuffix(".mjs")
    if name in RUNNERS[:3] and (word == path.name or "node_modules" in path.parts):
        return name
    return None


def _variables(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    pairs = (word.partition("=") for word in words if _ASSIGNMENT.match(word) and _literal(word))
    return tuple((name, value) for name, _, value in pairs)


def _kept(words: Sequence[str], runner: str) -> tuple[str, ...]:
    kept: list[str] = []
    for place, word in enumerate(words):
        name, equals, _ = word.partition("=")
        if not _literal(word):
            continue
        if name in _VALUED[runner] and equals:
            kept.append(word)
        elif name in _VALUED[runner] and place + 1 < len(words) and _literal(words[place + 1]):
            kept += [word, words[place + 1]]
        elif _FLAGS[runner].match(word) or (runner in ("mocha", "node") and _NODE_FLAG.match(word)):
            kept.append(word)
    return tuple(kept)


def _literal(word: str) -> bool:
    """Whether a word means itself: nothing that a shell or make would replace."""
    return not any(sign in word for sign in "$`%\n")


def wrapper(start: Launch, prepare: str, plain: bool) -> str:
    """A shell script that starts the runner as the project does (or, `plain`, without the project's options)."""
    options = [] if plain else start.options
    # By its path: this script has the runner's name and comes first in PATH.
    words = [f"node_modules/.bin/{start.runner}", *(["run"] if start.runner == "vitest" else []), *options]
    if start.runner == "node":
        words = ["node", *options, "--test"]
    lines = ["#!/bin/sh", prepare, 'PATH="$PWD/node_modules/.bin:$PATH"; export PATH']
    lines += [f"export {name}={shlex.quote(value)}" for name, value in ([] if plain else start.variables)]
    if start.node_options and not plain:
        lines.append(f'export NODE_OPTIONS="${{NODE_OPTIONS:-}} "{shlex.quote(" ".join(start.node_options))}')
    return "\n".join([*lines, f'exec {shlex.join(words)} "$@"', ""])
