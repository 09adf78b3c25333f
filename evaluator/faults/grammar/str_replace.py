"""`str_replace`, as faults write it."""

import html
import json
import re
from random import Random

from evaluator.faults.grammar.anchors import BAD_BLOCK, NO_EDIT, UNKNOWN, anchor_slips, numbers, renamed
from evaluator.faults.grammar.model import Grammar, Quote, Slip, Text, replaced
from evaluator.faults.model import Label
from evaluator.taxonomy import Detail

_OPENING, _CLOSING = "```json\n[\n", "\n]\n```\n"
_NEWLINE = re.compile(r"(?<!\\)((?:\\\\)*)\\n")


def _quoted(quote: Quote) -> str:
    old, new = ("".join(f"{line}\n" for line in side) for side in (quote.anchor, quote.result))
    return json.dumps({"path": quote.path, "old": old, "new": new}, ensure_ascii=False)


def _inserted(path: str, line: int, text: str) -> str:
    return json.dumps({"path": path, "insert_line": line, "insert": text}, ensure_ascii=False)


def _open_edits(text: str) -> list[tuple[int, int]]:
    return [(len(_OPENING) + 1, len(text) - len(_CLOSING))]


def _inside(damage: Text) -> Text:
    """A damage of the list alone, its brackets included."""

    def whole(text: str, random: Random) -> str | None:
        inner = text.removeprefix("```json\n").removesuffix("\n```\n")
        damaged = damage(inner, random)
        return None if damaged is None else f"```json\n{damaged}\n```\n"

    return whole


def _single(text: str, _random: Random) -> str | None:
    edits = json.loads(text)
    return json.dumps(edits[0]) if len(edits) == 1 else None


def _raw_newlines(text: str, _random: Random) -> str | None:
    found, count = _NEWLINE.subn(r"\1" + "\n", text)
    return found if count else None


def _of(name: str, letter: Label, text: Text) -> Slip:
    return Slip(name, frozenset({name}), letter, text=text)


_MISSING = Detail.ANCHOR_MISSING

GRAMMAR = Grammar(
    opening=_OPENING,
    between=",\n",
    closing=_CLOSING,
    open_edits=_open_edits,
    breaks={
        "without_colon": replaced(r'"path": ', '"path" '),
        "without_list_end": replaced(r"\n\]\n```\n\Z", "\n```\n"),
        "without_key": replaced(r'^\{"path": "[^"]*", ', "{"),
        "unknown_key": replaced(r'^\{"path": ("[^"]*"), ', r'{"path": \1, "reason": "as asked", '),
        "without_comma": replaced(r"\},\n\{", "}\n{"),
        "key_twice": replaced(r'^\{"path": ("[^"]*"), ', r'{"path": \1, "path": \1, '),
        "list_of_texts": _inside(lambda text, _: json.dumps([json.dumps(edit) for edit in json.loads(text)])),
    },
    slips=(
        *anchor_slips(_MISSING).values(),
        numbers(_MISSING),
        renamed("path_decoration", frozenset({"path_decoration"}), UNKNOWN, "a/{}".format),
        _of("fence_noise", NO_EDIT, replaced(r"\A```json\n", "```\n")),
        _of("missing_sentinel", BAD_BLOCK, replaced(r"\n```\n\Z", "\n")),
        _of("single_edit", BAD_BLOCK, _inside(_single)),
        _of("json_wrapped", BAD_BLOCK, _inside(lambda text, _: f'{{"edits": {text}}}')),
        _of("key_names", BAD_BLOCK, replaced(r'^(\{"path": "[^"]*", )"old": ', r'\1"old_str": ')),
        _of("raw_newlines", BAD_BLOCK, _inside(_raw_newlines)),
        _of("trailing_commas", BAD_BLOCK, replaced(r"\n\]\n```\n\Z", ",\n]\n```\n")),
        _of("smart_quotes", BAD_BLOCK, replaced(r'^\{"path": ', "{\u201cpath\u201d: ")),
        _of("html_escaped", BAD_BLOCK, _inside(lambda text, _: html.escape(text))),
    ),
    quote=_quoted,
    missing=_MISSING,
    ambiguous=_quoted,
    inserted=_inserted,
)
