"""The mistakes of simulated models: replies of a known label, made by the faults, each made once."""

import threading
from collections.abc import Iterator, Sequence
from random import Random

from evaluator import bench  # the module: it imports this package, so that neither may need the other's names yet
from evaluator.faults import FILE_FAULTS, REPLY_FAULTS, inject
from evaluator.faults.model import RESOLVED, FileFault, Injected, Label, ReplyFault, Site
from evaluator.formats.model import EditFormat, Leniency
from evaluator.models.last_resort import last_resort, truth
from evaluator.models.spec import DETAILS, ON_IMPOSSIBLE, USUAL, is_last
from evaluator.scoring import Tests
from evaluator.taxonomy import Category
from miner.fixtures import Task
from miner.symbols.files import Files

VARIANTS = 3  # replies kept per fixture, format and label
_TRIES = 4  # damages of a fault that has several labels, until one has the label asked for

Fault = FileFault | ReplyFault


class Mistakes:
    """Makes replies of a label. It may be shared by models and threads: what it makes depends on no seed of theirs.

    Where no fault of the label is possible, another detail of its category stands in; where none is possible either,
    `evaluator.models.last_resort`. So the category is always as asked for.
    """

    def __init__(self, faults: Sequence[Fault] = (*FILE_FAULTS, *REPLY_FAULTS)) -> None:
        # Faults that run tests are left out: a simulated model has none.
        self._by_label: dict[Label, list[Fault]] = {}
        for fault in faults:
            for label in () if fault.needs_tests else fault.labels:
                self._by_label.setdefault(label, []).append(fault)
        self._sites: dict[str, Site] = {}
        self._made: dict[tuple[str, str, Label, int], Injected] = {}

    def reply(self, task: Task, fmt: EditFormat, label: Label, choice: int) -> Injected:
        """The `choice`-th reply (from 0, below `VARIANTS`) of that label."""
        key = (task.id, fmt.name, label, choice)
        if key not in self._made:  # two threads may both make it: they make the same
            self._made[key] = self._make(self._site(task), fmt, label, choice)
        return self._made[key]

    def _make(self, site: Site, fmt: EditFormat, label: Label, choice: int) -> Injected:
        if label == RESOLVED:
            return Injected(truth(site.task, fmt), RESOLVED)
        seed = f"{fmt.name}\0{label}\0{choice}"
        random = Random(f"{seed}\0{site.task.id}")
        resort = last_resort(label, site, fmt)
        for wanted in stand_ins(label, site.task.impossible, random):
            faults = list(self._by_label.get(wanted, ()))
            random.shuffle(faults)
            for fault in faults:
                made = inject(fault, site, fmt, seed, _TRIES)
                if (found := next((one for one in made if one.label == wanted), None)) is not None:
                    return found
            if wanted == resort.label:
                return resort
        return resort

    def _site(self, task: Task) -> Site:
        if task.id not in self._sites:
            tree = bench.TaskBench(task, threading.Lock()).tree
            self._sites[task.id] = Site(task, tree, _no_tests, _whole_ladder)
        return self._sites[task.id]


def stand_ins(label: Label, impossible: bool, random: Random) -> Iterator[Label]:
    """The labels that may stand for one, in the order they are tried: the label itself, then others of its category.

    One that ends a trial never stands for one that is retried; the reverse is mended by `Drawn`, which repeats it.
    """
    assert label.category is not None
    category = label.category
    known = ON_IMPOSSIBLE if impossible and category is Category.WRONG_CHANGE else DETAILS[category]
    usual = known if known is ON_IMPOSSIBLE else USUAL[category]
    tiers = [[label.detail] if label.detail else [], list(usual), list(known)]
    order = list(dict.fromkeys(detail for tier in tiers for detail in random.sample(tier, len(tier))))
    labels = [Label(category, detail) for detail in order]
    yield from (other for other in labels if is_last(other) is is_last(label))
    yield from (other for other in labels if is_last(label) and not is_last(other))


def _no_tests(_changed: Files) -> Tests:
    raise AssertionError("a fault that says it needs no tests ran them")


def _whole_ladder(fmt: EditFormat) -> Leniency:
    return frozenset(tolerance.name for tolerance in fmt.tolerances)
