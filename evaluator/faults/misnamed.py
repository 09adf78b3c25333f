"""Replies that name a file they may not, or that is not there (taxonomy, row 3)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from random import Random

from evaluator.faults.grammar import GRAMMARS
from evaluator.faults.model import Injected, Site
from evaluator.faults.right import changes, encoded, other_file
from evaluator.faults.text_fault import TextFault, not_applied
from evaluator.formats.model import CannotExpress, EditFormat
from evaluator.taxonomy import Detail

UNKNOWN, FORBIDDEN = not_applied(Detail.UNKNOWN_PATH), not_applied(Detail.FORBIDDEN_PATH)
_LINK = "120000"
_NEW = b"VALUE = 1\n"


def misspelled(site: Site, path: str) -> str | None:
    """A path of nearly the same name, of which the tree has nothing; None where it does."""
    pure = PurePosixPath(path)
    name = f"{pure.stem}{pure.stem[-1]}{pure.suffix}"
    return None if site.tree.named(name) else str(pure.with_name(name))


def added(fmt: EditFormat, path: str) -> str | None:
    """The reply that adds a small file; None where the format cannot spell the path."""
    text = fmt.encode({}, {path: _NEW})
    return None if isinstance(text, CannotExpress) else text


def forbidden_paths(site: Site, random: Random) -> list[str]:
    """Paths that no reply may write, in random order."""
    path = random.choice(sorted(site.task.before))
    found = [f"../{path}", f"/tmp/{path}", f"src/../../{path}", "C:/temp/settings.py", ".git/hooks/pre-commit.py"]
    found += [f"{known}/inner.py" for known in (path,) if known in site.tree.modes]
    found += random.sample(sorted(site.tree.folders), min(len(site.tree.folders), 1))
    links = sorted(known for known, mode in site.tree.modes.items() if mode == _LINK)
    found += [name for link in links[:1] for name in (link, f"{link}/inner.py")]
    return random.sample(found, len(found))


def _forbidden(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    for path in forbidden_paths(site, random):
        if text := added(fmt, path):
            yield Injected(text, FORBIDDEN)


def _file_and_folder(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """A new file that is also the folder of another."""
    name = f"fresh{random.randrange(1000)}"
    text = fmt.encode({}, {f"{name}.py": _NEW, f"{name}.py/inner.py": _NEW})
    if not site.tree.named(f"{name}.py") and not isinstance(text, CannotExpress):
        yield Injected(text, FORBIDDEN)


def _forbidden_beside(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """The right edits, and one that writes outside: nothing of it is applied."""
    text, grammar = encoded(site, fmt, site.truth), GRAMMARS.get(fmt.name)
    if text is None or grammar is None or site.task.impossible or b"" in site.truth.values():
        return
    for path in forbidden_paths(site, random):
        if outside := added(fmt, path):
            parts = [grammar.part(text), grammar.part(outside)]
            yield Injected(grammar.reply(random.sample(parts, 2)), FORBIDDEN)


def _unknown_deleted(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    for path in random.sample(sorted(site.task.before), len(site.task.before)):
        wrong = misspelled(site, path)
        text = fmt.encode({wrong: _NEW}, {wrong: None}) if wrong else None
        if isinstance(text, str):
            yield Injected(text, UNKNOWN)


def _unknown_edited(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    grammar = GRAMMARS.get(fmt.name)
    if grammar is None or grammar.quote is None:
        return
    for change in changes(site, random):
        if wrong := misspelled(site, change.quote.path):
            yield Injected(grammar.reply([grammar.quote(replace(change.quote, path=wrong))]), UNKNOWN)


def _gone_twice(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """A file that is deleted, and then deleted again or edited."""
    grammar, found = GRAMMARS.get(fmt.name), other_file(site, random)
    if grammar is None or found is None:
        return
    path, text = found
    deletion = fmt.encode({path: text.encode()}, {path: None})
    if isinstance(deletion, CannotExpress):
        return
    again = [deletion]
    restated = fmt.restate(path, text)
    if not grammar.overwrites and isinstance(restated, str):
        again.append(restated)
    for second in random.sample(again, len(again)):
        yield Injected(grammar.reply([grammar.part(deletion), grammar.part(second)]), UNKNOWN)


def _unknown_and_broken(site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
    """An edit that would break the syntax of a file that is not there: nothing is applied, so nothing is broken."""
    grammar = GRAMMARS.get(fmt.name)
    if grammar is None or grammar.quote is None:
        return
    for change in changes(site, random):
        if wrong := misspelled(site, change.quote.path):
            quote = replace(change.quote, path=wrong, new=(*change.quote.new, "def broken((:"))
            yield Injected(grammar.reply([grammar.quote(quote)]), UNKNOWN)


FAULTS = (
    TextFault("forbidden_path", (FORBIDDEN,), _forbidden),
    TextFault("file_and_folder", (FORBIDDEN,), _file_and_folder),
    TextFault("forbidden_beside_right", (FORBIDDEN,), _forbidden_beside),
    TextFault("unknown_deleted", (UNKNOWN,), _unknown_deleted),
    TextFault("unknown_edited", (UNKNOWN,), _unknown_edited),
    TextFault("gone_twice", (UNKNOWN,), _gone_twice),
    TextFault("unknown_and_broken", (UNKNOWN,), _unknown_and_broken),
)
