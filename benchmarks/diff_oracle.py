"""Does `unified_diff` apply diffs as `git apply` does, and with its fuzz step as GNU patch does?

    python -m benchmarks.diff_oracle REPO... [--mutants 5000] [--last 300] [--seed 0] [--show 3]

The real diffs of merged changes, each damaged in one of the ways of `diff_mutants`, are applied

- to the letter, and by `git apply` (no options, in a repository, on a work tree without index);
- where git refuses the diff (what it accepts is settled by the letter), with the step `context_fuzz` and those
  by which GNU patch reads (`line_endings` for diffs in CRLF only), and by GNU patch (`patch -p1 --force`, its default
  fuzz of 2).

Both verdicts must be the same, and the files byte for byte. Disagreements of the classes that docs/formats.md
defends are counted by class; any other one is printed, and the exit code tells whether there was one.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

from benchmarks.diff_mutants import DAMAGES, Case, real_cases
from evaluator.formats.model import STRICT, Applied, Leniency, NotApplied, Tree, Unreadable
from evaluator.formats.unified_diff import UnifiedDiff
from miner.git import git_environment

FORMAT = UnifiedDiff()
Result = dict[str, bytes] | None  # all the files after; None: refused
GIT = ("git", "apply", "-")
PATCH = ("patch", "-p1", "--force", "--silent", "--no-backup-if-mismatch", "--reject-file=-")


PATCH_STEPS = {"reply_end", "git_header", "missing_sentinel", "context_fuzz"}


class Folder:
    """A folder in which a tool is run over one case after another."""

    def __init__(self, root: Path, command: Sequence[str]) -> None:
        self._root, self._command = root, command
        subprocess.run(["git", "init", "--quiet", str(root)], check=True, env=git_environment())
        self._environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {"LC_ALL": "C"}

    def apply(self, case: Case) -> tuple[Result, str]:
        """The files after, and what the tool said."""
        for entry in self._root.iterdir():
            if entry.name != ".git":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        for path, content in case.files.items():
            file = self._root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        done = subprocess.run(
            self._command, cwd=self._root, input=case.diff.encode(), capture_output=True, env=self._environment
        )
        said = (done.stderr + done.stdout).decode("utf-8", "replace")
        return (self._files() if done.returncode == 0 else None), said

    def _files(self) -> dict[str, bytes]:
        paths = [path for path in self._root.rglob("*") if ".git" not in path.parts and path.is_file()]
        return {path.relative_to(self._root).as_posix(): path.read_bytes() for path in paths}


def ours(case: Case, leniency: Leniency) -> tuple[Result, Unreadable | NotApplied | None]:
    """The files after, or why there are none."""
    parsed = FORMAT.parse(case.diff, leniency)
    if isinstance(parsed, Unreadable):
        return None, parsed
    tree = Tree(dict.fromkeys(case.files, "100644"), case.files.__getitem__)
    applied = FORMAT.apply(parsed, tree, leniency)
    if not isinstance(applied, Applied):
        return None, applied
    after: dict[str, bytes | None] = {**case.files, **applied.files}
    return {path: content for path, content in after.items() if content is not None}, None


def explain(tool: str, case: Case, theirs: Result, mine: Result, why: Unreadable | NotApplied | None) -> str:
    """The class of a disagreement, by docs/formats.md; `unexplained` where it is of none."""
    message = why.message if why else ""
    if isinstance(why, Unreadable) and why.unterminated:
        return "the reply ends inside a hunk or header"
    if tool == "git":
        known = {
            "a context line said to be unended within the file": _noted(case),
            "without context below, a hunk goes to the end of the file, not where it says":
                "no lines of context" in message or "ends the file" in message,
            "a file called dev/null": "/dev/null'" in message,
        }  # fmt: skip
    else:
        known = {
            "hunks without a header are passed over": "no `---` and" in message or "more lines than" in message,
            "an unended last line, if added or blank, is malformed": mine is not None and not case.diff.endswith("\n"),
            "new files lose the CR of a diff in CRLF": bool(theirs and mine) and "\r\n+++ " in case.diff,
            "the CR is taken from the diff, not from the file": theirs is None and "\r\n+++ " in case.diff,
            "a context line without its blank that begins with a tab, = or #":
                mine is None and any(f"\n{mark}" in case.diff for mark in "\t=#"),
            "without its +++ line a deletion leaves an empty file":
                theirs is not None and any(text == b"" and path not in (mine or {}) for path, text in theirs.items()),
        }  # fmt: skip
    return next((name for name, holds in known.items() if holds), "unexplained")


def _noted(case: Case) -> bool:
    """Whether it is but for a note on the last line that the diff, which is refused, does not apply."""
    note = "\\ No newline at end of file\n"
    return note in case.diff and ours(Case(case.diff.replace(note, ""), case.files), STRICT)[0] is not None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--mutants", type=int, default=5000)
    parser.add_argument("--last", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="how many of each class are printed")
    options = parser.parse_args()
    found = [check(repo, options) for repo in options.repositories]
    sys.exit(any(found))


def check(repo: Path, options: argparse.Namespace) -> bool:
    """Run the mutants of one repository; whether a disagreement was of no known class."""
    rng = random.Random(options.seed)
    cases = list(real_cases(repo, options.last))
    rng.shuffle(cases)
    counts: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        git, patch = Folder(Path(scratch) / "git", GIT), Folder(Path(scratch) / "patch", PATCH)
        damages = cycle(DAMAGES)
        made = 0
        for case in cycle(cases):
            if made == options.mutants:
                break
            damage = next(damages)
            mutant = DAMAGES[damage](rng, case)
            if mutant is case and damage != "none":
                continue
            made += 1
            theirs, said = git.apply(mutant)
            mine, why = ours(mutant, STRICT)
            rows = [("git", theirs, mine, why, said)]
            if theirs is None and mine is None:
                steps = PATCH_STEPS | ({"line_endings"} if damage == "CRLF" else set())
                rows.append(("patch", *_patched(patch, mutant, frozenset(steps))))
            for tool, theirs, mine, why, said in rows:
                if theirs == mine:
                    counts[f"{tool}: both {'refuse' if mine is None else 'apply alike'}"] += 1
                    continue
                verdict = "bytes differ" if theirs and mine else f"only {tool if mine is None else 'ours'} applies"
                counts[f"{tool}: {verdict}"] += 1
                name = f"{tool}: {verdict}: {explain(tool, mutant, theirs, mine, why)}"
                classes[name] += 1
                if classes[name] <= options.show:
                    print(f"--- {repo.parent.name} #{made}, {damage}: {name}\n{why}\n{said.strip()[:300]}")
                    if options.show > 3:
                        print(mutant.diff)
    seconds = time.monotonic() - started
    print(f"{repo}: {made} mutants of {len(cases)} diffs in {seconds:.0f} s")
    for name, count in sorted(counts.items()):
        print(f"  {count:6} {name}")
    for name, count in sorted(classes.items()):
        print(f"  {count:6} disagree: {name}")
    return any("unexplained" in name for name in classes)


def _patched(
    patch: Folder, mutant: Case, steps: Leniency
) -> tuple[Result, Result, Unreadable | NotApplied | None, str]:
    theirs, said = patch.apply(mutant)
    mine, why = ours(mutant, steps)
    return theirs, mine, why, said


if __name__ == "__main__":
    main()
