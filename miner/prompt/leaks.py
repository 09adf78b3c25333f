"""How much of the answer stands in the prompt: the change set's added code, found again by its token n-grams."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from miner.patches import file_patches

N = 6  # tokens: docs/prompts.md says what was looked at to choose it
_NAMES, _SIGNS = 3, 2  # different names or numbers, and signs of code, that a run must have
_TOKEN = re.compile(r"[^\W\d]\w*|\d[\w.]*|[^\w\s`]")
_NAME = re.compile(r"[^\W\d]\w*|\d[\w.]*")
_LEAD = re.compile(r"[ \t]*(?:(?:[-+>*|#$]|//+|/\*+|\*/|>>>|\.\.\.|--|;;|\d+[.)])[ \t]*)*")
# A line that is a comment, or an example in one.
_REMARK = re.compile(r"\s*(?:>>>|\.\.\.\s|#(?=\s|$)|//|/\*|\*(?=[\s/]|$)|--\s|;;|<!--)")
_DOCSTRING = re.compile(r"^[ \t]*[rbu]*(\"{3}|'{3}).*?(?:\1|\Z)", re.MULTILINE | re.DOTALL)
_CODE = frozenset("()[]{}=<>+;\"'_&|%@")  # signs that prose seldom has
_IMPORT = re.compile(
    r"\s*(?:(?:from\s+\S+\s+)?import\b|use\s|#\s*include\b|package\s"
    r"|using\s|require\b|\}?\s*from\s+['\"]|export\s+\*)"
)
# Names that any code has: they make no n-gram informative.
_COMMON = frozenset(re.findall(r"\S+", """
    self this cls if else elif for in of while return def fn func function class struct new not and or is none
    null nil true false the a to var let const int str string bool void public private static final try except
    catch raise throw err error import from as with pass async await lambda end do then it
"""))


@dataclass(frozen=True)
class Token:
    """One token of code and where it stands in the text that it is from."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Run:
    """A part of the prompt, `start` to `end` in characters: `tokens` tokens of the added code in their order."""

    start: int
    end: int
    tokens: int


@dataclass(frozen=True)
class Leak:
    """`share` of the new tokens of the added code that stand in the prompt (0 to 1), and the runs that hold them."""

    share: float
    runs: tuple[Run, ...]

    @property
    def longest(self) -> int:
        """The longest run, in tokens."""
        return max((run.tokens for run in self.runs), default=0)


def leak(prompt: str, change_patch: bytes, before: Iterable[str] = ()) -> Leak:
    """What the prompt gives away of a change set; `before` are the files' texts in the starting tree.

    Blind to white space, to marks of comments, diffs, quotes and lists at the beginning of lines, and to imports. What
    the starting tree or the patch's own deleted and unchanged lines have as well is not new, and so no leak: whoever
    describes a bug quotes the code that has it. Comments and docstrings of the change set are no code either.
    """
    added, known = _sides(change_patch)
    seen = {gram for text in (*known, *before) for gram in _grams(_words(tokens_of(text)))}
    pieces = [_words(tokens_of(text)) for text in added]
    answer = {gram for words in pieces for gram in _grams(words)} - seen
    told = tokens_of(prompt)
    said = _words(told)
    stretches = [(i, j) for i, j in _stretches([gram in answer for gram in _grams(said)]) if _says_something(said[i:j])]
    given = {gram for i, j in stretches for gram in _grams(said[i:j])}
    new, found = (sum(_covered(words, grams) for words in pieces) for grams in (answer, given))
    runs = tuple(Run(told[i].start, told[j - 1].end, j - i) for i, j in stretches)
    return Leak(round(found / new, 4) if new else 0.0, runs)


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text in their order, without what begins its lines and without import lines."""
    found: list[Token] = []
    start = 0
    for line in text.split("\n"):
        lead = _LEAD.match(line)
        begin = lead.end() if lead else 0
        if not _IMPORT.match(line, begin):
            places = (match.span() for match in _TOKEN.finditer(line, begin))
            found += (Token(line[i:j], start + i, start + j) for i, j in places)
        start += len(line) + 1
    return found


def _sides(patch: bytes) -> tuple[list[str], list[str]]:
    """The added code, a text a stretch that no unchanged line interrupts; and the lines of before, a text a hunk."""
    added: list[str] = []
    known: list[str] = []
    for file in file_patches(patch):
        for hunk in file.hunks:
            rows = hunk.decode("utf-8", "replace").split("\n")[1:]
            known.append("\n".join(row[1:] for row in rows if row[:1] in ("-", " ")))
            for is_context, stretch in groupby((row for row in rows if row[:1] != "-"), lambda row: row[:1] != "+"):
                if not is_context:
                    text = "\n".join(row[1:] for row in stretch if not _REMARK.match(row, 1))
                    added.append(_DOCSTRING.sub("", text))
    return added, known


def _words(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens]


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[i : i + N]) for i in range(len(words) - N + 1))


def _says_something(words: Sequence[str]) -> bool:
    """Whether a run is code that is worth something: prose has few signs, boiler-plate few names."""
    names = {word.lower() for word in words if _NAME.fullmatch(word)} - _COMMON
    return len(names) >= _NAMES and sum(not _CODE.isdisjoint(word) for word in words) >= _SIGNS


def _covered(words: Sequence[str], grams: set[tuple[str, ...]]) -> int:
    """How many of the words lie in one of the n-grams."""
    return sum(end - begin for begin, end in _stretches([gram in grams for gram in _grams(words)]))


def _stretches(hits: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The ranges of tokens that n-grams which were hit cover, joined where they touch."""
    begin = end = -1
    for i, hit in enumerate(hits):
        if not hit:
            continue
        if i > end:
            if end > begin:
                yield begin, end
            begin = i
        end = i + N
    if end > begin:
        yield begin, end
