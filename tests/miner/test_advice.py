# ruff: noqa: E501
from pathlib import Path

import pytest

from miner.advice import Mined, advice, said_of
from miner.history_file import HistoryFile
from miner.record import HarvestLine
from miner.rejection import Rejection
from miner.shortfall import Shortfall
from miner.sources.model import Unit


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


def mined(*counts: int, lengths: tuple[int | None, ...] = (), tried: int = 0) -> Mined:
    """So many looked at of each repository `../r0`, `../r1`, whose histories have these lengths, not known by default."""
    looked = history(*counts, tried=tried)
    known = dict(zip(looked, lengths or [None] * len(counts), strict=True))
    return Mined(Path("fixtures"), looked, {
        name: HistoryFile(source=f"../{name}", merged_changes=length) for name, length in known.items()
    })  # fmt: skip


def test_one_harvest_serves_all_cells_and_where_the_length_of_the_history_is_not_known_none_is_claimed() -> None:
    first, second, third = advice([PAST, LARGE, CAPPED], mined(40), 8000)
    assert first == ("to fill them: `miner harvest --repo ../r0 --last 1600`, if the history has so many, which --dry-run "
                     "says (40 were looked at so far)")  # fmt: skip
    assert second.startswith("or with `--want past --cap 8000`, which looks through the whole"), "what most is needed for"
    assert third == "where the history holds too few, add repositories"


SHARES = {
    "equally": ((30, 10), (None, None), [800, 800]),
    "so that both have as many": ((1500, 10), (None, None), [1535, 1535]),
    "not the one that has enough": ((2000, 1), (None, None), [None, 1561]),
    "the whole of a short one, the rest of another": ((30, 10), (342, 9000), [342, 1258]),
    "both whole": ((30, 10), (342, 20), [342, 20]),
    "only one has more": ((30, 10), (342, 10), [342, None]),
    "a length that is no longer true": ((30, 10), (20, None), [None, 1570]),
}


@pytest.mark.parametrize(("counts", "lengths", "lasts"), SHARES.values(), ids=SHARES.keys())
def test_several_repositories_share_it_and_of_none_more_is_asked_than_it_has(
    counts: tuple[int, ...], lengths: tuple[int | None, ...], lasts: list[int | None]
) -> None:
    *said, _, _ = advice([PAST], mined(*counts, lengths=lengths), 8000)
    wanted = [f"to fill them: `miner harvest --repo ../r{n} --last {last}`" for n, last in enumerate(lasts) if last]
    assert [line[: len(start)] for line, start in zip(said, wanted, strict=True)] == wanted


def test_what_is_known_of_the_length_is_said() -> None:
    assert "--last 342`, all that its history holds (30 were" in advice([PAST], mined(30, lengths=(342,)), 8000)[0]
    assert "--last 1590` of the 5,000 that its history holds (30" in advice([PAST], mined(30, lengths=(5000,)), 8000)[0]


def test_a_history_that_was_looked_at_whole_is_no_more_advised() -> None:
    (only,) = advice([PAST, NEVER], mined(342, lengths=(342,)), 8000)
    assert only == "all merged changes that the history held at the last harvest were looked at: add repositories"


COMMANDS = {
    "a clone": (HistoryFile(source="../svc"), "miner harvest --repo ../svc --last 9"),
    "a clone's other name": (HistoryFile(source="."), "miner harvest --repo . --name svc --last 9"),
    "GitHub's": (HistoryFile(source="Org/Svc"), "miner harvest --repo Org/Svc --last 9"),
    "a URL's": (HistoryFile(source="https://h/o/svc.git"), "miner harvest --repo https://h/o/svc.git --last 9"),
    "blanks": (HistoryFile(source="my code/svc"), "miner harvest --repo 'my code/svc' --last 9"),
    "commits of a branch": (HistoryFile(source="svc", unit=Unit.COMMIT, branch="next"),
                            "miner harvest --repo svc --unit commit --branch next --last 9"),
}  # fmt: skip


@pytest.mark.parametrize(("known", "command"), COMMANDS.values(), ids=COMMANDS.keys())
def test_the_command_can_be_pasted(known: HistoryFile, command: str) -> None:
    assert known.command("svc", Path("fixtures"), ["--last", "9"]) == command
    assert "--out elsewhere" in known.command("svc", Path("elsewhere"), [])


def test_where_none_was_ever_proved_no_number_is_given() -> None:
    first, second, _ = advice([NEVER], mined(40, 30), 4000)
    assert first.startswith("`miner harvest --repo ../r0 --want past --cap 4000` looks through the whole history")
    assert second.startswith("`miner harvest --repo ../r1 --want past --cap 4000` looks through")


def test_what_was_never_proved_is_wanted_first_too() -> None:
    assert advice([PAST, Shortfall("near, large", 2, 40, None)], mined(40), 8000)[1].startswith("or with `--want past,large ")


def test_candidates_that_were_put_off_come_before_more_of_the_history() -> None:
    (only,) = advice([WAITING, LARGE], mined(342, tried=12), 8000)
    assert only.startswith("`miner harvest --repo ../r0 --want past --cap 8000 --last N` with N above 12, as many as were")


def test_no_harvest_is_asked_for_where_none_helps() -> None:
    assert advice([CAPPED], mined(40), 8000) == []
    assert advice([], mined(), 8000) == []
