"""Applying the sections of a patch in order, each on the result of those before, or nothing at all."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.formats.apply_patch.body import Body
from evaluator.formats.apply_patch.messages import unfit
from evaluator.formats.apply_patch.patch import Action, Hunk, Section
from evaluator.formats.apply_patch.placing import Spot, result, spot
from evaluator.formats.model import Applied, Leniency, NotApplied, Placement, Tree
from evaluator.formats.paths import forbidden, unknown
from evaluator.formats.plain_paths import Recovery
from evaluator.taxonomy import Detail
from miner.symbols.files import text_of
from miner.text import to_bytes


@dataclass(frozen=True)
class _File:
    """A file as the patch has left it: its lines, and for each the number of the line before, -1 if it is new.

    `path` is where it was before.
    """

    path: str
    lines: list[str]
    origins: Sequence[int]


class Applying:
    """One patch on one tree."""

    def __init__(self, tree: Tree, leniency: Leniency) -> None:
        self._tree = tree
        self._leniency = leniency
        self._recovery = Recovery(tree, leniency)
        self._files: dict[str, _File | None] = {}
        self._placements: list[Placement] = []
        self._steps: list[tuple[str, ...]] = []
        self._fitted = 0

    def apply(self, sections: Sequence[Section]) -> Applied | NotApplied:
        """All of the sections, or none."""
        for section in sections:
            refusal = self._section(section)
            if refusal is not None:
                return refusal
        files = {path: None if f is None else to_bytes("\n".join(f.lines)) for path, f in self._files.items()}
        return Applied(files, tuple(self._placements), tuple(self._steps))

    def _section(self, section: Section) -> NotApplied | None:
        adds = section.action is Action.ADD
        path, steps = self._recovery.path(section.path, self._exists, new=adds, bare=not adds)
        if (refusal := forbidden(path, self._tree, self._fitted)) is not None:
            return refusal
        current = self._now(path)
        if adds:
            if current is not None:
                same = " with these contents" if "\n".join(current.lines) == section.content else ""
                return self._refused(f"{path} exists already{same}: update it, or add another file.")
            lines = section.content.split("\n")
            self._files[path] = _File(path, lines, [-1] * len(lines))
        elif current is None:
            return unknown(path, self._fitted)
        elif section.action is Action.DELETE:
            self._files[path] = None
        else:
            updated = self._updated(section, path, current)
            if isinstance(updated, NotApplied):
                return updated
            file, more = updated
            target, further = self._target(section, path)
            if isinstance(target, NotApplied):
                return target
            if target != path:
                self._files[path] = None
            self._files[target] = file
            steps = (*steps, *more, *further)
        self._fitted += not section.hunks  # those were counted one by one
        self._steps.append(tuple(dict.fromkeys((*section.steps, *steps))))
        return None

    def _target(self, section: Section, path: str) -> tuple[str | NotApplied, tuple[str, ...]]:
        if section.move is None:
            return path, ()
        target, steps = self._recovery.path(section.move, self._exists, new=True, bare=False)
        if (refusal := forbidden(target, self._tree, self._fitted)) is not None:
            return refusal, ()
        if target != path and self._exists(target):
            return self._refused(f"{path} cannot be moved to {target}: that file exists."), ()
        return target, steps

    def _exists(self, path: str) -> bool:
        return self._files[path] is not None if path in self._files else path in self._tree.modes

    def _now(self, path: str) -> _File | None:
        if path in self._files:
            return self._files[path]
        content = self._tree.read(path)
        if content is None:
            return None
        lines = text_of(content).split("\n")
        return _File(path, lines, range(len(lines)))

    def _refused(self, message: str) -> NotApplied:
        return NotApplied(Detail.HUNK_MISMATCH, message, self._fitted)

    def _updated(self, section: Section, path: str, file: _File) -> tuple[_File, tuple[str, ...]] | NotApplied:
        body = Body(file.lines, self._leniency)
        lines: list[str] = []
        origins: list[int] = []
        steps: tuple[str, ...] = ()
        at = 0
        for number, hunk in enumerate(section.hunks, 1):
            place = spot(hunk, body, at, self._leniency)
            if place is None:
                return self._refused(unfit(hunk, number, path, body, at))
            parts, took = result(hunk, place, body, self._leniency)
            lines += file.lines[at : place.line]
            origins += file.origins[at : place.line]
            for part in parts:
                lines.append(part if isinstance(part, str) else file.lines[part])
                origins.append(-1 if isinstance(part, str) else file.origins[part])
            at = place.line + place.size
            steps = (*steps, *took)
            self._placements += _placements(hunk, place, file)
            self._fitted += 1
        lines += file.lines[at:]
        origins += file.origins[at:]
        return _File(file.path, lines, origins), steps


def _placements(hunk: Hunk, place: Spot, file: _File) -> list[Placement]:
    """Where the hunk's changes are in the file before; none where they change nothing, or only what is new."""
    if hunk.outer is None:
        return []
    above, below = hunk.outer
    below = max(below - (len(hunk.old) - place.size), 0)

    def touched(line: int) -> tuple[int, int] | None:
        return _before(file, line + above, line + place.size - below)

    chosen = touched(place.line)
    others = [lines for line in place.others if (lines := touched(line)) is not None]
    return [] if chosen is None else [Placement(file.path, chosen, tuple(others))]


def _before(file: _File, first: int, last: int) -> tuple[int, int] | None:
    """The lines of the file before that half-open ones of the file now were, or stand between."""
    known = [n for n in file.origins[first:last] if n >= 0]
    if known:
        return known[0], known[-1] + 1
    if first < last:
        return None
    if first < len(file.origins) and file.origins[first] >= 0:
        return file.origins[first], file.origins[first]
    if first > 0 and file.origins[first - 1] >= 0:
        return file.origins[first - 1] + 1, file.origins[first - 1] + 1
    return None
