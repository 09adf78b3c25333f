"""The tables of the Markdown report as data, so that the page says the same without saying it twice."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Only what the report's own Markdown is made of: whatever stands in a cell is text and nothing else.
_READER = MarkdownIt("zero").enable(["table", "heading"])
# All of a cell, not how it begins: the reason "429 too many requests" is text.
_FIGURE = re.compile(r"(?=.*\d)([-+~$<>%/.,()\[\]\d\s]|\bof\b|\belse\b|e-|m?s\b)+|-|no evidence|unpriced|none resolved")


@dataclass(frozen=True)
class Table:
    """Every row has as many cells as the header. `figures`: of each column, whether it is set to the right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def figures(self) -> tuple[bool, ...]:
        """A column of numbers, or of what stands for them."""
        return tuple(
            bool(cells) and all(_FIGURE.fullmatch(cell) for cell in cells if cell)
            for cells in ([row[n] for row in self.rows] for n in range(len(self.header)))
        )


@dataclass(frozen=True)
class Part:
    """What stands under one heading (empty: none): paragraphs and tables, in order."""

    title: str
    blocks: tuple[str | Table, ...]


def part(title: str, markdown: str) -> Part:
    """A section whose Markdown has no heading of its own."""
    return Part(title, tuple(_blocks(_READER.parse(markdown))))


def parts(markdown: str) -> list[Part]:
    """Markdown with headings, split at them."""
    tokens = _READER.parse(markdown)
    starts = [n for n, token in enumerate(tokens) if token.type == "heading_open"]
    ends = [*starts[1:], len(tokens)] if starts else []
    return [
        Part(tokens[start + 1].content, tuple(_blocks(tokens[start + 3 : end])))
        for start, end in zip(starts, ends, strict=True)
    ]


def _blocks(tokens: Sequence[Token]) -> Iterator[str | Table]:
    rows: list[list[str]] = []
    inside = False
    for token in tokens:
        if token.type == "table_open":
            rows, inside = [], True
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            if inside:
                rows[-1].append(token.content.replace("\\|", "|"))
            else:
                yield token.content.strip("*").replace("`", "")
        elif token.type == "table_close":
            inside = False
            yield Table(tuple(rows[0]), tuple(map(tuple, rows[1:])))
