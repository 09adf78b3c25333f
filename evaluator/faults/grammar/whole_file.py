"""`whole_file`, as faults write it. It quotes nothing, and so has no anchors."""

import re
from random import Random

from evaluator.faults.grammar.anchors import NO_EDIT
from evaluator.faults.grammar.model import Grammar, Slip, Text, replaced, spans


def _open_edits(text: str) -> list[tuple[int, int]]:
    return spans(text, r"^```\w*\n", r"^```$")


def _every(pattern: str, by: str) -> Text:
    """A substitution at every file of the reply, or none: one that is left is an edit to the letter."""
    named = re.compile(pattern, re.MULTILINE)

    def damage(text: str, _random: Random) -> str | None:
        damaged, found = named.subn(by, text)
        return damaged if found == len(_open_edits(text)) else None

    return damage


def _of(name: str, text: Text) -> Slip:
    return Slip(name, frozenset({name}), NO_EDIT, text=text)


GRAMMAR = Grammar(
    opening="",
    between="\n",
    closing="",
    open_edits=_open_edits,
    breaks={"open_fence": replaced(r"^```\n\Z", "")},
    slips=(
        _of("fence_noise", lambda text, _: f"````\n{text}````\n"),
        _of("path_decoration", _every(r"^(\S+)(?=\n```\w*\n)", r"**\1**")),
        _of("path_in_fence", _every(r"^(\S+)\n```(\w+)\n", r"```\2 \1\n")),
        _of("path_in_comment", _every(r"^(\S+)\n(```\w*)\n", r"\2\n# filepath: \1\n")),
    ),
    overwrites=True,
)
