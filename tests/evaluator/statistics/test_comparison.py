"""Journals made by hand, with known disagreements; bounds of discards against every way they could have gone."""

import itertools
import random

import pytest

from evaluator.journal import AttemptLine
from evaluator.statistics.comparison import Block, Comparison, Pair, compare, outcomes
from evaluator.statistics.exact import ALPHA, holm, holm_within, mcnemar
from evaluator.taxonomy import Category, Detail, Discard
from evaluator.trials import trials

Row = dict[str, bool | None]


def journal(*rows: str, names: str = "ABC") -> list[AttemptLine]:
    """A line a trial: a row a block, a letter a format: `+` resolved, `-` failed, `?` discarded."""
    ends = {
        "+": {"valid": True},
        "-": {"failure_category": Category.WRONG_CHANGE, "detail": Detail.TESTS_FAIL},
        "?": {"discarded": Discard.INFRA_ERROR},
    }
    return [
        AttemptLine(fixture=f"r/{n}-x", format=name, model="m", repeat=1, attempt=1, **{"valid": False, **ends[end]})
        for n, row in enumerate(rows) for name, end in zip(names, row, strict=False)
    ]  # fmt: skip


def compared(*rows: str) -> Comparison:
    names = "ABC"[: len(rows[0])]
    return compare(names, outcomes(names, trials(journal(*rows))))


def only(*rows: str) -> Pair:
    (pair,) = compared(*rows).pairs
    return pair


def test_disagreements_are_counted_by_who_alone_resolved() -> None:
    pair = only(*["+-"] * 9, *["-+"] * 2, *["++"] * 5, *["--"] * 3)
    assert (pair.split.only_first, pair.split.only_second, pair.split.blocks) == (9, 2, 19)
    assert pair.resolved == (14, 7)
    assert pair.split.difference == pytest.approx(7 / 19)
    assert pair.p == pytest.approx(mcnemar(9, 2))
    assert pair.winner is None


VERDICTS = [(5, 0, None), (6, 0, "A"), (0, 6, "B"), (9, 1, "A"), (8, 1, "A"), (7, 1, None), (0, 0, None), (17, 0, "A")]


@pytest.mark.parametrize(("b", "c", "winner"), VERDICTS)
def test_the_verdict_of_one_pair(b: int, c: int, winner: str | None) -> None:
    assert only(*["+-"] * b, *["-+"] * c, "++").winner == winner


def test_under_holm_over_three_pairs_6_0_is_none_and_7_0_is_the_first() -> None:
    # A and C resolve alike, so that of three pairs two are 6-0 (or 7-0) and one is 0-0.
    six = compared(*["+-+"] * 6, "+++")
    assert [(p.first, p.second, p.winner) for p in six.pairs] == [("A", "B", None), ("A", "C", None), ("B", "C", None)]
    assert six.pairs[0].p == pytest.approx(3 * 0.03125)
    seven = compared(*["+-+"] * 7, "+++")
    assert [p.winner for p in seven.pairs] == ["A", None, "C"]


def test_a_block_that_lacks_evidence_of_one_format_is_dropped_for_all() -> None:
    found = compared("+-+", "+-?", "?-+", "+++")
    assert (found.blocks, found.complete) == (4, 2)
    assert [(p.split.only_first, p.split.only_second, p.split.blocks) for p in found.pairs] == [
        (1, 0, 2), (0, 0, 2), (0, 1, 2),
    ]  # fmt: skip


def test_the_attempts_of_a_trial_are_one_verdict() -> None:
    lines = journal("+-", "--", names="AB")
    retried = lines[0].model_copy(update={"failure_category": Category.MALFORMED, "valid": False})
    lines = [retried, lines[0].model_copy(update={"attempt": 2}), *lines[1:]]
    assert compare("AB", outcomes("AB", trials(lines))).pairs[0].resolved == (1, 0)


def test_pair_bounds_take_discards_for_the_worst_and_for_the_best() -> None:
    pair = only(*["+-"] * 6, "?-", "+?", "++")
    assert (pair.split.only_first, pair.split.only_second, pair.split.blocks) == (6, 0, 7)
    assert (pair.worst.only_first, pair.worst.only_second, pair.worst.blocks) == (6, 0, 9)
    assert (pair.best.only_first, pair.best.only_second, pair.best.blocks) == (8, 0, 9)
    assert not pair.depends


DEPENDS = {
    "a winner that a discarded trial could undo": ([*["+-"] * 6, "-?"], "A", True),
    "a winner with something to spare": ([*["+-"] * 9, "-?"], "A", False),
    "none, and one more would make one": ([*["+-"] * 5, "+?"], None, True),
    "none, whatever they were": ([*["+-"] * 3, "+?", "?+"], None, False),
    "one discard that helps neither, as the other resolved": ([*["+-"] * 6, "?-"], "A", False),
    "none was discarded": ([*["+-"] * 6], "A", False),
}


@pytest.mark.parametrize(("rows", "winner", "depends"), DEPENDS.values(), ids=DEPENDS.keys())
def test_a_verdict_that_discards_could_change_is_said_to_depend(
    rows: list[str], winner: str | None, depends: bool
) -> None:
    pair = only(*rows)
    assert (pair.winner, pair.depends) == (winner, depends)


def test_a_discard_of_a_third_format_can_decide_between_two() -> None:
    # B's only success stands in a block that C's discard drops for all.
    rows = [*["+--"] * 7, "-+?"]
    dropped = compared(*rows).pairs[0]
    assert (dropped.winner, dropped.depends) == ("A", True)
    assert not compared(*["+--"] * 12, "-+?").pairs[0].depends


def every_verdict(names: str, found: dict[Block, Row]) -> list[set[str | None]]:
    """Per pair, its verdicts over every way in which the discarded trials could have gone."""
    holes = [(block, name) for block, row in found.items() for name in names if row[name] is None]
    seen: list[set[str | None]] = [set() for _ in itertools.combinations(names, 2)]
    for ends in itertools.product((False, True), repeat=len(holes)):
        rows = {block: dict(row) for block, row in found.items()}
        for (block, name), end in zip(holes, ends, strict=True):
            rows[block][name] = end
        splits = [
            tuple(sum(r[x] is True and r[y] is False for r in rows.values()) for x, y in ((a, b), (b, a)))
            for a, b in itertools.combinations(names, 2)
        ]
        for n, ((a, b), p) in enumerate(
            zip(itertools.combinations(names, 2), holm([mcnemar(*s) for s in splits]), strict=True)
        ):
            seen[n].add(None if p > ALPHA else a if splits[n][0] > splits[n][1] else b)
    return seen


@pytest.mark.parametrize("seed", range(60))
def test_a_verdict_said_to_hold_holds_in_every_way_the_discards_could_have_gone(seed: int) -> None:
    draw = random.Random(seed)
    names = "ABC"[: draw.choice([2, 3])]
    weights = [draw.choice([(9, 1), (5, 5), (2, 8)]) for _ in names]
    rows = ["".join(draw.choices("+-", w)[0] for w in weights) for _ in range(draw.randint(8, 22))]
    for _ in range(draw.randint(0, 5)):
        n, at = draw.randrange(len(rows)), draw.randrange(len(names))
        rows[n] = rows[n][:at] + "?" + rows[n][at + 1 :]
    found = outcomes(names, trials(journal(*rows)))
    pairs = compare(names, found).pairs
    for pair, verdicts in zip(pairs, every_verdict(names, found), strict=True):
        assert pair.depends or verdicts == {pair.winner}
        if len(names) == 2:  # of one pair the bounds are exact
            assert pair.depends == (verdicts != {pair.winner})


def repeated(*repeats: list[str]) -> Comparison:
    """A journal a repeat, all of the same fixtures."""
    lines = [line.model_copy(update={"repeat": n}) for n, rows in enumerate(repeats, 1) for line in journal(*rows)]
    names = "ABC"[: len(repeats[0][0])]
    return compare(names, outcomes(names, trials(lines)))


def test_repeats_are_never_pooled() -> None:
    # Six tasks, each twice the same: pooled, 12-0 would be p = .0005; there are still but six tasks.
    rows = ["+-"] * 6 + ["++"] * 3
    (pair,) = repeated(rows, rows).pairs
    assert pair.p == pytest.approx(mcnemar(6, 0))
    assert (pair.split.only_first, pair.split.blocks) == (12, 18)
    assert sorted(pair.split.tasks, reverse=True) == [(2, 2)] * 6 + [(0, 2)] * 3
    assert (pair.resolved, pair.mid_p) == ((18, 6), None)
    assert pair.split.difference == pytest.approx(6 / 9)


def test_tasks_weigh_the_same_however_many_of_their_blocks_are_complete() -> None:
    found = repeated(["+-", "-+"], ["+-", "?+"], ["++", "-?"])
    (pair,) = found.pairs
    assert (found.blocks, found.complete, found.tasks) == (6, 4, 2)
    assert pair.split.tasks == ((2, 3), (-1, 1))
    assert pair.split.difference == pytest.approx((2 / 3 - 1) / 2)
    assert pair.interval is not None
    assert pair.interval.value == pytest.approx(pair.split.difference)
    assert (pair.worst.tasks, pair.best.tasks) == (((2, 3), (-3, 3)), ((2, 3), (-1, 3)))


def test_a_task_without_a_complete_block_is_in_no_pair() -> None:
    found = repeated(["+-", "?+"], ["+-", "+?"])
    assert (found.tasks, found.pairs[0].split.tasks) == (1, ((2, 2),))


def test_repeats_can_tell_what_one_could_not() -> None:
    # Eight tasks that A solves always and B one time in three, in turn; each repeat alone is 5-0 or 6-0.
    thirds = [["+-", "+-", "++"][n:] + ["+-", "+-", "++"][:n] for n in range(3)]
    pair = repeated(*(rows * 3 for rows in thirds)).pairs[0]
    assert (pair.winner, pair.p) == ("A", pytest.approx(2 / 2**9))


@pytest.mark.parametrize("seed", range(30))
def test_over_repeats_a_verdict_said_to_hold_holds_too(seed: int) -> None:
    draw = random.Random(seed)
    names, tasks = "ABC"[: draw.choice([2, 3])], draw.randint(6, 12)
    weights = [draw.choice([(9, 1), (5, 5), (2, 8)]) for _ in names]
    rows = [["".join(draw.choices("+-", w)[0] for w in weights) for _ in range(tasks)] for _ in range(2)]
    for _ in range(draw.randint(1, 5)):
        repeat, n, at = draw.randrange(2), draw.randrange(tasks), draw.randrange(len(names))
        rows[repeat][n] = rows[repeat][n][:at] + "?" + rows[repeat][n][at + 1 :]
    holes = [(r, n, at) for r in range(2) for n in range(tasks) for at in range(len(names)) if rows[r][n][at] == "?"]
    seen: list[set[str | None]] = [set() for _ in itertools.combinations(names, 2)]
    for ends in itertools.product("+-", repeat=len(holes)):
        filled = [list(column) for column in rows]
        for (r, n, at), end in zip(holes, ends, strict=True):
            filled[r][n] = filled[r][n][:at] + end + filled[r][n][at + 1 :]
        for verdicts, pair in zip(seen, repeated(*filled).pairs, strict=True):
            verdicts.add(pair.winner)
    for pair, verdicts in zip(repeated(*rows).pairs, seen, strict=True):
        assert pair.depends or verdicts == {pair.winner}
        if len(names) == 2:
            assert pair.depends == (verdicts != {pair.winner})


def test_a_trial_that_is_missing_is_not_a_discard() -> None:
    with pytest.raises(ValueError, match="the trial of B on r/1-x has not ended"):
        outcomes("AB", trials(journal("+-", "+", names="AB")))


def test_no_complete_block_is_no_evidence_and_no_winner() -> None:
    pair = only("?-", "+?")
    assert (pair.split.blocks, pair.p, pair.winner, pair.split.difference) == (0, 1, None, 0)
    assert not pair.depends, "two blocks cannot make a winner"


def test_one_format_has_no_pair() -> None:
    assert compare("A", outcomes("A", trials(journal("+", "-", names="A")))).pairs == ()


def test_holm_within_families_adjusts_each_as_if_it_were_alone() -> None:
    ps, families = [0.01, 0.04, 0.03, 0.005, 0.02], ["a", "b", "a", "b", "c"]
    assert holm_within(ps, families) == pytest.approx([0.02, 0.04, 0.03, 0.01, 0.02])
    assert holm_within(ps, ["a"] * 5) == holm(ps)


def test_a_pair_in_a_family_of_its_own_wins_with_6_0() -> None:
    done = trials(journal(*["+--"] * 6, *["+++"] * 3))
    names = list(dict.fromkeys(trial.format for trial in done))
    alone, one = (compare(names, outcomes(names, done), *family) for family in [(lambda *pair: pair,), ()])
    assert [pair.winner for pair in alone.pairs] == [names[0], names[0], None]
    assert [pair.p for pair in alone.pairs] == [pair.split.p for pair in alone.pairs]
    assert [pair.winner for pair in one.pairs] == [None] * 3, "6-0 is none under Holm over three"
