"""What a formatter's own changes are taken for: none of them should be a change of code.

Usage: python -m benchmarks.reformatted FORMATTER FILES... FORMATTER is a command that rewrites the files named
after it in place, such as "black --quiet"; it is given copies. Files that have a syntax error before or after are
left out. Prints the number of symbols by the extent or kind of their change, and examples of what is no formatting.
"""

import difflib
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from miner.symbols.differences import Kind, compare
from miner.symbols.extent import Extent, extents
from miner.symbols.files import language_of, outline_of
from miner.symbols.model import IMPORTS, Outline

EXAMPLES = 5  # of each kind


def changes(before: Outline, after: Outline, path: str) -> Iterator[tuple[str, str]]:
    """Every symbol that differs, with the extent of its change, or the kind where it is not modified."""
    language = language_of(path)
    assert language is not None, path
    found = compare(before, after)
    for change in found.changes:
        if change.kind is not Kind.MODIFIED:
            yield change.name, change.kind
    yield from extents(before, after, found, language).items()
    if found.imports_moved:
        yield IMPORTS, Kind.REORDERED


def example(before: Outline, after: Outline, name: str) -> str:
    old, new = ("".join(s.text for s in side.named(name)).splitlines() for side in (before, after))
    return "\n".join(list(difflib.unified_diff(old, new, lineterm="", n=1))[2:22])


def main() -> None:
    formatter, files = shlex.split(sys.argv[1]), [Path(name) for name in sys.argv[2:]]
    counts: Counter[str] = Counter()
    skipped = changed = 0
    spent = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        copies = [Path(scratch, f"{number}{file.suffix}") for number, file in enumerate(files)]
        for file, copy in zip(files, copies, strict=True):
            copy.write_bytes(file.read_bytes())
        subprocess.run([*formatter, *copies], check=False, stdout=subprocess.DEVNULL)
        for file, copy in zip(files, copies, strict=True):
            before, after = (outline_of(file.name, side.read_bytes()) for side in (file, copy))
            if before.errors or after.errors:
                skipped += 1
                continue
            changed += before.source != after.source
            started = time.perf_counter()
            found = list(changes(before, after, file.name))
            spent += time.perf_counter() - started
            for name, what in found:
                counts[what] += 1
                if what != Extent.FORMATTING and counts[what] <= EXAMPLES:
                    print(f"--- {what}: {file}::{name}\n{example(before, after, name)}\n")
    print(f"{len(files)} files, {changed} changed, {skipped} with syntax errors left out; {spent:.1f} s")
    print(", ".join(f"{what} {count}" for what, count in counts.most_common()) or "nothing differs")


if __name__ == "__main__":
    main()
