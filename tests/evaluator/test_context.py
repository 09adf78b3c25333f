"""`--context N`: what is shown besides, and what must not be."""

from dataclasses import replace

import pytest

from evaluator.context import distractors
from evaluator.formats import FORMATS
from evaluator.messages import first_messages, prompt_digest
from miner.fixtures import Task
from miner.roles import Role, governs_tests, role_of
from miner.shown import is_copy
from miner.tokens import count_tokens


@pytest.fixture(scope="module")
def every(checked_in: list[Task], impossible_ones: list[Task]) -> list[Task]:
    return [*checked_in, *impossible_ones]


@pytest.mark.parametrize("count", [0, 1, 3, 50])
def test_source_files_that_are_neither_shown_nor_hidden(every: list[Task], count: int) -> None:
    for task in every:
        found = distractors(task, count)
        assert len(found) <= count
        assert not found.keys() & {*task.before, *task.shown, *task.withheld}
        assert all(role_of(path) is Role.SOURCE and not governs_tests(path) for path in found)
        assert found == task.store.read(task.fixture.starting_tree, found)
        own = [content for content in task.before.values() if content]
        assert not any(is_copy(content or b"", mine) for content in found.values() for mine in own)
        tokens = sum(count_tokens((content or b"").decode()) for content in found.values())
        assert tokens <= max(2000, 2 * sum(count_tokens(content.decode()) for content in own))
    if count == 3:
        assert any(len(distractors(task, count)) == 3 for task in every)


def test_fewer_are_the_nearest_of_more(every: list[Task]) -> None:
    for task in every:
        one, many = distractors(task, 1), distractors(task, 4)
        assert one.items() <= many.items()
        assert distractors(task, 4) == many


def test_they_stand_among_the_files_by_path_and_nothing_tells_them(every: list[Task]) -> None:
    for task in every:
        told = replace(task)
        told.__dict__["shown"] = {**task.shown, **distractors(task, 2)}  # as if the task were about them
        assert first_messages(task, "format", context=2) == first_messages(told, "format")
        prompt = first_messages(task, "format", context=2)[1].content
        places = [prompt.index(f"\n{path}\n```") for path, content in sorted(told.shown.items()) if content is not None]
        assert places == sorted(places)


def test_they_are_the_same_for_every_format(every: list[Task]) -> None:
    for task in every[:5]:
        found = {prompt_digest(first_messages(task, fmt.instructions(), context=3)) for fmt in FORMATS.values()}
        assert len(found) == 1
