"""`miner impossible`: proven fixtures become tasks that cannot be done, whose right answer is to say so."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task, load_fixture
from miner.nearest import meant
from miner.parallel import in_parallel
from miner.recipes.model import EnvironmentFailed
from miner.record import Fixture, Impossible, dump_yaml, read_plain, write_atomically
from miner.shown import is_copy, stand_ins
from miner.strata import seeded
from miner.withholding import still_possible

_ENDING = "-impossible"
_LONGEST = 80  # characters of an id's second part


@dataclass(frozen=True)
class Asked:
    """What `miner impossible` was asked for: `count` None makes all that can be made."""

    fixtures: Sequence[str] = ()
    count: int | None = None
    seed: int = 1
    repeats: int = 2
    workers: int = 2


@dataclass(frozen=True)
class Outcome:
    """What became of one possible fixture: `record` is its impossible twin, else `refused` says why there is none."""

    of: str
    record: Fixture | None = None
    refused: str = ""
    kept: bool = False  # it was there already


def make_impossible(folder: FixtureFolder, asked: Asked, progress: Callable[[Outcome], None]) -> list[Outcome]:
    """Make impossible fixtures of the asked-for ones, else of all that are proved, in a seeded order.

    Each is written as soon as it is proved; those that are there already, of the same fixture as it is now, are kept
    and count. With a `count`, no more are tried than it takes. Raises `ToolError` where there is none to try.
    """
    todo = candidates(folder, asked)
    outcomes: list[Outcome] = []
    while todo and (wanted := _wanted(asked, outcomes, len(todo))):
        batch, todo = todo[:wanted], todo[wanted:]
        for outcome in in_parallel(lambda of: _guarded(folder, of, asked.repeats), batch, asked.workers):
            outcomes.append(outcome)
            progress(outcome)
    return sorted(outcomes, key=lambda outcome: outcome.of)


def _wanted(asked: Asked, outcomes: Sequence[Outcome], left: int) -> int:
    """How many to try next: not one more than could be needed, so that the same ones are made every time."""
    if asked.count is None:
        return left
    return asked.count - sum(outcome.record is not None for outcome in outcomes)


def candidates(folder: FixtureFolder, asked: Asked) -> list[str]:
    """The fixtures to try, in their seeded order; raises `ToolError` where there is none."""
    ids = folder.ids()
    wanted = meant(asked.fixtures, ids, "no such fixture", "An id reads `<repo>/<number>-<slug>`, as its folder.")
    found = wanted or [i for i in ids if _is_possible(folder, i)]
    if not found:
        raise ToolError("no proven fixture", folder.root, "Run `miner harvest --repo REPO` without --no-prove first.")
    return sorted(found, key=lambda i: seeded(asked.seed, i))


def impossible_there(folder: FixtureFolder) -> int:
    """How many impossible tasks the folder has, of the records that can be read."""
    count = 0
    for fixture_id in folder.ids():
        with suppress(ToolError):
            count += load_fixture(folder.root / fixture_id).impossible is not None
    return count


def _is_possible(folder: FixtureFolder, fixture_id: str) -> bool:
    """Whether a fixture is one to try: proved and possible, or unreadable, which is for the table to say."""
    try:
        record = load_fixture(folder.root / fixture_id)
    except ToolError:
        return True
    return record.proof is not None and record.impossible is None


def _guarded(folder: FixtureFolder, of: str, repeats: int) -> Outcome:
    """The outcome of one fixture, whatever goes wrong with it: one odd fixture must not end the work on all others."""
    try:
        return _make(folder, folder.task(of), repeats)
    except (ToolError, EnvironmentFailed) as error:
        return Outcome(of, refused=str(error))
    except OSError:
        raise
    except Exception as error:
        return Outcome(of, refused=f"a bug, please report it: {type(error).__name__}: {error}")


def _make(folder: FixtureFolder, task: Task, repeats: int) -> Outcome:
    """The impossible twin of a task: chosen, proved and written, unless it is there."""
    fixture, proof = task.fixture, task.fixture.proof
    if fixture.impossible is not None:
        return Outcome(task.id, refused="it is impossible already")
    if proof is None:
        return Outcome(task.id, refused="it was never proved (harvested with --no-prove)")
    twin = impossible_id(task.id)
    known = _known(folder, twin)
    if known is not None and (known.impossible is None or known.impossible.of != task.id):
        return Outcome(task.id, refused=f"another fixture has the id {twin}")
    if known is not None and known.impossible is not None and known == _twin(fixture, known.impossible):
        folder.task(twin)  # raises where what it names is not in the tree
        return Outcome(task.id, known, kept=True)
    secret = {path: content for path, content in task.before.items() if content is not None}
    if not secret:
        return Outcome(task.id, refused="it only adds files: nothing can be withheld")
    shown = _shown_instead(task, secret)
    if not shown:
        return Outcome(task.id, refused="the tree has no other source file to show that is small enough and no copy")
    if why := still_possible(task, proof, list(secret), repeats, []):
        return Outcome(task.id, refused=why)
    record = _twin(fixture, Impossible(of=task.id, withheld=sorted(secret), shown=shown, repeats=repeats))
    _write(folder, task, record)
    return Outcome(task.id, record)


def impossible_id(of: str) -> str:
    """The id of a fixture's impossible twin."""
    repository, name = of.split("/")
    return f"{repository}/{name[: _LONGEST - len(_ENDING)].rstrip('-._')}{_ENDING}"


def _twin(fixture: Fixture, impossible: Impossible) -> Fixture:
    """The same task, trees, patches and proof, with what makes it impossible."""
    return fixture.model_copy(update={"id": impossible_id(fixture.id), "impossible": impossible})


def _known(folder: FixtureFolder, fixture_id: str) -> Fixture | None:
    """The record of that id where there is one that can be read."""
    try:
        return load_fixture(folder.root / fixture_id)
    except ToolError:
        return None


def _shown_instead(task: Task, secret: dict[str, bytes]) -> list[str]:
    blobs = task.store.blobs(task.fixture.starting_tree)
    own = set(task.fixture.source_files)
    files = [path for path, (mode, _) in blobs.items() if mode.startswith("100") and path not in own]
    return stand_ins(secret, files, lambda path: task.store.objects.read(blobs[path][1]) or b"")


def shows_withheld(task: Task) -> Iterator[str]:
    """The shown files of an impossible task that tell what one of its withheld files says."""
    secret = [content for path, content in task.before.items() if path in task.withheld]
    for path, content in sorted(task.shown.items()):
        if any(is_copy(content or b"", said or b"") for said in secret):
            yield path


def _write(folder: FixtureFolder, task: Task, record: Fixture) -> None:
    """Write the fixture; its record comes last, so that an unfinished fixture is never loadable."""
    place = folder.root / record.id
    (place / "fixture.yaml").unlink(missing_ok=True)
    for name in ("change.patch", "tests.patch", "prompt.md"):
        write_atomically(place / name, read_plain(task.folder / name))
    write_atomically(place / "fixture.yaml", dump_yaml(record))
