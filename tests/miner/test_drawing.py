# ruff: noqa: E501
from fractions import Fraction

import pytest

from miner.cells import Member
from miner.drawing import draw
from miner.strata import Definition, Stratum

D = Definition()


def pool(inside: int, near: int, past: int, large: int = 0) -> list[Member]:
    """So many members per stratum, the first `large` of each large."""
    counts = zip(Stratum, (inside, near, past), strict=True)
    return [Member(f"r/{s}-{n:03}", s, n < large) for s, count in counts for n in range(count)]


def taken(drawn) -> dict[str, int]:
    return {quota.name: quota.taken for quota in drawn.quotas}


@pytest.mark.parametrize(
    ("tokens", "cap", "expected"),
    [
        (0, 8000, "inside"), (4799, 8000, "inside"), (4800, 8000, "near"), (8000, 8000, "near"),
        (12000, 8000, "near"), (12001, 8000, "past"), (599, 1000, "inside"), (600, 1000, "near"),
        (1500, 1000, "near"), (1501, 1000, "past"), (3, 5, "near"), (6, 10, "near"), (3, 2, "near"), (1, 1, "near"),
    ],
)  # fmt: skip
def test_size_at_the_bounds_is_near(tokens: int, cap: int, expected: str) -> None:
    assert D.stratum(tokens, cap) == expected


@pytest.mark.parametrize(("fraction", "large"), [(0.0, False), (0.5, False), (0.5001, True), (1.0, True)])
def test_change_of_half_a_file_is_small(fraction: float, large: bool) -> None:
    assert D.is_large(fraction) is large


DRAWS = {
    "enough of all": ((50, 50, 50), 30, False, (10, 10, 10)),
    "a short stratum cuts no other": ((50, 50, 2), 30, False, (10, 10, 2)),
    "an empty stratum cuts no other": ((50, 50, 0), 30, False, (10, 10, 0)),
    "balanced cuts all to the scarcest": ((50, 50, 2), 30, True, (2, 2, 2)),
    "balanced with an empty stratum is empty": ((50, 50, 0), 30, True, (0, 0, 0)),
    "balanced with enough cuts none": ((50, 50, 50), 30, True, (10, 10, 10)),
    "remainders are given out": ((50, 50, 50), 31, False, (11, 10, 10)),
    "two remainders": ((50, 50, 50), 32, False, (11, 11, 10)),
    "smaller than the strata": ((50, 50, 50), 1, False, (1, 0, 0)),
    "an empty pool": ((0, 0, 0), 30, False, (0, 0, 0)),
}  # fmt: skip


@pytest.mark.parametrize(("counts", "size", "balanced", "expected"), DRAWS.values(), ids=DRAWS.keys())
def test_members_taken_per_size(counts, size: int, balanced: bool, expected: tuple[int, ...]) -> None:
    drawn = draw(pool(*counts), D, size, balanced)
    assert tuple(taken(drawn)[s.value] for s in Stratum) == expected
    assert len(drawn.members) == sum(expected)
    assert [m.id for m in drawn.members] == sorted({m.id for m in drawn.members})


LARGE = {
    "as many as wanted": (5, 20, 10, 3),
    "fewer than wanted are all taken": (1, 10, 10, 1),
    "none": (0, 10, 10, 0),
    "more where small ones are missing": (20, 20, 10, 10),
}


@pytest.mark.parametrize(("large", "available", "size", "expected"), LARGE.values(), ids=LARGE.keys())
def test_large_changes_are_filled_inside_a_size(large: int, available: int, size: int, expected: int) -> None:
    only_inside = Definition(size_quota={Stratum.INSIDE: Fraction(1), Stratum.NEAR: Fraction(0), Stratum.PAST: Fraction(0)},
                             large_quota=Fraction(1, 3))  # fmt: skip
    drawn = draw(pool(available, 0, 0, large), only_inside, size)
    assert taken(drawn)["large"] == expected
    assert len(drawn.members) == min(size, available)


def test_quotas_say_what_is_missing() -> None:
    drawn = draw(pool(50, 50, 2), D, 30)
    assert [(q.name, q.wanted, q.available, q.taken, q.missing) for q in drawn.quotas] == [
        ("inside", 10, 50, 10, 0), ("near", 10, 50, 10, 0), ("past", 10, 2, 2, 8), ("large", 6, 0, 0, 6),
    ]  # fmt: skip


def test_order_of_the_pool_changes_nothing() -> None:
    members = pool(40, 40, 40, 10)
    assert draw(members, D, 30) == draw(reversed(members), D, 30)


def test_another_seed_draws_another_set() -> None:
    members = pool(40, 40, 40)
    assert draw(members, D, 30).members != draw(members, Definition(seed=2), 30).members


def test_larger_set_holds_the_smaller_one() -> None:
    members = pool(40, 40, 40)
    assert set(draw(members, D, 12).members) < set(draw(members, D, 60).members)
