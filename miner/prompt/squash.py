"""Bodies of squash commits: GitHub's default lists the subjects of all squashed commits, each above its own body."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from miner.prompt.noise import says_nothing

_REVERTED = re.compile(r'(?i)revert:? "(.+)"')
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class _Entry:
    """One squashed commit."""

    subject: str
    body: str


def without_log(body: str, title: str) -> str:
    """A squash body without the subjects that say nothing, repeat the title, or are taken back further down.

    What commits say below their subjects stays, where the subject does. A body of another form stays as it is:
    entries begin with `* ` after a blank line, and there are at least two or the only one repeats the title.
    """
    entries = list(_entries(body))
    if not entries or (len(entries) < 2 and not _same(entries[0].subject, title)):
        return body
    reverted = [match[1] for entry in entries if (match := _REVERTED.match(entry.subject))]
    kept: list[str] = []
    seen = [title]
    for entry in entries:
        if says_nothing(entry.subject, entry is entries[0]) or any(_same(entry.subject, other) for other in reverted):
            continue
        if any(_same(entry.subject, other) for other in seen):
            kept.append(entry.body)
            continue
        seen.append(entry.subject)
        kept.append(f"* {entry.subject}" + (f"\n\n{entry.body}" if entry.body else ""))
    return "\n\n".join(text for text in kept if text)


def _entries(body: str) -> Iterator[_Entry]:
    """The commits, or nothing where the text is no such list from its first line on."""
    chunks = [chunk.strip("\n") for chunk in re.split(r"\n[ \t]*\n", body.strip("\n"))]
    if not chunks[0].startswith("* ") or any(line.startswith("* ") for c in chunks for line in c.split("\n")[1:]):
        return
    subject, below = "", list[str]()
    for chunk in chunks:
        if chunk.startswith("* "):
            if subject:
                yield _Entry(subject, "\n\n".join(below))
            subject, below = " ".join(chunk[2:].split()), []
        else:
            below.append(chunk)
    yield _Entry(subject, "\n\n".join(below))


def _same(one: str, other: str) -> bool:
    """Whether two subjects are of the same words; GitHub cuts long titles with an ellipsis."""
    words = [" ".join(_WORD.findall(text.lower())) for text in (one, other)]
    short, long = sorted(words, key=len)
    return short == long or (len(short) > 30 and long.startswith(short))
