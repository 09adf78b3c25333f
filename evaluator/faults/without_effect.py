"""Replies that apply and change nothing (taxonomy, row 6, `no_effect`)."""

from collections.abc import Iterator
from random import Random

from evaluator.faults.grammar import GRAMMARS
from evaluator.faults.model import Injected, Site
from evaluator.faults.right import other_file
from evaluator.faults.stray import as_text
from evaluator.faults.text_fault import TextFault, wrong_change
from evaluator.formats.model import CannotExpress, EditFormat
from evaluator.taxonomy import Detail

_NO_EFFECT = wrong_change(Detail.NO_EFFECT)


def _restatements(site: Site, fmt: EditFormat, random: Random) -> Iterator[str]:
    """Every file of the change set that is in the tree, with a line of it replaced by itself, in random order."""
    paths = [path for path in sorted(site.task.before) if site.tree.read(path)]
    for path in random.sample(paths, len(paths)):
        text = as_text(site.tree.read(path))
        reply = fmt.restate(path, text) if text else None
        if isinstance(reply, str):
            yield reply


def _restated(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    for reply in _restatements(site, fmt, random):
        yield Injected(reply, _NO_EFFECT)


def _all_restated(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    parts, grammar = list(_restatements(site, fmt, random)), GRAMMARS.get(fmt.name)
    if grammar is not None and len(parts) > 1:
        yield Injected(grammar.reply([grammar.part(reply) for reply in parts]), _NO_EFFECT)


def _added_again(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """A file that is deleted, and added as it was."""
    grammar, found = GRAMMARS.get(fmt.name), other_file(site, random)
    if grammar is None or found is None:
        return
    path, content = found[0], found[1].encode()
    replies = fmt.encode({path: content}, {path: None}), fmt.encode({}, {path: content})
    parts = [grammar.part(reply) for reply in replies if not isinstance(reply, CannotExpress)]
    if len(parts) == 2:
        yield Injected(grammar.reply(parts), _NO_EFFECT)


FAULTS = (
    TextFault("line_restated", (_NO_EFFECT,), _restated),
    TextFault("all_files_restated", (_NO_EFFECT,), _all_restated),
    TextFault("deleted_and_added_again", (_NO_EFFECT,), _added_again),
)
