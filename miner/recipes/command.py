"""A command that the repository's owner gives: a recipe of its own, and in place of the others' commands."""

import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from miner.errors import ToolError
from miner.junit import identify_among, read_junit_folder
from miner.recipes.model import EnvironmentFailed, Lock, Project, Recipe, Result, Results, Settings, Toolchain, Workshop
from miner.sandbox import Mount, Outcome

TESTS, RESULTS = "{tests}", "{results}"
WHOLE = "(command)"  # the one test of a command that tells nothing of single ones
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh")


def own_command(settings: Settings, targets: Sequence[str]) -> list[str]:
    """The command of the settings for these targets; `{results}` is left for the sandbox to fill in.

    `{tests}` as a word becomes one word a target, inside a word all of them between spaces. In a shell's text
    (a command of one word, or `sh -c TEXT`) targets are positional parameters, so that none is read as shell.
    Raises `ToolError` where the text quotes `{tests}` so that no parameter can stand there.
    """
    words = list(settings.test)
    if len(words) == 1 and not _is_name(words[0]):
        return ["sh", "-c", with_parameters(words[0]), "test-command", *targets]
    if len(words) >= 3 and PurePosixPath(words[0]).name in _SHELLS and words[1].startswith("-") and "c" in words[1]:
        rest = words[3:] or ["test-command"]
        if TESTS in words[2]:
            return [*words[:2], with_parameters(words[2]), rest[0], *targets]
        return [*words[:3], *_filled(rest, targets)]
    return _filled(words, targets)


def names_results(settings: Settings) -> bool:
    """Whether the owner's command is told where to write its results."""
    return any(RESULTS in word for word in (*settings.test, *settings.env.values()))


def command_for(recipe: Recipe, settings: Settings, targets: Sequence[str], plain: bool = False) -> list[str]:
    """The owner's command where there is one, else the recipe's."""
    return own_command(settings, targets) if settings.test else recipe.command(targets, plain)


def results_of(
    recipe: Recipe, settings: Settings, results: Path, outcome: Outcome, targets: Sequence[str]
) -> Results | None:
    """What a run reported: an owner's command with `{results}` as JUnit XML there, else as the recipe reads it.

    `targets` may be the whole command's words: only which files they name matters.
    """
    if settings.test and names_results(settings):
        return _reported(results, targets)
    return recipe.read(results, outcome, targets)


def _reported(results: Path, targets: Sequence[str]) -> Results | None:
    named = [target.partition("::")[0] for target in targets]
    return read_junit_folder(results, identify_among(file for file in named if PurePosixPath(file).suffix))


def with_parameters(text: str) -> str:
    """Shell text with `{tests}` as the positional parameters: `"$@"`, and `$*` between double quotes."""
    parts, quote, position = [], "", 0
    while position < len(text):
        here = text[position]
        if text.startswith(TESTS, position):
            if quote == "'":
                raise ToolError("the test command quotes {tests}", text, 'Leave it bare, or write "{tests}".')
            parts.append("$*" if quote else '"$@"')
            position += len(TESTS)
            continue
        if here == "\\" and quote != "'":
            parts.append(text[position : position + 2])
            position += 2
            continue
        if here in "'\"" and quote in ("", here):
            quote = "" if quote else here
        parts.append(here)
        position += 1
    return "".join(parts)


class CommandRecipe:
    """Whatever builds with the owner's set-up commands and is tested with the owner's test command.

    Where the command writes JUnit XML below `{results}` every test counts, else the whole command is one test.
    """

    name = "command"
    manifests: tuple[str, ...] = ()
    variants: tuple[str, ...] = ("setup",)

    def applies_to(self, project: Project) -> bool:
        """Whether a test command is given: as the last of the recipes this one takes what no other does."""
        return bool(project.settings.test)

    def summary(self, project: Project) -> str:
        """The command, and what counts as a test."""
        how = "JUnit XML, test by test" if names_results(project.settings) else "no {results}: one test, its exit code"
        return f"{' '.join(project.settings.test) or 'no test command'}; {how}"

    def toolchains(self, project: Project) -> Sequence[Toolchain]:  # noqa: ARG002
        """The system's shell and what else lies below /usr."""
        return [_shell()]

    def like(self, recorded: str, project: Project) -> Toolchain:  # noqa: ARG002
        """The system's shell."""
        return _shell()

    def pinned(self, project: Project) -> Sequence[bytes]:  # noqa: ARG002
        """Nothing that is known of; settings count by themselves."""
        return ()

    def resolve(self, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:  # noqa: ARG002
        """No packages that are known of: what set-up commands fetch is today's."""
        if not project.settings.setup:
            return Lock("", "the machine alone")
        return Lock("", "set-up commands", ("what set-up commands fetch is as of today",), undated=True)

    def build(self, project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop) -> None:
        """Nothing: the set-up commands fill the environment."""

    def mounts(self, env: Path, project: Project) -> Sequence[Mount]:  # noqa: ARG002
        """Nothing besides the environment."""
        return ()

    def variables(self, toolchain: Toolchain) -> Mapping[str, str]:  # noqa: ARG002
        """Nothing besides the settings'."""
        return {}

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """Every changed test file: the command knows what to make of it."""
        return sorted(test_files)

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:  # noqa: ARG002
        """Raises `ToolError`: the command is the settings' (`command_for`)."""
        raise ToolError("no test command", " ".join(targets) or "all tests", "Give one with --test, or in repo.yaml.")

    def targets(self, test_ids: Sequence[str], seen: Collection[str] = ()) -> list[str]:  # noqa: ARG002
        """The files of the tests; all tests where a report names no file."""
        files = [test_id.partition("::")[0] for test_id in test_ids]
        return [] if "" in files or WHOLE in files else list(dict.fromkeys(files))

    def read(self, results: Path, outcome: Outcome, targets: Sequence[str]) -> Results | None:
        """The reports that are there; where the command names no place for any, its exit code as one test."""
        found = _reported(results, targets)
        if found is not None or any(RESULTS in word for word in targets):
            return found
        return {WHOLE: Result.PASSED if outcome.exit_code == 0 else Result.FAILED}


def _is_name(word: str) -> bool:
    """Whether a command of one word names a program, rather than being a shell's text."""
    return not any(c.isspace() or c in "|&;<>()$`\\\"'*?[#~={}" for c in word)


def _filled(words: Sequence[str], targets: Sequence[str]) -> list[str]:
    filled: list[str] = []
    for word in words:
        filled += targets if word == TESTS else [word.replace(TESTS, " ".join(targets))]
    return filled


def _shell() -> Toolchain:
    found = shutil.which("sh")
    if found is None:
        raise EnvironmentFailed("no shell was found on the PATH")
    return Toolchain("sh", "system", Path(found), ())
