"""What the second injector knows of one fixture: its texts on both sides, and which places are certain.

*Free* definitions are those that the ground truth's lines do not touch, *allowed* ones those whose own code it changes.
"""

import ast
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from benchmarks.second_outline import Definition, Outline, outline
from benchmarks.second_pieces import Texts
from miner import python_ast

One = TypeVar("One")


@dataclass(frozen=True)
class Words:
    """How one language says what the faults need; `{i}` is the indentation."""

    comment: str
    function: str
    constant: str
    throw: str
    leave: str
    endless: str
    call: str
    broken: str


LANGUAGES: Mapping[str, Words] = {
    "py": Words("#", "def {n}():\n    return 1\n", "{n} = 1\n", '{i}raise RuntimeError("zz9")\n', "{i}return None\n",
                "{i}while True:\n{i}    pass\n", "{i}{n}()\n", "def zz9_broken(:\n"),
    "js": Words("//", "function {n}() {{\n  return 1;\n}}\n", "var {n} = 1;\n", '{i}throw new Error("zz9");\n',
                "{i}return null;\n", "{i}for (;;) {{}}\n", "{i}{n}();\n", "function zz9_broken( {\n"),
    "go": Words("//", "func {n}() int {{\n\treturn 1\n}}\n", "const {n} = 1\n", '{i}panic("zz9")\n', "",
                "{i}for {{\n{i}}}\n", "{i}{n}()\n", "func zz9_broken( {\n"),
}  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """One fixture: `before` and `after` are the change set's texts, `read` gives any text of the starting tree."""

    id: str
    before: Texts
    after: Texts
    paths: frozenset[str]
    read: Callable[[str], str | None]
    own_tests: frozenset[str] = frozenset()  # paths of the test and other files that the ground truth touches

    def start(self, texts: Texts) -> Texts:
        """The starting tree's texts at the paths of `texts`."""
        return {path: self.before[path] if path in self.before else self.read(path) for path in texts}

    def pick(self, many: Sequence[One], salt: str) -> One:
        """One of many: always the same for this fixture and this word."""
        return many[zlib.crc32(f"{self.id} {salt}".encode()) % len(many)]

    @cached_property
    def code(self) -> list[str]:
        """The change set's modified files with an outline on both sides."""
        return [path for path in sorted(self.before) if path in self.sides]

    @cached_property
    def sides(self) -> dict[str, tuple[Outline, Outline]]:
        """Outlines before and after of the modified files."""
        found = {}
        for path, old in self.before.items():
            new = self.after[path]
            if old is None or new is None or path.rpartition(".")[2] not in LANGUAGES:
                continue
            one, two = outline(path, old), outline(path, new)
            if one and two:
                found[path] = one, two
        return found

    def words(self, path: str) -> Words:
        """The language of the file at `path`."""
        return LANGUAGES[path.rpartition(".")[2]]

    def free(self, path: str) -> list[Definition]:
        """Functions of the file after, alone by their name and the same on both sides, from top to bottom."""
        old, new = self.sides[path]
        return [
            d for d in new.functions() if d.plain and d.name in old.definitions and old.text(d.name) == new.text(d.name)
        ]

    def allowed(self, path: str) -> list[Definition]:
        """Functions of the file after without others inside, whose own code the ground truth changes or adds."""
        return [d for d in self.sides[path][1].functions() if d.plain and self._changed(path, d.name)]

    def _changed(self, path: str, name: str) -> bool:
        old, new = self.sides[path]
        if name in old.definitions:
            return _code(path, old.text(name)) != _code(path, new.text(name))
        return name.rpartition(".")[2] not in "".join(old.lines)

    def with_after(self, path: str, text: str | None) -> dict[str, str | None]:
        """The solved files, with another text at `path`."""
        return {**self.after, path: text}


def _code(path: str, text: str) -> str:
    if not path.endswith(".py"):
        return text
    lines = text.splitlines(keepends=True)
    lead = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    try:
        return ast.dump(python_ast.parse("".join(line[lead:] if line.strip() else line for line in lines)))
    except SyntaxError:
        return text


def inserted(lines: Sequence[str], at: int, text: str) -> str:
    """The lines as one text, with another in front of line `at`."""
    return "".join([*lines[:at], text, *lines[at:]])
