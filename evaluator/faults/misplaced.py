"""An edit at the wrong one of the places where its anchor stands (taxonomy, row 4 and rule R11)."""

from collections.abc import Iterator
from random import Random

from evaluator.faults.grammar import GRAMMARS
from evaluator.faults.grammar.model import Twin
from evaluator.faults.model import Injected, Label, Site
from evaluator.faults.right import plain
from evaluator.faults.stray import as_text
from evaluator.faults.text_fault import TextFault
from evaluator.formats.model import EditFormat
from evaluator.taxonomy import Category, Detail
from miner.symbols import files as symbols
from miner.symbols.files import language_of, outline_of

_LABEL = Label(Category.MISAPPLIED, Detail.WRONG_LOCATION)


def twins(site: Site, random: Random) -> Iterator[Twin]:
    """Places outside what may change of two lines that stand inside it, too, in random order.

    Both are well inside a symbol, so that there is no question which one a line between the two belongs to.
    """
    if site.task.impossible or not plain(site):
        return
    paths = [path for path, content in sorted(site.truth.items()) if content and site.task.before[path]]
    for path in random.sample(paths, len(paths)):
        language, text = language_of(path), as_text(site.task.before[path])
        if language is None or not text or "\r" in text or not text.endswith("\n"):
            continue
        lines = tuple(text.split("\n")[:-1])
        owners = _owners(site, path, lines)
        found: dict[tuple[str, str], list[int]] = {}
        for n in range(len(lines) - 1):
            found.setdefault((lines[n], lines[n + 1]), []).append(n)
        wrong = [
            (place, places) for run, places in found.items() if "".join(run).strip()
            if any(owners[n] is True for n in places)
            for place in places if place and owners[place] is False
        ]  # fmt: skip
        for place, places in random.sample(wrong, len(wrong)):
            second = lines[place + 1]
            comment = f"{second[: len(second) - len(second.lstrip())]}{language.line_comment} seen to"
            changed = "\n".join([*lines[: place + 1], comment, *lines[place + 1 :], ""]).encode()
            if symbols.syntax_errors(path, changed) <= symbols.syntax_errors(path, text.encode()):
                right = tuple(n for n in places if owners[n] is True)
                yield Twin(path, lines, tuple(places), right, place, comment)


def _owners(site: Site, path: str, lines: tuple[str, ...]) -> list[bool | None]:
    """For each line whether it and the next one are in one symbol that may change; None: they are not in one."""
    may_change = set(site.task.allowed.get(path, ()))
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line.encode()) + 1)
    segments = outline_of(path, site.task.before[path]).segments
    owners: list[bool | None] = []
    for n in range(len(lines)):
        last = offsets[min(n + 2, len(lines))]
        inside = [s for s in segments if s.start <= offsets[n] and last <= s.end]
        owners.append(bool(may_change.intersection({inside[0].name, *inside[0].entries})) if inside else None)
    return owners


def _misplaced(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    grammar = GRAMMARS.get(fmt.name)
    if grammar is None or grammar.misplaced is None:
        return
    for twin in twins(site, random):
        if (part := grammar.misplaced(twin)) is not None:
            yield Injected(grammar.reply([part]), _LABEL)


FAULTS = (TextFault("twin_at_wrong_place", (_LABEL,), _misplaced),)
