"""Edits that fit nowhere, or in several places (taxonomy, row 3)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from evaluator.faults.grammar import GRAMMARS
from evaluator.faults.grammar.model import Grammar, Quote
from evaluator.faults.misnamed import FORBIDDEN, added, forbidden_paths
from evaluator.faults.model import Injected, Site
from evaluator.faults.right import Change, around, changes, other_file, places
from evaluator.faults.stray import as_text
from evaluator.faults.text_fault import TextFault, not_applied
from evaluator.formats.model import EditFormat
from evaluator.taxonomy import Detail

MISSING, MISMATCH = not_applied(Detail.ANCHOR_MISSING), not_applied(Detail.HUNK_MISMATCH)
AMBIGUOUS = not_applied(Detail.ANCHOR_AMBIGUOUS)
_FORGOTTEN = "as_remembered_wrongly"  # a word that no file has


def stale(quote: Quote, random: Random) -> Quote | None:
    """The edit with a quoted line in other words: one that it removes, or the one next to where it adds.

    Context farther away may be passed over by appliers with fuzz, and so may all of it where there is little.
    """
    solid = [n for n, line in enumerate(quote.old) if line.strip()]
    if solid:
        n = random.choice(solid)
        return replace(quote, old=(*quote.old[:n], _reworded(quote.old[n]), *quote.old[n + 1 :]))
    if quote.old or max(len(quote.above), len(quote.below)) < 3:
        return None
    if quote.above and quote.above[-1].strip():
        return replace(quote, above=(*quote.above[:-1], _reworded(quote.above[-1])))
    if quote.below and quote.below[0].strip():
        return replace(quote, below=(_reworded(quote.below[0]), *quote.below[1:]))
    return None


def _reworded(line: str) -> str:
    body = line.rstrip()
    return f"{body} {_FORGOTTEN}{line[len(body) :]}"


def _quoting(fmt: EditFormat) -> Grammar | None:
    grammar = GRAMMARS.get(fmt.name)
    return grammar if grammar and grammar.quote and grammar.missing else None


def stale_parts(site: Site, fmt: EditFormat, random: Random) -> Iterator[tuple[Change, str]]:
    """Changes of the truth, and each as a part of a reply that quotes it from memory."""
    grammar = _quoting(fmt)
    if grammar is None or grammar.quote is None:
        return
    for change in changes(site, random):
        quote = stale(change.quote, random)
        if quote is not None and _FORGOTTEN not in change.before:
            yield change, grammar.quote(quote)


def _stale(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    grammar = _quoting(fmt)
    for change, part in stale_parts(site, fmt, random):
        others = around(site, fmt, grammar, change) if grammar else None
        if grammar and grammar.missing and others is not None:
            parts = random.sample([part, *others], len(others) + 1)
            yield Injected(grammar.reply(parts), not_applied(grammar.missing))


def _made_before(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """An edit that is in the reply twice: the second time its old lines are gone."""
    grammar = _quoting(fmt)
    for change in changes(site, random):
        quote = change.quote
        after = change.before.split("\n")
        after[quote.line : quote.line + len(quote.anchor)] = quote.result
        solid = [line for line in quote.old if line.strip()]
        gone = solid and not any(places([line], "\n".join(after)) for line in solid)
        if grammar and grammar.quote and grammar.missing and gone:
            part = grammar.quote(quote)
            yield Injected(grammar.reply([part, part]), not_applied(grammar.missing))


def _ambiguous(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """A line that stands in several places, quoted alone."""
    grammar = GRAMMARS.get(fmt.name)
    if grammar is None or grammar.ambiguous is None or not grammar.ambiguous_needs <= site.leniency(fmt):
        return
    paths = sorted(path for path, content in site.truth.items() if content and site.task.before[path])
    for path in random.sample(paths, len(paths)):
        if site.task.impossible or not (text := as_text(site.task.before[path])) or "\r" in text:
            continue
        lines = text.split("\n")
        counted = Counter(line for line in lines if line.strip() and not line.strip().startswith(tuple("-+=<>@*`~.\\")))
        repeated = sorted(line for line, count in counted.items() if count > 1)
        for line in random.sample(repeated, len(repeated)):
            indent = line[: len(line) - len(line.lstrip())]
            quote = Quote(path, lines.index(line), (), (line,), (f"{indent}changed = True",), ())
            yield Injected(grammar.reply([grammar.ambiguous(quote)]), AMBIGUOUS)


def _past_the_end(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    grammar, found = GRAMMARS.get(fmt.name), other_file(site, random)
    if grammar is None or grammar.inserted is None or found is None:
        return
    path, text = found
    for by in random.sample([1, 2, 10, 1000], 4):
        yield Injected(grammar.reply([grammar.inserted(path, text.count("\n") + by, "VALUE = 1\n")]), MISSING)


def _added_over(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """A file is to be added where one is."""
    grammar, found = GRAMMARS.get(fmt.name), other_file(site, random)
    if grammar is not None and not grammar.overwrites and found is not None and (text := added(fmt, found[0])):
        yield Injected(text, MISMATCH)


def _two_faults(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """An edit from memory, and one that writes outside: the first decides."""
    grammar = _quoting(fmt)
    for _, part in stale_parts(site, fmt, random):
        for path in forbidden_paths(site, random)[:1]:
            outside = added(fmt, path)
            if grammar and grammar.missing and outside:
                first = random.random() < 0.5
                parts = [part, grammar.part(outside)]
                label = not_applied(grammar.missing) if first else FORBIDDEN
                yield Injected(grammar.reply(parts if first else parts[::-1]), label)


def _beside_deletion(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """An edit from memory beside a neighbour that is deleted, which would be an unintended change."""
    grammar, found = _quoting(fmt), other_file(site, random, ".py") or other_file(site, random, ".js")
    if grammar is None or grammar.missing is None or found is None:
        return
    path, text = found
    deletion = fmt.encode({path: text.encode()}, {path: None})
    for _, part in stale_parts(site, fmt, random):
        if isinstance(deletion, str):
            parts = random.sample([grammar.part(deletion), part], 2)
            yield Injected(grammar.reply(parts), not_applied(grammar.missing))


FAULTS = (
    TextFault("stale_anchor", (MISSING, MISMATCH), _stale),
    TextFault("change_made_before", (MISSING, MISMATCH), _made_before),
    TextFault("repeated_anchor", (AMBIGUOUS,), _ambiguous),
    TextFault("insert_past_end", (MISSING,), _past_the_end),
    TextFault("added_over_file", (MISMATCH,), _added_over),
    TextFault("stale_and_forbidden", (MISSING, MISMATCH, FORBIDDEN), _two_faults),
    TextFault("stale_beside_deletion", (MISSING, MISMATCH), _beside_deletion),
)
