"""What is said of the time that work still takes."""

import pytest

from miner.progress import ProgressLine, time_left
from miner.record import HarvestLine
from miner.rejection import Rejection
from miner.several import _Counter
from miner.wording import duration


@pytest.mark.parametrize(
    ("seconds", "done", "todo", "said"),
    [
        (60, 1, 1, ", about 60 s left"),
        (600, 10, 30, ", about 30 min left"),
        (36_000, 100, 20, ", about 2 h 00 min left"),
        (9, 100, 1_000, ""),  # too soon to say
        (600, 0, 30, ""),
        (600, 10, 0, ""),
    ],
)
def test_time_left_is_at_the_mean_pace_so_far(seconds: float, done: int, todo: int, said: str) -> None:
    assert time_left(seconds, done, todo) == said


TIMES = [
    (0, "0 s"), (89, "89 s"), (90, "2 min"), (3_540, "59 min"), (7_199, "2 h 00 min"), (12_000, "3 h 20 min"),
    (9e4, "25 h 00 min"),
]  # fmt: skip


@pytest.mark.parametrize(("seconds", "said"), TIMES)
def test_duration(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_line_of_steps_says_what_is_left_after_one_more() -> None:
    line = ProgressLine()
    line.steps, line._began = 3, line._began - 400
    assert line.left(5) == ", about 2 min left"
    assert line.left(4) == ""


def line_of(number: int, proved: bool) -> HarvestLine:
    told = {"fixture": f"x/{number}-a", "proved": True} if proved else {"rejection": Rejection.BOT}
    return HarvestLine(number=str(number), commit="a" * 40, date="2026-01-01", title="x", **told)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("proving", "said"), [(True, "3 fixtures, about 10 min left; #6 kept"), (False, "3 fixtures; #6 kept")]
)
def test_harvest_says_it_once_some_were_proved_of_those_that_it_does_itself(
    capsys: pytest.CaptureFixture[str], proving: bool, said: str
) -> None:
    """Of 200 asked for 188 were looked at before: their time is none of this harvest's."""
    counter = _Counter(200, proving)
    counter.begin(12)
    counter.began -= 600
    for number in range(1, 7):
        counter._said -= 100  # each is a plain line
        counter.show(line_of(number, proved=number % 2 == 0))
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == f"6 of at most 200 merged changes, {said}"
    assert not any("left" in line for line in lines[:-1])
