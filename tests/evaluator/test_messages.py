from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.feedback import retry_message
from evaluator.formats import FORMATS, format_named
from evaluator.formats.model import NO_NEWLINE
from evaluator.messages import SYSTEM, Message, first_messages, prompt_digest, shared_part, with_instructions
from miner.errors import ToolError
from miner.fixtures import Task
from miner.symbols.files import text_of


def user(task: Task, instructions: str) -> str:
    return first_messages(task, instructions)[-1].content


def test_prompts_differ_between_formats_in_their_instructions_alone(checked_in: list[Task]) -> None:
    for task in checked_in:
        prompts = {name: first_messages(task, fmt.instructions()) for name, fmt in FORMATS.items()}
        assert len({p[0] for p in prompts.values()}) == 1, "one system message"
        starts = {p[1].content.removesuffix(FORMATS[name].instructions()) for name, p in prompts.items()}
        assert len(starts) == 1, task.id
        assert len({p[1].content for p in prompts.values()}) == len(FORMATS)


def test_the_prompt_shows_every_file_as_it_is_before_and_nothing_of_the_answer(checked_in: list[Task]) -> None:
    for task in checked_in:
        prompt = user(task, "")
        assert task.prompt.strip() in prompt
        for path, before in task.before.items():
            assert path in prompt
            assert text_of(before) in prompt
            for added in set(text_of(task.after[path]).split("\n")) - set(text_of(before).split("\n")):
                shown = task.prompt + "".join(text_of(content) for content in task.before.values())
                assert added in shown or f"\n{added}\n" not in prompt, (task.id, added)


def with_before(task: Task, **files: bytes | None) -> Task:
    changed = replace(task)
    changed.__dict__["before"] = files  # what the cached property would have read
    return changed


def test_a_new_file_is_named_and_not_shown(checked_in: list[Task]) -> None:
    prompt = user(with_before(checked_in[0], new=None, old=b"1\n"), "")
    assert "The change adds: new\n" in prompt
    assert "new\n```" not in prompt


def test_a_file_with_fences_is_shown_in_a_longer_one(checked_in: list[Task]) -> None:
    prompt = user(with_before(checked_in[0], doc=b"```\n````py\n```\n"), "")
    assert "doc\n`````\n```\n````py\n```\n`````\n" in prompt


def test_a_missing_final_newline_is_shown_in_words_that_the_formats_use(checked_in: list[Task]) -> None:
    prompt = user(with_before(checked_in[0], bare=b"1\n2"), "")
    assert f"bare\n```\n1\n2\n{NO_NEWLINE}\n```\n" in prompt
    assert all(NO_NEWLINE in fmt.instructions() for fmt in FORMATS.values())


def test_bytes_that_are_no_text_are_shown_replaced(checked_in: list[Task]) -> None:
    assert "odd\n```\na\ufffdb\n```\n" in user(with_before(checked_in[0], odd=b"a\xffb\n"), "")


def test_an_unknown_format_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ToolError, match="whole_file, unified_diff, search_replace"):
        format_named("xml")


def test_the_tests_are_shown_where_the_set_says_so_and_are_the_only_difference(checked_in: list[Task]) -> None:
    for task in checked_in:
        without, shown = (first_messages(task, "format", tests)[-1].content for tests in (False, True))
        start, tests, end = shown.partition("## Tests that must pass\n")
        assert start + end.partition("## Files\n")[1] + end.partition("## Files\n")[2] == without
        assert tests
        added = [row[1:] for row in task.tests_patch.decode().split("\n") if row[:1] == "+" and row[:3] != "+++"]
        assert all(line in shown for line in added)
        assert "\n@@ " not in shown


OPTIONS = [(tests, context) for tests in (False, True) for context in (0, 2)]


@pytest.mark.parametrize(("tests", "context"), OPTIONS)
def test_what_is_said_to_be_shared_is_the_same_in_every_format_and_all_but_the_instructions(
    checked_in: list[Task], impossible_ones: list[Task], tests: bool, context: int
) -> None:
    for task in (*checked_in, *impossible_ones):
        prompts = {n: first_messages(task, fmt.instructions(), tests, context) for n, fmt in FORMATS.items()}
        assert len({tuple(m.content[: m.shared] for m in prompt) for prompt in prompts.values()}) == 1, task.id
        assert len({prompt_digest(prompt) for prompt in prompts.values()}) == 1, task.id
        for name, (system, first) in prompts.items():
            assert system.content[system.shared :] == ""
            assert first.content[first.shared :] == FORMATS[name].instructions()
            assert first.content[: first.shared] == shared_part(task, tests, context)


def test_digests_tell_tasks_files_and_what_is_shown_apart(checked_in: list[Task]) -> None:
    prompts = [first_messages(task, "format", tests) for task in checked_in for tests in (False, True)]
    prompts.append(first_messages(with_before(checked_in[0], other=b"1\n"), "format"))
    assert len({prompt_digest(prompt) for prompt in prompts}) == len(prompts)


@given(st.text(), st.text(), st.text(), st.lists(st.text()))
def test_the_digest_is_of_what_is_shared_alone(shared: str, one: str, other: str, turns: list[str]) -> None:
    first, second = with_instructions(shared, one), with_instructions(shared, other)
    assert prompt_digest(first) == prompt_digest(second)
    later = [turn for text in turns for turn in (Message("assistant", text), retry_message(text))]
    assert prompt_digest([*first, *later]) == prompt_digest(first)
    assert prompt_digest(with_instructions(shared + "x", one)) != prompt_digest(first)


def test_bytes_of_a_prompt_that_are_no_text_do_not_end_a_run() -> None:
    assert len(prompt_digest(with_instructions("a\udcffb", "format"))) == 64


def test_the_system_message_does_not_say_which_files_are_to_be_changed() -> None:
    assert "files of the project" in SYSTEM
