"""Applying the diffs of several files as `git apply` does: all of them or none, in any order but for renames."""

from collections.abc import Sequence

from evaluator.formats.model import Applied, Leniency, NotApplied, Placement, Tree
from evaluator.formats.paths import forbidden, unknown
from evaluator.formats.unified_diff.hunks import FileDiff, Hunk
from evaluator.formats.unified_diff.paths import found_path
from evaluator.formats.unified_diff.placed import Misfit, Placed
from evaluator.formats.unified_diff.placing import place
from evaluator.formats.unified_diff.refusals import misfit
from evaluator.taxonomy import Detail
from miner.symbols.files import text_of
from miner.text import split_lines, to_bytes


def apply(edits: Sequence[FileDiff], tree: Tree, leniency: Leniency) -> Applied | NotApplied:
    """The files after all the diffs, or the refusal of the first that does not fit."""
    run = _Run(edits, tree, leniency)
    for edit in edits:
        if (refusal := run.take(edit)) is not None:
            return refusal
    return Applied(run.files, tuple(run.placements), tuple(run.steps))


class _Run:
    """The diffs of a reply while they are applied one by one."""

    def __init__(self, edits: Sequence[FileDiff], tree: Tree, leniency: Leniency) -> None:
        self.tree, self.leniency = tree, leniency
        self.files: dict[str, bytes | None] = {}
        self.placements: list[Placement] = []
        self.steps: list[tuple[str, ...]] = []
        self.fitted = 0
        self._leaving = {e.source for e in edits if e.deletes or (e.source != e.path and not e.copies)}
        self._gone: set[str] = set()

    def take(self, edit: FileDiff) -> NotApplied | None:
        """Apply one diff, or say why it cannot be."""
        edit = found_path(edit, self.tree, self.files, self.leniency)
        for path in dict.fromkeys((edit.path, edit.source or edit.path)):
            if (refusal := forbidden(path, self.tree, self.fitted)) is not None:
                return refusal
        if edit.link:
            return NotApplied(Detail.FORBIDDEN_PATH, f"{edit.path} must be a file, not a link.", self.fitted)
        content = self._read(edit)
        if isinstance(content, NotApplied):
            return content
        text = text_of(content)
        placed = place(edit.hunks, text, self.leniency)
        if isinstance(placed, Misfit):
            return misfit(edit, placed, split_lines(text), self.fitted)
        self.fitted += len(edit.hunks) or 1
        if edit.deletes and placed.text:
            left = len(split_lines(placed.text))
            message = f"{edit.path} is said to be deleted, but the hunks leave {left} of its lines."
            return NotApplied(Detail.HUNK_MISMATCH, message, self.fitted)
        self._write(edit, placed)
        return None

    def _read(self, edit: FileDiff) -> bytes | NotApplied | None:
        """What the diff starts from; None for a new file."""
        moves = edit.source is not None and edit.source != edit.path
        if edit.creates or moves:
            exists = self.tree.read(edit.path) is not None and edit.path not in self._leaving
            if exists:
                message = f"{edit.path} is said to be new, but there is a file of that name."
                return NotApplied(Detail.HUNK_MISMATCH, message, self.fitted)
        if edit.creates or edit.source is None:
            return None
        if edit.source in self._gone and not (moves or edit.copies):
            message = f"{edit.source} was deleted or renamed further up."
            return NotApplied(Detail.UNKNOWN_PATH, message, self.fitted)
        # Renames and copies read the file as it was, whatever other diffs do to it.
        now = self.tree.read(edit.source) if moves or edit.source not in self.files else self.files[edit.source]
        if now is None and edit.creates is False:
            return unknown(edit.source, self.fitted)
        return now

    def _write(self, edit: FileDiff, placed: Placed) -> None:
        content = to_bytes(placed.text)
        # A second diff of a file is placed on what the first left; where that was before, it does not say.
        again = edit.source in self.files
        if edit.source is not None and (edit.deletes or (edit.source != edit.path and not edit.copies)):
            self._gone.add(edit.source)
            if edit.source not in self.files or edit.deletes:
                self.files[edit.source] = None
        if not edit.deletes:
            self.files[edit.path] = content
        self.steps.append(edit.steps + tuple(step for step in placed.steps if step not in edit.steps))
        if edit.creates or edit.source is None or again:
            return
        for hunk, at, others in zip(edit.hunks, placed.places, placed.others, strict=True):
            if at is not None:
                self.placements.append(_placement(edit.source, hunk, at, others))


def _placement(path: str, hunk: Hunk, at: int, others: Sequence[int]) -> Placement:
    return Placement(path, hunk.touched(at), tuple(hunk.touched(other) for other in others))
