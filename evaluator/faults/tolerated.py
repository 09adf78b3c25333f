"""Right replies with one slip that one tolerance makes good: resolved where it is granted (rule R10)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from random import Random

from evaluator.faults.grammar import GRAMMARS
from evaluator.faults.grammar.anchors import UNKNOWN
from evaluator.faults.grammar.model import Grammar, Slip
from evaluator.faults.model import RESOLVED, Injected, Site
from evaluator.faults.right import around, changes, plain, right, stands
from evaluator.faults.text_fault import TextFault
from evaluator.formats.model import EditFormat
from evaluator.formats.recovery import PATH_RECOVERY


def _slips(name: str, site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    grammar = GRAMMARS.get(fmt.name)
    for slip in grammar.slips if grammar else ():
        label = slip.label(site.leniency(fmt))
        if grammar is not None and slip.name == name and label is not None:
            made = _in_text(slip, site, fmt, random) if slip.text else _in_quote(slip, grammar, site, fmt, random)
            yield from (Injected(text, label) for text in made)


def _in_text(slip: Slip, site: Site, fmt: EditFormat, random: Random) -> Iterator[str]:
    text = right(site, fmt)
    if text and slip.text and plain(site, modified_only=True) and (damaged := slip.text(text, random)):
        yield damaged


def _in_quote(slip: Slip, grammar: Grammar, site: Site, fmt: EditFormat, random: Random) -> Iterator[str]:
    for change in changes(site, random):
        quote = slip.quote(change.quote, random) if slip.quote else None
        others = around(site, fmt, grammar, change)
        if quote is None or grammar.quote is None or others is None:
            continue
        if slip.stands or not stands(quote.anchor, change):
            yield grammar.reply([*others, grammar.quote(quote)])


def _bare_name(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """A file by its bare name, which no other file of the tree has."""
    grammar = GRAMMARS.get(fmt.name)
    if grammar is None or grammar.quote is None:
        return
    granted = PATH_RECOVERY.name in site.leniency(fmt)
    for change in changes(site, random):
        others = around(site, fmt, grammar, change)
        name = change.quote.path.rpartition("/")[2]
        if others is not None and name != change.quote.path and len(site.tree.named(name)) == 1:
            text = grammar.reply([*others, grammar.quote(replace(change.quote, path=name))])
            yield Injected(text, RESOLVED if granted else UNKNOWN)


def _quoted_by_hand(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """No slip at all: what the others damage is right."""
    grammar = GRAMMARS.get(fmt.name)
    for change in changes(site, random):
        others = around(site, fmt, grammar, change) if grammar else None
        if grammar and grammar.quote and others is not None:
            yield Injected(grammar.reply([*others, grammar.quote(change.quote)]), RESOLVED)


_NAMES = sorted({slip.name for grammar in GRAMMARS.values() for slip in grammar.slips})


def _fault(name: str) -> TextFault:
    letters = [slip.letter for grammar in GRAMMARS.values() for slip in grammar.slips if slip.name == name]
    return TextFault(f"slip_{name}", tuple(dict.fromkeys((RESOLVED, *letters))), partial(_slips, name))


FAULTS = (
    TextFault("right_by_hand", (RESOLVED,), _quoted_by_hand),
    *map(_fault, _NAMES),
    TextFault("slip_path_recovery", (RESOLVED, UNKNOWN), _bare_name),
)
