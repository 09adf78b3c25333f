"""What a fault must know of a format's grammar: one `Grammar` a format, written from docs/formats.md.

A format without one has the general faults only. Nothing here parses or applies: it writes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from evaluator.faults.model import Label
from evaluator.formats.model import Leniency
from evaluator.taxonomy import Detail


@dataclass(frozen=True)
class Quote:
    """One change of whole lines, none with its `\\n`: unchanged lines around the old ones that the new stand for.

    `line` is where the first of them stands in the file, from 0.
    """

    path: str
    line: int
    above: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    below: tuple[str, ...]

    @property
    def anchor(self) -> tuple[str, ...]:
        """The lines that must stand in the file."""
        return (*self.above, *self.old, *self.below)

    @property
    def result(self) -> tuple[str, ...]:
        """The lines that stand there afterwards."""
        return (*self.above, *self.new, *self.below)

    def each(self, change: Callable[[str], str]) -> "Quote":
        """The same with every line changed."""
        above, old, new, below = (tuple(map(change, part)) for part in (self.above, self.old, self.new, self.below))
        return replace(self, above=above, old=old, new=new, below=below)


@dataclass(frozen=True)
class Twin:
    """Two neighbouring lines that stand at several places, and a comment to put between them at the wrong one.

    `lines` are the file's, `places` all that the run has in it (from 0), `wrong` one of them, `right` those that may
    change.
    """

    path: str
    lines: tuple[str, ...]
    places: tuple[int, ...]
    right: tuple[int, ...]
    wrong: int
    comment: str

    def quote(self) -> Quote:
        """The edit, with the wrong place's line."""
        first, second = self.lines[self.wrong : self.wrong + 2]
        return Quote(self.path, self.wrong, (first,), (), (self.comment,), (second,))


Text = Callable[[str, Random], str | None]  # a right reply -> the damaged one; None where it has no such place


@dataclass(frozen=True)
class Slip:
    """A departure from the letter that one of some tolerances makes good.

    `repairs`: one of these granted, the reply is resolved. None of them and none of `also` (which read it in another
    way), and it is `letter`. `text` damages a whole right reply, `quote` one edit of it, after which its lines may not
    stand in the file; `stands`: they do.
    """

    name: str
    repairs: Leniency
    letter: Label
    text: Text | None = None
    quote: Callable[[Quote, Random], Quote | None] | None = None
    also: Leniency = frozenset()
    stands: bool = False

    def label(self, granted: Leniency) -> Label | None:
        """What the reply is where these tolerances are granted; None where docs/formats.md does not say."""
        if self.repairs & granted or not self.repairs:
            return Label()
        return None if self.also & granted else self.letter


@dataclass(frozen=True)
class Grammar:
    """A format's grammar, as far as faults write it.

    `opening`, `between` and `closing` make a reply of parts, each of which is an edit or several. `missing` is the
    detail of an anchor that does not stand in the file. `prose`: the tolerance without which text around the edits is
    no part of the grammar; empty: it needs none. `open_edits` gives the half-open ranges of positions in a reply at
    which a cut leaves an edit open under every leniency; `breaks` are damages that nothing repairs. `ambiguous` writes
    an edit so that a place it shares is not told apart, which takes the tolerances `ambiguous_needs` to read;
    `inserted` puts lines after a line of that number; `misplaced` puts an edit at the wrong one of its places.
    """

    opening: str
    between: str
    closing: str
    open_edits: Callable[[str], list[tuple[int, int]]]
    breaks: dict[str, Text]
    slips: tuple[Slip, ...] = ()
    prose: str = ""
    overwrites: bool = False
    quote: Callable[[Quote], str] | None = None
    missing: Detail | None = None
    ambiguous: Callable[[Quote], str] | None = None
    ambiguous_needs: Leniency = frozenset()
    inserted: Callable[[str, int, str], str] | None = None
    misplaced: Callable[[Twin], str | None] | None = None

    def part(self, reply: str) -> str:
        """The edits of a reply that the format encoded, without what is around all of them."""
        return reply.removeprefix(self.opening).removesuffix(self.closing)

    def reply(self, parts: list[str]) -> str:
        """The reply that these parts make."""
        return self.opening + self.between.join(parts) + self.closing


def replaced(pattern: str, by: str, count: int = 1) -> Text:
    """The damage that a substitution does, of the first place unless `count` says otherwise (0: of all)."""
    compiled = re.compile(pattern, re.MULTILINE)

    def damage(text: str, _random: Random) -> str | None:
        damaged, found = compiled.subn(by, text, count=count)
        return damaged if found else None

    return damage


def spans(text: str, opening: str, closing: str) -> list[tuple[int, int]]:
    """From behind every match of `opening` to the next one of `closing`, which is left out."""
    opened, closed = (re.compile(pattern, re.MULTILINE) for pattern in (opening, closing))
    found: list[tuple[int, int]] = []
    at = 0
    while (first := opened.search(text, at)) and (last := closed.search(text, first.end())):
        found.append((first.end(), last.start()))
        at = last.end()
    return found
