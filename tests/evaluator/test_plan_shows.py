"""What `evaluator plan` says of what a set can show."""

import pytest
from rich.console import Console

from evaluator.plan_shows import nothing, shows
from evaluator.statistics.power import can_show

CASES = {  # tasks, formats: what is said above the table
    (10, 2): "With 10 tasks no difference can be shown, even where a pair disagrees on 30% of them.",
    (10, 6): "With 10 tasks no difference can be shown, even where a pair disagrees on 30% of them.",
    (27, 6): "With 27 tasks and 15 pairs no difference can be shown, even where a pair disagrees on 30% of them: "
             "compare fewer formats, or take more tasks.",
    (27, 2): None,
    (120, 3): None,
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_set_that_can_show_nothing_says_so(case: tuple[int, int]) -> None:
    tasks, formats = case
    said = nothing(can_show(tasks, formats), tasks, formats * (formats - 1) // 2)
    assert said == [CASES[case]] * (CASES[case] is not None)


def printed(tasks: int, formats: int, margin: float | None = None) -> list[str]:
    console = Console(width=1000)
    with console.capture() as capture:
        console.print(*shows(can_show(tasks, formats), tasks, formats, margin), sep="\n")
    return capture.get().splitlines()


def test_too_few_tasks_and_what_cannot_be_are_told_apart() -> None:
    rows = [line.split() for line in printed(120, 3) if "of tasks" in line]
    assert [row[3] for row in rows] == ["none", "8.1", "11.8", "14.4"]
    assert [row[-2:] == ["-", "(-)"] for row in rows] == [True, False, False, False]
    assert any(line.startswith("none: too few tasks") for line in printed(120, 3))
    assert not any(line.startswith("none: ") for line in printed(2_000, 2))
    assert "(" not in "".join(line for line in printed(2_000, 2) if "of tasks" in line)


def test_what_equivalence_takes_is_said_when_asked_and_only_where_it_is_a_question() -> None:
    rows = [line.split()[-1] for line in printed(120, 3, margin=0.1) if "of tasks" in line]
    assert rows == ["-", "~86", "~170", "~260"], "who disagree on 5% are within 10 points whatever is measured"
    assert [row.split()[-1] for row in printed(120, 2, margin=0.03) if "10% of tasks" in row] == ["~950"]
    assert any("tasks for equal within 2.5 points" in line for line in printed(120, 3, margin=0.025))
    assert not any("equal within" in line for line in printed(120, 3))
