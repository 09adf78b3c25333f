"""The prompt: what every format sees alike first, the format's own instructions last."""

from dataclasses import dataclass
from typing import Literal

from evaluator.blocked import NOTE
from evaluator.formats.model import NO_NEWLINE
from evaluator.formats.whole_file import longer_fence
from miner.fixtures import Task
from miner.prompt.shown_tests import shown_tests
from miner.symbols.files import text_of

SYSTEM = (
    "You are a software engineer. You are given a task and the files it concerns, and you answer with the edits "
    "that carry it out, in the format described last. Change nothing that the task does not ask for.\n"
)


@dataclass(frozen=True)
class Message:
    """One turn of the conversation. Its first `shared` characters are the same for every format, attempt and repeat."""

    role: Literal["system", "user", "assistant"]
    content: str
    shared: int = 0


def first_messages(task: Task, instructions: str, show_tests: bool = False) -> tuple[Message, ...]:
    """The conversation before the first attempt; only its end depends on the format.

    With `show_tests` the task says which tests must pass, as they will stand; they are not to be edited.
    """
    shown = "\n".join(_shown(path, content) for path, content in sorted(task.shown.items()) if content is not None)
    new = [path for path, content in task.before.items() if content is None]
    parts = [f"## Task\n\n{task.prompt.strip()}\n"]
    if show_tests and (tests := shown_tests(task.tests_patch)):
        parts.append(f"## Tests that must pass\n\nThey are added for you; do not write them.\n\n{tests}")
    parts.append(f"## Files\n\n{shown}")
    if new:
        parts.append("The change adds: " + ", ".join(sorted(new)) + "\n")
    parts.append(f"## If it cannot be done\n\n{NOTE}")
    parts.append(f"## How to answer\n\n{instructions}")
    return Message("system", SYSTEM), Message("user", "\n".join(parts))


def retry_message(feedback: str) -> Message:
    """What the model is told after an attempt that a production agent would retry."""
    return Message("user", f"Your answer could not be used. {feedback}\nNothing was changed. Answer again, whole.\n")


def _shown(path: str, content: bytes) -> str:
    text = text_of(content).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    fence = longer_fence(text)
    if text and not text.endswith("\n"):
        text += f"\n{NO_NEWLINE}\n"
    return f"{path}\n{fence}\n{text}{fence}\n"
