"""`evaluator rescore`: the stored replies of a run, scored again with today's code."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.bench import Benches
from evaluator.formats import format_named
from evaluator.journal import DiskJournal, RunFile, StoredRun
from evaluator.rescore import Again, Changed, changed, rescore, resolved, verdict
from evaluator.running.checked import checked_tasks
from miner import __version__, temporary
from miner.errors import ToolError, printable
from miner.fixtures import FixtureFolder
from miner.options import SandboxOption, choose_sandbox
from miner.progress import ProgressLine
from miner.set_file import load_set


def rescore_command(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A folder that `evaluator run` wrote.")],
    fixtures: Annotated[Path, typer.Option(help="The fixtures folder that it ran over.")] = Path("fixtures"),
    out: Annotated[
        Path | None, typer.Option(help="A new folder for the rescored run (default: RUN-rescored).", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Replies scored and tested at once (default: as many as cores).")
    ] = None,
    sandbox: SandboxOption = "bubblewrap",
) -> None:
    """Apply and classify the stored replies of a run again, with today's code and no model call.

    Says which attempts come to another verdict. The run itself stays as it is: where anything changed a new one is
    written, which can be reported. Where a new verdict would have caused or spared a retry, the table says so; the
    attempts that were made stay.
    """
    stored, chosen = StoredRun(run_folder), load_set(fixtures)
    settings = stored.settings
    if settings.set_digest != chosen.digest:
        raise ToolError("the run is of another set", run_folder, f"Give --fixtures with its set, not {fixtures}.")
    place = out or _free(run_folder)
    if place.exists():
        raise ToolError("the folder is there already", place, "Give --out with a new one.")
    formats = {name: format_named(name) for name in settings.formats}
    benches = Benches(checked_tasks(FixtureFolder(fixtures), chosen))
    choose_sandbox(sandbox)
    workers = workers or os.cpu_count() or 1
    if dry_run:
        _say(settings, _all(rescore(stored, formats, benches, None, workers), len(stored.lines)))
        return
    name = run_folder.resolve().name
    new = settings.model_copy(update={"rescored_from": name, "version": __version__})
    with _apart(place) as folder:
        with DiskJournal(folder, new) as journal:
            found = _all(rescore(stored, formats, benches, journal, workers), len(stored.lines))
        _say(settings, found)
        if not any(again.differs or again.besides for again in found):
            print("Nothing changed; nothing was written")
            return
        folder.rename(place)
        print(printable(f"Written to {place}; `evaluator report {place}` reports it"))


def _all(again: Iterator[Again], lines: int) -> list[Again]:
    progress, found = ProgressLine(), []
    try:
        for one in again:
            found.append(one)
            progress.step(f"{len(found)} of {lines} attempts looked at, {sum(a.differs for a in found)} changed")
    finally:
        progress.end()
    return found


def _free(run: Path) -> Path:
    """A folder beside the run that is not there yet."""
    run = run.resolve()
    place, number = run.with_name(f"{run.name}-rescored"), 1
    while place.exists():
        number += 1
        place = run.with_name(f"{run.name}-rescored-{number}")
    return place


@contextmanager
def _apart(place: Path) -> Iterator[Path]:
    """A folder beside `place` to write a run in, which goes unless it was renamed: a rescored run is there whole."""
    with ExitStack() as stack:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            folder = stack.enter_context(temporary.beside(place, ".rescoring-"))
        except OSError as error:
            raise ToolError("cannot write", place.parent, f"{error.strerror}. Give --out, or --dry-run.") from None
        yield folder


def _say(settings: RunFile, found: Sequence[Again]) -> None:
    rows = changed(settings, found)
    if rows:
        _print_table(rows)
    kept = Counter(verdict(a.old) for a in found if not a.scored)
    print(f"{len(found)} attempts, {len(found) - kept.total()} scored again, {len(rows)} with another verdict")
    if kept:
        counts = ", ".join(f"{n} {name}" for name, n in sorted(kept.items()))
        print(f"kept as they are, without a reply: {counts}")
    besides = Counter(name for a in found if not a.differs for name in a.besides)
    if besides:
        counts = ", ".join(f"{name} {n}" for name, n in besides.most_common())
        print(f"same verdict, but other: {counts}")
    before, after = resolved([a.old for a in found]), resolved([a.new for a in found])
    for name in settings.formats:
        if before[name] != after[name]:
            print(printable(f"{name}: resolved trials {before[name]} before, {after[name]} now"))


def _print_table(rows: Sequence[Changed]) -> None:
    """The attempts of another verdict; on a terminal it wraps, elsewhere every row is one line."""
    table = Table("fixture", "format", "repeat", "attempt", "was", "is", "", box=None, pad_edge=False)
    for row in rows:
        old = row.again.old
        number = f"{old.attempt}" + (f" (call {old.call})" if old.call > 1 else "")
        cells = (
            old.fixture, old.format, f"{old.repeat}", number, verdict(old), verdict(row.again.new),
            "; ".join(part for part in (row.again.new.error, row.note) if part),
        )  # fmt: skip
        table.add_row(*(Text(printable(cell), overflow="fold") for cell in cells))
    console = Console()
    (console if console.is_terminal else Console(width=100_000)).print(table)
    print()
