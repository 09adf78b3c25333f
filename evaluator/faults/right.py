"""Right replies to damage: the truth as a format writes it, whole or but for one change, which is quoted by hand."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from evaluator.faults.grammar.model import Grammar, Quote
from evaluator.faults.model import Site
from evaluator.faults.stray import as_text
from evaluator.formats.model import CannotExpress, EditFormat
from miner.symbols.files import Files
from miner.symbols.lines import changed_blocks
from miner.text import split_lines

_CONTEXT = 3
# Lines that some grammar may take for its own: a text with one is left alone where that matters.
_SPECIAL = re.compile(
    r"^[ \t]*(?:[<>=]{5,}|`{3,}|~{3,}|-- |---|\+\+|@@|\*\*\*|diff --git|\\ No newline|DELETE FILE:|\.\.\.[ \t]*$)"
    r"|\A\ufeff|[\0\f\v]",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Change:
    """One changed place of the truth: how an edit quotes it, and its file with every change but this one."""

    quote: Quote
    partial: str
    before: str


def encoded(site: Site, fmt: EditFormat, files: Files) -> str | None:
    """The reply that makes these files out of those of the starting tree; None where the format cannot say it."""
    if not files:
        return None
    text = fmt.encode({path: site.task.before.get(path) for path in files}, files)
    return None if isinstance(text, CannotExpress) else text


def right(site: Site, fmt: EditFormat) -> str | None:
    """The right reply; None where the task has none, or the format cannot express it."""
    return None if site.task.impossible else encoded(site, fmt, site.truth)


def plain(site: Site, modified_only: bool = False) -> bool:
    """Whether no file of the truth, on either side, is empty or has a line that a grammar may take for its own.

    `modified_only`: nor is one of them added or deleted.
    """
    for path, after in site.truth.items():
        before = site.task.before[path]
        if modified_only and (before is None or after is None):
            return False
        for content in (before, after):
            if content is not None and (not (text := as_text(content)) or _SPECIAL.search(text)):
                return False
    return True


def changes(site: Site, random: Random) -> Iterator[Change]:
    """The changed places of modified files that can be quoted so that they stand there once, in random order."""
    if site.task.impossible or not plain(site):
        return
    places = [
        (path, block, old, new) for path, content in sorted(site.truth.items())
        if (old := as_text(site.task.before[path])) and (new := as_text(content))
        if old.endswith("\n") and new.endswith("\n")
        for block in changed_blocks(old, new)
    ]  # fmt: skip
    random.shuffle(places)
    for path, block, old, new in places:
        if (found := _change(path, block, old, new)) is not None:
            yield found


def _change(path: str, block: tuple[int, int, int, int], before: str, after: str) -> Change | None:
    old, new = split_lines(before), split_lines(after)
    i1, i2, j1, j2 = block
    blocks = list(changed_blocks(before, after))
    at = blocks.index(block)
    floor = blocks[at - 1][1] if at else 0
    ceiling = blocks[at + 1][0] if at + 1 < len(blocks) else len(old)
    partial = "".join([*new[:j1], *old[i1:i2], *new[j2:]])
    for context in (_CONTEXT, 2 * _CONTEXT, 4 * _CONTEXT):
        first, last = max(i1 - context, floor), min(i2 + context, ceiling)
        anchor = old[first:last]
        if anchor and _once(anchor, before) and _once(anchor, partial):
            above, mine, theirs, below = (
                tuple(line.removesuffix("\n") for line in lines)
                for lines in (old[first:i1], old[i1:i2], new[j1:j2], old[i2:last])
            )
            return Change(Quote(path, first, above, mine, theirs, below), partial, before)
    return None


def _once(anchor: Sequence[str], text: str) -> bool:
    """Whether lines stand once in a text, whatever the white space around them, and as text."""
    return len(places(anchor, text)) == 1 and text.count("".join(anchor)) == 1


def stands(anchor: Sequence[str], change: Change) -> bool:
    """Whether lines stand, to the letter, in the file as it was or as the rest of the truth leaves it."""
    wanted = "".join(f"{line}\n" for line in anchor)
    return any(text.startswith(wanted) or f"\n{wanted}" in text for text in (change.before, change.partial))


def places(anchor: Sequence[str], text: str) -> list[int]:
    """Where lines stand in a text, whatever the white space around them."""
    wanted, lines = [line.strip() for line in anchor], [line.strip() for line in text.split("\n")]
    return [n for n in range(len(lines) - len(wanted) + 1) if lines[n : n + len(wanted)] == wanted]


def around(site: Site, fmt: EditFormat, grammar: Grammar, change: Change) -> list[str] | None:
    """The rest of the truth beside one change, as parts of a reply: none where that is all; None: not expressible."""
    files = rest(site, {change.quote.path: change.partial})
    if not files:
        return []
    text = encoded(site, fmt, files)
    return None if text is None else [grammar.part(text)]


def rest(site: Site, instead: Mapping[str, str | None]) -> Files:
    """The truth with other contents for some files, None: as they were."""
    other = {path: site.task.before[path] if text is None else text.encode() for path, text in instead.items()}
    files = {**site.truth, **other}
    return {path: content for path, content in files.items() if content != site.task.before[path]}


def other_file(site: Site, random: Random, suffix: str = "") -> tuple[str, str] | None:
    """A file of the tree that is text and no file of the truth, with its contents."""
    paths = sorted(path for path in site.tree.modes if path not in site.task.before and path.endswith(suffix))
    random.shuffle(paths)
    for path in paths[:50]:
        text = as_text(site.tree.read(path))
        if text and text.endswith("\n") and not _SPECIAL.search(text):
            return path, text
    return None
