"""The counts of small pools against every subset there is; what is promised of larger ones."""

from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.cells import Member
from miner.drawing import draw
from miner.strata import Definition, Stratum

INSIDE, NEAR, PAST = Stratum
THIRDS = dict.fromkeys(Stratum, Fraction(1, 3))
UNEVEN = {INSIDE: Fraction(1, 2), NEAR: Fraction(1, 2), PAST: Fraction(0)}


def merit(subset: Collection[Member], definition: Definition, size: int) -> tuple[Fraction, ...] | None:
    """What a set is worth, the least best, by the words of docs/strata.md; None where a limit forbids it."""
    sizes, wanted = Counter(m.stratum for m in subset), definition.wanted(size)
    if len(subset) > size or any(sizes[s] > wanted[s] + int(wanted[s] * definition.tolerance) for s in Stratum):
        return None
    repositories, authors = Counter(m.repository for m in subset), Counter(m.author for m in subset if m.author)
    for counts, most in ((repositories, definition.per_repository), (authors, definition.per_author)):
        if most is not None and any(count > most for count in counts.values()):
            return None
    missing = [max(wanted[s] - sizes[s], 0) for s in Stratum]
    large = Counter(m.stratum for m in subset if m.large)
    quota = definition.large_quota
    found = [
        sum(missing), sum(n * n for n in missing), -len(subset), abs(large.total() - round(len(subset) * quota)),
        sum(abs(large[s] - sizes[s] * quota) for s in Stratum),
    ]  # fmt: skip
    if definition.balance:
        within = Counter((m.stratum, m.repository) for m in subset)
        found += [sum(n * n for n in counts.values()) for counts in (repositories, within)]
    return tuple(map(Fraction, found))


def subsets(members: Collection[Member]) -> Iterator[tuple[Member, ...]]:
    return chain.from_iterable(combinations(members, n) for n in range(len(members) + 1))


@st.composite
def pools(build: st.DrawFn) -> list[Member]:
    kinds = st.tuples(st.sampled_from("abc"), st.sampled_from(Stratum), st.booleans(), st.sampled_from(["", "x", "y"]))
    built = build(st.lists(kinds, max_size=8))
    return [Member(f"{repository}/{n}", *rest) for n, (repository, *rest) in enumerate(built)]


DEFINITIONS = st.builds(
    Definition, size_quota=st.sampled_from([THIRDS, UNEVEN]),
    large_quota=st.sampled_from([Fraction(1, 4), Fraction(1, 2)]),
    tolerance=st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]), balance=st.booleans(),
    per_repository=st.sampled_from([None, 1, 2, 3]), per_author=st.sampled_from([None, 1, 2]),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(pools(), DEFINITIONS, st.integers(1, 8))
def test_small_pools_agree_with_every_subset(pool: list[Member], definition: Definition, size: int) -> None:
    best = min(found for s in subsets(pool) if (found := merit(s, definition, size)) is not None)
    assert merit(draw(pool, definition, size).members, definition, size) == best


@settings(max_examples=25, deadline=None)
@given(pools(), DEFINITIONS, st.integers(1, 8), st.integers(0, 8))
def test_grown_pools_keep_what_was_chosen_and_agree_with_every_larger_set(
    pool: list[Member], definition: Definition, size: int, first: int
) -> None:
    before = draw(pool[:first], definition, size).members
    drawn = draw(pool, definition, size, kept=[m.id for m in before])
    larger = [s for s in subsets(pool) if set(before) <= set(s)]
    best = min(found for s in larger if (found := merit(s, definition, size)) is not None)
    assert set(before) <= set(drawn.members)
    assert drawn.kept == len(before)
    assert merit(drawn.members, definition, size) == best


@settings(max_examples=20, deadline=None)
@given(pools(), DEFINITIONS, st.integers(1, 8))
def test_balanced_sets_fill_every_quota_alike_as_far_as_any_set_does(
    pool: list[Member], definition: Definition, size: int
) -> None:
    wanted = definition.wanted(size)
    allowed = [Counter(m.stratum for m in s) for s in subsets(pool) if merit(s, definition, size) is not None]
    fill = max(min((Fraction(c[s], wanted[s]) for s in Stratum if wanted[s]), default=Fraction(0)) for c in allowed)
    drawn = draw(pool, definition, size, balanced=True)
    assert [q.wanted for q in drawn.quotas[:3]] == [int(wanted[s] * min(fill, 1)) for s in Stratum]
    assert not any(q.missing for q in drawn.quotas[:3])


def pool(**counts: tuple[int, int, int]) -> list[Member]:
    """So many of each size per repository, the first three of each large."""
    return [
        Member(f"{repository}/{s}-{n}", s, n < 3, f"{n % 4}")
        for repository, sizes in counts.items()
        for s, count in zip(Stratum, sizes, strict=True)
        for n in range(count)
    ]


def by_repository(members: Collection[Member]) -> dict[str, int]:
    return dict(Counter(m.repository for m in members))


BALANCED = {
    "as many of each": (pool(a=(20, 20, 20), b=(20, 20, 20)), {"a": 15, "b": 15}),
    "one with few gives all": (pool(a=(20, 20, 20), b=(1, 1, 1), c=(20, 20, 20)), {"a": 14, "b": 3, "c": 13}),
    "sizes lead": (pool(a=(20, 0, 20), b=(0, 20, 0)), {"a": 20, "b": 10}),
}  # fmt: skip


@pytest.mark.parametrize(("there", "expected"), BALANCED.values(), ids=BALANCED.keys())
def test_repositories_are_as_even_as_the_sizes_allow(there: list[Member], expected: dict[str, int]) -> None:
    found = by_repository(draw(there, Definition(), 30).members)
    assert sorted(found.values()) == sorted(expected.values())
    assert found["b"] == expected["b"]


def test_without_balance_a_repository_may_have_most() -> None:
    there = pool(a=(20, 20, 20), b=(20, 20, 20))
    assert by_repository(draw(there, Definition(balance=False), 30).members) != {"a": 15, "b": 15}


def test_caps_hold_and_what_they_cost_is_missing() -> None:
    there = pool(a=(20, 20, 20), b=(2, 2, 2))
    drawn = draw(there, Definition(per_repository=12), 30)
    assert by_repository(drawn.members) == {"a": 12, "b": 6}
    assert [q.taken for q in drawn.quotas[:3]] == [6, 6, 6]
    capped = draw(there, Definition(per_author=3), 30)
    assert Counter(m.author for m in capped.members) == {"0": 3, "1": 3, "2": 3, "3": 3}


def test_an_author_who_is_not_known_is_in_no_cap() -> None:
    there = [Member(f"a/{n}", INSIDE, False) for n in range(9)]
    assert len(draw(there, Definition(per_author=1), 27).members) == 9


def test_tolerance_lets_others_fill_in_and_says_what_is_met() -> None:
    definition = Definition(tolerance=Fraction(1, 10))
    drawn = draw(pool(a=(50, 50, 9)), definition, 30)
    assert sorted(q.taken for q in drawn.quotas[:3]) == [9, 10, 11]
    assert [q.met for q in drawn.quotas[:3]] == [True, True, True]
    assert [q.met for q in draw(pool(a=(50, 50, 8)), definition, 30).quotas[:3]] == [True, True, False]


def test_within_a_cell_each_is_as_likely_as_another() -> None:
    """60 draws of 3 of 6: each is taken 30 times, give or take 4 standard deviations (16)."""
    there = [Member(f"a/{n}", INSIDE, False) for n in range(6)]
    taken = Counter(m.id for seed in range(60) for m in draw(there, Definition(seed=seed), 9).members)
    assert taken.total() == 180
    assert all(14 < taken[m.id] < 46 for m in there), taken


def test_author_caps_leave_an_even_draw_where_they_do_not_bind() -> None:
    there = pool(a=(9, 9, 9), b=(9, 9, 9))
    assert draw(there, Definition(), 12).members == draw(there, Definition(per_author=12), 12).members


def test_thousands_of_fixtures_are_drawn_to_the_quotas() -> None:
    there = [Member(f"r{n % 37}/{n}", list(Stratum)[n % 3], n % 29 == 0, f"{n % 211}") for n in range(3000)]
    drawn = draw(there, Definition(per_repository=9), 120)
    assert [q.taken for q in drawn.quotas] == [40, 40, 40, 30]
    assert set(by_repository(drawn.members).values()) == {3, 4}
