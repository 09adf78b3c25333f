"""Damaging a correct answer, each way with one known label."""

import re
from collections.abc import Iterator

from evaluator.faults.stray import stray_edit
from evaluator.formats.model import CannotExpress, EditFormat
from miner.fixtures import Task
from miner.symbols import files as symbols
from miner.symbols.files import Files, has_symbols, language_of, text_of
from miner.symbols.lines import changed_blocks
from miner.symbols.model import Shape, descendants
from miner.symbols.outline import outline
from miner.text import split_lines

NO_EDIT = "The format has no way to write this change.\n"


def spoken(encoded: str | CannotExpress) -> str:
    """What a model says: where the format cannot express the change, a reply with no edit in it."""
    return NO_EDIT if isinstance(encoded, CannotExpress) else encoded


def with_stray_change(task: Task) -> Files:
    """The right answer and one change nobody asked for: a definition dropped, or else a comment added."""
    for path, content in sorted(task.after.items()):
        if content is None:
            continue
        for damaged in _without_a_definition(path, content, task.allowed.get(path, [])):
            files = {**task.after, path: damaged}
            if _parses_as_well(path, files, task.after) and symbols.unintended(task.before, files, task.allowed):
                return files
    stray = stray_edit(task.before, task.after, task.allowed)
    return stray.after if stray else {**task.after, "unasked.py": b"UNASKED = 1\n"}


def with_wrong_change(task: Task) -> Files:
    """An answer that touches what it may but does not do the task: a comment where the change belongs."""
    fallback: Files | None = None
    for path, content in sorted(task.before.items()):
        if content is None or task.after.get(path) is None:
            continue
        for damaged in _comments(path, text_of(content), text_of(task.after[path])):
            files = {**task.before, path: damaged.encode("utf-8", "surrogateescape")}
            if not _parses_as_well(path, files, task.before):
                continue
            if not symbols.unintended(task.before, files, task.allowed):
                return files
            fallback = fallback or files
    if fallback is not None:
        return fallback
    # Nothing but new files: they are there, and empty but for a comment.
    return {
        path: None if content is None else f"{_line_comment(path)} to do\n".encode()
        for path, content in task.after.items()
    }


def with_stale_anchors(task: Task, fmt: EditFormat) -> str:
    """A reply that quotes lines as they are not in the tree."""
    modified = [path for path, content in task.before.items() if content and task.after.get(path)]
    if not modified:
        path = f"{min(task.after)}.missing"
        return spoken(fmt.encode({path: b"old\n"}, {path: b"new\n"}))
    before, after = ({path: _stale(files[path]) for path in modified} for files in (task.before, task.after))
    return spoken(fmt.encode(before, after))


def with_forbidden_path(task: Task, fmt: EditFormat) -> str:
    """A reply that writes outside the tree."""
    return spoken(fmt.encode({}, {f"../{min(task.after)}": b"outside\n"}))


def _without_a_definition(path: str, content: bytes, allowed: list[str]) -> Iterator[bytes]:
    language = language_of(path)
    if language is None:
        return
    symbols = list(descendants(outline(content, language).root))
    droppable = [s for s in symbols if s.shape is Shape.FUNCTION and s.name not in allowed]
    # Those that the file itself never mentions again come first, then the rest, last ones first.
    droppable.sort(key=lambda s: (_mentions(s.name, text_of(content)), -s.start))
    for symbol in droppable[:20]:
        yield content[: symbol.start] + content[symbol.end :]


def _mentions(name: str, text: str) -> int:
    return len(re.findall(rf"\b{re.escape(name.rsplit('.', 1)[-1])}\b", text))


def _comments(path: str, before: str, after: str) -> Iterator[str]:
    lines = split_lines(before)
    for first, _, _, _ in changed_blocks(before, after):
        for place in (first, first + 1, max(first - 1, 0)):
            model = next((line for line in lines[place:] if line.strip()), "\n")
            indent = model[: len(model) - len(model.lstrip())] if has_symbols(path) else ""
            ending = "\r\n" if model.endswith("\r\n") else "\n"
            comment = f"{indent}{_line_comment(path)} left as it is{ending}"
            yield "".join([*lines[:place], comment, *lines[place:]])


def _line_comment(path: str) -> str:
    language = language_of(path)
    return "#" if language is None else language.line_comment


def _parses_as_well(path: str, files: Files, reference: Files) -> bool:
    new, old = files[path], reference.get(path)
    return new is not None and symbols.syntax_errors(path, new) <= symbols.syntax_errors(path, old or b"")


def _stale(content: bytes | None) -> bytes:
    lines = split_lines(text_of(content))
    return "".join(re.sub(r"(?<=\S)[ \t]*(?=\r?\n?\Z)", " (as it was)", line) for line in lines).encode(
        "utf-8", "surrogateescape"
    )
