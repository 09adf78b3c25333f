"""Freezing: a merged change becomes a starting tree, two patches that rebuild the solved tree, allowed symbols."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from miner.diffs import patch_between
from miner.freeze_inside import freeze_inside
from miner.frozen import Frozen, Side, apply_patches, contents_of, side_of
from miner.git import Objects
from miner.inside import changed_tests
from miner.mined import Mined
from miner.patches import ABSENT, FilePatch, rebuilt
from miner.rejection import Rejection
from miner.screen import Split, is_binary, is_blob
from miner.sources.model import FileChange, MergedChange
from miner.symbols.files import allowed_by, text_of
from miner.text import count_lines
from miner.tokens import count_tokens
from miner.tree_objects import Entry

_AT_ONCE = 4 << 20  # bytes of files whose tokens are counted at once: a change may be of hundreds of megabytes


@dataclass(frozen=True)
class Size:
    """How big a change is: what a whole-file rewrite must emit, and how much of its files it alters."""

    rewrite_tokens: int
    change_fraction: float
    changed_lines: int


def measure(change: MergedChange, files: Split, mined: Mined) -> Size | None:
    """The size of a source-changing change, or None where the clone lacks a blob it takes."""
    blobs = {b for f in change.files for b in (f.old_blob, f.new_blob) if is_blob(b) and _is_text(f)}
    if mined.incomplete and any(mined.objects.resolve(blob) is None for blob in blobs):
        return None
    trees = [mined.tree_of(commit) for commit in (change.base, change.merged)]
    if trees[0] is None or trees[1] is None:
        return None
    lines: defaultdict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for part in mined.diffs.between(trees[0], trees[1]):  # a file that becomes a link has two
        lines[part.path] = lines[part.path][0] + part.lines[0], lines[part.path][1] + part.lines[1]
    changed, fraction, tokens = 0, 0.0, 0
    texts: list[bytes] = []
    for file in files.source:
        added, deleted = lines[file.path]
        if file.status == "R":
            deleted += lines[file.old_path or ""][1]
        changed += added + deleted
        sides = (file.old_blob, file.new_blob)
        old, new = (mined.objects.read(b) if is_blob(b) and _is_text(file) else None for b in sides)
        if new is not None and not is_binary(new):
            texts.append(new)
            if sum(map(len, texts)) > _AT_ONCE:
                tokens, texts = tokens + mined.crew.do(_tokens, texts), []
        if old is not None and new is not None and file.status in ("M", "T"):
            longest = max(count_lines(old), count_lines(new), 1)
            fraction = max(fraction, max(added, deleted) / longest)
    tokens += mined.crew.do(_tokens, texts)
    return Size(tokens, round(min(fraction, 1.0), 4), changed)


def _is_text(file: FileChange) -> bool:
    return "160000" not in (file.old_mode, file.new_mode)


def _tokens(contents: list[bytes]) -> int:
    return sum(count_tokens(text_of(content)) for content in contents)


def freeze(change: MergedChange, files: Split, mined: Mined) -> Frozen | Rejection:
    """The change as trees and patches, or why not: its patches do not rebuild what was merged, say.

    The solved tree is named but not written: `apply_patches` does that, where somebody wants its files.
    Raises `UnreadableTree` for a starting tree that git would refuse.
    """
    starting, merged = mined.tree_of(change.base), mined.tree_of(change.merged)
    if starting is None or merged is None:
        return Rejection.UNFAITHFUL_PATCH
    mined.trees.check(starting)
    kept = (*files.source, *files.test)
    before, after = side_of(kept, old=True), side_of(kept, old=False)
    solved = mined.trees.edited(starting, after)
    source = [contents_of(side_of(files.source, old), mined.objects) for old in (True, False)]
    inside = [path for path, new in source[1].items() if new and changed_tests(path, source[0][path], new)]
    if inside:
        return freeze_inside(starting, solved, files, source, inside, mined)
    parts = mined.diffs.between(starting, merged)
    roles = [side_of(role, old=True) for role in (files.source, files.test)]
    patches = [_patch_of(parts, role) for role in roles]
    if not _plainly_rebuild(parts, before, after, mined.objects):
        # Binary files and other rare things are for git itself to put in words and to judge, in several processes.
        patches = [patch_between(mined.git, starting, merged, role) for role in roles]
        if apply_patches(mined.git, starting, patches) != solved:
            return Rejection.UNFAITHFUL_PATCH
    allowed = mined.crew.do(allowed_by, source[0], source[1])
    return Frozen(starting, solved, patches[0], patches[1], allowed)


def _patch_of(parts: Iterable[FilePatch], paths: Mapping[str, object]) -> bytes:
    return b"".join(part.text for part in parts if part.path in paths)


def _plainly_rebuild(parts: Iterable[FilePatch], before: Side, after: Side, objects: Objects) -> bool:
    """Whether a patch of lines turns every file into what was merged, and nothing depends on the files' order."""
    kept = [part for part in parts if part.path in after]
    if len(kept) != len(after) or {part.path for part in kept} != after.keys():
        return False
    if any(str(folder) in after for path in after for folder in PurePosixPath(path).parents):
        return False  # a folder where a file was
    return all(_rebuilds(part, before[part.path], after[part.path], objects) for part in kept)


def _rebuilds(part: FilePatch, old: Entry | None, new: Entry | None, objects: Objects) -> bool:
    modes = tuple(entry.mode if entry else ABSENT for entry in (old, new))
    if part.is_binary or part.modes != modes:
        return False
    contents = [objects.read(entry.id) if entry else b"" for entry in (old, new)]
    return contents[0] is not None and rebuilt(contents[0], part.hunks) == contents[1]
