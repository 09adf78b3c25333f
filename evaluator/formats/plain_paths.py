"""Which file a reply means that names its path not quite as the tree spells it."""

import re
from collections.abc import Callable

from evaluator.formats.model import Leniency, Tolerance, Tree
from evaluator.formats.paths import normal_path
from evaluator.formats.recovery import PATH_RECOVERY

PATH_DECORATION = Tolerance(
    "path_decoration", "a path in backticks, quotes or bold, behind `File:` or `a/` or `b/`, before a colon; only "
    "where there is no file of the name as written (chat clients)",
)  # fmt: skip
_LABEL = re.compile(r"(?:file(?:name|path)?|path)\s*:\s*", re.IGNORECASE)
_PAIRS = ("**", "__", "`", '"', "'", "*")


class Recovery:
    """The files of one tree by their bare names."""

    def __init__(self, tree: Tree, leniency: Leniency) -> None:
        self._tree = tree
        self._leniency = leniency

    def path(
        self, written: str, known: Callable[[str], bool], new: bool = False, bare: bool = True
    ) -> tuple[str, tuple[str, ...]]:  # fmt: skip
        """The path that is meant, and the tolerances that it took; the path as written where none helps.

        `known` tells whether a path names a file by now; it may be `new`. `bare`: its name alone may stand for it.
        """
        if known(written):
            return written, ()
        plain, steps = written, tuple[str, ...]()
        if PATH_DECORATION.name in self._leniency:
            plain = undressed(written)
            for name in (plain, plain.partition("/")[2]) if plain[:2] in ("a/", "b/") else (plain,):
                if name != written and known(name):
                    return name, (PATH_DECORATION.name,)
            steps = (PATH_DECORATION.name,) * (plain != written)
        if bare and PATH_RECOVERY.name in self._leniency and plain and "/" not in plain:
            found = self._tree.named(plain)
            if len(found) == 1:
                return found[0], (*steps, PATH_RECOVERY.name)
        return (plain, steps) if new else (written, ())


def undressed(path: str) -> str:
    """The path without what replies wrap around one, as the tree spells it."""
    return normal_path(unwrapped(path))


def unwrapped(path: str) -> str:
    """The path as it is spelled, without what replies wrap around one."""
    path = path.strip()
    for _ in range(4):  # decorations nest: a label before a path in bold and backticks
        bare = _LABEL.sub("", path, count=1) if _LABEL.match(path) else path
        bare = bare.rstrip(":").strip()
        for mark in _PAIRS:
            if len(bare) > 2 * len(mark) and bare.startswith(mark) and bare.endswith(mark):
                bare = bare[len(mark) : -len(mark)].strip()
        if bare == path or not bare:
            break
        path = bare
    return path
