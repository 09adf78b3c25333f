"""Every fault is possible somewhere, gives files that differ, and is labelled by the scorer as it says."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from evaluator.bench import TaskBench
from evaluator.faults import FILE_FAULTS, REPLY_FAULTS, Label, inject
from evaluator.faults.bytes import BY_FORMAT
from evaluator.faults.impossible import Anyway
from evaluator.faults.model import FileFault, Injected, Site
from evaluator.formats import FORMATS
from evaluator.formats.model import EditFormat, Tree
from evaluator.scoring import score_reply
from evaluator.taxonomy import Category
from miner.fixtures import Task
from miner.record import Impossible
from tests.evaluator.faults.sites import made_up, seeing

Bench = Callable[[Task], TaskBench]
PAIRS = [("search_replace", "whole_file"), ("unified_diff", "str_replace"), ("apply_patch", "udiff")]


@pytest.fixture(scope="module")
def sites(checked_in: list[Task], truth_bench: Bench) -> list[Site]:
    """Some small tasks with tests that see everything, and one with tests that see the truth alone."""
    small = sorted(checked_in, key=lambda task: task.fixture.rewrite_tokens)[:4]
    tasks = [*small, *(task for task in checked_in if len(task.fixture.source_files) == 2)][:5]
    first = truth_bench(small[1])
    whole = Site(small[1], first.tree, first.run_tests, lambda fmt: frozenset(t.name for t in fmt.tolerances))
    return [whole, *(seeing(task, truth_bench(task).tree) for task in tasks)]


@pytest.fixture(scope="module")
def impossible(checked_in: list[Task], truth_bench: Bench) -> list[Site]:
    """Tasks whose files are withheld."""
    found = []
    for task in checked_in[:3]:
        withheld = task.fixture.source_files
        lacks = Impossible(of=task.id, withheld=withheld, shown=["src/billing/__init__.py"], repeats=1)
        gone = replace(task, fixture=task.fixture.model_copy(update={"impossible": lacks}))
        found.append(seeing(gone, truth_bench(gone).tree))
    return found


def scored(site: Site, fmt: EditFormat, reply: Injected) -> Label:
    others = [other for other in FORMATS.values() if other is not fmt]
    score = score_reply(reply.text, reply.stop, fmt, others, site.task, site.tree, site.tests_of, site.leniency(fmt))
    return Label(score.category, score.detail)


def replies(fault: FileFault, site: Site, pair: tuple[str, str]) -> Iterator[tuple[EditFormat, Injected]]:
    for fmt in map(FORMATS.__getitem__, pair):
        for reply in inject(fault, site, fmt, "seed"):
            yield fmt, reply


named = partial(pytest.mark.parametrize, "fault", ids=lambda fault: fault.name)
POSSIBLE = [fault for fault in FILE_FAULTS if not isinstance(fault, Anyway)]
SEEN = {"added_helper_in_use"}  # right, though not to tests that see everything
PLAIN = {"deleted_plain_file", "edited_plain_file"}  # the checked-in trees have no such files


@named([fault for fault in POSSIBLE if fault.name not in PLAIN])
def test_the_scorer_says_what_the_fault_says(sites: list[Site], impossible: list[Site], fault: FileFault) -> None:
    made = 0
    for number, site in enumerate(sites):
        if fault.name in SEEN and number:
            continue
        for fmt, reply in replies(fault, site, PAIRS[number % 3]):
            assert reply.label in fault.labels
            assert scored(site, fmt, reply) == reply.label, (site.task.id, fmt.name)
            made += 1
    assert made >= 2
    assert next(replies(fault, impossible[0], PAIRS[0]), None) is None


@named([fault for fault in FILE_FAULTS if isinstance(fault, Anyway)])
def test_impossible_tasks(impossible: list[Site], sites: list[Site], fault: FileFault) -> None:
    made = [(site, *one) for number, site in enumerate(impossible) for one in replies(fault, site, PAIRS[number])]
    assert len(made) == 6
    assert all(scored(site, fmt, reply) == reply.label for site, fmt, reply in made)
    assert next(replies(fault, sites[0], PAIRS[0]), None) is None


def test_other_languages(checked_in: list[Task], tree_of: Callable[..., Tree]) -> None:
    made: dict[str, set[str]] = {}
    for site in made_up(checked_in[0], tree_of):
        for fault in POSSIBLE:
            for fmt, reply in () if fault.name in SEEN else replies(fault, site, PAIRS[0]):
                assert scored(site, fmt, reply) == reply.label, (fault.name, fmt.name, *site.task.before, reply.text)
                made.setdefault(*site.task.before, set()).add(fault.name)
    assert made["lib/other.html"] >= PLAIN | {"bytes_endings_but_one", "undone", "added_file"}
    both = {
        "removed_function", "removed_constant", "modified_literal", "modified_logic", "modified_comment",
        "modified_formatting", "modified_blank_line", "added_function", "renamed_function",
        "reordered_neighbours", "bytes_endings", "elision_tail", "elision_body", "elision_in_bracket",
        "broken_bracket", "broken_quote", "inside_endless", "inside_comment", "undone",
        "wrong_function", "removed_and_missed", "deleted_test", "edited_test",
        "edited_test_configuration", "edited_page", "removed_and_endings", "broken_and_removed",
    }  # fmt: skip
    assert made["money.go"] >= both
    assert made["lib/money.js"] >= both | {"reordered_imports", "removed_import", "removed_class"}


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_category_of_an_answer_has_a_fault_that_is_always_possible(
    checked_in: list[Task], truth_bench: Bench, name: str
) -> None:
    always = [f for f in FILE_FAULTS if f.name in ("broken_new_file", "added_file", "undone", "truth", "new_test")]
    assert not any(fault.needs_tests for fault in always)
    seen: set[Category | None] = set()
    for task in checked_in[:: len(FORMATS)]:
        bench = truth_bench(task)
        site = Site(task, bench.tree, bench.run_tests, lambda fmt: frozenset(t.name for t in fmt.tolerances))
        for fault in always:
            reply = next(inject(fault, site, FORMATS[name], "seed"))
            assert scored(site, FORMATS[name], reply) == reply.label, (task.id, fault.name)
            seen.add(reply.label.category)
    assert seen == {Category.MISAPPLIED, Category.UNINTENDED_CHANGE, Category.WRONG_CHANGE, None}


def test_faults_are_damage_of_other_files_than_before_and_the_same_again(sites: list[Site]) -> None:
    for fault in POSSIBLE[::3]:
        for site in sites[:1]:
            damaged, again = (next(iter(fault.damages(site, Random("s"))), None) for _ in range(2))
            assert damaged == again
            if damaged is not None:
                assert damaged.before.keys() == damaged.after.keys()
                assert all(damaged.before[path] != damaged.after[path] for path in damaged.after), fault.name
                assert all(site.tree.read(path) == content for path, content in damaged.before.items())


@pytest.mark.parametrize("name", list(FORMATS))
def test_all_line_endings_are_undone_where_a_format_grants_that(sites: list[Site], name: str) -> None:
    fmt = FORMATS[name]
    for site in sites[:1]:
        for leniency in (site.leniency(fmt), frozenset[str]()):
            seen = replace(site, leniency=lambda _, granted=leniency: granted)
            reply = next(inject(BY_FORMAT[0], seen, fmt, "seed"))
            assert (reply.label.category is None) == (name == "whole_file" and bool(leniency))
            assert scored(seen, fmt, reply) == reply.label


def test_names_are_told_apart() -> None:
    names = [fault.name for fault in (*FILE_FAULTS, *REPLY_FAULTS)]
    assert len(names) == len(set(names))


def test_the_tests_of_a_fixture_decide(checked_in: list[Task]) -> None:
    bench = TaskBench(min(checked_in, key=lambda task: task.fixture.rewrite_tokens), threading.Lock())
    site = Site(bench.task, bench.tree, bench.run_tests, lambda fmt: frozenset(t.name for t in fmt.tolerances))
    for fault in FILE_FAULTS:
        if fault.name in ("inside_logic", "inside_comment", "removed_and_missed", "wrong_and_removed"):
            for fmt, reply in replies(fault, site, PAIRS[0][:1]):
                assert scored(site, fmt, reply) == reply.label, fault.name
