"""An answer in the making: the ground truth, or nothing, and what is edited on top of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from random import Random

from evaluator.faults.model import Damaged, Label, Site
from miner import python_ast
from miner.symbols.files import Files, syntax_errors, text_of
from miner.symbols.lines import changed_blocks
from miner.text import split_lines

_PYTHON = (".py", ".pyi")
_CONTEXT = 3  # lines that the formats quote around a change


@dataclass(frozen=True)
class Answer:
    """The files that an answer changes, as they are now."""

    site: Site
    now: Files

    def before(self, path: str) -> bytes | None:
        """A file as it is in the starting tree."""
        return self.site.tree.read(path)

    def at(self, path: str) -> bytes | None:
        """A file as the answer leaves it."""
        return self.now[path] if path in self.now else self.before(path)

    def edited(self, path: str, content: bytes | None) -> "Answer":
        """The answer with one file changed further."""
        return replace(self, now={**self.now, path: content})

    def differing(self) -> dict[str, bytes | None]:
        """The files that are not as in the starting tree."""
        return {path: content for path, content in sorted(self.now.items()) if content != self.before(path)}

    def damaged(self, label: Label) -> Damaged:
        """The answer as a fault gives it."""
        after = self.differing()
        return Damaged({path: self.before(path) for path in after}, after, label)


Edit = Callable[[Answer, Random], Iterator[Answer]]  # the answers that one more edit gives, in random order


def solved(site: Site) -> Answer:
    """The ground truth."""
    return Answer(site, site.truth)


def untouched(site: Site) -> Answer:
    """No change at all."""
    return Answer(site, {})


def edited(answer: Answer, edits: Sequence[Edit], random: Random) -> Iterator[Answer]:
    """The answers with all the edits, in turn; of every edit but the first only its first place."""
    if not edits:
        yield answer
        return
    for first in edits[0](answer, random):
        yield from islice(edited(first, edits[1:], random), 1)


def is_readable(content: bytes | None) -> bool:
    """Whether contents are a text that a reply can hold, and not empty."""
    if not content or b"\0" in content:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


@lru_cache(maxsize=4096)
def parses(path: str, content: bytes) -> bool:
    """Whether a file in a language with symbols certainly parses: for its grammar, and for Python itself."""
    return syntax_errors(path, content) == 0 and _python_error(path, content) is None


@lru_cache(maxsize=4096)
def is_broken(path: str, content: bytes) -> bool:
    """Whether a file certainly does not parse: neither for its grammar, nor for Python. Indentation is Python's own."""
    error = _python_error(path, content)
    if isinstance(error, IndentationError):
        return True
    return syntax_errors(path, content) > 0 and (error is not None or not path.endswith(_PYTHON))


def _python_error(path: str, content: bytes) -> Exception | None:
    if not path.endswith(_PYTHON):
        return None
    try:
        python_ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return error
    return None


def is_unmistakable(answer: Answer) -> bool:
    """Whether no edit beside the ground truth's could be meant for another place (docs/taxonomy.md, R11)."""
    for path in answer.differing():
        old, new = text_of(answer.before(path)), text_of(answer.now[path])
        if not old or not new:
            continue
        own = set(_blocks(old, text_of(answer.site.truth.get(path)))) if path in answer.site.truth else set()
        lines = split_lines(old)
        for first, last, text in _blocks(old, new):
            anchor = "".join(lines[max(0, first - _CONTEXT) : last + _CONTEXT])
            if (first, last, text) not in own and _occurs_twice(old, anchor):
                return False
    return True


@lru_cache(maxsize=256)
def _blocks(old: str, new: str) -> tuple[tuple[int, int, str], ...]:
    """What differs: the half-open lines before, and the text in their place."""
    lines = split_lines(new)
    return tuple((i1, i2, "".join(lines[j1:j2])) for i1, i2, j1, j2 in changed_blocks(old, new))


def _occurs_twice(text: str, anchor: str) -> bool:
    """Whether whole lines stand more than once in a text."""
    text, anchor = f"\n{text}", f"\n{anchor}"
    first = text.find(anchor)
    return text.find(anchor, first + 1) >= 0
