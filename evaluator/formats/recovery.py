"""Which file of the tree a path of a reply means: itself, or what the admitted tolerances make of it."""

from collections.abc import Mapping

from evaluator.formats.model import Leniency, NotApplied, Tolerance, Tree
from evaluator.formats.paths import forbidden, unknown

PATH_DECORATION = Tolerance(
    "path_decoration", "a path in bold, quotes or a heading, after `File:`, with a colon after it, after the `a/` or "
    "`b/` of diffs, in a fence's opening line, or with blanks and not in backticks (Aider)"
)  # fmt: skip
PATH_RECOVERY = Tolerance("path_recovery", "a bare file name that only one file of the tree has (Aider)")


class Paths:
    """The paths of one reply, looked up in the tree once each. `written` are the files as the reply left them."""

    def __init__(self, tree: Tree, written: Mapping[str, bytes | None] | Mapping[str, object], leniency: Leniency):
        self._tree, self._written, self._leniency = tree, written, leniency
        self._sound: set[str] = set()

    def find(self, path: str, creates: bool, fitted: int = 0) -> tuple[str, tuple[str, ...]] | NotApplied:
        """The path meant, with the tolerances that it took; refused where it is forbidden or, not created, unknown."""
        steps: tuple[str, ...] = ()
        if not self._exists(path) and not creates:
            path, steps = self._recovered(path)
        if path not in self._sound:
            if (refusal := forbidden(path, self._tree, fitted)) is not None:
                return refusal
            self._sound.add(path)
        return (path, steps) if creates or self._exists(path) else self._unknown(path, fitted)

    def _exists(self, path: str) -> bool:
        return self._written[path] is not None if path in self._written else path in self._tree.modes

    def _recovered(self, path: str) -> tuple[str, tuple[str, ...]]:
        plain = path[2:]
        if PATH_DECORATION.name in self._leniency and path.startswith(("a/", "b/")) and self._exists(plain):
            return plain, (PATH_DECORATION.name,)
        if PATH_RECOVERY.name in self._leniency and "/" not in path and len(own := self._tree.named(path)) == 1:
            return own[0], (PATH_RECOVERY.name,)
        return path, ()

    def _unknown(self, path: str, fitted: int) -> NotApplied:
        refusal = unknown(path, fitted)
        alike = sorted(self._tree.named(path.rpartition("/")[2]))[:3]
        hint = f" There is {', '.join(map(repr, alike))}." if alike else ""
        return NotApplied(refusal.detail, refusal.message + hint, fitted)
