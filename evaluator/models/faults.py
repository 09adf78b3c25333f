"""Replies that do not apply, and what is said where a format cannot express a change."""

import re

from evaluator.faults.stray import as_text, stray_edit
from evaluator.formats.model import CannotExpress, EditFormat
from miner.fixtures import Task
from miner.symbols.files import Files, text_of
from miner.text import split_lines

NO_EDIT = "The format has no way to write this change.\n"
BLOCKED = "BLOCKED: what is to be changed is not in the files that are shown\n"


def spoken(encoded: str | CannotExpress) -> str:
    """What a model says: where the format cannot express the change, a reply with no edit in it."""
    return NO_EDIT if isinstance(encoded, CannotExpress) else encoded


def with_stale_anchors(task: Task, fmt: EditFormat) -> str:
    """A reply that quotes lines as they are not in the tree."""
    modified = [path for path, content in task.before.items() if content and task.after.get(path)]
    if not modified:
        path = f"{min(task.after)}.missing"
        return spoken(fmt.encode({path: b"old\n"}, {path: b"new\n"}))
    before, after = ({path: _stale(files[path]) for path in modified} for files in (task.before, task.after))
    return spoken(fmt.encode(before, after))


def edit_of_what_is_shown(task: Task) -> tuple[Files, Files]:
    """The files of a small edit before and after it: of one that is shown, or a new one where none has a place."""
    shown = ((path, text) for path, content in sorted(task.shown.items()) if (text := as_text(content)))
    stray = stray_edit({}, {}, {}, shown)
    return (stray.before, stray.after) if stray else ({"unasked.py": None}, {"unasked.py": b"UNASKED = 1\n"})


def with_forbidden_path(task: Task, fmt: EditFormat) -> str:
    """A reply that writes outside the tree."""
    return spoken(fmt.encode({}, {f"../{min(task.after)}": b"outside\n"}))


def _stale(content: bytes | None) -> bytes:
    lines = split_lines(text_of(content))
    return "".join(re.sub(r"(?<=\S)[ \t]*(?=\r?\n?\Z)", " (as it was)", line) for line in lines).encode(
        "utf-8", "surrogateescape"
    )
