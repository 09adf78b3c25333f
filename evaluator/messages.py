"""The prompt: what every format sees alike first, the format's own instructions last.

So a provider's prompt cache hits across formats, attempts and repeats: it matches from the first character on.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evaluator.blocked import NOTE
from evaluator.context import distractors
from evaluator.formats.model import NO_NEWLINE
from evaluator.formats.whole_file import longer_fence
from miner.fixtures import Task
from miner.prompt.shown_tests import shown_tests
from miner.symbols.files import text_of

# It must not say that the files are those to change: `--context` and impossible tasks show others.
SYSTEM = (
    "You are a software engineer. You are given a task and files of the project, and you answer with the edits "
    "that carry it out, in the format described last. Change nothing that the task does not ask for.\n"
)


@dataclass(frozen=True)
class Message:
    """One turn of the conversation. Its first `shared` characters are the same for every format, attempt and repeat."""

    role: Literal["system", "user", "assistant"]
    content: str
    shared: int = 0


def first_messages(
    task: Task, instructions: str, show_tests: bool = False, context: int = 0
) -> tuple[Message, ...]:  # fmt: skip
    """The conversation before the first attempt: system, then all that formats share, the instructions last.

    With `show_tests` the task says which tests must pass, as they will stand; they are not to be edited. `context` is
    how many more files of the tree are shown. Where many are made of one task, make its `shared_part` once.
    """
    return with_instructions(shared_part(task, show_tests, context), instructions)


def shared_part(task: Task, show_tests: bool = False, context: int = 0) -> str:
    """What a task's first user message begins with in every format."""
    files = {**task.shown, **distractors(task, context)}
    shown = "\n".join(_shown(path, content) for path, content in sorted(files.items()) if content is not None)
    new = [path for path, content in task.before.items() if content is None]
    parts = [f"## Task\n\n{task.prompt.strip()}\n"]
    if show_tests and (tests := shown_tests(task.tests_patch)):
        parts.append(f"## Tests that must pass\n\nThey are added for you; do not write them.\n\n{tests}")
    parts.append(f"## Files\n\n{shown}")
    if new:
        parts.append("The change adds: " + ", ".join(sorted(new)) + "\n")
    parts.append(f"## If it cannot be done\n\n{NOTE}")
    return "\n".join(parts) + "\n## How to answer\n\n"


def with_instructions(shared: str, instructions: str) -> tuple[Message, ...]:
    """The conversation before the first attempt, of a task's shared part and a format's instructions."""
    return Message("system", SYSTEM, len(SYSTEM)), Message("user", shared + instructions, len(shared))


def prompt_digest(messages: Sequence[Message]) -> str:
    """SHA-256 in hexadecimal of what the conversation shares with those of other formats: system, task and files."""
    made = hashlib.sha256()
    for message in messages:
        if message.shared:
            # A lone surrogate (a byte of the prompt that was no UTF-8) must not end a run.
            text = message.content[: message.shared].encode("utf-8", "surrogatepass")
            made.update(b"%s %d " % (message.role.encode(), len(text)) + text)
    return made.hexdigest()


def _shown(path: str, content: bytes) -> str:
    text = text_of(content).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    fence = longer_fence(text)
    if text and not text.endswith("\n"):
        text += f"\n{NO_NEWLINE}\n"
    return f"{path}\n{fence}\n{text}{fence}\n"
