"""Writing a known change as a list of `str_replace` edits."""

import itertools
import json
from collections.abc import Sequence

from evaluator.formats.anchors import Range, anchored
from evaluator.formats.differing import differing
from evaluator.formats.model import CannotExpress
from evaluator.formats.paths import normal_path, unspellable
from evaluator.formats.reply import joined
from miner.symbols.files import text_of
from miner.text import split_lines


def encoded_file(path: str, before: bytes | None, after: bytes | None) -> str | CannotExpress:
    """The edits of one file, as JSON objects on lines of their own."""
    if after is None:
        return written(path, [{"delete": True}])
    old, new = text_of(before), text_of(after)
    if before is None:
        return written(path, [{"create": new}])
    if not old:
        return written(path, [{"insert_line": 0, "insert": new}])
    return written(path, replacements(old, new, differing(old, new)))


def replacements(old: str, new: str, blocks: Sequence[Range]) -> list[dict[str, object]]:
    """The replacements that stand for the differing ranges; each `old` is whole lines, there once as it applies."""
    ours, theirs = _starts(old), _starts(new)

    def stands_alone(lines: Range, done: tuple[int, int]) -> bool:
        present = new[: theirs[done[1]]] + old[ours[done[0]] :]
        wanted = old[ours[lines[0]] : ours[lines[1]]]
        return present.find(wanted, present.find(wanted) + 1) < 0

    ranges = anchored(blocks, (len(ours) - 1, len(theirs) - 1), stands_alone)
    return [{"old": old[ours[i1] : ours[i2]], "new": new[theirs[j1] : theirs[j2]]} for i1, i2, j1, j2 in ranges]


def _starts(text: str) -> list[int]:
    """Where each line starts, and the end."""
    return [0, *itertools.accumulate(map(len, split_lines(text)))]


def written(path: str, edits: Sequence[dict[str, object]]) -> str | CannotExpress:
    """Edits of a path as JSON objects, with a comma between them."""
    if normal_path(path) != path:
        return unspellable(path)
    raw = "".join(value for edit in edits for value in (path, *edit.values()) if isinstance(value, str))
    if isinstance(told := joined([(path, raw)]), CannotExpress):
        return told
    return ",\n".join(json.dumps({"path": path, **edit}, ensure_ascii=False) for edit in edits)


def listed(edits: str | CannotExpress) -> str | CannotExpress:
    """The objects of all files as the list that a reply is."""
    return edits if isinstance(edits, CannotExpress) else f"```json\n[\n{edits}\n]\n```\n"
