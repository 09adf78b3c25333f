"""A mistake of every category that any task allows, for where no fault of the tables is possible.

They ask nothing of a task, but that the format can express the ground truth where the rest of the answer must be right.
"""

from collections.abc import Iterator

from evaluator.faults.model import Injected, Label, Site
from evaluator.formats.model import CannotExpress, EditFormat
from evaluator.taxonomy import Category, Detail, StopReason
from miner.fixtures import Task
from miner.symbols.files import Files

NO_EDIT = "I have looked at the files, and do not see how to write this change.\n"
BLOCKED = "BLOCKED: the files that the task is about are not among those above.\n"
_CONFIGURES_TESTS = ("conftest.py", "pytest.ini", "tox.ini", "unasked/conftest.py")


def truth(task: Task, fmt: EditFormat) -> str:
    """The right answer; where the format cannot express it, a reply with no edit in it."""
    if task.impossible:
        return BLOCKED
    encoded = fmt.encode(task.before, task.after)
    return NO_EDIT if isinstance(encoded, CannotExpress) else encoded


def last_resort(label: Label, site: Site, fmt: EditFormat) -> Injected:
    """A reply of the label's category, and of its detail where that is possible so simply."""
    possible = _replies(label, site, fmt)
    return next((found for found in possible if found.label.category is label.category), _said(NO_EDIT, _NO_EDIT))


_NO_EDIT = Label(Category.MALFORMED, Detail.NO_EDIT)


def _said(text: str | CannotExpress, label: Label, stop: StopReason | None = "stop") -> Injected:
    return Injected(NO_EDIT, _NO_EDIT) if isinstance(text, CannotExpress) else Injected(text, label, stop)


def _replies(label: Label, site: Site, fmt: EditFormat) -> Iterator[Injected]:
    category, task = label.category, site.task

    def edited(detail: Detail, before: Files, after: Files) -> Injected:
        return _said(fmt.encode(before, after), Label(category, detail))

    match category:
        case Category.TRUNCATED:
            yield _cut_off(label, truth(task, fmt))
        case Category.MALFORMED:
            yield _said(NO_EDIT, _NO_EDIT)
        case Category.NOT_APPLIED:
            yield edited(Detail.FORBIDDEN_PATH, {"../outside.py": None}, {"../outside.py": b"OUTSIDE = 1\n"})
        case Category.MISAPPLIED:
            yield edited(Detail.BROKEN_SYNTAX, *_new_file(site, b"def unasked(:\n"))
        case Category.UNINTENDED_CHANGE:
            before, after = _new_file(site, b"UNASKED = 1\n")
            if not isinstance(fmt.encode(task.before, task.after), CannotExpress):
                yield edited(Detail.ADDED, {**task.before, **before}, {**task.after, **after})
        case Category.WRONG_CHANGE if task.impossible:
            yield from (edited(*parts) for parts in _on_impossible(label, site))
        case Category.WRONG_CHANGE:
            # Put back, nothing is left, and the tests are proved to fail on the starting tree (R4).
            yield edited(Detail.TESTS_FAIL, *_new_file(site, b"UNASKED = 1\n"))


def _cut_off(label: Label, text: str) -> Injected:
    if label.detail is Detail.IN_REASONING:
        return Injected("", label, "length")
    if label.detail is Detail.TIMED_OUT:
        return Injected(text, label, "timeout")
    return Injected(text, Label(Category.TRUNCATED, Detail.STOP_LENGTH), "length")


def _new_file(site: Site, content: bytes) -> tuple[Files, Files]:
    taken = {*site.tree.modes, *site.task.after}
    path = next(path for n in range(len(taken) + 1) if (path := f"unasked{n or ''}.py") not in taken)
    return {path: None}, {path: content}


def _on_impossible(label: Label, site: Site) -> Iterator[tuple[Detail, Files, Files]]:
    """Edits of an impossible task, those that the label asks for first."""
    found: list[tuple[Detail, Files, Files]] = [(Detail.INVENTED_FILE, *_new_file(site, b"INVENTED = 1\n"))]
    for path, content in sorted(site.task.shown.items()):
        if content:
            found.append((Detail.EDITED_ANYWAY, {path: content}, {path: content.rstrip(b"\r\n") + b"\n# edited\n"}))
    for path in _CONFIGURES_TESTS:
        if path not in site.tree.modes:
            found.append((Detail.TESTS_TAMPERED, {path: None}, {path: b"# nothing\n"}))
    yield from sorted(found, key=lambda edit: edit[0] is not label.detail)
