"""`search_replace`, as faults write it."""

import html
import json
import re
from random import Random

from evaluator.faults.grammar.anchors import BAD_BLOCK, NO_EDIT, anchor_slips, numbers
from evaluator.faults.grammar.model import Grammar, Quote, Slip, replaced, spans
from evaluator.formats.paths import line_of_path
from evaluator.taxonomy import Detail


def _quoted(quote: Quote) -> str:
    search, replace = ("".join(f"{line}\n" for line in side) for side in (quote.anchor, quote.result))
    path = quote.path if quote.path.startswith("**") else line_of_path(quote.path)
    return f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


def _open_edits(text: str) -> list[tuple[int, int]]:
    return spans(text, r"^<<<<<<< SEARCH\n", r"^>>>>>>> REPLACE$")


def _without_path(text: str, _random: Random) -> str | None:
    rest = text.partition("\n")[2]
    return rest if rest.startswith("<<<<<<< SEARCH\n") else None


def _carried(text: str, _random: Random) -> str | None:
    found = re.search(r"\A(\S+)\n<<<<<<< SEARCH\n(?:.*\n)*?>>>>>>> REPLACE\n\n?(?=\1\n<<<<<<< SEARCH\n)", text)
    if found is None:
        return None
    return text[: found.end()] + text[found.end() + len(found[1]) + 1 :]


def _second_divider(text: str, _random: Random) -> str | None:
    """A block that ends in a second divider, with another block behind it."""
    if text.count("<<<<<<< SEARCH\n") < 2:
        return None
    return text.replace(">>>>>>> REPLACE\n", "=======\n", 1)


def _of(name: str, letter: object, text: object) -> Slip:
    return Slip(name, frozenset({name}), letter, text=text)  # type: ignore[arg-type]


_MISSING = Detail.ANCHOR_MISSING
_ANCHORS = anchor_slips(_MISSING)

GRAMMAR = Grammar(
    opening="",
    between="\n",
    closing="",
    open_edits=_open_edits,
    breaks={
        "without_divider": replaced(r"^=======\n", ""),
        "two_dividers": replaced(r"^=======\n", "=======\n=======\n"),
        "without_opening": replaced(r"\A(.*\n)<<<<<<< SEARCH\n", r"\1"),
        "without_path": _without_path,
        "closing_first": lambda text, _: f">>>>>>> REPLACE\n{text}",
        "without_last_closing": replaced(r"^>>>>>>> REPLACE\n\Z", ""),
    },
    slips=(
        *_ANCHORS.values(),
        numbers(_MISSING),
        _of("path_decoration", BAD_BLOCK, replaced(r"\A(\S+)(?=\n<<<<<<< SEARCH\n)", r"**\1**")),
        _of("path_carried", BAD_BLOCK, _carried),
        _of("fence_noise", BAD_BLOCK, replaced(r"^(?=<<<<<<< SEARCH\n)", "\n")),
        _of("marker_noise", BAD_BLOCK, replaced(r"^<<<<<<< SEARCH$", "<<<<<<< SEARCH (first)")),
        _of("missing_sentinel", BAD_BLOCK, _second_divider),
        _of("html_escaped", NO_EDIT, lambda text, _: html.escape(text)),
        _of("json_wrapped", NO_EDIT, lambda text, _: json.dumps({"diff": text})),
    ),
    quote=_quoted,
    missing=_MISSING,
    ambiguous=_quoted,
)
