"""Replies with several things wrong, of which the order of the taxonomy says which counts."""

from collections.abc import Iterator
from random import Random

from evaluator.faults.grammar import GRAMMARS
from evaluator.faults.misnamed import added, forbidden_paths
from evaluator.faults.model import Injected, Site
from evaluator.faults.right import encoded, plain
from evaluator.faults.text_fault import TextFault, truncated
from evaluator.faults.unfit import stale_parts
from evaluator.faults.unread import BAD_BLOCK, OTHER_FORMAT, broken, others
from evaluator.formats.model import EditFormat
from evaluator.taxonomy import Detail

_CUT = truncated(Detail.STOP_LENGTH)


def _broken_and_forbidden(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """A reply that cannot be read, with an edit outside the tree in it."""
    grammar, text = GRAMMARS.get(fmt.name), encoded(site, fmt, site.truth)
    if grammar is None or text is None or not plain(site):
        return
    for path in forbidden_paths(site, random)[:2]:
        if outside := added(fmt, path):
            both = grammar.reply(random.sample([grammar.part(text), grammar.part(outside)], 2))
            yield from (Injected(damaged, BAD_BLOCK) for damaged in broken(both, fmt, random))


def _other_format_forbidden(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """An edit outside the tree, in another format."""
    for other in others(fmt, random):
        for path in forbidden_paths(site, random)[:1]:
            if text := added(other, path):
                yield Injected(text, OTHER_FORMAT)


def _stale_at_length(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    grammar = GRAMMARS.get(fmt.name)
    for _, part in stale_parts(site, fmt, random):
        if grammar is not None:
            yield Injected(grammar.reply([part]), _CUT, "length")


FAULTS = (
    TextFault("broken_and_forbidden", (BAD_BLOCK,), _broken_and_forbidden),
    TextFault("other_format_and_forbidden", (OTHER_FORMAT,), _other_format_forbidden),
    TextFault("stale_at_length", (_CUT,), _stale_at_length),
)
