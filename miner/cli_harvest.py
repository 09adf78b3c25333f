"""`miner harvest` on the command line."""

import re
import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import typer

from miner.asked import Options
from miner.errors import ToolError
from miner.options import SandboxOption
from miner.prompt.make import LeakPolicy
from miner.proving import Effort
from miner.rare import rare_strata
from miner.record import NAME
from miner.repository import Overrides
from miner.sandbox import use
from miner.screen import Limits
from miner.several import harvest_all, preview_all
from miner.sources.choose import source_for
from miner.sources.model import Source, Unit
from miner.strata_file import DEFAULT_STRATA, definition_of
from miner.wanted import parse_wanted

Regression = Literal["files", "full"]
_WHERE, _WHICH, _RARE, _PROOF, _BUILD = (
    "What is mined", "Which merged changes", "Rare strata first", "Proof", "How it is built and tested (repo.yaml)"
)  # fmt: skip


def _option(panel: str, text: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=text, rich_help_panel=panel, **more)


def harvest_command(
    repo: Annotated[list[str], _option(_WHERE, "A clone, a git URL, or org/svc on GitHub; may be repeated.")],
    name: Annotated[
        list[str] | None, _option(_WHERE, "Its name in fixture ids (default: its own); one for each --repo.")
    ] = None,
    branch: Annotated[str | None, _option(_WHERE, "Merged into this branch, not the default.")] = None,
    api_url: Annotated[str | None, _option(_WHERE, "The API of a GitHub Enterprise server.")] = None,
    out: Annotated[Path, _option(_WHERE, "Where fixtures are kept; one folder a repository.")] = Path("fixtures"),
    last: Annotated[int, _option(_WHICH, "How many of those below to look at, newest first.", min=1)] = 200,
    unit: Annotated[Unit, _option(_WHICH, "A merged change is a pull request, or any single commit.")] = Unit.PULL,
    since: Annotated[
        str | None, _option(_WHICH, "Merged on this day (UTC), at this time, or later.", metavar="DATE")
    ] = None,
    until: Annotated[
        str | None, _option(_WHICH, "Merged on this day (UTC), before this time, or earlier.", metavar="DATE")
    ] = None,
    author: Annotated[list[str] | None, _option(_WHICH, "By this name, e-mail or login; may be repeated.")] = None,
    label: Annotated[list[str] | None, _option(_WHICH, "With this label (GitHub); may be repeated.")] = None,
    paths: Annotated[
        list[str] | None,
        _option(_WHICH, "With a source file that matches, as in .gitignore: 'services/**'; may be repeated."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        _option(_WHICH, "Not if every such file matches this, as in .gitignore; may be repeated."),
    ] = None,
    max_files: Annotated[int, _option(_WHICH, "More source files than this is no single task.", min=1)] = 20,
    max_lines: Annotated[int, _option(_WHICH, "More changed source lines than this is none.", min=1)] = 2000,
    leak: Annotated[
        LeakPolicy, _option(_WHICH, "What becomes of prompts that hold the answer.")
    ] = LeakPolicy.CUT,
    dry_run: Annotated[
        bool, _option(_WHICH, "Only say what the log tells of them; write nothing.", "--dry-run")
    ] = False,
    want: Annotated[
        str | None,
        _option(_RARE, "Look at all, keep and prove --last of them: these strata first, then the newest: large,past."),
    ] = None,
    cap: Annotated[int, _option(_RARE, "The model's output cap in tokens.", min=1)] = 8000,
    strata: Annotated[Path, _option(_RARE, "Bounds of the strata.")] = DEFAULT_STRATA,
    prove: Annotated[bool, _option(_PROOF, "Prove fixtures by running their tests.")] = True,
    repeats: Annotated[int, _option(_PROOF, "How often each side of a proof is run.", min=2)] = 3,
    strength: Annotated[bool, _option(_PROOF, "Leave out each hunk in turn: do the tests notice?")] = True,
    regression: Annotated[Regression, _option(_PROOF, "The changed test files, or the whole suite.")] = "files",
    timeout: Annotated[float, _option(_PROOF, "Seconds one test command may take.", min=1)] = 300,
    workers: Annotated[int, _option(_PROOF, "How many changes are worked on at once.", min=1)] = 2,
    sandbox: SandboxOption = "bubblewrap",
    cwd: Annotated[str | None, _option(_BUILD, "A sub-project's folder inside the repository.")] = None,
    python: Annotated[str | None, _option(_BUILD, "The Python to use, in place of the detected: 3.11.")] = None,
    setup: Annotated[list[str] | None, _option(_BUILD, "A shell command after the build; may be repeated.")] = None,
    test: Annotated[str | None, _option(_BUILD, "The test command; {tests} and {results} are filled in.")] = None,
    env: Annotated[list[str] | None, _option(_BUILD, "KEY=VALUE for builds and tests; may be repeated.")] = None,
) -> None:
    """Read merged changes and freeze those that a test proves into fixtures.

    Every change looked at gets a line in harvest.jsonl: kept, or the reason why not. An interrupted
    harvest keeps what it has done; the same command goes on from there. What --cwd, --python, --setup,
    --test and --env say is kept in repo.yaml, which may also be edited.
    """
    use(sandbox)
    common = Options(
        repo=Path(), out=out, name="", last=last, unit=unit, prove=prove,
        effort=Effort(repeats, timeout, strength, regression == "full"), workers=workers,
        overrides=Overrides(_folder(cwd), python, setup or None, _words(test), _pairs(env)),
        limits=Limits(max_files, max_lines), leak=leak, branch=branch,
        wanted=parse_wanted(since, until, author or (), label or (), paths or (), exclude or ()),
        rare=rare_strata(want, cap, definition_of(strata)) if want is not None else None,
    )  # fmt: skip
    sources = {each: source_for(each, branch, api_url, unit=unit) for each in repo}
    every = [
        replace(common, repo=each, name=called, source=sources[each])
        for each, called in _named(sources, name or []).items()
    ]
    if not (preview_all(every) if dry_run else harvest_all(every)):
        raise typer.Exit(1)


def _named(sources: Mapping[str, Source | None], given: list[str]) -> dict[str, str]:
    """Each repository's name; raises `ToolError` where one is not usable, or two are the same."""
    if given and len(given) != len(sources):
        raise ToolError("not a name for each repository", ", ".join(given), "Give as many --name as --repo, in order.")
    own = [source.name if source else _name_of(Path(repo)) for repo, source in sources.items()]
    named = dict(zip(sources, given or own, strict=True))
    names = list(named.values())
    bad = [name for name in names if not re.fullmatch(NAME, name)]
    if bad:
        raise ToolError("not a usable name", bad[0], "Give one with --name: a-z, 0-9, dot, dash, underscore.")
    if twice := next((name for name, count in Counter(names).items() if count > 1), None):
        raise ToolError("two repositories of one name", twice, "Give each a --name of its own, in order.")
    return named


def _name_of(repo: Path) -> str:
    place = repo.resolve()
    if place.name == ".git":
        place = place.parent
    return re.sub(r"[^a-z0-9._-]+", "-", place.name.removesuffix(".git").lower()).strip("-._")


def _folder(cwd: str | None) -> str | None:
    if cwd is None:
        return None
    pure = PurePosixPath(cwd)
    if pure.is_absolute() or ".." in pure.parts:
        raise ToolError("not a folder inside the repository", cwd, "Give it relative to the repository's top.")
    return str(pure)


def _words(test: str | None) -> list[str] | None:
    try:
        return None if test is None else shlex.split(test)
    except ValueError as error:
        raise ToolError("not a command", test or "", f"{error}. Check the quotes.") from None


def _pairs(env: list[str] | None) -> dict[str, str] | None:
    if not env:
        return None
    if bad := next((pair for pair in env if not re.match(r"[A-Za-z_]\w*=", pair)), None):
        raise ToolError("not an environment variable", bad, "Write --env NAME=VALUE.")
    return dict(pair.split("=", 1) for pair in env)
