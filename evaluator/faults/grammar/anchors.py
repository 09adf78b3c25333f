"""Slips in what an edit quotes, for every format that finds its place by quoted lines."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from evaluator.faults.grammar.model import Quote, Slip
from evaluator.faults.model import Label
from evaluator.taxonomy import Category, Detail

_LOOKALIKES = {"'": "\u2019", '"': "\u201d", "-": "\u2013"}


def on_old_line(change: Callable[[str], str]) -> Callable[[Quote, Random], Quote | None]:
    """A change of one removed line that is not blank and that it changes."""

    def damage(quote: Quote, random: Random) -> Quote | None:
        places = [n for n, line in enumerate(quote.old) if line.strip() and change(line) != line]
        if not places:
            return None
        n = random.choice(places)
        return replace(quote, old=(*quote.old[:n], change(quote.old[n]), *quote.old[n + 1 :]))

    return damage


def _trailing(line: str) -> str:
    return line if line.endswith("\r") else f"{line}  "


def _lookalike(line: str) -> str:
    for plain, other in _LOOKALIKES.items():
        if plain in line:
            return line.replace(plain, other, 1)
    return line


def _carriages(quote: Quote, _random: Random) -> Quote | None:
    if any("\r" in line for line in (*quote.anchor, *quote.new)):
        return None
    return quote.each(lambda line: f"{line}\r")


def _deeper(quote: Quote, _random: Random) -> Quote | None:
    lines = (*quote.anchor, *quote.new)
    if any(line.startswith("\t") for line in lines) or not any(line.strip() for line in quote.old):
        return None
    return quote.each(lambda line: f"    {line}" if line.strip() else line)


def _blank_below(quote: Quote, _random: Random) -> Quote | None:
    return replace(quote, below=(*quote.below, "")) if quote.below and quote.above else None


def anchor_slips(missing: Detail) -> dict[str, Slip]:
    """The slips that the shared ladder makes good, by name; `missing` is what each is to the letter."""
    letter = Label(Category.NOT_APPLIED, missing)
    slips = (
        Slip("trailing_space", frozenset({"trailing_space"}), letter, quote=on_old_line(_trailing)),
        Slip("line_endings", frozenset({"line_endings"}), letter, quote=_carriages, also=frozenset(_SPACE)),
        Slip("lookalikes", frozenset({"lookalikes"}), letter, quote=on_old_line(_lookalike)),
        Slip("blank_lines", frozenset({"blank_lines"}), letter, quote=_blank_below),
        Slip(
            "indentation", frozenset({"indentation"}), letter, quote=_deeper,
            also=frozenset({"surrounding_space", "indent_units"}),
        ),
    )  # fmt: skip
    return {slip.name: slip for slip in slips}


_SPACE = ("trailing_space", "surrounding_space", "indentation")  # which pass over a carriage return, and leave it


def numbered(quote: Quote, _random: Random) -> Quote | None:
    """The edit with the line's number before every line, as a listing shows them."""
    if not quote.old or len(quote.new) > len(quote.old):
        return None
    first = quote.line + 1

    def listed(lines: tuple[str, ...], number: int) -> tuple[str, ...]:
        return tuple(f"{n}| {line}" for n, line in enumerate(lines, number))

    above, old = first, first + len(quote.above)
    return Quote(
        quote.path, quote.line, listed(quote.above, above), listed(quote.old, old), listed(quote.new, old),
        listed(quote.below, old + len(quote.old)),
    )  # fmt: skip


def numbers(missing: Detail) -> Slip:
    """Line numbers copied from a listing."""
    letter = Label(Category.NOT_APPLIED, missing)
    return Slip("line_numbers", frozenset({"line_numbers"}), letter, quote=numbered)


def renamed(name: str, repairs: frozenset[str], letter: Label, path: Callable[[str], str]) -> Slip:
    """A slip in how an edit names its file."""
    return Slip(name, repairs, letter, quote=lambda quote, _: replace(quote, path=path(quote.path)), stands=True)


UNKNOWN = Label(Category.NOT_APPLIED, Detail.UNKNOWN_PATH)
BAD_BLOCK = Label(Category.MALFORMED, Detail.BAD_BLOCK)
NO_EDIT = Label(Category.MALFORMED, Detail.NO_EDIT)
