"""Are the symbols that a change is said to touch those that git's own diff touches?

    python -m benchmarks.symbols_oracle REPO... [--last 200] [--suffix .py] [--commits]

Over the last merged changes of a repository (its last commits with `--commits`), every modified file with
symbols is compared by symbol and, independently, by `git diff -U0` of the two blobs. It is a violation if

- `hunk`: a line that git takes or puts belongs to no symbol that is reported;
- `owner`: a line that git keeps belongs to one symbol before and another one after, not both reported;
- `symbol`: a reported symbol has no such line (reordered containers apart: git may show the other of two
  things that changed places);
- `ast` (Python): a line belongs to another function or class than the standard `ast` module says.

Among equally good alignments git has a free choice. Before something counts as a violation, every block
of lines is slid to each equivalent place, git's other algorithms (patience, histogram, minimal, no indent
heuristic) are asked, and at last any alignment at all will do: what is left of the two files without
the lines of reported symbols must be the same. How many files needed which is printed. A symbol whose own
text did not change is covered by a container around it (or by the import block) that is reported: it only
changed places there.
"""

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from benchmarks.symbols_ast import misplaced_lines
from benchmarks.symbols_reported import Reported, Violation
from miner.git import Git, Objects, borrow
from miner.sources.log import read_commits
from miner.sources.model import FileChange, Unit
from miner.sources.subjects import merged_changes
from miner.symbols.differences import compare
from miner.symbols.files import has_symbols, language_of, outline_of
from miner.symbols.model import Outline

ALGORITHMS = ((), ("--patience",), ("--histogram",), ("--minimal",), ("--no-indent-heuristic",))


def violations(before: Outline, after: Outline, diffs: Iterable[bytes]) -> tuple[list[Violation], str]:
    """What git's diffs, asked for one by one, and the comparison by symbol disagree about.

    Also which alignment showed that there is nothing: "git", "another algorithm" or "any alignment".
    """
    reported = Reported(before, after, compare(before, after))
    at_end, seen_there = reported.last_line()
    by = "git"
    fewest: list[Violation] | None = None
    unseen: list[Violation] = []
    for diff in diffs:
        outside, seen = reported.outside(diff)
        unseen = list(reported.unseen(seen.union(seen_there)))
        found = [*outside, *at_end, *unseen]
        if not found:
            return [], by
        if fewest is None or len(found) < len(fewest):
            fewest = found
        by = "another algorithm"
    if not at_end and not unseen and reported.rest_agrees():
        return [], "any alignment"
    return fewest or [], ""


def git_diffs(git: Git, before: bytes, after: bytes) -> Iterator[bytes]:
    """Git's diffs of two texts by each algorithm; a last line without a line end gets one."""
    texts = [text if text.endswith(b"\n") or not text else text + b"\n" for text in (before, after)]
    ids = [git.run("hash-object", "-w", "--stdin", stdin=text).decode().strip() for text in texts]
    for algorithm in ALGORITHMS:
        yield git.run("diff", "-U0", "--text", "--no-color", "--no-ext-diff", "--no-textconv", *algorithm, *ids, "--")


def check_repository(repo: Path, last: int, unit: Unit, suffix: str) -> int:
    """Print what is found in one repository; the number of violations."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as scratch:
        git, head = borrow(repo, Path(scratch) / "checked.git")
        with Objects(git) as objects:
            for change in islice(merged_changes(read_commits(git, head), unit), last):
                languages = set()
                for file in change.files:
                    if file.status == "M" and has_symbols(file.path) and file.path.endswith(suffix):
                        old, new = objects.read(file.old_blob), objects.read(file.new_blob)
                        if old is not None and new is not None:
                            language = language_of(file.path)
                            assert language is not None
                            languages.add(language.grammar)
                            found = _check_file(git, file, old, new, counts[language.grammar])
                            for one in found:
                                print(f"  {change.merged[:10]} {file.path} {one}", flush=True)
                for grammar in languages:
                    counts[grammar]["changes"] += 1
    for grammar, count in sorted(counts.items()):
        print(f"{repo}: {grammar}: " + ", ".join(f"{value} {name}" for name, value in sorted(count.items())))
    return sum(count["violations"] for count in counts.values())


def _check_file(git: Git, file: FileChange, old: bytes, new: bytes, count: Counter[str]) -> list[Violation]:
    diffs = git_diffs(git, old, new)
    first = next(diffs)
    found, by = violations(outline_of(file.path, old), outline_of(file.path, new), chain([first], diffs))
    if file.path.endswith(".py"):
        found += [Violation("ast", f"+{line},{line}", names) for line, names in misplaced_lines(new)]
    count["files"] += 1
    count["hunks"] += first.count(b"\n@@ ")
    if by:
        count[f"files by {by}"] += 1
    count["violations"] += len(found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--last", type=int, default=200)
    parser.add_argument("--suffix", default="")
    parser.add_argument("--commits", action="store_true")
    options = parser.parse_args()
    unit = Unit.COMMIT if options.commits else Unit.PULL
    sys.exit(sum(check_repository(repo, options.last, unit, options.suffix) for repo in options.repositories) > 0)


if __name__ == "__main__":
    main()
