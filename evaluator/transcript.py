"""A transcript: what there is to read of one attempt, in one Markdown file, and exactly what went in read out again.

A title, a table of contents with the line numbers of every section, the sections. The text of a section stands between
two fences, raw: whatever it holds, its line numbers say where it is. Lines end at `\\n` only.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evaluator.formats.whole_file import longer_fence
from evaluator.messages import Message
from miner.errors import ToolError, printable
from miner.text import to_bytes

_ROLES: dict[str, Literal["system", "user", "assistant"]] = {
    "system": "system", "user": "user", "assistant": "assistant",
}  # fmt: skip
_SENTENCE, _REPLY, _DIFF, _TESTS, _MARKS = "verdict", "reply", "applied diff", "test output", "lines of the diff"
_ROW = re.compile(rb"- ([a-z ]+): lines (\d{1,12})-(\d{1,12})(?:, the first (\d{1,12}) characters shared)?")
_BEFORE, _AFTER = 3, 2  # lines around a text: heading, blank line, fence; fence, blank line


@dataclass(frozen=True)
class Kept:
    """What is kept of an attempt to be read. `messages` is what was sent, `diff` what the reply changed in the tree.

    `tests` is the end of the test run's output, `sentence` says why the attempt ended as it did. `marks` say which
    lines of the diff belong to what, as `evaluator.marks` dumps them.
    """

    messages: Sequence[Message]
    reply: str
    diff: str = ""
    tests: str = ""
    sentence: str = ""
    marks: str = ""


@dataclass(frozen=True)
class _Section:
    name: str
    text: str
    shared: int = 0


def transcript(title: str, kept: Kept) -> bytes:
    """The file of an attempt. Optional parts that are empty are left out."""
    sections = list(_sections(kept))
    rows, body = [], []
    number = 3 + len(sections)  # the title, a blank line, the contents
    for section in sections:
        first = number + 1 + _BEFORE
        last = first + section.text.count("\n")
        shared = f", the first {section.shared} characters shared" if section.shared else ""
        rows.append(f"- {section.name}: lines {first}-{last}{shared}\n")
        fence = longer_fence(section.text)
        body.append(f"## {section.name}\n\n{fence}\n{section.text}\n{fence}\n\n")
        number = last + _AFTER
    heading = printable(title).replace("\n", " ")
    return to_bytes(f"# {heading}\n\n" + "".join(rows) + "\n" + "".join(body))


def read_transcript(path: Path) -> Kept:
    """What a transcript was made of; raises `ToolError` where it is missing, or is not as it was written."""
    remedy = "Its attempt cannot be shown; `evaluator rescore` makes a run with new transcripts."
    try:
        return parse_transcript(path.read_bytes())
    except OSError as error:
        raise ToolError("cannot read the transcript", path, f"{error.strerror}. {remedy}") from None
    except ValueError as error:
        raise ToolError("damaged transcript", path, f"{error}. {remedy}") from None


def parse_transcript(content: bytes) -> Kept:
    """What a transcript was made of; raises `ValueError` where it is not as it was written."""
    lines = content.split(b"\n")
    found = [_section(row, lines) for row in _contents(lines)]
    once = {section.name: section.text for section in found if section.name not in _ROLES}
    if _REPLY not in once:
        raise ValueError("it has no reply")
    messages = tuple(Message(_ROLES[s.name], s.text, s.shared) for s in found if s.name in _ROLES)
    return Kept(
        messages, once[_REPLY], once.get(_DIFF, ""), once.get(_TESTS, ""), once.get(_SENTENCE, ""),
        once.get(_MARKS, ""),
    )  # fmt: skip


def _sections(kept: Kept) -> Iterator[_Section]:
    if kept.sentence:
        yield _Section(_SENTENCE, kept.sentence)
    for message in kept.messages:
        yield _Section(message.role, message.content, message.shared)
    yield _Section(_REPLY, kept.reply)
    if kept.diff:
        yield _Section(_DIFF, kept.diff)
    if kept.tests:
        yield _Section(_TESTS, kept.tests)
    if kept.marks:
        yield _Section(_MARKS, kept.marks)


def _contents(lines: Sequence[bytes]) -> Iterator[re.Match[bytes]]:
    """The rows of the table of contents: from the third line to the first that is none."""
    for line in lines[2:]:
        row = _ROW.fullmatch(line)
        if row is None:
            return
        yield row


def _section(row: re.Match[bytes], lines: Sequence[bytes]) -> _Section:
    name, first, last = row[1].decode(), int(row[2]), int(row[3])
    fence = lines[first - 2] if _BEFORE < first <= last < len(lines) else b""
    if not fence.startswith(b"```") or fence.strip(b"`") or lines[last] != fence:
        raise ValueError(f"lines {first}-{last} are not between two fences")
    text = b"\n".join(lines[first - 1 : last]).decode("utf-8", "surrogateescape")
    return _Section(name, text, int(row[4] or 0))
