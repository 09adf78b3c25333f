"""The edits of a `str_replace` reply, and the JSON objects that say them."""

from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.formats.model import Edit, Leniency, Tolerance
from evaluator.formats.paths import normal_path

KEY_NAMES = Tolerance(
    "key_names", "the parameters of the well-known tools: `command`, `file_path`, `old_str` or `old_string`, `new_str` "
    "or `new_string`, `insert_text`, `file_text`, `replace_all` false (Claude's text editor, Claude Code, Gemini CLI)"
)  # fmt: skip
_OURS = {
    "file_path": "path", "old_str": "old", "old_string": "old", "new_str": "new", "new_string": "new",
    "insert_text": "insert", "file_text": "create",
}  # fmt: skip
_COMMANDS = ("str_replace", "insert", "create")


@dataclass(frozen=True)
class Replace(Edit):
    """The one place where `old` stands gets `new`."""

    old: str
    new: str


@dataclass(frozen=True)
class Insert(Edit):
    """Lines after the line of that number, from 1; 0: at the top."""

    line: int
    text: str


@dataclass(frozen=True)
class Create(Edit):
    """A new file."""

    content: str


@dataclass(frozen=True)
class Delete(Edit):
    """A file that goes."""


def edit_of(value: object, leniency: Leniency) -> Edit | str:
    """The edit that a JSON value says, or what is wrong with it."""
    if not isinstance(value, dict):
        return "is no JSON object"
    if KEY_NAMES.name in leniency and (ours := _renamed(value)) != value:
        return _read(ours, (KEY_NAMES.name,))
    return _read(value, ())


def _renamed(value: Mapping[str, object]) -> Mapping[str, object]:
    ours = {_OURS.get(key, key): content for key, content in value.items()}
    if len(ours) < len(value):
        return value  # one thing said twice
    if ours.get("command") in _COMMANDS:
        del ours["command"]
    if ours.get("replace_all") is False:
        del ours["replace_all"]
    if "insert_line" in ours and "new" in ours and "insert" not in ours:
        ours["insert"] = ours.pop("new")
    return ours


def _read(value: Mapping[str, object], steps: tuple[str, ...]) -> Edit | str:
    path, keys = value.get("path"), value.keys() - {"path"}
    if not isinstance(path, str):
        return "has no `path`"
    path = normal_path(path)
    match value:
        case {"old": str(old), "new": str(new)} if len(keys) == 2:
            return Replace(path, old, new, steps=steps)
        case {"insert_line": int(line), "insert": str(text)} if len(keys) == 2 and not isinstance(line, bool):
            return Insert(path, line, text, steps=steps)
        case {"create": str(content)} if len(keys) == 1:
            return Create(path, content, steps=steps)
        case {"delete": True} if len(keys) == 1:
            return Delete(path, steps=steps)
    named = ", ".join(sorted(key[:40] for key in keys)[:8]) or "nothing else"
    return f"has `path` and {named}: it takes old and new, insert_line (a number) and insert, create, or delete (true)"
