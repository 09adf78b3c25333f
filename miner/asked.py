"""What a harvest was asked for: its options, the source made ready, the changes that are looked at."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from miner import temporary
from miner.errors import ToolError
from miner.git import Git, GitFailed
from miner.prompt.make import LeakPolicy
from miner.proving import Effort
from miner.rare import Rare
from miner.repository import Overrides
from miner.screen import Limits
from miner.selection import selected
from miner.sources.local import LocalSource
from miner.sources.model import Opened, Source, Unit
from miner.wanted import Selection, Wanted


@dataclass(frozen=True)
class Options:
    """What `miner harvest` was asked for."""

    repo: Path | str  # a clone, or what a source is called by
    out: Path
    name: str
    last: int = 200
    unit: Unit = Unit.PULL
    prove: bool = True
    effort: Effort = field(default_factory=Effort)
    overrides: Overrides = field(default_factory=Overrides)
    workers: int = 2
    limits: Limits = field(default_factory=Limits)
    leak: LeakPolicy = LeakPolicy.CUT
    source: Source | None = None  # none: the clone at `repo`
    branch: str | None = None  # of the clone at `repo`, in place of its HEAD
    wanted: Wanted = field(default_factory=Wanted)
    rare: Rare | None = None  # the whole history is looked at, `last` candidates are kept and proved, these first

    @property
    def look_at(self) -> int | None:
        """How many merged changes are looked at; None: all."""
        return self.last if self.rare is None else None


@contextmanager
def opening(options: Options, say: Callable[[str], None]) -> Iterator[Opened]:
    """The source made ready for the time of the block; git's failures inside it are the repository's."""
    scratch = temporary.make("harvest-")
    try:
        yield _open(options, scratch, say)
    except GitFailed as error:
        raise ToolError("git failed", options.repo, f"{error}. Check the clone with `git fsck`.") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _open(options: Options, scratch: Path, say: Callable[[str], None]) -> Opened:
    clone = LocalSource(Path(options.repo), options.name, options.unit, options.branch, tags=options.prove)
    return (options.source or clone).open(scratch, say)


def chosen_of(opened: Opened, options: Options) -> Selection:
    """The changes that are looked at; raises `ToolError` where there is none."""
    chosen = selected(opened, options.wanted, options.look_at, options.repo)
    if not chosen.changes:
        if chosen.passed_over:
            asked = ", ".join(options.wanted.options())
            remedy = f"There are {chosen.passed_over} others, at least: check {asked} (patterns are of source files)."
        else:
            remedy = opened.none or _remedy_for_no_change(opened.git, opened.head)
        raise ToolError("no merged change found", options.repo, remedy)
    return chosen


def _remedy_for_no_change(git: Git, head: str) -> str:
    count = git.line("rev-list", "--count", "--first-parent", head)
    if (git.directory / "shallow").exists():
        return f"Its history is too short ({count} commits, a shallow clone): run `git fetch --unshallow`."
    return (
        f"Its history is too short, or merges in a way that is not recognised ({count} commits on the main line, "
        "none with a pull request's number): try --unit commit."
    )
