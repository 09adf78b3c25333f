"""The strict comparison of two texts by symbol, and the allowed list that a change set gives.

Strict means: every symbol added, removed, modified or reordered that is not allowed is named, and a
change to the import block is named unless every import binding it adds or removes is allowed.
Excusing is a separate, later step.
"""

from collections.abc import Collection

from miner.symbols import imports
from miner.symbols.differences import Comparison, Kind, SymbolChange, compare
from miner.symbols.languages import BY_NAME
from miner.symbols.model import IMPORTS, Outline
from miner.symbols.outline import outline


def symbols(text: str, language: str) -> Outline:
    """The symbols of a text in a language, by the name of its tree-sitter grammar; raises KeyError for others."""
    return outline(text.encode("utf-8", "surrogateescape"), BY_NAME[language])


def unintended_changes(before: str, after: str, allowed: Collection[str], language: str = "python") -> list[str]:
    """Every symbol added, removed, modified or reordered between two texts that is not in `allowed`, sorted."""
    old, new = symbols(before, language), symbols(after, language)
    return sorted({change.name for change in unallowed(old, new, allowed)})


def unallowed(before: Outline, after: Outline, allowed: Collection[str]) -> list[SymbolChange]:
    """`unintended_changes` over outlines, with the kind of each change."""
    found = compare(before, after)
    changes = [change for change in found.changes if change.name not in allowed]
    if IMPORTS not in allowed and (kind := _import_kind(found, allowed)) is not None:
        changes.append(SymbolChange(IMPORTS, kind))
    return changes


def allowed_symbols(before: Outline, after: Outline) -> list[str]:
    """What the change from `before` to `after` may touch: its symbols and import entries, sorted."""
    found = compare(before, after)
    names = {change.name for change in found.changes} | imports.touched_entries(*found.imports)
    if _import_kind(found, names) is not None:
        names.add(IMPORTS)  # the change set itself reorders or reformats the block
    return sorted(names)


def _import_kind(found: Comparison, allowed: Collection[str]) -> Kind | None:
    """How the import block differs by more than the allowed import entries, or None."""
    if imports.modified(*found.imports, allowed) or found.imports_respaced:
        return Kind.REORDERED if imports.only_reordered(*found.imports) else Kind.MODIFIED
    if found.imports_moved or imports.reordered(*found.imports):
        return Kind.REORDERED
    return None
