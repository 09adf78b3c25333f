"""Does any small change escape the symbol comparison, or is anything named that it did not touch?

    python -m benchmarks.blind_spots FILES_OR_REPOS... --edits 100000 --seed N

Random edits of real files: of those given, and of files from the HEAD of the repositories given. Per
language this prints how many edits changed something, and

- `misses`: no symbol is named although the text differs. There must be none, whether it parses or not;
- `crash`: the comparison raises. There must be none either;
- `not allowed`: the edit's own allowed list does not cover it. There must be none either;
- `comparable`: both texts parse without errors, and the same symbols stand in the same order;
- `imprecise`: of these, the edits for which a symbol is named that has the same text as before and whose
  extent they did not touch (or a container whose order is said to differ, with nothing touched inside);
- `other extents`: the same, but where the named symbol's text did change: the edit made the parser draw
  the line between two symbols elsewhere, as a changed indent does that the grammar tolerates.
"""

import argparse
import os
import random
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from benchmarks.random_edits import Edit, Range, random_edit
from miner.git import Objects, borrow
from miner.symbols.compare import allowed_symbols, unallowed
from miner.symbols.differences import Kind
from miner.symbols.files import has_symbols, language_of
from miner.symbols.language import Language
from miner.symbols.model import Outline, Symbol, own_or_child
from miner.symbols.outline import outline

_CHUNK = 250
_LARGEST = 60_000  # bytes: what counts is the number of edits
_SHOWN = 40

_files: list[tuple[str, bytes]] = []  # of a worker


@dataclass(frozen=True)
class Finding:
    """What is wrong with the symbols named for one edit of a file."""

    check: str
    path: str
    edit: Edit
    names: tuple[str, ...]
    before: bytes

    def __str__(self) -> str:
        before, after = (
            text[max(0, ranges[0][0] - 60) : ranges[0][1] + 60]
            for text, ranges in ((self.before, self.edit.old), (self.edit.text, self.edit.new))
        )
        named = ", ".join(self.names)
        return f"{self.check}: {self.path}: {self.edit.kind}: {named}\n    {before!r}\n -> {after!r}"


def check(path: str, before: bytes, edit: Edit, language: Language) -> tuple[bool, list[Finding]]:
    """Whether the texts before and after an edit are comparable, and what is wrong with the symbols named."""
    read = outline.__wrapped__  # what an edit made is looked at once: caching it would only take memory
    old, new = outline(before, language), read(edit.text, language)
    found = unallowed(old, new, ())
    comparable = not old.errors and not new.errors and [s.name for s in old.segments] == [s.name for s in new.segments]
    findings: list[tuple[str, tuple[str, ...]]] = []
    if not found:
        findings.append(("miss", ()))
    if left := unallowed(old, new, allowed_symbols(old, new)):
        findings.append(("not allowed", tuple(change.name for change in left)))
    if comparable:
        touched, around = _touched_names(old, new, edit)
        wrong = [c for c in found if c.name not in (around if c.kind is Kind.REORDERED else touched)]
        if wrong:
            name = "imprecise" if _same_extents(old, new, touched) else "other extents"
            findings.append((name, tuple(f"{change.kind.value} {change.name}" for change in wrong)))
    return comparable, [Finding(name, path, edit, names, before) for name, names in findings]


def _same_extents(old: Outline, new: Outline, touched: set[str]) -> bool:
    """Whether all segments have the same text as before but those of touched symbols."""
    pairs = zip(old.segments, new.segments, strict=True)
    return all(before.text == after.text for before, after in pairs if before.name not in touched)


def _touched_names(old: Outline, new: Outline, edit: Edit) -> tuple[set[str], set[str]]:
    """The symbols that an edit touched, and these with those around them."""
    touched: set[str] = set()
    around: set[str] = set()
    for side, ranges in ((old, edit.old), (new, edit.new)):
        for path in _touched(side.root, ranges):
            touched.add(path[-1].name)
            around.update(symbol.name for symbol in path)
    return touched, around


def _touched(symbol: Symbol, ranges: tuple[Range, ...], above: tuple[Symbol, ...] = ()) -> Iterator[tuple[Symbol, ...]]:
    """The symbols of whose own bytes there are some in the ranges or right beside one, each with those around it."""
    path = (*above, symbol)
    for child, start, end in own_or_child(symbol, symbol.end):
        if any(start <= b and a <= end for a, b in ranges):
            if child is None:
                yield path
            else:
                yield from _touched(child, ranges, path)


def _start(files: list[tuple[str, bytes]]) -> None:
    _files.extend(files)


def _chunk(seed: str, edits: int) -> tuple[dict[str, Counter[str]], list[Finding]]:
    dice = random.Random(seed)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    found: list[Finding] = []
    for _ in range(edits):
        path, before = dice.choice(_files)
        edit = random_edit(before, dice)
        language = language_of(path)
        assert language is not None
        if edit.text == before:
            continue
        try:
            comparable, findings = check(path, before, edit, language)
        except Exception as error:
            name = f"{type(error).__name__} {error} at {traceback.extract_tb(error.__traceback__)[-1].name}"
            comparable, findings = False, [Finding("crash", path, edit, (name,), before)]
        counts[language.grammar].update(["edits", *["comparable"] * comparable, *(f.check for f in findings)])
        found += findings
    return dict(counts), found


def files_in(place: Path, largest: int) -> Iterator[tuple[str, bytes]]:
    """The files with symbols that a path stands for: itself, or those of the HEAD of a repository."""
    if place.is_file():
        yield str(place), place.read_bytes()
        return
    with tempfile.TemporaryDirectory() as scratch:
        git, head = borrow(place, Path(scratch) / "sampled.git")
        with Objects(git) as objects:
            for entry in git.run("ls-tree", "-r", "-z", "--full-tree", head).split(b"\0"):
                facts, _, raw = entry.partition(b"\t")
                path = raw.decode("utf-8", "surrogateescape")
                if facts.startswith(b"100") and has_symbols(path):
                    text = objects.read(facts.split()[2].decode())
                    if text and len(text) <= largest:
                        yield path, text


def _sampled(places: list[Path], count: int, seed: int) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for place in places:
        files = list(files_in(place, _LARGEST))
        found += random.Random(seed).sample(files, min(count, len(files)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+", type=Path)
    parser.add_argument("--edits", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--files", type=int, default=100, help="how many files of each repository")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    files = _sampled(options.places, options.files, options.seed)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    shown: Counter[str] = Counter()
    with ProcessPoolExecutor(options.workers, initializer=_start, initargs=(files,)) as pool:
        chunks = range(0, options.edits, _CHUNK)
        jobs = [pool.submit(_chunk, f"{options.seed}/{at}", min(_CHUNK, options.edits - at)) for at in chunks]
        for done, job in enumerate(as_completed(jobs), 1):
            its_counts, findings = job.result()
            for grammar, count in its_counts.items():
                counts[grammar] += count
            for finding in findings:
                shown[finding.check] += 1
                if shown[finding.check] <= _SHOWN:
                    print(finding, flush=True)
            print(f"\r{done * _CHUNK} of {options.edits} edits", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    columns = ("edits", "miss", "crash", "not allowed", "comparable", "imprecise", "other extents")
    for grammar, count in sorted(counts.items()):
        print(f"{grammar}: " + ", ".join(f"{count[name]} {name}" for name in columns))
    sys.exit(any(count[name] for count in counts.values() for name in ("miss", "crash", "not allowed", "imprecise")))


if __name__ == "__main__":
    main()
