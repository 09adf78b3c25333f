"""Repositories harvested, or looked at, one after the other, with one summary at the end."""

import sys
import time
from collections.abc import Callable

from rich.console import Console

from miner import funnel
from miner.asked import Options
from miner.errors import ToolError, printable
from miner.harvest import harvest
from miner.preview import Preview, preview
from miner.progress import ProgressLine, time_left
from miner.record import HarvestLine
from miner.wording import plural

_console = Console()
_ENOUGH = 3  # proofs, from which on the pace says something


def harvest_all(every: list[Options]) -> bool:
    """Harvest each and print what became of all; whether none of several failed. Raises `ToolError`."""
    lines: dict[str, list[HarvestLine]] = {}

    def one(options: Options) -> None:
        counter = _Counter(options.last, options.prove)
        started = time.monotonic()
        lines[options.name] = harvest(options, counter.show, print, counter.say, counter.begin)
        counter.end()
        if options.rare is None and len(lines[options.name]) < options.last:
            print(f"The history holds {len(lines[options.name])} merged changes{_asked_for(options)}, "
                  f"fewer than the {options.last} asked for.")  # fmt: skip
        tests = sum(line.test_seconds for line in counter.lines)
        if tests:
            print(f"{time.monotonic() - started:.0f} s with {options.workers} workers; "
                  f"the test commands took {tests:.0f} s.")  # fmt: skip

    failed = _one_after_the_other(every, one)
    looked = [line for its in lines.values() for line in its]
    if len(lines) > 1:
        _console.print(funnel.by_repository(lines))
    _console.print(funnel.funnel(looked))
    if every[0].rare is not None:
        _console.print(funnel.strata_table(every[0].rare, looked))
    folder = every[0].name if len(every) == 1 else "*"
    print(f"Why each was not kept: {every[0].out / folder / 'harvest.jsonl'}")
    return not failed


def preview_all(every: list[Options]) -> bool:
    """Look at the log of each and print what it says of all; whether none of several failed. Raises `ToolError`."""
    previews: dict[str, Preview] = {}

    def one(options: Options) -> None:
        line = ProgressLine()
        previews[options.name] = its = preview(options, line.say)
        line.end()
        if its.passed_over:
            print(f"{its.passed_over} looked at and passed over by {', '.join(options.wanted.options())}.")

    failed = _one_after_the_other(every, one)
    if len(previews) > 1:
        _console.print(funnel.previews_by_repository(previews))
    _console.print(funnel.preview_funnel(previews.values()))
    print("A dry run: no fixture was written.")
    return not failed


def _one_after_the_other(every: list[Options], work: Callable[[Options], None]) -> bool:
    """Do the work for each; of several, one that fails is told and does not end the others. Whether any failed."""
    if len(every) == 1:
        work(every[0])
        return False
    failed = 0
    for options in every:
        print(f"{options.name}:")
        try:
            work(options)
        except ToolError as error:
            failed += 1
            print(printable(f"miner: {error}"), file=sys.stderr)
    if failed == len(every):
        raise ToolError("nothing could be harvested", f"{failed} repositories", "Each one's reason stands above.")
    return failed > 0


def _asked_for(options: Options) -> str:
    return " that are asked for" if options.wanted.options() else ""


class _Counter(ProgressLine):
    """How many merged changes were looked at, how many became fixtures, and where they are proved the time left.

    The changes that need no proof take no time, and are taken to be as frequent among the others: where few
    were proved that says nothing.
    """

    def __init__(self, total: int, proving: bool) -> None:
        super().__init__()
        self.total, self.kept, self.proving = total, 0, proving
        self.todo = self.tried = 0
        self.began = time.monotonic()
        self.lines: list[HarvestLine] = []

    def begin(self, todo: int) -> None:
        """So many are to be looked at now: the clock starts. The others were, in an earlier harvest."""
        self.todo, self.began = todo, time.monotonic()

    def show(self, line: HarvestLine) -> None:
        self.lines.append(line)
        self.kept += line.fixture is not None
        self.tried += line.was_tried
        seen = self.steps + 1
        known = self.proving and self.tried >= _ENOUGH
        left = time_left(time.monotonic() - self.began, seen, self.todo - seen) if known else ""
        last = f"#{line.number}" if line.number.isdigit() else line.number
        self.step(f"{seen} of at most {self.total} merged changes, {plural(self.kept, 'fixture')}{left}; "
                  f"{last} {line.rejection or 'kept'}")  # fmt: skip
