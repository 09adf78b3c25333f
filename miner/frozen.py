"""What freezing makes of a merged change, and the sides of a change that it is made from."""

from collections.abc import Iterable
from dataclasses import dataclass

from miner.git import Git, GitFailed, Objects
from miner.screen import is_blob
from miner.sources.model import FileChange
from miner.tree_objects import Entry

Side = dict[str, Entry | None]  # the files of a change before or after it; None: it does not exist there


@dataclass(frozen=True)
class Frozen:
    """A change as trees and patches; `allowed` is per source path.

    `tests_inside` are the source files that hold tests the change touches: those are part of the tests' patch.
    """

    starting_tree: str
    solved_tree: str
    change_patch: bytes
    tests_patch: bytes
    allowed: dict[str, list[str]]
    tests_inside: tuple[str, ...] = ()


def side_of(files: Iterable[FileChange], old: bool) -> Side:
    """What the files are on one side; a rename's two paths are both there, one of them absent."""
    side: Side = {}
    for file in files:
        mode, blob = (file.old_mode, file.old_blob) if old else (file.new_mode, file.new_blob)
        if file.old_path is not None:
            side[file.path if old else file.old_path] = None
        side[file.old_path if old and file.old_path is not None else file.path] = (
            Entry(mode, blob) if is_blob(blob) else None
        )
    return side


def contents_of(side: Side, objects: Objects) -> dict[str, bytes | None]:
    """The contents of the files of a side."""
    return {path: objects.read(entry.id) if entry else None for path, entry in side.items()}


def apply_patches(git: Git, tree: str, patches: Iterable[bytes], reverse: bool = False) -> str | None:
    """The id of the tree that results from applying patches to `tree`, or None where one does not apply."""
    direction = ("--reverse",) if reverse else ()
    with git.index(tree) as index:
        try:
            for patch in patches:
                if patch:
                    git.run("apply", "--cached", "--whitespace=nowarn", *direction, "-", stdin=patch, env=index)
            return git.line("write-tree", env=index)
        except GitFailed:
            return None
