"""Excusing: an addition that an allowed symbol needs is no unintended change.

An added symbol or import entry is excused when an allowed or excused symbol of the new tree uses it, that
is, mentions its name outside comments and strings; nothing removed, modified or reordered ever is. What
stands inside an excused class goes with it, and what is left of a new file with any excused symbol of it.
A class of which every member is excused is so too. An import that does not say what it binds (`#include`,
`import *`, a trait's) is excused where the allowed symbols mention a name that neither the file before nor the
other additions know. What redefines a name that is there is never excused, and no symbol's own name counts as a
mention by it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from miner.symbols.differences import Comparison, compare
from miner.symbols.files import Files, language_of, outline_of
from miner.symbols.identifiers import identifiers, mentioned_by
from miner.symbols.imports import added_entries
from miner.symbols.language import Language
from miner.symbols.model import BODY, IMPORTS, MODULE, Outline, Symbol, descendants

_NAME = re.compile(r"[\w$]+")
_SIGILS = "#$@?!="
_NUMBERED = re.compile(r"#\d+\Z")


def excused(before: Files, after: Files, allowed: Mapping[str, Collection[str]]) -> dict[str, set[str]]:
    """Per path, the added symbols and import entries between two states of files that are excused."""
    files = [
        _File.read(path, language, before.get(path), content, allowed.get(path, ()))
        for path, content in after.items()
        if content is not None and content != before.get(path) and (language := language_of(path)) is not None
    ]
    while any(file.excuse(files) for file in files):
        pass
    return {file.path: file.excused for file in files if file.excused}


@dataclass
class _File:
    """One changed file: what was added to it, what its allowed and excused symbols mention, what is excused so far."""

    path: str
    language: Language
    is_new: bool
    known: set[str]
    allowed: Collection[str]
    added: Mapping[Symbol, str]
    entries: set[str]
    imported: set[str]
    mentions: Mapping[Symbol, set[str]]
    used: set[str]
    excused: set[str] = field(default_factory=set)

    @classmethod
    def read(
        cls, path: str, language: Language, old: bytes | None, new: bytes, allowed: Collection[str]
    ) -> "_File":  # fmt: skip
        before, after = outline_of(path, old), outline_of(path, new)
        found = compare(before, after)
        mentions = {symbol: _but_itself(symbol, names) for symbol, names in mentioned_by(after, language).items()}
        known = {_plain(name).lstrip(".") for _, name in identifiers(before.source, language)}
        used = {n for s, name in _names(after, found) if name in allowed for n in mentions.get(s, ())}
        entries = set() if IMPORTS in allowed else added_entries(*found.imports).difference(allowed)
        imported = {word for s in found.imports[1] for entry in s.entries for word in _NAME.findall(entry)}
        return cls(path, language, not old, known, allowed, found.added, entries, imported, mentions, used)

    def excuse(self, files: Collection["_File"]) -> bool:
        """Excuse what the symbols allowed or excused so far ask for; whether there was anything."""
        asked = set(self._asked_for(files))
        fresh = {self.added[s] for s in asked if s in self.added} - self.excused
        carried = {entry for s in asked for entry in s.entries if entry in self.entries}
        entries = {entry for entry in self.entries if entry in carried or self._uses(entry)} - self.excused
        self.excused |= fresh | entries
        if self.is_new and (self.excused or self.allowed):
            self.excused.add(MODULE)
        for symbol, name in self.added.items():
            if name in fresh:
                self.used |= self.mentions.get(symbol, set())
        return bool(fresh or entries)

    def _asked_for(self, files: Collection["_File"]) -> Iterator[Symbol]:
        """The added symbols that are used here or elsewhere, with what is inside them."""
        for symbol, name in self.added.items():
            if name in self.allowed or _NUMBERED.search(name.removesuffix(f".{BODY}")):
                continue
            words = _called(symbol)
            if self._mentions(symbol, words) or any(f._sees(self, words) for f in files) or self._all_inside(symbol):
                yield from descendants(symbol)

    def _all_inside(self, symbol: Symbol) -> bool:
        """Whether a class consists of nothing but what is excused or allowed."""
        inside = [self.added[s] for s in descendants(symbol) if s in self.added and s is not symbol]
        return bool(inside) and all(name in self.excused or name in self.allowed for name in inside)

    def _mentions(self, symbol: Symbol, words: Iterable[str]) -> bool:
        member = symbol.scope.count(".") > 1
        return any(word in self.used or (member and f".{word}" in self.used) for word in words)

    def _sees(self, other: "_File", words: Iterable[str]) -> bool:
        """Whether this file's allowed symbols use one of the names that another file defines."""
        if other is self or not any(word in self.used or f".{word}" in self.used for word in words):
            return False
        return not self.language.by_import or bool(self.imported.intersection((*words, PurePosixPath(other.path).stem)))

    def _uses(self, entry: str) -> bool:
        name = self.language.binds(entry)
        if name is not None and (name in self.used or (self.language.reached_by_dot and f".{name}" in self.used)):
            return True
        if name is not None and not self.language.silent_imports:
            return False
        own = {n for symbol in self.added for n in _called(symbol)}
        bound = {self.language.binds(e) for e in self.entries}
        return bool({n.lstrip(".") for n in self.used} - self.known - own - bound)


def _called(symbol: Symbol) -> list[str]:
    """The names by which a symbol is mentioned: the last part of its own, all of several; none for an `impl` block."""
    if symbol.base.startswith(("impl ", "impl<", "extension ")):
        return []
    names = [name.strip(_SIGILS) for name in _NAME.findall(symbol.base)]
    return names if ", " in symbol.base else names[-1:]


def _plain(name: str) -> str:
    dot = "." if name.startswith(".") else ""
    return dot + name.removeprefix(".").strip(_SIGILS)


def _but_itself(symbol: Symbol, names: set[str]) -> set[str]:
    own = set(_called(symbol))
    return {plain for name in names if (plain := _plain(name)).lstrip(".") not in own}


def _names(after: Outline, found: Comparison) -> Iterator[tuple[Symbol, str]]:
    """The symbols of the text after that were compared, each with the name it goes by."""
    for symbol in descendants(after.root):
        if symbol in found.pairs:
            yield symbol, found.pairs[symbol].name
        elif symbol in found.added:
            yield symbol, found.added[symbol]
