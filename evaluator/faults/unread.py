"""Replies without an edit that can be read, and those that say BLOCKED (taxonomy, row 2, rules R2 and R3)."""

from collections.abc import Iterator, Sequence
from random import Random

from evaluator.faults.grammar import GRAMMARS
from evaluator.faults.model import RESOLVED, Injected, Label, Site
from evaluator.faults.right import encoded, plain, right
from evaluator.faults.text_fault import TextFault, malformed, truncated, wrong_change
from evaluator.formats import ALL
from evaluator.formats.model import EditFormat
from evaluator.taxonomy import Detail

NO_EDIT, BAD_BLOCK, OTHER_FORMAT = map(malformed, (Detail.NO_EDIT, Detail.BAD_BLOCK, Detail.OTHER_FORMAT))
_GAVE_UP = wrong_change(Detail.GAVE_UP)
PROSE = (
    "The operator is the wrong one: use + instead of - and the totals are right again.\n",
    "Replace the comparison like this:\n\n```\nif a >= b:\n    return a\n```\n\nNothing else needs to change.\n",
    "I have made it easier to read:\n```python\ndef total(items):\n    return sum(items)\n",
    "Done. The function returns the right value now, and all of the tests pass.\n",
    "I would need to see more of the project before I change anything.\n",
)
_REFUSALS = (
    "I'm sorry, but I can't help with changes to this code.\n",
    "I am not able to assist with that request.\n",
)
_BLOCKED = (
    "BLOCKED: the function is not in the files above\n",
    "I read all of the files.\n\nBLOCKED: the class to change is not shown\n",
    "```\nBLOCKED: what is asked for contradicts itself\n```\n",
    "BLOCKED:the settings file is missing\n",
)
_NOT_BLOCKED = (
    "BLOCKED:\n", "BLOCKED:  \n", "The task is BLOCKED: a file is missing\n", "BLOCKED\n", "BLOCKED: why\n",
)  # fmt: skip
# Of these two each reads the other's replies, or begins to.
_ALIKE = {"unified_diff", "udiff"}


def _texts(texts: Sequence[str], label: Label, random: Random) -> Iterator[Injected]:
    for text in random.sample(texts, len(texts)):
        yield Injected(text, label)


def _prose(_site: Site, _fmt: EditFormat, random: Random) -> Iterator[Injected]:
    yield from _texts(PROSE, NO_EDIT, random)


def _refusal(_site: Site, _fmt: EditFormat, random: Random) -> Iterator[Injected]:
    yield from _texts(_REFUSALS, NO_EDIT, random)


def broken(text: str, fmt: EditFormat, random: Random) -> Iterator[str]:
    """A right reply with its grammar broken in every way that nothing repairs, in random order."""
    grammar = GRAMMARS.get(fmt.name)
    damages = list(grammar.breaks.values()) if grammar else []
    for damage in random.sample(damages, len(damages)):
        if (damaged := damage(text, random)) is not None:
            yield damaged


def _broken(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    text = encoded(site, fmt, site.truth)
    if text and plain(site):
        yield from (Injected(damaged, BAD_BLOCK) for damaged in broken(text, fmt, random))


def others(fmt: EditFormat, random: Random) -> list[EditFormat]:
    """The formats of whose replies a format reads nothing, whatever it is granted, in random order."""
    if fmt.name not in GRAMMARS:
        return []
    found = [other for other in ALL if other.name != fmt.name and not {other.name, fmt.name} <= _ALIKE]
    return random.sample(found, len(found))


def _other_format(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    if not plain(site) or None in site.truth.values():
        return
    for other in others(fmt, random):
        text = encoded(site, other, site.truth)
        # JSON with paths in it could be edits to a lenient reader of JSON, whatever it is in.
        if text and not (fmt.name == "str_replace" and "path" in text):
            yield Injected(text, OTHER_FORMAT)


def _edit_as_contents(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """A file's whole contents are an edit of it in another format."""
    if fmt.name != "whole_file" or site.task.impossible or not plain(site):
        return
    paths = [path for path in site.truth if site.truth[path] and path.endswith((".py", ".js")) and " " not in path]
    paths = [path for path in paths if site.task.before[path]]
    for path in random.sample(paths, len(paths)):
        for other in others(fmt, random):
            text = encoded(site, other, {path: site.truth[path]})
            if text and other.name != "str_replace":
                inner = text.removeprefix("```diff\n").removesuffix("```\n")
                if other.name == "search_replace":
                    inner = inner.removeprefix(f"{path}\n")
                if f"\n{path}\n" not in inner:  # a second block would have the path between
                    yield Injected(f"{path}\n```\n{inner}```\n", OTHER_FORMAT)


def _blocked(site: Site, _fmt: EditFormat, random: Random) -> Iterator[Injected]:
    yield from _texts(_BLOCKED, RESOLVED if site.task.impossible else _GAVE_UP, random)


def _no_reason(_site: Site, _fmt: EditFormat, random: Random) -> Iterator[Injected]:
    yield from _texts(_NOT_BLOCKED, NO_EDIT, random)


def _blocked_beside(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    text, grammar = right(site, fmt), GRAMMARS.get(fmt.name)
    if text is None or grammar is None or not plain(site):
        return
    label = BAD_BLOCK if grammar.prose and grammar.prose not in site.leniency(fmt) else RESOLVED
    line = "BLOCKED: the tests could not be run here\n"
    for damaged in random.sample([f"{line}\n{text}", f"{text}\n{line}"], 2):
        yield Injected(damaged, label)


def _at_length(_site: Site, _fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """What gave up, or says nothing to apply, and was cut off all the same."""
    label = truncated(Detail.STOP_LENGTH)
    for text in random.sample([*PROSE, *_BLOCKED], 4):
        yield Injected(text, label, "length")


FAULTS = (
    TextFault("prose_only", (NO_EDIT,), _prose),
    TextFault("refusal_in_words", (NO_EDIT,), _refusal),
    TextFault("broken_grammar", (BAD_BLOCK,), _broken),
    TextFault("other_format", (OTHER_FORMAT,), _other_format),
    TextFault("edit_as_contents", (OTHER_FORMAT,), _edit_as_contents),
    TextFault("blocked", (_GAVE_UP, RESOLVED), _blocked),
    TextFault("blocked_without_reason", (NO_EDIT,), _no_reason),
    TextFault("blocked_beside_edit", (RESOLVED, BAD_BLOCK), _blocked_beside),
    TextFault("prose_or_blocked_at_length", (truncated(Detail.STOP_LENGTH),), _at_length),
)
