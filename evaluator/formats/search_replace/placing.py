"""Applying search and replace blocks, one after the other, to the files of a tree."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.formats.dots import DOTS, between_dots
from evaluator.formats.index import Text
from evaluator.formats.ladder import BLANK_LINES, SHARED, Fit, fits
from evaluator.formats.model import Applied, Edit, Leniency, NotApplied, Placement, Sought, Tree
from evaluator.formats.nearest import counted, shown
from evaluator.formats.numbered import LINE_NUMBERS, unnumbered
from evaluator.formats.recovery import PATH_RECOVERY, Paths
from evaluator.formats.renewal import renewed
from evaluator.formats.search_replace.block import Block, Lines
from evaluator.formats.search_replace.reading import HTML_ESCAPED
from evaluator.formats.touched import touched
from evaluator.taxonomy import Detail
from miner.symbols.files import text_of
from miner.text import to_bytes

PLACING = (PATH_RECOVERY, *SHARED, LINE_NUMBERS, DOTS)
_REPORTED = 3  # failing blocks that are shown in full


@dataclass
class File:
    """A file that blocks are applied to: its lines, and whether a newline ends the last one."""

    text: Text
    final: bool

    @classmethod
    def of(cls, content: bytes) -> "File":
        """The file of these contents."""
        lines = Lines.of(text_of(content))
        return cls(Text(lines.lines), lines.final)

    def content(self) -> bytes:
        """The contents as they are now."""
        return to_bytes(Lines(tuple(self.text.lines), self.final).text())


@dataclass(frozen=True)
class Variant:
    """A block's sides as they are to be placed, and the tolerance that it took to see them so."""

    search: Lines
    replace: Lines
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Done:
    steps: tuple[str, ...]
    placements: tuple[Placement | None, ...] = ()


def apply_blocks(edits: Sequence[Edit], tree: Tree, leniency: Leniency) -> Applied | NotApplied:
    """The blocks in order, each on the result of those before; all of them or none."""
    files: dict[str, File | None] = {}
    paths = Paths(tree, files, leniency)
    done: list[_Done] = []
    failed: list[NotApplied] = []
    for number, edit in enumerate(edits, 1):
        assert isinstance(edit, Block)
        creates = edit.search is not None and not any(line.strip() for line in edit.search.lines)
        found = paths.find(edit.path, creates)
        if isinstance(found, NotApplied):
            failed.append(NotApplied(found.detail, f"Block {number}: {found.message}"))
            continue
        path, steps = found
        if path not in files:
            content = tree.read(path)
            files[path] = None if content is None else File.of(content)
        one = _applied(edit, path, files, leniency, f"Block {number} ({path})", brief=len(failed) >= _REPORTED)
        if isinstance(one, NotApplied):
            failed.append(one)
        else:
            done.append(_Done(tuple(dict.fromkeys((*edit.steps, *steps, *one.steps))), one.placements))
    if failed:
        messages = [one.message for one in failed[:_REPORTED]]
        if len(failed) > _REPORTED:
            messages.append(f"{len(failed) - _REPORTED} more blocks do not fit.")
        sought = tuple(anchor for one in failed[:_REPORTED] for anchor in one.sought)
        return NotApplied(failed[0].detail, "\n".join(messages), len(done), sought)
    return Applied(
        {path: None if file is None else file.content() for path, file in files.items()},
        tuple(p for one in done for p in one.placements if p is not None and tree.read(p.path) is not None),
        tuple(one.steps for one in done),
    )


def _applied(
    block: Block, path: str, files: dict[str, File | None], leniency: Leniency, name: str, brief: bool
) -> _Done | NotApplied:  # fmt: skip
    """One block on a file as it now is."""
    file = files[path]
    if block.search is None or block.replace is None:
        files[path] = None
        return _Done((), () if file is None else (touched(path, file.text, 0, len(file.text.lines), ()),))
    search, replace = block.search, block.replace
    blank = not any(line.strip() for line in search.lines)
    if not search.lines or (blank and BLANK_LINES.name in leniency and (file is None or not file.text.lines)):
        if file is not None and file.text.lines:
            there = file.content() == to_bytes(replace.text())
            why = "already has these contents" if there else "already exists; quote the lines to replace in SEARCH"
            return NotApplied(Detail.HUNK_MISMATCH, f"{name}: its SEARCH is empty, but the file {why}.")
        files[path] = File(Text(replace.lines), replace.final)
        return _Done((BLANK_LINES.name,) if search.lines else ())
    if file is None:
        return NotApplied(Detail.UNKNOWN_PATH, f"{name}: there is no such file; leave SEARCH empty to add it.")
    sought = (Sought(path, search.lines),)
    for variant in _variants(search, replace, leniency):
        fit = fits(file.text, variant.search.lines, leniency)
        places = _ending(fit, variant.search, file)
        if len(places) == 1:
            return _replaced(path, file, variant, fit, places[0])
        if places:
            message = f"{name}: its SEARCH lines occur {counted(places)}. Quote more lines around them."
            return NotApplied(Detail.ANCHOR_AMBIGUOUS, message, sought=sought)
    if DOTS.name in leniency and (found := _by_pieces(path, file, search, replace)) is not None:
        return found
    why = "" if brief else _why(search, replace, file)
    return NotApplied(Detail.ANCHOR_MISSING, f"{name}: its SEARCH lines do not occur.{why}", sought=sought)


def _variants(search: Lines, replace: Lines, leniency: Leniency) -> Iterator[Variant]:
    """The block as it stands, then as the tolerances that look at all of it would have it."""
    yield Variant(search, replace)
    if HTML_ESCAPED.name in leniency and any("&" in line for line in search.lines):
        old, new = (Lines(tuple(map(html.unescape, side.lines)), side.final) for side in (search, replace))
        if old != search:
            yield Variant(old, new, (HTML_ESCAPED.name,))
    if LINE_NUMBERS.name in leniency and (ours := unnumbered(search.lines)) is not None:
        theirs = unnumbered(replace.lines)
        bare = replace.lines if theirs is None else theirs
        yield Variant(Lines(ours, search.final), Lines(bare, replace.final), (LINE_NUMBERS.name,))


def _ending(fit: Fit, search: Lines, file: File) -> Sequence[int]:
    """The places of a fit; a SEARCH that says that the file ends there without a newline stands only where it does."""
    if search.final:
        return fit.places
    size = len(search.lines) - sum(fit.skipped)
    return [place for place in fit.places if place + size == len(file.text.lines) and not file.final]


def _replaced(path: str, file: File, variant: Variant, fit: Fit, place: int) -> _Done:
    search, replace = variant.search, variant.replace
    end = place + len(search.lines) - sum(fit.skipped)
    new = renewed(search.lines, replace.lines, fit, file.text.lines[place:end])
    if end == len(file.text.lines) and not (search.final and replace.final):
        file.final = replace.final  # the end of the file is part of the edit: a side that marks it decides
    placement = touched(path, file.text, place, end, new)
    file.text.replace(place, end, new)
    return _Done((*variant.steps, *fit.steps), (placement,))


def _by_pieces(path: str, file: File, search: Lines, replace: Lines) -> _Done | None:
    """The block piece by piece, between its lines of dots; None where it has none or a piece does not fit once."""
    pieces = between_dots(search.lines, replace.lines)
    if pieces is None or not (search.final and replace.final):
        return None
    placed: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = []
    end = 0
    for old, new in pieces:
        places = file.text.places(old)
        if len(places) != 1 or places[0] < end:
            return None
        end = places[0] + len(old)
        placed.append((places[0], old, new))
    placements = []
    for place, old, new in reversed(placed):
        placements.append(touched(path, file.text, place, place + len(old), new))
        file.text.replace(place, place + len(old), new)
    return _Done((DOTS.name,), tuple(reversed(placements)))


def _why(search: Lines, replace: Lines, file: File) -> str:
    """What may be wrong with a SEARCH that fits nowhere."""
    lines = file.text.lines
    if replace.lines and replace != search and (places := file.text.places(replace.lines)):
        return f" The REPLACE lines are already there (line {places[0] + 1}): this change was made before."
    if not search.final and file.text.places(search.lines):
        return " Not at the end of the file without a newline after them, as the block says."
    head = file.text.places(search.lines[:-1]) if len(search.lines) > 1 else range(len(lines))
    size, last = len(search.lines) - 1, search.lines[-1]
    cut = [n + size for n in head if n + size < len(lines) and last.strip() and lines[n + size].startswith(last)]
    if cut and len(cut) < 20 and len(last.strip()) > 3:
        line = f"{cut[0] + 1}| {lines[cut[0]]}"
        return f" Its last line is only the beginning of line {cut[0] + 1}; quote whole lines:\n{line}"
    return shown(lines, search.lines)
