"""Which paths a reply may name: relative, inside the tree, no link, nothing of git's."""

import re

from evaluator.formats.model import REGULAR_MODES, CannotExpress, NotApplied, Tree
from evaluator.taxonomy import Detail
from miner.symbols.files import Files

LIKE_A_PATH = re.compile(r"[/\\]|\.\w")
_DRIVE = re.compile(r"[A-Za-z]:")
_DELETE = re.compile(r"DELETE FILE: (\S.*)\Z")


def line_of_path(path: str) -> str:
    """The line that names a path, so that it is read again."""
    if re.search(r"\s", path) or path[:1] in "`*~" or path[-1:] in "`*:":
        return f"`{path}`"
    return path if LIKE_A_PATH.search(path) else f"./{path}"


def deleted_path(line: str) -> str | None:
    """The path that a `DELETE FILE: path` line names, or None where it is no such line."""
    match = _DELETE.match(line)
    return None if match is None else normal_path(match[1].rstrip())


def deletion(path: str) -> str | CannotExpress:
    """The line that deletes a file."""
    line = f"DELETE FILE: {path}"
    return f"{line}\n" if deleted_path(line) == path else unspellable(path)


def unspellable(path: str) -> CannotExpress:
    """What is said of a path that the grammar would read as another one, or as none."""
    return CannotExpress(f"{path!r} cannot be spelled as a path of a reply")


def normal_path(path: str) -> str:
    """The path as the tree spells it: `/` separators, no leading `./`."""
    plain = path.replace("\\", "/")
    while plain.startswith("./"):
        plain = plain[2:]
    return plain


def forbidden(path: str, tree: Tree, fitted: int) -> NotApplied | None:
    """The refusal of a path that leads, or could lead, outside the tree's regular files; else None."""
    parts = path.split("/")
    reason = None
    if not path or path.startswith("/") or _DRIVE.match(path):
        reason = "is not relative"
    elif any(ord(c) < 32 or ord(c) == 127 for c in path):
        reason = "has a control character"
    elif any(len(part.encode("utf-8", "replace")) > 255 for part in parts) or len(path) > 1000:
        reason = "is too long"
    elif any(part in ("", ".", "..") for part in parts):
        reason = "is not a plain path inside the project"
    elif any(part.lower() == ".git" for part in parts):
        reason = "belongs to git"
    elif tree.modes.get(path, "100644") not in REGULAR_MODES:
        reason = "is a link or submodule"
    elif any("/".join(parts[:n]) in tree.modes for n in range(1, len(parts))):
        reason = "goes through a file or link"
    elif path in tree.folders:
        reason = "is a folder"
    if reason is None:
        return None
    return NotApplied(Detail.FORBIDDEN_PATH, f"The path {path!r} {reason}. Name a file of the project.", fitted)


def clash(files: Files, fitted: int) -> NotApplied | None:
    """The refusal of a reply that writes one path both as a file and as a folder; else None."""
    written = {path for path, content in files.items() if content is not None}
    for path in sorted(written):
        parts = path.split("/")
        above = next((p for n in range(1, len(parts)) if (p := "/".join(parts[:n])) in written), None)
        if above is not None:
            return NotApplied(Detail.FORBIDDEN_PATH, f"{above!r} cannot be a file and hold {path!r}.", fitted)
    return None


def unknown(path: str, fitted: int) -> NotApplied:
    """The refusal of an edit to a file that does not exist."""
    return NotApplied(Detail.UNKNOWN_PATH, f"There is no file {path!r}.", fitted)
