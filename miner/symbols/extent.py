"""How far a change to a symbol reaches: its layout, its comments, or its code.

Two states of a symbol are told apart by their tokens and by the structure of the syntax tree around these, so
that a statement dedented out of its `if` is a change of code. A docstring is a string, and strings are code.
"""

from collections.abc import Iterable
from enum import StrEnum

from miner.symbols.differences import Comparison, Kind
from miner.symbols.language import Language
from miner.symbols.model import IMPORTS, Outline, Shape, Symbol, descendants
from miner.symbols.stream import Stream, streams


class Extent(StrEnum):
    """What of a symbol differs. `FORMATTING`: nothing that a formatter does not change; `COMMENT`: besides, the
    words of comments, or where they stand; `CODE`: anything else."""

    FORMATTING = "formatting"
    COMMENT = "comment"
    CODE = "code"


def extents(before: Outline, after: Outline, found: Comparison, language: Language) -> dict[str, Extent]:
    """The extent of every modified symbol of a comparison, by name; of `<module imports>` if its text differs.

    What is inside a symbol under a name of its own counts only by where it stands.
    """
    modified = {
        change.name: (change.old, change.new) for change in found.changes
        if change.kind is Kind.MODIFIED and change.old is not None and change.new is not None
    }  # fmt: skip
    respelled = found.imports[0] != found.imports[1] or found.imports_respaced
    imports = [list(_imports(side.root)) if respelled else [] for side in (before, after)]
    known = {new: old for new, old in found.pairs.items() if old.shape is not Shape.IMPORT}
    wanted = [{*imports[side], *(pair[side] for pair in modified.values())} for side in (0, 1)]
    olds = streams(before, language, wanted[0], {old: old for old in known.values()})
    news = streams(after, language, wanted[1], known)
    result = {name: _extent([olds[old]], [news[new]]) for name, (old, new) in modified.items()}
    if respelled:
        same = _extent([olds[s] for s in imports[0]], [news[s] for s in imports[1]])
        result[IMPORTS] = Extent.CODE if found.imports_moved else same
    return result


def _imports(root: Symbol) -> Iterable[Symbol]:
    return (symbol for symbol in descendants(root) if symbol.shape is Shape.IMPORT)


def _extent(old: list[Stream], new: list[Stream]) -> Extent:
    if [s.code for s in old] != [s.code for s in new]:
        return Extent.CODE
    if [s.comments for s in old] != [s.comments for s in new]:
        return Extent.COMMENT
    return Extent.FORMATTING
