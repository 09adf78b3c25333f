"""Applying the sections of a patch in order, each on the result of those before, or nothing at all."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.formats.apply_patch.body import Body, Part
from evaluator.formats.apply_patch.messages import unfit
from evaluator.formats.apply_patch.patch import Action, Hunk, Section
from evaluator.formats.apply_patch.placing import Spot, result, spot
from evaluator.formats.line_index import most_others
from evaluator.formats.model import Applied, Leniency, NotApplied, Placement, Sought, Tree
from evaluator.formats.paths import forbidden, unknown
from evaluator.formats.plain_paths import Recovery
from evaluator.taxonomy import Detail
from miner.symbols.files import text_of
from miner.text import to_bytes


@dataclass(frozen=True)
class _File:
    """A file as the patch has left it; `path` is where it was before."""

    path: str
    body: Body


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
        self._most = most_others(1)

    def apply(self, sections: Sequence[Section]) -> Applied | NotApplied:
        """All of the sections, or none."""
        self._most = most_others(sum(len(section.hunks) for section in sections))
        for section in sections:
            refusal = self._section(section)
            if refusal is not None:
                return refusal
        files = {path: None if f is None else to_bytes("\n".join(f.body.lines)) for path, f in self._files.items()}
        return Applied(files, tuple(self._placements), tuple(self._steps))

    def _section(self, section: Section) -> NotApplied | None:
        adds = section.action is Action.ADD
        path, steps = self._recovery.path(section.path, self._exists, new=adds, bare=not adds)
        if (refusal := forbidden(path, self._tree, self._fitted)) is not None:
            return refusal
        current = self._now(path)
        if adds:
            if current is not None:
                same = " with these contents" if "\n".join(current.body.lines) == section.content else ""
                return self._refused(f"{path} exists already{same}: update it, or add another file.")
            lines = section.content.split("\n")
            self._files[path] = _File(path, Body(lines, self._leniency, [-1] * len(lines)))
        elif current is None:
            return unknown(path, self._fitted)
        elif section.action is Action.DELETE:
            self._files[path] = None
        else:
            more = self._updated(section, path, current)
            if isinstance(more, NotApplied):
                return more
            target, further = self._target(section, path)
            if isinstance(target, NotApplied):
                return target
            if target != path:
                self._files[path] = None
            self._files[target] = current
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
        return _File(path, Body(text_of(content).split("\n"), self._leniency))

    def _refused(self, message: str, sought: tuple[Sought, ...] = ()) -> NotApplied:
        return NotApplied(Detail.HUNK_MISMATCH, message, self._fitted, sought)

    def _updated(self, section: Section, path: str, file: _File) -> tuple[str, ...] | NotApplied:
        """The tolerances that its hunks took, all placed in the file as it was before the section."""
        steps: tuple[str, ...] = ()
        parts: list[Part] = []
        at = 0
        for number, hunk in enumerate(section.hunks, 1):
            place = spot(hunk, file.body, at, self._leniency, self._most)
            if place is None:
                sought = (Sought(path, tuple(hunk.old)),)
                return self._refused(unfit(hunk, number, path, file.body, at), sought)
            part, took = result(hunk, place, file.body, self._leniency)
            parts.append(part)
            at = place.line + place.size
            steps = tuple(dict.fromkeys((*steps, *took)))
            self._placements += _placements(hunk, place, file)
            self._fitted += 1
        file.body.replace(parts)
        return steps


def _placements(hunk: Hunk, place: Spot, file: _File) -> list[Placement]:
    """Where the hunk's changes are in the file before; none where they change nothing, or only what is new."""
    if hunk.outer is None:
        return []
    above, below = hunk.outer
    below = max(below - (len(hunk.old) - place.size), 0)

    def touched(line: int) -> tuple[int, int] | None:
        return _before(file.body.origins, line + above, line + place.size - below)

    chosen = touched(place.line)
    others = [lines for line in place.others if (lines := touched(line)) is not None]
    return [] if chosen is None else [Placement(file.path, chosen, tuple(others))]


def _before(origins: Sequence[int], first: int, last: int) -> tuple[int, int] | None:
    """The lines of the file before that half-open ones of the file now were, or stand between."""
    known = [n for n in origins[first:last] if n >= 0]
    if known:
        return known[0], known[-1] + 1
    if first < last:
        return None
    if first < len(origins) and origins[first] >= 0:
        return origins[first], origins[first]
    if first > 0 and origins[first - 1] >= 0:
        return origins[first - 1] + 1, origins[first - 1] + 1
    return None
