"""Which file a diff means whose headers name none of the tree, as the admitted tolerances have it."""

from collections.abc import Iterator, Mapping

from evaluator.formats.model import Leniency, Tolerance, Tree
from evaluator.formats.paths import normal_path
from evaluator.formats.unified_diff.hunks import FileDiff

DECORATION = Tolerance(
    "path_decoration",
    "a path in backticks, quotes or asterisks, with blanks or a colon after it, and a folder that is really called "
    "`a` or `b` (`git apply -p0`; GNU patch takes the name that exists)",
)
RECOVERY = Tolerance(
    "path_recovery",
    "a path of which one file of the tree has the end, or which ends in one's path (GNU patch without -p: the base "
    "name)",
)


def found_path(edit: FileDiff, tree: Tree, files: Mapping[str, bytes | None], leniency: Leniency) -> FileDiff:
    """The edit, for the file of the tree that its headers may mean where it changes one that is not there."""
    if edit.creates or edit.source is None or edit.source != edit.path or _exists(edit.path, tree, files):
        return edit
    if DECORATION.name in leniency:
        for path in _undecorated(edit):
            if _exists(path, tree, files):
                return edit.named(path, DECORATION.name)
    if RECOVERY.name in leniency:
        for path in (edit.path, *_undecorated(edit)):
            ends = [known for known in tree.modes if known.endswith("/" + path) or path.endswith("/" + known)]
            if path and len(ends) == 1:
                return edit.named(ends[0], RECOVERY.name)
    return edit


def _exists(path: str, tree: Tree, files: Mapping[str, bytes | None]) -> bool:
    return path in files or path in tree.modes


def _undecorated(edit: FileDiff) -> Iterator[str]:
    for name in edit.written:
        bare = name.strip().strip("`'\"*").rstrip(":").strip("`'\"* ")
        yield normal_path(bare)
        if bare.startswith(("a/", "b/")):
            yield normal_path(bare[2:])
