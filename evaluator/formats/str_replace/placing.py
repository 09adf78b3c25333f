"""Applying `str_replace` edits, one after the other, to the files of a tree."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.formats.ladder import BLANK_LINES, LINE_ENDINGS, SHARED, Fit, fits
from evaluator.formats.model import Applied, Edit, Leniency, NotApplied, Placement, Sought, Tolerance, Tree
from evaluator.formats.nearest import counted, shown
from evaluator.formats.numbered import LINE_NUMBERS, unnumbered
from evaluator.formats.recovery import PATH_DECORATION, PATH_RECOVERY, Paths
from evaluator.formats.renewal import renewed
from evaluator.formats.str_replace.edits import Create, Delete, Insert, Replace
from evaluator.formats.str_replace.file import SHOWN, File, occurrences
from evaluator.formats.str_replace.reading import HTML_ESCAPED
from evaluator.taxonomy import Detail
from miner.text import to_bytes

EMPTY_OLD = Tolerance("empty_old", "an empty `old` adds a file that does not exist (Claude Code, Gemini CLI)")
PLACING = (PATH_DECORATION, PATH_RECOVERY, EMPTY_OLD, *SHARED, LINE_NUMBERS)
_REPORTED = 3  # failing edits that are shown in full


@dataclass(frozen=True)
class _Done:
    steps: tuple[str, ...] = ()
    placement: Placement | None = None


def apply_edits(edits: Sequence[Edit], tree: Tree, leniency: Leniency) -> Applied | NotApplied:
    """The edits in order, each on the result of those before; all of them or none."""
    files: dict[str, File | None] = {}
    paths = Paths(tree, files, leniency)
    done: list[_Done] = []
    failed: list[NotApplied] = []
    for number, edit in enumerate(edits, 1):
        creates = isinstance(edit, Create) or (
            isinstance(edit, Replace) and edit.old == "" and EMPTY_OLD.name in leniency
        )
        found = paths.find(edit.path, creates)
        if isinstance(found, NotApplied):
            failed.append(NotApplied(found.detail, f"Edit {number}: {found.message}"))
            continue
        path, steps = found
        if path not in files:
            content = tree.read(path)
            files[path] = None if content is None else File(path, content)
        one = _applied(edit, path, files, leniency, brief=len(failed) >= _REPORTED)
        if isinstance(one, NotApplied):
            anchors = [Sought(path, tuple(edit.old.split("\n")))] if isinstance(edit, Replace) and edit.old else []
            failed.append(NotApplied(one.detail, f"Edit {number} ({path}): {one.message}", sought=tuple(anchors)))
        else:
            done.append(_Done(tuple(dict.fromkeys((*edit.steps, *steps, *one.steps))), one.placement))
    if failed:
        messages = [one.message for one in failed[:_REPORTED]]
        if len(failed) > _REPORTED:
            messages.append(f"{len(failed) - _REPORTED} more edits do not fit.")
        sought = tuple(anchor for one in failed[:_REPORTED] for anchor in one.sought)
        return NotApplied(failed[0].detail, "\n".join(messages), len(done), sought)
    return Applied(
        {path: None if file is None else file.content() for path, file in files.items()},
        tuple(p for one in done if (p := one.placement) is not None and tree.read(p.path) is not None),
        tuple(one.steps for one in done),
    )


def _applied(
    edit: Edit, path: str, files: dict[str, File | None], leniency: Leniency, brief: bool
) -> _Done | NotApplied:  # fmt: skip
    """One edit on a file as it now is."""
    file = files[path]
    match edit:
        case Create(content=content):
            return _created(path, content, files)
        case Replace(old="", new=content) if file is None and EMPTY_OLD.name in leniency:
            created = _created(path, content, files)
            return created if isinstance(created, NotApplied) else _Done((EMPTY_OLD.name,))
        case Delete():
            files[path] = None
            return _Done(placement=None if file is None else file.replace_lines(0, file.count(), ()))
    if file is None:
        return NotApplied(Detail.UNKNOWN_PATH, "there is no such file; use create to add it.")
    if isinstance(edit, Insert):
        return _inserted(edit, file, leniency)
    assert isinstance(edit, Replace)
    return _replaced(edit, file, leniency, brief)


def _created(path: str, content: str, files: dict[str, File | None]) -> _Done | NotApplied:
    file, new = files[path], to_bytes(content)
    if file is not None:
        why = "already has these contents" if file.content() == new else "already exists; replace parts of it"
        return NotApplied(Detail.HUNK_MISMATCH, f"it is to be created, but {why}.")
    files[path] = File(path, new)
    return _Done()


def _inserted(edit: Insert, file: File, leniency: Leniency) -> _Done | NotApplied:
    """Whole lines, after the given one; where no newline ends the file, its end is as they are written."""
    count = file.count()
    if not 0 <= edit.line <= count:
        return NotApplied(Detail.ANCHOR_MISSING, f"insert_line is {edit.line}, but the file has {count} lines.")
    text, steps = _ended(edit.text, file, leniency)
    if edit.line == count and not file.text.endswith("\n"):
        last = [line + "\r" if steps else line for line in file.lines.lines[count - 1 : count]]
        return _Done(steps, file.replace_lines(count - len(last), len(file.lines.lines), [*last, *text.split("\n")]))
    new = text.removesuffix("\n").split("\n")
    if steps and not text.endswith("\n"):
        new[-1] += "\r"
    return _Done(steps, file.replace_lines(edit.line, edit.line, new))


def _ended(new: str, file: File, leniency: Leniency) -> tuple[str, tuple[str, ...]]:
    """A text typed with plain line ends, with those of a file of which every line ends in `\\r\\n`."""
    if LINE_ENDINGS.name not in leniency or "\r" in new or file.ends() != "\r\n":
        return new, ()
    return new.replace("\n", "\r\n"), (LINE_ENDINGS.name,)


def _replaced(edit: Replace, file: File, leniency: Leniency, brief: bool) -> _Done | NotApplied:
    old, new = edit.old, edit.new
    if not old:
        return NotApplied(Detail.ANCHOR_MISSING, "`old` is empty; quote what to replace, or use insert_line.")
    places, count = file.places(old)
    steps: tuple[str, ...] = ()
    if len(places) == 1 and "\n" in new and "\n" not in old:
        new, steps = _ended(new, file, leniency)
    if len(places) == 1:
        return _Done(steps, file.replace(places[0], places[0] + len(old), new))
    if places:
        return _ambiguous([file.line_at(place) for place in places], count)
    if LINE_ENDINGS.name in leniency and (found := _by_line_endings(edit, file)) is not None:
        return found
    for variant in _variants(edit, leniency):
        lines = _whole_lines(variant.old, variant.new)
        if lines is None:
            continue
        fit = fits(file.lines, lines[0], leniency)
        # Lines fit to the letter where the text does not, if it begins or ends in a line break that the file lacks.
        extra = () if fit.steps or variant.steps else (BLANK_LINES.name,)
        if not leniency.issuperset(extra):
            continue
        if len(fit.places) > 1:
            return _ambiguous(fit.places[:SHOWN], len(fit.places))
        if fit.places:
            first = fit.places[0]
            last = first + len(lines[0]) - sum(fit.skipped)
            kept = renewed(lines[0], lines[1], fit, file.lines.lines[first:last])
            return _Done((*variant.steps, *fit.steps, *extra), file.replace_lines(first, last, kept))
    return NotApplied(Detail.ANCHOR_MISSING, "`old` does not occur." + ("" if brief else _why(edit, file)))


def _ambiguous(lines: Sequence[int], count: int) -> NotApplied:
    return NotApplied(Detail.ANCHOR_AMBIGUOUS, f"`old` occurs {counted(lines, count)}. Quote more around it.")


def _by_line_endings(edit: Replace, file: File) -> _Done | NotApplied | None:
    """The replacement where the text stands but for `\\r`; None where it does not."""
    if "\r" not in file.text and "\r" not in edit.old:
        return None
    plain, old, new = (text.replace("\r\n", "\n") for text in (file.text, edit.old, edit.new))
    start = plain.find(old)
    if start < 0:
        return None
    places, count = occurrences(plain, old)
    if count > 1:
        return _ambiguous([plain.count("\n", 0, at) for at in places], count)
    first = plain.count("\n", 0, start)
    offset = sum(len(line) + 1 for line in file.lines.lines[:first]) + start - (plain.rfind("\n", 0, start) + 1)
    parts, wanted = old.split("\n"), new.split("\n")
    there = file.lines.lines[first : first + len(parts) - 1]
    end = offset + len(old) + sum(line.endswith("\r") for line in there)
    own = file.text[offset:end].split("\n")
    fit = Fit((0,), (LINE_ENDINGS.name,))
    kept = renewed(parts[:-1], wanted[:-1], fit, own[:-1], file.lines.lines[:1000])
    return _Done(fit.steps, file.replace(offset, end, "\n".join([*kept, wanted[-1]])))


def _variants(edit: Replace, leniency: Leniency) -> Iterator[Replace]:
    """The edit as it stands, then as the tolerances that look at all of it would have it."""
    yield Replace(edit.path, edit.old, edit.new)
    if HTML_ESCAPED.name in leniency and "&" in edit.old and (old := html.unescape(edit.old)) != edit.old:
        yield Replace(edit.path, old, html.unescape(edit.new), steps=(HTML_ESCAPED.name,))
    old_lines, new_lines = (text.removesuffix("\n").split("\n") for text in (edit.old, edit.new))
    if LINE_NUMBERS.name in leniency and (ours := unnumbered(old_lines)) is not None:
        bare = "\n".join(unnumbered(new_lines) or new_lines) + ("\n" if edit.new.endswith("\n") else "")
        ended = "\n".join(ours) + ("\n" if edit.old.endswith("\n") else "")
        yield Replace(edit.path, ended, bare, steps=(LINE_NUMBERS.name,))


def _whole_lines(old: str, new: str) -> tuple[list[str], list[str]] | None:
    """The two texts as whole lines, the line breaks that both have at their ends left out; None where they are none."""
    if old.startswith("\n") and new.startswith("\n"):
        old, new = old[1:], new[1:]
    if old.endswith("\n"):
        if not new:
            return old[:-1].split("\n"), []
        if not new.endswith("\n"):
            return None  # it would join the next line to the last new one
        old, new = old[:-1], new[:-1]
    return (old.split("\n"), new.split("\n")) if old else None


def _why(edit: Replace, file: File) -> str:
    """What may be wrong with a text that occurs nowhere."""
    if edit.new.strip() and edit.new != edit.old and (places := file.places(edit.new)[0]):
        return f" `new` is already there (line {file.line_at(places[0]) + 1}): this change was made before."
    return shown(file.lines.lines, edit.old.split("\n"))
