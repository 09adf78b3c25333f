"""The faults of one fixture in every format, scored: what the second injector says beside what the scorer says."""

import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.second_anchors import elsewhere, misplaced
from benchmarks.second_damage import Damage, Label, certain, label
from benchmarks.second_impossible import faults as of_impossible
from benchmarks.second_impossible import impossible, neighbour
from benchmarks.second_pieces import Texts
from benchmarks.second_replies import Fault, cut, harmless, unread
from benchmarks.second_subject import Subject
from benchmarks.second_unasked import unasked
from benchmarks.second_writers import write
from benchmarks.second_wrong import broken, judged
from evaluator.bench import TaskBench
from evaluator.formats import ALL
from evaluator.formats.model import EditFormat
from evaluator.scoring import Tests, score_reply
from miner.fixtures import Task
from miner.symbols.files import Files


@dataclass(frozen=True)
class Row:
    """One reply that was scored."""

    fixture: str
    language: str
    format: str
    fault: str
    rule: str
    expected: Label
    got: Label
    reply: str
    unintended: list[str] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        """Whether label and score are one."""
        return self.expected == self.got


@dataclass
class CachedTests:
    """The tests of one task, run once for the same changed files."""

    run_tests: Callable[[Files], Tests]
    start: Callable[[str], bytes | None]
    seen: dict[object, Tests] = field(default_factory=dict)

    def __call__(self, changed: Files) -> Tests:
        real = {path: content for path, content in changed.items() if content != self.start(path)}
        key = tuple(sorted(real.items(), key=lambda item: item[0]))
        if key not in self.seen:
            self.seen[key] = self.run_tests(real)
        return self.seen[key]

    def of_texts(self, texts: Texts) -> str:
        """The verdict on texts."""
        return self({path: None if text is None else text.encode() for path, text in texts.items()}).value


def subject_of(task: Task, bench: TaskBench) -> Subject | None:
    """What the injector knows of a task; None where a text is no UTF-8."""

    def text(content: bytes | None) -> str | None:
        return None if content is None else content.decode()

    def read(path: str) -> str | None:
        try:
            return text(bench.tree.read(path))
        except UnicodeDecodeError:
            return None

    try:
        before = {path: text(content) for path, content in task.before.items()}
        after = {path: text(content) for path, content in task.after.items()}
    except UnicodeDecodeError:
        return None
    own = frozenset([*task.fixture.test_files, *task.fixture.dropped_files])
    return Subject(task.id, before, after, frozenset(bench.tree.modes), read, own)


@dataclass(frozen=True)
class Extent:
    """How much is scored of a fixture: this many damages that tests must judge, that share of replies."""

    tested: int = 1_000_000
    share: float = 1.0
    endless: bool = False

    def takes(self, *names: str) -> bool:
        """Whether this reply is in the share: other ones for every fixture and format."""
        return zlib.crc32(" ".join(names).encode()) % 1000 < self.share * 1000


def damages(subject: Subject, extent: Extent) -> list[Damage]:
    """The damage that needs the tests, `tested` of it at most, and what needs none."""
    many = [*unasked(subject).found, *judged(subject, extent.endless).found]
    sure = list(certain(many, subject))
    start = subject.pick(range(len(sure)), "first") if sure else 0
    turned = [*sure[start:], *sure[:start]]
    step = max(1, len(turned) // max(1, extent.tested))
    chosen = turned if extent.tested >= len(turned) else turned[::step][: extent.tested]
    return [*chosen, *certain(broken(subject).found, subject)]


def bench_of(task: Task) -> TaskBench:
    """The bench that runs the real tests."""
    return TaskBench(task, threading.Lock())


def scored(task: Task, extent: Extent, benched: Callable[[Task], TaskBench] = bench_of) -> Iterator[Row]:
    """The faults of one task in every format, scored."""
    bench = benched(task)
    subject = subject_of(task, bench)
    if subject is None:
        return
    tests = CachedTests(bench.run_tests, bench.tree.read)
    labelled = [(one, label(one, subject, tests.of_texts)) for one in damages(subject, extent)]
    shown = neighbour(subject)
    other = impossible(task, shown) if shown and any(subject.before.values()) else None
    blocked = benched(other) if other else None
    suffix = next(iter(sorted(subject.after)), "").rpartition(".")[2]
    for fmt in ALL:
        for fault in of_format(subject, fmt.name, labelled):
            if extent.takes(task.id, fmt.name, fault.name):
                yield _row(fault, suffix, fmt, task, bench, tests)
        if other and blocked and shown:
            for fault in of_impossible(subject, shown, fmt.name):
                if extent.takes(task.id, fmt.name, fault.name):
                    yield _row(fault, suffix, fmt, other, blocked, _no_tests)


def _no_tests(changed: Files) -> Tests:
    raise AssertionError(f"tests were run on an impossible task: {sorted(changed)}")


def of_format(subject: Subject, name: str, labelled: Sequence[tuple[Damage, Label]]) -> Iterator[Fault]:
    """The replies of one format to a possible task."""
    whole = write(name, subject.before, subject.after)
    if whole:
        for maker in (cut, unread):
            yield from maker(subject, name, whole)
        yield from harmless(name, whole)
    yield from misplaced(subject, name)
    yield from elsewhere(subject, name)
    for damage, expected in labelled:
        if damage.formats and name not in damage.formats:
            continue
        text = write(name, subject.start(damage.full), damage.full)
        if text:
            healed = name in damage.healed
            yield Fault(damage.name, damage.rule, text, (None, None) if healed else expected)


def _row(
    fault: Fault, suffix: str, fmt: EditFormat, task: Task, bench: TaskBench, tests: Callable[[Files], Tests]
) -> Row:
    others = [one for one in ALL if one.name != fmt.name]
    granted = frozenset(step.name for step in fmt.tolerances)
    stop = fault.stop
    score = score_reply(fault.reply, stop, fmt, others, task, bench.tree, tests, granted)  # type: ignore[arg-type]
    got = (score.category.value if score.category else None, score.detail.value if score.detail else None)
    unintended = [str(one) for one in score.unintended or []]
    return Row(task.id, suffix, fmt.name, fault.name, fault.rule, fault.expected, got, fault.reply, unintended)
