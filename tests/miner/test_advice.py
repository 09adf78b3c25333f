# ruff: noqa: E501
import pytest

from miner.advice import advice, said_of
from miner.record import HarvestLine
from miner.rejection import Rejection
from miner.shortfall import Shortfall


def history(*counts: int, tried: int = 0) -> dict[str, list[HarvestLine]]:
    """So many merged changes of each repository, the first of each tried to be proved."""
    return {
        f"r{place}": [
            HarvestLine(number=f"{n}", commit=f"{n:040x}", date="d", title="t",
                        rejection=Rejection.FAILS_AFTER if n < tried else Rejection.NO_TEST_CHANGE)
            for n in range(count)
        ]
        for place, count in enumerate(counts)
    }  # fmt: skip


PAST, LARGE = Shortfall("past", 39, 40, 1560), Shortfall("near, large", 2, 40, 80)
WAITING, NEVER = Shortfall("past", 39, 342, 900, put_off=1), Shortfall("past", 39, 1040, None)
CAPPED = Shortfall("inside", 3, 40, None, capped=True)

SAID = {
    "the yield": (PAST, "short of 39 `past`: at the yield so far about 1,560 more merged changes hold as many"),
    "put off": (WAITING, "short of 39 `past`: 1 candidate found and not yet proved"),
    "never": (NEVER, "short of 39 `past`: how many more merged changes hold as many is not known, none of 1,040 gave one"),
    "capped": (CAPPED, "short of 3 `inside`: the pool has more, but the limits of strata.yaml or the set before leave no room"),
}  # fmt: skip


@pytest.mark.parametrize(("short", "line"), SAID.values(), ids=SAID.keys())
def test_a_line_says_what_is_missing(short: Shortfall, line: str) -> None:
    assert said_of(short) == line


def test_one_harvest_serves_all_cells_and_no_length_of_the_history_is_claimed() -> None:
    first, second = advice([PAST, LARGE, CAPPED], history(40), 8000)
    assert first == ("to fill them: `miner harvest --last 1600`, if the history has so many, which --dry-run says "
                     "(40 were looked at so far)")  # fmt: skip
    assert second.startswith("`--want past --cap 8000` looks through the whole history"), "what most is needed for"
    assert second.endswith("where it holds too few, add repositories")


@pytest.mark.parametrize(("counts", "last"), [((30, 10), 800), ((1500, 10), 1535), ((2000, 1), 2000)])
def test_several_repositories_share_it_and_none_is_asked_for_less_than_before(counts: tuple[int, ...], last: int) -> None:
    assert f"--last {last}` for each of 2 repositories" in advice([PAST], history(*counts), 8000)[0]


def test_where_none_was_ever_proved_no_number_is_given() -> None:
    (only,) = advice([NEVER], history(40), 4000)
    assert only.startswith("`--want past --cap 4000` looks through")


def test_what_was_never_proved_is_wanted_first_too() -> None:
    assert advice([PAST, Shortfall("near, large", 2, 40, None)], history(40), 8000)[1].startswith("`--want past,large ")


def test_candidates_that_were_put_off_come_before_more_of_the_history() -> None:
    (only,) = advice([WAITING, LARGE], history(342, tried=12), 8000)
    assert "--last proves candidates not yet proved" in only
    assert "(12 were tried so far)" in only


def test_no_harvest_is_asked_for_where_none_helps() -> None:
    assert advice([CAPPED], history(40), 8000) == []
    assert advice([], {}, 8000) == []
