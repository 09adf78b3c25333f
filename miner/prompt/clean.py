"""Cleaning a description: what machines, templates and politeness add goes, what says what to do stays.

The text is parsed as CommonMark to know which lines are code, headings and list items; it is then edited line by line
and never rendered anew, so that what stays is byte for byte what its author wrote.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from miner.prompt.boilerplate import CHATTER, NOTHING, RULER, SECTION, TRAILER, WRAPPED
from miner.prompt.inline import clean_inline
from miner.prompt.removal import Removal
from miner.prompt.squash import without_log

_PARSER = MarkdownIt("commonmark").enable("table")
_LEAVES = frozenset(("inline", "html_block", "fence", "code_block"))
_DEFINITION = re.compile(r"\s{0,3}\[[^\]]+\]:\s*\S+")
_BLANKS = re.compile(r"\n{3,}")
_TASK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[[ xX]?\](?:\s.*|$)", re.DOTALL)
_REPLY = re.compile(r"(?is)(?:(?:on|am|le)\b.*\b(?:wrote|schrieb|écrit)\s*:|originally posted by .*)\s*\Z")
_ALERT = re.compile(r"^>\s*\[!\w+\]\s*$")
_BOLD = re.compile(r"(\*\*|__)([^*_\n]+?):?\1:?|([A-Z][\w ,'-]{2,60}):?\s*\n(?:-{3,}|={3,})")
_BOLD_LEVEL = 7  # a line in bold that stands for a heading is below all real ones
_LIST_MARK = re.compile(r"\A\s*(?:[-*+]|\d+[.)])(?=\s|$)")


@dataclass(frozen=True)
class Cleaned:
    """A description without what says nothing, and the kinds of what was taken out, in their declared order."""

    text: str
    removed: tuple[Removal, ...]


@dataclass
class _Page:
    """The lines of a text, None where one is taken out, and what was taken out."""

    lines: list[str | None]
    removed: set[Removal] = field(default_factory=set)

    def text(self, first: int, last: int) -> str:
        return "\n".join(line for line in self.lines[first:last] if line is not None)

    def drop(self, first: int, last: int, kind: Removal) -> None:
        if self.text(first, last).strip():
            self.removed.add(kind)
        self.lines[first:last] = [None] * (last - first)

    def put(self, first: int, last: int, text: str) -> None:
        """`text` in place of lines; what is empty leaves no line behind."""
        self.lines[first:last] = [text if text.strip() else None] + [None] * (last - first - 1)


@dataclass(frozen=True)
class _Heading:
    level: int
    first: int
    last: int
    title: str
    end: int | None = None  # of its section, where that does not go on to the next heading


def clean(body: str, title: str = "") -> Cleaned:
    """A description, as Markdown, without what says nothing about the task; `title` is not repeated by it."""
    plain = body.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").strip("\n")
    shorter = without_log(plain, title)
    page = _Page([line.rstrip() for line in shorter.split("\n")])
    if shorter != plain:
        page.removed.add(Removal.SQUASH_LOG)
    defined: dict[str, object] = {}
    tokens = _PARSER.parse(shorter, defined)
    _drop_definitions(tokens, page)
    headings = _headings(tokens)
    _drop_quotes(tokens, page)
    for token in tokens:
        first, last = _lines_of(token)
        if token.type == "list_item_open":
            item = page.text(first, last)
            if _TASK.match(item) or not _bare(item):
                page.drop(first, last, Removal.CHECKLIST if _bare(item) else Removal.SECTION)
    for token in tokens:
        if token.type in ("inline", "html_block"):
            _clean_paragraph(*_lines_of(token), page, bool(defined.get("references")))
    _drop_sections(headings, page)
    kept = "\n".join(line for line in page.lines if line is not None)
    text = _BLANKS.sub("\n\n", _without_rulers(kept)).strip("\n")
    return Cleaned(text, tuple(kind for kind in Removal if kind in page.removed))


def _clean_paragraph(first: int, last: int, page: _Page, references: bool) -> None:
    before = page.text(first, last)
    lines = before.split("\n")
    signed = _without_trailers(lines)
    text, removed = clean_inline("\n".join(signed), references)
    kept = [line.rstrip() for line in text.split("\n")]
    said = [line for line in kept if not CHATTER.fullmatch(_bare(line))]
    if len(signed) < len(lines):
        removed.add(Removal.TRAILER)
    if len(said) < len(kept):
        removed.add(Removal.CHATTER)
    page.removed |= removed
    after = "\n".join(line for line in said if _bare(line) or not removed)
    if after != before:
        page.put(first, last, after)


def _bare(line: str) -> str:
    """What a line says, without the marks of lists, quotes and emphasis around it."""
    return _LIST_MARK.sub("", line, count=1).strip(" \t>*_#`:")


def _without_trailers(lines: list[str]) -> list[str]:
    """A paragraph without the trailers that end it."""
    kept = len(lines)
    while kept and _is_trailer(lines[kept - 1].strip()):
        kept -= 1
    # An address alone is only what is left of a trailer that was wrapped.
    return lines[:kept] if any(TRAILER.fullmatch(line.strip()) for line in lines[kept:]) else lines


def _is_trailer(line: str) -> bool:
    return TRAILER.fullmatch(line) is not None or WRAPPED.fullmatch(line) is not None


def _lines_of(token: Token) -> tuple[int, int]:
    """The lines that a token stands on, none for one that only closes another."""
    return (token.map[0], token.map[1]) if token.map else (0, 0)


def _drop_definitions(tokens: list[Token], page: _Page) -> None:
    """Definitions of links: they look so, and are part of no paragraph or code."""
    used = {line for token in tokens if token.type in _LEAVES for line in range(*_lines_of(token))}
    for number, line in enumerate(page.lines):
        if number not in used and _DEFINITION.match(line or ""):
            page.drop(number, number + 1, Removal.LINK)


def _drop_quotes(tokens: list[Token], page: _Page) -> None:
    """Quotes of what somebody wrote before, with the line that says so; other quotes and notes stay."""
    for number, token in enumerate(tokens):
        if token.type != "blockquote_open":
            continue
        first, last = _lines_of(token)
        above = _lines_of(tokens[number - 2]) if number > 1 and tokens[number - 2].type == "inline" else (0, 0)
        if _REPLY.match(page.text(*above)):
            page.drop(*above, Removal.QUOTE)
            page.drop(first, last, Removal.QUOTE)
        elif "originally posted by" in page.text(first, last).lower():
            page.drop(first, last, Removal.QUOTE)
        elif _ALERT.match(page.lines[first] or ""):
            page.lines[first] = None


def _headings(tokens: list[Token]) -> list[_Heading]:
    """Headings, and what stands for one: a line in bold, and one with a colon above a list; in their order."""
    found: list[_Heading] = []
    for number, (token, inner) in enumerate(pairwise(tokens)):
        if token.map is None or token.level > 0:
            continue
        first, last = token.map
        after = tokens[min(number + 3, len(tokens) - 1)]
        if token.type == "heading_open":
            found.append(_Heading(int(token.tag[1]), first, last, _bare(inner.content)))
        elif token.type == "paragraph_open" and (bold := _BOLD.fullmatch(inner.content.strip())):
            found.append(_Heading(_BOLD_LEVEL, first, last, _bare(bold[2] or bold[3] or "")))
        elif token.type == "paragraph_open" and last == first + 1 and inner.content.endswith(":") and _is_list(after):
            found.append(_Heading(_BOLD_LEVEL, first, last, _bare(inner.content), _lines_of(after)[1]))
    return found


def _is_list(token: Token) -> bool:
    return token.type in ("bullet_list_open", "ordered_list_open")


def _drop_sections(headings: list[_Heading], page: _Page) -> None:
    """Sections about the pull request, and those that say nothing; the last first: empty ones leave theirs empty."""
    end = len(page.lines)
    for number in reversed(range(len(headings))):
        heading = headings[number]
        last = heading.end or next((h.first for h in headings[number + 1 :] if h.level <= heading.level), end)
        said = [line.strip() for line in page.text(heading.last, last).split("\n") if line.strip()]
        empty = all(RULER.fullmatch(line) or not _bare(line) for line in said)
        if empty or (len(said) == 1 and NOTHING.fullmatch(_plain(said[0]))) or SECTION.fullmatch(_plain(heading.title)):
            page.drop(heading.first, last, Removal.SECTION)


def _plain(text: str) -> str:
    """What a heading or an answer says: without marks, emoji and punctuation around it."""
    return re.sub(r"^[\W_]+|[\s.!?:*_)]+$", "", text)


def _without_rulers(text: str) -> str:
    """Without rulers at the end, where trailers stood below them."""
    lines = text.split("\n")
    while lines and (not lines[-1].strip() or RULER.fullmatch(lines[-1].strip())):
        lines.pop()
    return "\n".join(lines)
