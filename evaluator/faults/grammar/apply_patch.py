"""`apply_patch`, as faults write it."""

import json
from random import Random

from evaluator.faults.grammar.anchors import BAD_BLOCK, NO_EDIT, UNKNOWN, anchor_slips, renamed
from evaluator.faults.grammar.model import Grammar, Quote, Slip, Text, Twin, replaced
from evaluator.faults.grammar.udiff import hunk_lines
from evaluator.faults.model import Label
from evaluator.taxonomy import Category, Detail

_MISSING = Detail.HUNK_MISMATCH
_MISMATCH = Label(Category.NOT_APPLIED, _MISSING)
_OPENING, _CLOSING = "*** Begin Patch\n", "*** End Patch\n"


def _quoted(quote: Quote, scope: str = "") -> str:
    return f"*** Update File: {quote.path}\n@@{scope and ' '}{scope}\n{hunk_lines(quote)}"


def _open_edits(text: str) -> list[tuple[int, int]]:
    return [(text.index("\n", len(_OPENING)) + 1, len(text) - len(_CLOSING))]


def _misplaced(twin: Twin) -> str | None:
    """The first place is taken, or the first below a scope: the nearest line above that names it."""
    before = [place for place in twin.places if place < twin.wrong]
    if not before:
        return _quoted(twin.quote())
    if twin.right[-1] < twin.wrong:
        return None  # above the scope, where the anchor does not reach
    for at in range(twin.wrong - 1, before[-1], -1):
        line = twin.lines[at]
        if line.strip() and line == line.rstrip() and twin.lines.index(line) == at:
            return _quoted(twin.quote(), line)
    return None


def _of(name: str, letter: Label, text: Text, also: tuple[str, ...] = ()) -> Slip:
    return Slip(name, frozenset({name}), letter, text=text, also=frozenset(also))


def _wrapped(text: str, _random: Random) -> str:
    return json.dumps({"input": text})


_NO_SCOPE = "@@ def as_it_was_remembered():"

GRAMMAR = Grammar(
    opening=_OPENING,
    between="",
    closing=_CLOSING,
    open_edits=_open_edits,
    breaks={
        "unknown_action": replaced(r"^\*\*\* (?:Add|Update|Delete) File: ", "*** Rewrite File: "),
        "without_hunk": replaced(r"^\*\*\* End Patch\n\Z", "*** Update File: some.py\n*** End Patch\n"),
        "unknown_marker": replaced(r"^(\*\*\* Update File: .*\n@@.*\n)", r"\1*** Keep\n"),
        "without_end": replaced(r"^\*\*\* End Patch\n\Z", ""),
    },
    slips=(
        Slip(
            "trailing_space", frozenset({"trailing_space", "surrounding_space"}), _MISMATCH,
            quote=anchor_slips(_MISSING)["trailing_space"].quote,
        ),
        *(slip for name, slip in anchor_slips(_MISSING).items() if name != "trailing_space"),
        renamed("path_decoration", frozenset({"path_decoration"}), UNKNOWN, "`{}`".format),
        _of("fence_noise", BAD_BLOCK, lambda text, _: f"This is the patch:\n\n```\n{text}```\n"),
        _of("marker_noise", BAD_BLOCK, replaced(r"^\*\*\* End Patch\n\Z", "  *** End Patch\n")),
        _of("missing_sentinel", BAD_BLOCK, replaced(r"\A\*\*\* Begin Patch\n", "")),
        _of("json_wrapped", NO_EDIT, _wrapped),
        _of("blank_context", BAD_BLOCK, replaced(r"^ $", "")),
        _of("bare_context", BAD_BLOCK, replaced(r"^ (?=\w)", "")),
        _of("scope_ignored", _MISMATCH, replaced(r"^@@$", _NO_SCOPE)),
    ),
    prose="fence_noise",
    quote=_quoted,
    missing=_MISSING,
    misplaced=_misplaced,
)  # fmt: skip
