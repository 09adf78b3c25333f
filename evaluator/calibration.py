"""`evaluator calibrate`: replies whose label is known, scored. Where the scorer differs, one of the two is wrong."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from evaluator.appliers import Granted, leniency
from evaluator.bench import TaskBench, benches
from evaluator.faults import FILE_FAULTS, REPLY_FAULTS, Injected, Label, Site, inject
from evaluator.faults.model import FileFault, ReplyFault
from evaluator.formats import others
from evaluator.formats.model import EditFormat
from evaluator.models.model import NoEvidence
from evaluator.scoring import score_reply
from miner.errors import ToolError
from miner.fixtures import Task
from miner.parallel import in_parallel
from miner.record import write_atomically
from miner.symbols.files import language_of

Faults = Sequence[FileFault | ReplyFault]
ALL_FAULTS: Faults = (*FILE_FAULTS, *REPLY_FAULTS)
QUICK: Faults = tuple(fault for fault in ALL_FAULTS if not getattr(fault, "slow", False))


@dataclass(frozen=True)
class Plan:
    """What is injected: the faults, how often each where there are places for it, and with which applier."""

    formats: Sequence[EditFormat]
    applier: Granted
    faults: Faults = QUICK
    most: int = 1  # replies a fault, format and fixture
    seed: str = "1"


@dataclass(frozen=True)
class Tried:
    """One injected reply: the label it was made for, and what the scorer said of it.

    `error` is what kept the scorer from an answer. The reply's `text` is kept where the two differ.
    """

    fixture: str
    language: str
    format: str
    fault: str
    expected: Label
    got: Label | None
    error: str = ""
    text: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the scorer said what the fault was made for."""
        return self.got == self.expected


def calibrate(
    tasks: Sequence[Task], plan: Plan, workers: int, progress: Callable[[list[Tried]], None]
) -> list[Tried]:  # fmt: skip
    """Every reply that was injected, sorted by fixture; `progress` is called with those so far after each fixture."""
    tried: list[Tried] = []
    over = Event()  # a fixture is some hundred replies, and Ctrl-C waits for no more than one of them
    for found in in_parallel(lambda bench: list(_on(bench, plan, over)), benches(tasks).values(), workers, over):
        tried += found
        progress(tried)
    return sorted(tried, key=lambda t: t.fixture)


def _on(bench: TaskBench, plan: Plan, over: Event) -> Iterator[Tried]:
    site = Site(bench.task, bench.tree, bench.run_tests, lambda fmt: leniency(plan.applier, fmt))
    for fault in plan.faults:
        for fmt in plan.formats:
            if over.is_set():
                return
            yield from _with(fault, fmt, site, plan)


def _with(fault: FileFault | ReplyFault, fmt: EditFormat, site: Site, plan: Plan) -> Iterator[Tried]:
    """Injecting or scoring that raises is one more thing tried, which agrees with nothing."""
    blank = Tried(site.task.id, language(site.task), fmt.name, fault.name, fault.labels[0], None)
    injected: Injected | None = None
    try:
        for injected in inject(fault, site, fmt, plan.seed, plan.most):
            yield _scored(injected, blank, fmt, site)
    except (ToolError, NoEvidence) as error:
        yield _failed(blank, injected, str(error))
    except Exception as error:  # a bug of ours hides no other fault
        yield _failed(blank, injected, f"a bug: {type(error).__name__}: {error}")


def _scored(injected: Injected, blank: Tried, fmt: EditFormat, site: Site) -> Tried:
    score = score_reply(
        injected.text, injected.stop, fmt, others(fmt), site.task, site.tree, site.tests_of, site.leniency(fmt)
    )
    got = Label(score.category, score.detail)
    text = "" if got == injected.label else injected.text
    return Tried(blank.fixture, blank.language, blank.format, blank.fault, injected.label, got, "", text)


def _failed(blank: Tried, injected: Injected | None, error: str) -> Tried:
    text = injected.text if injected else ""
    return Tried(blank.fixture, blank.language, blank.format, blank.fault, blank.expected, None, error, text)


def language(task: Task) -> str:
    """The language of most of the change set's files; `text` for those without symbols."""
    found = Counter(known.grammar if (known := language_of(path)) else "text" for path in task.fixture.source_files)
    return found.most_common(1)[0][0]


def write_disagreements(folder: Path, tried: Sequence[Tried]) -> Mapping[Tried, Path]:
    """The replies that were scored otherwise than they were made, one file each to read."""
    written: dict[Tried, Path] = {}
    for one in tried:
        if not one.agrees:
            name = f"{one.fault}.{one.format}.{len(written) + 1}.txt"
            written[one] = folder / one.fixture / name
            write_atomically(written[one], one.text)
    return written
