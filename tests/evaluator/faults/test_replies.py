"""Every fault of a reply's text, scored: the scorer finds the label that the fault has by construction."""

import dataclasses
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest

from evaluator.bench import TaskBench
from evaluator.faults import RESOLVED, Injected, Label, Site, inject
from evaluator.faults.grammar import GRAMMARS
from evaluator.faults.grammar.model import Slip
from evaluator.faults.replies import REPLY_FAULTS
from evaluator.faults.stray import as_text
from evaluator.formats import ALL
from evaluator.formats.model import STRICT, EditFormat, Leniency
from evaluator.formats.search_replace import SearchReplace
from evaluator.scoring import score_reply
from evaluator.taxonomy import Category, Detail
from miner.fixtures import Task
from miner.record import Impossible

Bench = Callable[[Task], TaskBench]
Grant = Callable[[EditFormat], Leniency]
APPLIERS: dict[str, Grant] = {
    "standard": lambda fmt: frozenset(tolerance.name for tolerance in fmt.tolerances),
    "strict": lambda fmt: STRICT,
}
# Faults that only some formats can have; every other is in all of those that quote what they replace.
WITHOUT_QUOTES = {
    "cut_at_length", "whole_at_length", "cut_by_time", "in_reasoning", "cut_open_unknown_stop", "cut_open_normal_stop",
    "cut_between_edits", "whole_unknown_stop", "blank_reply", "prose_only", "refusal_in_words", "broken_grammar",
    "other_format", "edit_as_contents", "blocked", "blocked_without_reason", "blocked_beside_edit",
    "prose_or_blocked_at_length", "forbidden_path", "file_and_folder", "forbidden_beside_right", "unknown_deleted",
    "gone_twice", "line_restated", "all_files_restated", "deleted_and_added_again", "broken_and_forbidden",
    "other_format_and_forbidden", "slip_fence_noise", "slip_path_decoration", "slip_path_in_fence",
    "slip_path_in_comment",
}  # fmt: skip
OF_ALL = WITHOUT_QUOTES - {
    "edit_as_contents", "slip_fence_noise", "slip_path_decoration", "slip_path_in_fence", "slip_path_in_comment"
} | {
    "unknown_edited", "unknown_and_broken", "stale_anchor", "change_made_before", "added_over_file",
    "stale_and_forbidden", "stale_beside_deletion", "right_by_hand", "slip_path_recovery", "stale_at_length",
    "slip_trailing_space", "slip_line_endings", "slip_lookalikes", "slip_indentation",
}  # fmt: skip
SOME = {
    "search_replace": {"repeated_anchor"}, "udiff": {"repeated_anchor"},
    "str_replace": {"repeated_anchor", "insert_past_end"},
    "unified_diff": {"repeated_anchor", "twin_at_wrong_place"}, "apply_patch": {"twin_at_wrong_place"},
}  # fmt: skip
GENERAL = {
    "cut_at_length", "whole_at_length", "cut_by_time", "in_reasoning", "cut_between_edits", "whole_unknown_stop",
    "blank_reply", "prose_only", "refusal_in_words", "blocked", "blocked_without_reason",
    "prose_or_blocked_at_length", "forbidden_path", "file_and_folder", "unknown_deleted", "line_restated",
}  # fmt: skip


class House(SearchReplace):
    """A format of another package, of whose grammar the faults know nothing."""

    name = "house"


def made(
    tasks: list[Task], bench: Bench, fmt: EditFormat, grant: Grant
) -> Iterator[tuple[str, Task, Injected, Label]]:  # fmt: skip
    """Fault, task and reply, and the label that it is scored with."""
    for task in tasks:
        tree, run = bench(task).tree, _once(bench(task))
        for fault in REPLY_FAULTS:
            for one in inject(fault, Site(task, tree, run, grant), fmt, "seed"):
                others = [other for other in ALL if other is not fmt]
                score = score_reply(one.text, one.stop, fmt, others, task, tree, run, grant(fmt))
                yield fault.name, task, one, Label(score.category, score.detail)


def _once(bench: TaskBench) -> Callable[..., object]:
    cached = cache(lambda changed: bench.run_tests(dict(changed)))
    return lambda changed: cached(frozenset(changed.items()))


@pytest.mark.parametrize("applier", list(APPLIERS))
@pytest.mark.parametrize("fmt", ALL, ids=lambda fmt: fmt.name)
def test_a_fault_is_scored_as_it_is_labelled(
    checked_in: list[Task], truth_bench: Bench, fmt: EditFormat, applier: str
) -> None:
    wrong, found, labels = [], set(), {fault.name: fault.labels for fault in REPLY_FAULTS}
    tasks = [checked_in[n] for n in (2, 16, 24)]  # every fault finds its place in one of them
    for name, task, one, scored in made(tasks, truth_bench, fmt, APPLIERS[applier]):
        found.add(name)
        assert one.label in labels[name], name
        if scored != one.label:
            wrong.append((name, task.id, str(one.label), str(scored), one.text))
    assert wrong == []
    slips = {f"slip_{slip.name}" for slip in GRAMMARS[fmt.name].slips}
    wanted = (WITHOUT_QUOTES if fmt.name == "whole_file" else OF_ALL | slips | SOME[fmt.name])
    if (fmt.name, applier) == ("unified_diff", "strict"):
        wanted = wanted - {"repeated_anchor"}  # takes a hunk without numbers, which strictly there is not
    assert found == wanted


@pytest.mark.parametrize("applier", list(APPLIERS))
def test_a_format_without_a_row_has_the_general_faults(
    checked_in: list[Task], truth_bench: Bench, applier: str
) -> None:
    results = list(made(checked_in[:2], truth_bench, House(), APPLIERS[applier]))
    assert [(name, str(scored)) for name, _, one, scored in results if scored != one.label] == []
    assert {name for name, *_ in results} == GENERAL


@pytest.mark.parametrize("fmt", ALL, ids=lambda fmt: fmt.name)
def test_on_an_impossible_task_blocked_resolves_and_nothing_else_does(
    checked_in: list[Task], truth_bench: Bench, fmt: EditFormat
) -> None:
    possible = checked_in[0]
    shown = next(p for p in truth_bench(possible).tree.modes if p.endswith(".py") and p not in possible.before)
    impossible = Impossible(of=possible.id, withheld=sorted(possible.before), shown=[shown], repeats=1)
    fixture = possible.fixture.model_copy(update={"impossible": impossible})
    task = dataclasses.replace(possible, fixture=fixture)
    results = list(made([task], truth_bench, fmt, APPLIERS["standard"]))
    assert [(name, str(scored)) for name, _, one, scored in results if scored != one.label] == []
    assert {name for name, _, one, _ in results if one.label == RESOLVED} == {"blocked"}
    assert {"prose_only", "forbidden_path", "gone_twice"} <= {name for name, *_ in results}


def test_equal_seeds_give_equal_damage(checked_in: list[Task], truth_bench: Bench) -> None:
    task, fmt = checked_in[3], ALL[1]
    bench = truth_bench(task)

    def texts(seed: str) -> list[str]:
        site = Site(task, bench.tree, bench.run_tests, APPLIERS["standard"])
        return [one.text for fault in REPLY_FAULTS for one in inject(fault, site, fmt, seed)]

    assert texts("a") == texts("a")
    assert texts("a") != texts("b")


LETTER = Label(Category.NOT_APPLIED, Detail.ANCHOR_MISSING)
SLIP = Slip("x", frozenset({"x", "y"}), LETTER, also=frozenset({"z"}))
GRANTS: dict[str, tuple[Slip, Leniency, Label | None]] = {
    "granted": (SLIP, frozenset({"x"}), RESOLVED),
    "granted by another name": (SLIP, frozenset({"y", "z"}), RESOLVED),
    "to the letter": (SLIP, STRICT, LETTER),
    "only what has no bearing on it": (SLIP, frozenset({"w"}), LETTER),
    "read otherwise": (SLIP, frozenset({"z"}), None),
    "needs no tolerance": (Slip("x", frozenset(), RESOLVED), STRICT, RESOLVED),
}


@pytest.mark.parametrize("name", list(GRANTS))
def test_what_a_slip_is_follows_from_the_tolerances(name: str) -> None:
    slip, granted, label = GRANTS[name]
    assert slip.label(granted) == label


@pytest.mark.parametrize("fmt", [fmt for fmt in ALL if fmt.name != "apply_patch"], ids=lambda fmt: fmt.name)
def test_one_tolerance_alone_makes_a_slip_good(checked_in: list[Task], truth_bench: Bench, fmt: EditFormat) -> None:
    task = next(t for t in checked_in if sum(as_text(c) is not None for c in t.before.values()) == 1)
    bench = truth_bench(task)
    for slip in GRAMMARS[fmt.name].slips:
        for tolerance in slip.repairs & {t.name for t in fmt.tolerances}:
            granted = frozenset({tolerance})
            site = Site(task, bench.tree, bench.run_tests, lambda _, granted=granted: granted)
            fault = next(fault for fault in REPLY_FAULTS if fault.name == f"slip_{slip.name}")
            for one in inject(fault, site, fmt, "seed"):
                score = score_reply(one.text, one.stop, fmt, [], task, bench.tree, bench.run_tests, granted)
                assert (score.category, one.label) == (None, RESOLVED), (slip.name, one.text)


def test_a_cut_is_a_beginning_of_the_right_reply(checked_in: list[Task], truth_bench: Bench) -> None:
    task = checked_in[0]
    bench = truth_bench(task)
    fault = next(fault for fault in REPLY_FAULTS if fault.name == "cut_at_length")
    for fmt in ALL:
        site = Site(task, bench.tree, bench.run_tests, APPLIERS["strict"])
        whole = fmt.encode(task.before, task.after)
        cuts = [one.text for one in fault.replies(site, fmt, Random(1))]
        assert len(set(cuts)) > 1
        assert all(cut and isinstance(whole, str) and whole.startswith(cut) and cut != whole for cut in cuts)
