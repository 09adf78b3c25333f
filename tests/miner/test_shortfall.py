# ruff: noqa: E501
from fractions import Fraction

from miner.cells import Member
from miner.drawing import draw
from miner.record import HarvestLine
from miner.rejection import Rejection
from miner.shortfall import Shortfall, observed_yield, shortfalls
from miner.strata import Definition, Stratum

CAP = 1000
TOKENS = {Stratum.INSIDE: 10, Stratum.NEAR: 1000, Stratum.PAST: 9000}


def lines(stratum: Stratum, count: int, fixtures: int = 0, rejection: Rejection | None = Rejection.FAILS_AFTER) -> list[HarvestLine]:
    """So many changes of a size, the first of them fixtures, the others rejected (or put off)."""
    return [
        HarvestLine(number=f"{n}", commit=f"{n:040x}", date="d", title="t", changes_source=True, rewrite_tokens=TOKENS[stratum],
                    change_fraction=0.1, proved=n < fixtures, fixture=f"r/{stratum}-{n}" if n < fixtures else None,
                    rejection=None if n < fixtures else rejection)
        for n in range(count)
    ]  # fmt: skip


def members(**counts: int) -> list[Member]:
    return [Member(f"r/{s}-{n}", Stratum(s), False) for s, count in counts.items() for n in range(count)]


NO_LARGE = Definition(large_quota=Fraction(0))


def test_a_short_size_says_what_harvest_would_fill_it() -> None:
    pool = members(inside=10, near=10, past=2)
    history = {"r": lines(Stratum.PAST, 10, 2) + lines(Stratum.INSIDE, 30, 10, Rejection.NO_TEST_CHANGE)}
    found = shortfalls(draw(pool, NO_LARGE, 30), pool, history, NO_LARGE, CAP)
    assert found == [Shortfall("past", 8, 40, 160)], "2 of 40 looked at, so 20 for each of 8"


def test_where_none_was_ever_proved_nothing_is_promised() -> None:
    pool = members(inside=10, near=10)
    found = shortfalls(draw(pool, NO_LARGE, 30), pool, {"r": lines(Stratum.PAST, 9)}, NO_LARGE, CAP)
    assert found == [Shortfall("past", 10, 9, None)]


def test_what_the_limits_leave_out_is_no_matter_of_harvest() -> None:
    capped = Definition(large_quota=Fraction(0), per_repository=9)
    pool = members(inside=10, near=10, past=10)
    found = shortfalls(draw(pool, capped, 30), pool, {"r": lines(Stratum.PAST, 10, 10)}, capped, CAP)
    assert [(s.cell, s.missing, s.harvest, s.capped) for s in found] == [(s.value, 7, None, True) for s in Stratum]


def test_missing_large_changes_are_named_by_size() -> None:
    pool = members(inside=10, near=10, past=10)
    large = Definition(large_quota=Fraction(1, 2))
    found = shortfalls(draw(pool, large, 30), pool, {}, large, CAP)
    assert [(s.cell, s.missing) for s in found] == [("inside, large", 5), ("near, large", 5), ("past, large", 5)]


def test_missing_large_changes_are_no_more_than_the_set_lacks() -> None:
    pool = [*members(near=4, past=8), *(Member(f"r/i{n}", Stratum.INSIDE, True) for n in range(8))]
    quarter = Definition(large_quota=Fraction(1, 2), size_quota={Stratum.INSIDE: Fraction(2, 5), Stratum.NEAR: Fraction(1, 5), Stratum.PAST: Fraction(2, 5)})
    found = shortfalls(draw(pool, quarter, 20), pool, {}, quarter, CAP)
    assert [(s.cell, s.missing) for s in found] == [("past, large", 2)], "ten wanted, eight taken: all of `inside`"


def test_what_is_tolerated_is_no_shortfall() -> None:
    some = Definition(large_quota=Fraction(0), tolerance=Fraction(1, 5))
    pool = members(inside=10, near=10, past=8)
    assert shortfalls(draw(pool, some, 30), pool, {}, some, CAP) == []


def test_proofs_that_were_put_off_say_nothing_of_the_yield() -> None:
    looked = lines(Stratum.PAST, 10, 2) + lines(Stratum.PAST, 30, 0, None)
    assert observed_yield(looked, {"r/past-0", "r/past-1"}, lambda line: True) == Fraction(1, 5)
    assert observed_yield(looked, {"r/past-0"}, lambda line: True) == Fraction(1, 10), "one was too weak"
    assert observed_yield([], set(), lambda line: True) == 0


def test_candidates_that_were_put_off_are_counted_by_cell() -> None:
    pool = members(inside=10, near=10, past=2)
    looked = lines(Stratum.PAST, 10, 2) + lines(Stratum.PAST, 7, 0, None) + lines(Stratum.NEAR, 5, 0, None)
    (found,) = shortfalls(draw(pool, NO_LARGE, 30), pool, {"r": looked}, NO_LARGE, CAP)
    assert (found.cell, found.stratum, found.put_off) == ("past", "past", 7)
